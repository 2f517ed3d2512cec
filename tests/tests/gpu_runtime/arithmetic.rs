//! gpu-shaders on every adapter against its Rust twins: a short form of `cargo xtask conformance`.
//!
//! Kernels: `sweep_op`, `apply_double`.

use conformance::adapters::{has_f64, on_every_adapter, open_all};
use conformance::kernels::SWEEP_KERNEL;
use conformance::kernels::double_op;
use conformance::kernels::sweep_op::{Op, Params, sweep_op};
use gpu_runtime::{Constant, Context, ContextOptions, KernelSource, NumericsChoice};
use gpu_shaders::folded_grid;

const OPERATIONS: [Op; 11] = [
    Op::Sqrt,
    Op::Div,
    Op::TwoSum,
    Op::TwoProd,
    Op::FromInteger,
    Op::ToInteger,
    Op::Acos,
    Op::ScalePow2,
    Op::OrderedKey,
    Op::ExtractBits,
    Op::Atan2,
];

/// Pieces of the range of indices: around zero, subnormals, one, infinity, and their negatives.
const STARTS: [u32; 8] =
    [0, 0x007f_8000, 0x0100_0000 - 0x8000, 0x3f7f_8000, 0x7f7f_8000, 0x7fff_8000, 0xbf7f_8000, 0xff7f_8000];
const COUNT: u32 = 1 << 16;

fn on_device(context: &Context, op: Op, params: &Params, groups: [u32; 3]) -> Vec<[u32; 2]> {
    let constants = [("OP", Constant::U32(op as u32))];
    let run = || {
        let kernel = context.kernel(&KernelSource { constants: &constants, ..SWEEP_KERNEL })?;
        let results = context.zeroed::<[u32; 2]>("results", params.count as usize)?;
        let mut recording = context.record("arithmetic");
        recording.dispatch(&kernel, &[("results", results.bind())], params, groups)?;
        let words = recording.download(&results);
        recording.submit()?.take(words)
    };
    run().unwrap_or_else(|error: gpu_runtime::Error| panic!("{op:?}: {error}"))
}

/// The number of words that differ, and the first.
fn differences(context: &Context, op: Op) -> (usize, String) {
    let groups = folded_grid::plan(COUNT / 64, 65_535);
    let (mut count, mut first) = (0, String::new());
    for start in STARTS {
        let params = Params { start, count: COUNT, seed: 7, groups_x: groups[0], zero: 0, pad: [0; 3] };
        let (expected, got) = (sweep_op(op, &params), on_device(context, op, &params, groups));
        for (index, (e, g)) in expected.iter().zip(&got).enumerate().filter(|(_, (e, g))| e != g) {
            count += 1;
            if first.is_empty() {
                first = format!("{op:?} at {:#010x}: expected {e:x?}, got {g:x?}", start.wrapping_add(index as u32));
            }
        }
    }
    (count, first)
}

#[test]
fn gpu_shaders_gives_the_words_of_its_twins() {
    on_every_adapter(|context| {
        for op in OPERATIONS {
            let (count, first) = differences(context, op);
            assert_eq!(count, 0, "{first}");
        }
    });
}

/// Shows that the test above can fail: without a strict form a compiler may simplify the error-free sum to zero. Mesa's
/// software driver does; so do hardware drivers.
#[test]
fn without_a_strict_form_mesa_gives_other_words() {
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Off]) {
        let (count, _) = differences(&context, Op::TwoSum);
        println!("{}: {count} words of two_sum differ without a strict form", context.adapter().name);
        if context.adapter().name.contains("llvmpipe") {
            assert!(count > 0, "plain WGSL is strict on this driver: the control has lost its meaning");
        }
    }
}

#[test]
fn the_functions_of_f64_give_the_words_of_their_twins() {
    let operands = double_op::operands(1 << 16, 5);
    let expected = double_op::on_host(&operands);
    on_every_adapter(|context| {
        if has_f64(context) {
            let got = double_op::on_device(context, &operands).unwrap_or_else(|error| panic!("{error}"));
            for (i, (e, g)) in expected.iter().zip(&got).enumerate() {
                for (k, name) in double_op::NAMES.iter().enumerate() {
                    assert_eq!(e[k].to_bits(), g[k].to_bits(), "{name} of {:x?}", operands[i].map(f64::to_bits));
                }
            }
        }
    });
}
