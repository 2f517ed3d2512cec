//! Rates of the integer primitives on a device: `primitives [ELEMENTS]..` (default 1 and 64 million).
//!
//! Prints seconds of the device's clock (the wait's where it has none), best of ten, elements a second, and the traffic
//! over the time; then the share of each kernel. ISOBIT_DEVICE chooses the adapter, ISOBIT_SUBGROUPS=0 the form without
//! subgroups.

use std::collections::BTreeMap;

use gpu_runtime::primitives::{Compact, Pairs, RadixSort, Reduce, ReduceOp, Scan};
use gpu_runtime::{AdapterSelector, Context, ContextOptions, Error, Recording, Timestamps};

const RUNS: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let subgroups = std::env::var("ISOBIT_SUBGROUPS").as_deref() != Ok("0");
    let selector = match AdapterSelector::from_env() {
        AdapterSelector::Auto => AdapterSelector::Gpu,
        chosen => chosen,
    };
    let context = Context::new(&ContextOptions { selector, subgroups, ..ContextOptions::default() })?;
    println!("{}, subgroups {:?}", context.adapter(), context.subgroups());
    let asked: Result<Vec<usize>, _> = std::env::args().skip(1).map(|arg| arg.parse()).collect();
    let lengths = match asked? {
        lengths if lengths.is_empty() => vec![1 << 20, 1 << 26],
        lengths => lengths,
    };
    for len in lengths {
        measure_all(&context, len)?;
    }
    Ok(())
}

fn measure_all(context: &Context, len: usize) -> Result<(), Error> {
    let random: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9e37_79b9).rotate_left(i % 31)).collect();
    let half: Vec<u32> = random.iter().map(|word| word >> 31).collect();
    let words = context.upload("words", &random)?;
    let flags = context.upload("flags", &half)?;
    let equal = context.upload("equal", &vec![0x0101_0101u32; len])?;
    let [keys, values] = [context.zeroed::<u32>("out", len)?, context.zeroed::<u32>("out values", len)?];
    let reduce = Reduce::new(context, ReduceOp::Sum, len)?;
    let scan = Scan::new(context, len)?;
    let compact = Compact::new(context, len)?;
    let sort = RadixSort::new(context, len)?;
    let to = Pairs { keys: &keys, values: &values };
    let pairs = |keys| Pairs { keys, values: &words };

    measure(context, "copy", len, 8.0, |r| r.copy(&words, 0..len, &keys, 0))?;
    measure(context, "reduce", len, 4.0, |r| reduce.record(r, &words, len))?;
    measure(context, "scan", len, 12.0, |r| scan.record(r, &words, &keys, len))?;
    measure(context, "compact", len, 12.0, |r| compact.record(r, &flags, &words, &keys, len))?;
    measure(context, "compact indices", len, 10.0, |r| compact.record_indices(r, &flags, &keys, len))?;
    measure(context, "sort", len, 80.0, |r| sort.record(r, pairs(&words), to, len))?;
    measure(context, "sort, equal keys", len, 80.0, |r| sort.record(r, pairs(&equal), to, len))
}

/// Runs what `record` records and prints its best time; `bytes` is its traffic an element.
fn measure(
    context: &Context,
    name: &str,
    len: usize,
    bytes: f64,
    record: impl Fn(&mut Recording) -> Result<(), Error>,
) -> Result<(), Error> {
    let run = |timestamps| -> Result<_, Error> {
        let mut recording = context.record(name).with_timestamps(timestamps);
        record(&mut recording)?;
        let done = recording.submit()?;
        let whole: f64 = done.timings().iter().map(|(_, seconds)| seconds).sum();
        let seconds = if done.timings().is_empty() { done.wall_seconds() } else { whole };
        Ok((seconds, done.timings().to_vec()))
    };
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        best = best.min(run(Timestamps::Whole)?.0);
    }
    let (rate, traffic) = (len as f64 / best * 1e-9, len as f64 * bytes / best * 1e-9);
    print!("{len:>10} {name:<17} {:>10.1} us {rate:>8.2} G/s {traffic:>8.1} GB/s ", best * 1e6);
    let mut kernels = BTreeMap::<String, f64>::new();
    for (kernel, seconds) in run(Timestamps::EachDispatch)?.1 {
        *kernels.entry(kernel).or_default() += seconds;
    }
    let shares: Vec<_> = kernels.iter().map(|(kernel, seconds)| format!("{kernel} {:.1}", seconds * 1e6)).collect();
    println!(" {}", shares.join(", "));
    Ok(())
}
