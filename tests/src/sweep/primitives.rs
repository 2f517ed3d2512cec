//! Scan, reduction, compaction and sort at awkward lengths against their references, with and without subgroups.

use gpu_runtime::primitives::{
    ReduceOp, compact, compact_cpu, compact_indices, compact_indices_cpu, exclusive_scan, exclusive_scan_cpu,
    radix_sort, radix_sort_cpu, reduce, reduce_cpu,
};
use gpu_runtime::{AdapterSelector, Context, ContextOptions, Form, NumericsChoice};

use super::Bench;
use super::outcome::Outcome;
use crate::error::Error;

/// Around subgroups, workgroups, tiles, spans, and one binding of 128 MiB (2^25 words).
const LENGTHS: [usize; 18] = [
    0,
    1,
    2,
    31,
    63,
    65,
    255,
    257,
    1023,
    2049,
    4097,
    65_537,
    1_000_003,
    (1 << 22) + 1,
    (1 << 24) - 1,
    (1 << 25) - 1,
    (1 << 25) + 1,
    50_000_017,
];

/// Longest array of a short sweep.
const QUICK: usize = 1_000_003;

/// Runs each primitive at each length.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let subgroups = bench.context.subgroups().is_some();
    all(bench, None, if subgroups { "with subgroups" } else { "without subgroups" })?;
    if subgroups {
        let other = without_subgroups(bench.context)?;
        all(bench, Some(&other), "without subgroups")?;
    }
    Ok(())
}

/// The same device and form without subgroup operations.
fn without_subgroups(context: &Context) -> Result<Context, Error> {
    let selector = AdapterSelector::Index(context.adapter().index);
    let numerics = match context.numerics().form {
        Form::Decorated => NumericsChoice::Decorated,
        _ => NumericsChoice::Guarded,
    };
    Ok(Context::new(&ContextOptions { selector, numerics, subgroups: false, ..ContextOptions::default() })?)
}

fn all(bench: &mut Bench<'_>, other: Option<&Context>, kind: &str) -> Result<(), Error> {
    type Check = fn(&Context, usize, &mut Outcome) -> Result<(), Error>;
    let checks: [(&str, Check); 4] = [("scan", scan), ("reduce", reductions), ("compact", compaction), ("sort", sort)];
    let context = other.unwrap_or(bench.context);
    let longest = if bench.options.quick { QUICK } else { usize::MAX };
    for (name, check) in checks {
        bench.check(&format!("{name}, awkward lengths, {kind}"), |outcome| {
            let lengths = LENGTHS.into_iter().filter(|length| *length <= longest);
            lengths.clone().try_for_each(|length| check(context, length, outcome))?;
            outcome.note = format!("lengths 0 to {}", lengths.max().unwrap_or(0));
            Ok(())
        })?;
    }
    Ok(())
}

/// Repeatable words.
fn words(length: usize, seed: u32) -> Vec<u32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state ^ state >> 16
    };
    std::iter::repeat_with(next).take(length).collect()
}

fn scan(context: &Context, length: usize, outcome: &mut Outcome) -> Result<(), Error> {
    let input = words(length, 1);
    let (expected, got) = (exclusive_scan_cpu(&input), exclusive_scan(context, &input)?);
    outcome.compare(&expected.0, &got.0, |index| format!("length {length}, index {index}"));
    outcome.compare(&[expected.1], &[got.1], |_| format!("length {length}, total"));
    Ok(())
}

fn reductions(context: &Context, length: usize, outcome: &mut Outcome) -> Result<(), Error> {
    let input = words(length, 2);
    for op in [ReduceOp::Sum, ReduceOp::Min, ReduceOp::Max] {
        let (expected, got) = (reduce_cpu(op, &input), reduce(context, op, &input)?);
        outcome.compare(&[expected], &[got], |_| format!("length {length}, {op:?}"));
    }
    Ok(())
}

fn compaction(context: &Context, length: usize, outcome: &mut Outcome) -> Result<(), Error> {
    let values = words(length, 3);
    // Few, about half, and all kept.
    for mask in [255, 1, 0] {
        let flags: Vec<u32> = words(length, 4).into_iter().map(|word| u32::from(word & mask == 0)).collect();
        let describe = |index| format!("length {length}, mask {mask}, index {index}");
        outcome.compare(&compact_cpu(&flags, &values)?, &compact(context, &flags, &values)?, describe);
        outcome.compare(&compact_indices_cpu(&flags)?, &compact_indices(context, &flags)?, describe);
    }
    Ok(())
}

fn sort(context: &Context, length: usize, outcome: &mut Outcome) -> Result<(), Error> {
    let values: Vec<u32> = (0..length as u32).collect();
    // Keys all over the range, and so few of them that stability shows.
    for shift in [0, 28] {
        let keys: Vec<u32> = words(length, 5).into_iter().map(|word| word >> shift).collect();
        let (expected, got) = (radix_sort_cpu(&keys, &values)?, radix_sort(context, &keys, &values)?);
        let describe = |index| format!("length {length}, keys of {} bits, index {index}", 32 - shift);
        outcome.compare(&expected.0, &got.0, describe);
        outcome.compare(&expected.1, &got.1, describe);
    }
    Ok(())
}
