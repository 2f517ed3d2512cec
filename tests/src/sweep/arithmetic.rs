//! Sweeps of the strict arithmetic: all operands of one-word operations, many random ones of two.

use std::sync::mpsc;
use std::thread;

use gpu_runtime::{Constant, Context, DeviceVec, KernelSource};
use gpu_shaders::folded_grid;
use rayon::prelude::*;

use super::Bench;
use super::outcome::Outcome;
use crate::adapters::has_f64;
use crate::error::Error;
use crate::kernels::sweep_op::{Op, Params, sweep_words};
use crate::kernels::{SWEEP_KERNEL, double_op};

/// Results of one dispatch: 64 MiB, below every device's largest binding.
const CHUNK: u64 = 1 << 23;

/// Invocations of a workgroup of the kernel.
const GROUP: u32 = 64;

/// The sweeps: name, operation, number of operands. An index has 32 bits, so 2^32 of them are all.
const SWEEPS: [(&str, Op, u64); 11] = [
    ("sqrt_rn", Op::Sqrt, 1 << 32),
    ("div_rn, random words", Op::Div, 1 << 30),
    ("two_sum, random in its domain", Op::TwoSum, 1 << 30),
    ("two_prod, random in its domain", Op::TwoProd, 1 << 30),
    ("u32 and i32 to f32", Op::FromInteger, 1 << 32),
    ("f32 to u32 and i32, random in range", Op::ToInteger, 1 << 28),
    ("acos_strict", Op::Acos, 1 << 32),
    ("scale_pow2, random words", Op::ScalePow2, 1 << 28),
    ("ordered_key and ordered_value, random words", Op::OrderedKey, 1 << 28),
    ("extract_bits, random words", Op::ExtractBits, 1 << 28),
    ("atan2_strict, random words and near sizes", Op::Atan2, 1 << 30),
];

/// Runs the sweeps.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    for (name, op, count) in SWEEPS {
        let (context, quick) = (bench.context, bench.options.quick);
        bench.check(name, |outcome| sweep(context, op, count, quick, outcome))?;
    }
    if has_f64(bench.context) {
        let (context, quick) = (bench.context, bench.options.quick);
        bench.check("functions of f64, random words and near sizes", |outcome| doubles(context, quick, outcome))?;
    }
    Ok(())
}

/// The functions of f64: every operand of two words, so a sample.
fn doubles(context: &Context, quick: bool, outcome: &mut Outcome) -> Result<(), Error> {
    let (pieces, count) = (if quick { 1 } else { 64 }, 1 << 18);
    for piece in 0..pieces {
        let operands = double_op::operands(count, piece);
        let (expected, got) = (double_op::on_host(&operands), double_op::on_device(context, &operands)?);
        let words =
            |results: &[[f64; double_op::RESULTS]]| results.iter().map(|own| own.map(f64::to_bits)).collect::<Vec<_>>();
        let describe = |index: usize| format!("{:?} of {:x?}", double_op::NAMES, operands[index].map(f64::to_bits));
        outcome.compare(&words(&expected), &words(&got), describe);
    }
    outcome.note = format!("{} operands, {} results each", pieces as usize * count, double_op::RESULTS);
    Ok(())
}

/// The ranges of indices: all of them in chunks, or a short piece at the beginning of each 64th part.
fn ranges(count: u64, quick: bool) -> Vec<(u32, u32)> {
    let (step, length) = if quick { (count / 64, (count / 64).min(1 << 16)) } else { (CHUNK, CHUNK) };
    let starts = (0..count).step_by(step as usize);
    starts.map(|start| (start as u32, length.min(count - start) as u32)).collect()
}

/// The device computes one chunk while the host checks the last.
fn sweep(context: &Context, op: Op, count: u64, quick: bool, outcome: &mut Outcome) -> Result<(), Error> {
    let ranges = ranges(count, quick);
    outcome.note = match (count == 1 << 32, quick) {
        (_, true) => format!("64 pieces of {count} operands"),
        (true, false) => "all operands".into(),
        (false, false) => format!("{count} operands"),
    };
    let constants = [("OP", Constant::U32(op as u32))];
    let kernel = context.kernel(&KernelSource { constants: &constants, ..SWEEP_KERNEL })?;
    let longest = ranges.iter().map(|(_, length)| *length).max().unwrap_or(0);
    let results: DeviceVec<[u32; 2]> = context.zeroed("sweep results", longest as usize)?;
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let compute = |(start, length): (u32, u32)| -> Result<Vec<[u32; 2]>, Error> {
            let most = context.adapter().limits.max_workgroups_per_dimension;
            let groups = folded_grid::plan(length.div_ceil(GROUP), most);
            let params = Params { start, count: length, seed: SEED, groups_x: groups[0], zero: 0, pad: [0; 3] };
            let mut recording = context.record("sweep");
            recording.dispatch(&kernel, &[("results", results.bind())], &params, groups)?;
            let words = recording.download(&results);
            let mut words = recording.submit()?.take(words)?;
            words.truncate(length as usize);
            Ok(words)
        };
        let inputs = ranges.clone();
        scope.spawn(move || {
            for range in inputs {
                // A closed channel means that the other side has given up.
                if sender.send(compute(range)).is_err() {
                    break;
                }
            }
        });
        for ((start, _), words) in ranges.into_iter().zip(receiver) {
            check(op, start, &words?, outcome);
        }
        Ok(())
    })
}

const SEED: u32 = 0x1505_b17e;

fn check(op: Op, start: u32, words: &[[u32; 2]], outcome: &mut Outcome) {
    let index_of = |item: usize| start.wrapping_add(item as u32);
    let differs = |item: &usize| words[*item] != sweep_words(op, index_of(*item), SEED);
    let different = (0..words.len()).into_par_iter().filter(differs).count();
    outcome.compared += words.len() as u64;
    outcome.different += different as u64;
    if different > 0 && outcome.first.is_none() {
        let first = (0..words.len()).find(differs).unwrap_or(0);
        let (index, expected) = (index_of(first), sweep_words(op, index_of(first), SEED));
        outcome.first = Some(format!("index {index:#x}: expected {expected:x?}, got {:x?}", words[first]));
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn chunks_cover_every_index_once() {
        let all = ranges(1 << 32, false);
        assert_eq!(all.iter().map(|(_, length)| u64::from(*length)).sum::<u64>(), 1 << 32);
        assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0));
        let quick = ranges(1 << 32, true);
        assert_eq!(quick.len(), 64);
        assert_eq!(quick[63], (63 << 26, 1 << 16));
    }
}
