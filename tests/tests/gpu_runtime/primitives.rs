//! Scan, reduction, compaction and sort: the device's words are the CPU's, on every adapter, with and without subgroups,
//! in one piece and in many. Kernels: reduce_spans, scan_spans, compact_spans, radix_count, radix_prefix, radix_scatter,
//! radix_scatter_subgroup.

use std::sync::OnceLock;

use conformance::adapters::{contexts, on_every_adapter, open_all};
use gpu_runtime::primitives::{
    Compact, Pairs, RadixSort, Reduce, ReduceOp, Scan, compact, compact_cpu, compact_indices, compact_indices_cpu,
    exclusive_scan, exclusive_scan_cpu, radix_sort, radix_sort_cpu, reduce, reduce_cpu,
};
use gpu_runtime::{Context, ContextOptions, Error, NumericsChoice};

/// Around subgroups, workgroups, quads and the tiles of 2,048, 3,072 and 4,096 words.
const SIZES: [usize; 25] = [
    0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 3072, 3073, 4095, 4096, 4097,
    12_289, 65_535, 100_003,
];
/// One word more than 65,535 groups of 64.
const LARGE: usize = 65_535 * 64 + 1;
/// A binding limit that cuts an array of `CUT` words into five pieces, the last of them odd.
const SMALL_BINDING: u64 = 32 << 10;
const CUT: usize = 4 * (SMALL_BINDING as usize / 4) + 777;

/// Every adapter with the form without subgroups.
fn without_subgroups() -> &'static [Context] {
    static CONTEXTS: OnceLock<Vec<Context>> = OnceLock::new();
    CONTEXTS.get_or_init(|| {
        let options = ContextOptions { subgroups: false, ..ContextOptions::default() };
        open_all(&options, &[NumericsChoice::Auto])
    })
}

/// Every adapter with a small limit of bytes per binding, with and without subgroups.
fn with_small_bindings() -> &'static [Context] {
    static CONTEXTS: OnceLock<Vec<Context>> = OnceLock::new();
    CONTEXTS.get_or_init(|| {
        let open = |subgroups| {
            let max_binding_bytes = Some(SMALL_BINDING);
            let options = ContextOptions { subgroups, max_binding_bytes, ..ContextOptions::default() };
            open_all(&options, &[NumericsChoice::Auto])
        };
        [open(true), open(false)].concat()
    })
}

/// One context for each adapter, then one without subgroups, with what tells it from others.
fn each(check: impl Fn(&Context, &str)) {
    let mut seen = Vec::new();
    let first = |context: &&Context| {
        let index = context.adapter().index;
        let new = !seen.contains(&index);
        seen.push(index);
        new
    };
    let firsts: Vec<_> = contexts().iter().filter(first).collect();
    for context in firsts.into_iter().chain(without_subgroups()) {
        let form = context.subgroups().map_or("no subgroups".into(), |s| format!("subgroups of {}", s.min_size));
        let name = format!("{}, {form}", context.adapter().name);
        println!("on {name}");
        check(context, &name);
    }
}

/// Words that look random, the same in every run.
fn noise(len: usize, seed: u32) -> Vec<u32> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.wrapping_mul(0x9e37_79b9)
    };
    (0..len).map(|_| next()).collect()
}

/// Keys that favour one path: all equal, ordered, in few digits, in the high or the low bits only.
fn keys(len: usize, pattern: usize) -> Vec<u32> {
    let index = 0..len as u32;
    match pattern {
        0 => noise(len, 77),
        1 => vec![0xdead_beef; len],
        2 => index.collect(),
        3 => index.rev().collect(),
        4 => noise(len, 5).iter().map(|k| k & 0xff00_0000).collect(),
        5 => noise(len, 6).iter().map(|k| k & 0x8000_0001).collect(),
        6 => vec![u32::MAX; len],
        _ => index.map(|i| i % 17 * 0x0101_0101).collect(),
    }
}
const PATTERNS: usize = 8;

/// All patterns at some sizes, the first alone at the others.
fn patterns(len: usize, all: usize) -> usize {
    if [3, 257, 3073].contains(&len) { all } else { 1 }
}

fn flags(len: usize, pattern: usize) -> Vec<u32> {
    match pattern {
        0 => noise(len, 3).iter().map(|w| w & 1).collect(),
        1 => vec![0; len],
        2 => vec![u32::MAX; len],
        // Any word that is not zero counts, and the last one is kept.
        _ => (0..len).map(|i| if i % 1000 == 999 || i + 1 == len { 1 << (i % 32) } else { 0 }).collect(),
    }
}

/// Compares without printing millions of words.
fn same(device: &[u32], cpu: &[u32], what: &str) {
    assert_eq!(device.len(), cpu.len(), "{what}: length");
    if let Some(i) = (0..cpu.len()).find(|&i| device[i] != cpu[i]) {
        panic!("{what}: word {i} of {} is {:#x} on the device, {:#x} on the CPU", cpu.len(), device[i], cpu[i]);
    }
}

fn check_scan_and_reduce(context: &Context, len: usize, name: &str) {
    let words = noise(len, len as u32);
    let (expected, sum) = exclusive_scan_cpu(&words);
    let (got, total) = exclusive_scan(context, &words).unwrap();
    same(&got, &expected, &format!("scan of {len} on {name}"));
    assert_eq!(total, sum, "total of {len} on {name}");
    for op in [ReduceOp::Sum, ReduceOp::Min, ReduceOp::Max] {
        let got = reduce(context, op, &words).unwrap();
        assert_eq!(got, reduce_cpu(op, &words), "{op:?} of {len} on {name}");
    }
}

fn check_compact(context: &Context, len: usize, pattern: usize, name: &str) {
    let (flags, values) = (flags(len, pattern), noise(len, 9));
    let what = format!("pattern {pattern} of {len} on {name}");
    let got = compact(context, &flags, &values).unwrap();
    same(&got, &compact_cpu(&flags, &values).unwrap(), &format!("compact, {what}"));
    let got = compact_indices(context, &flags).unwrap();
    same(&got, &compact_indices_cpu(&flags).unwrap(), &format!("compact indices, {what}"));
}

/// The values are the indices, so that an unstable order shows; the standard library's sort is the oracle.
fn check_sort(context: &Context, len: usize, pattern: usize, name: &str) {
    let keys = keys(len, pattern);
    let indices: Vec<u32> = (0..len as u32).collect();
    let (sorted_keys, sorted) = radix_sort(context, &keys, &indices).unwrap();
    let mut expected = indices;
    expected.sort_by_key(|i| keys[*i as usize]);
    let what = format!("sort, pattern {pattern} of {len} on {name}");
    same(&sorted, &expected, &what);
    let expected: Vec<u32> = expected.iter().map(|i| keys[*i as usize]).collect();
    same(&sorted_keys, &expected, &what);
}

#[test]
fn scan_and_reduce_give_the_cpus_words() {
    each(|context, name| SIZES.iter().for_each(|len| check_scan_and_reduce(context, *len, name)));
}

#[test]
fn compaction_gives_the_cpus_words() {
    each(|context, name| {
        for len in SIZES {
            (0..patterns(len, 4)).for_each(|pattern| check_compact(context, len, pattern, name));
        }
    });
}

#[test]
fn sort_gives_the_stable_order() {
    each(|context, name| {
        for len in [0, 1, 2, 63, 64, 65, 255, 257, 1023, 3071, 3072, 3073, 12_289] {
            (0..patterns(len, PATTERNS)).for_each(|pattern| check_sort(context, len, pattern, name));
        }
    });
}

#[test]
fn more_words_than_groups_in_a_dimension() {
    for context in without_subgroups() {
        let name = &context.adapter().name;
        check_scan_and_reduce(context, LARGE, name);
        check_compact(context, LARGE, 0, name);
        check_one_pass(context, 40_001, name);
    }
}

/// Keys of eight bits: one pass, straight into the output.
fn check_one_pass(context: &Context, len: usize, name: &str) {
    let keys: Vec<u32> = noise(len, 4).iter().map(|key| key & 255).collect();
    let values = noise(len, 12);
    let [keys_in, values_in] = [&keys, &values].map(|words| context.upload("unsorted", words).unwrap());
    let [keys_out, values_out] = [0; 2].map(|_| context.zeroed::<u32>("sorted", len).unwrap());
    let sort = RadixSort::with_key_bits(context, len, 8).unwrap();
    let (from, to) = (Pairs { keys: &keys_in, values: &values_in }, Pairs { keys: &keys_out, values: &values_out });
    let mut recording = context.record("one pass");
    sort.record(&mut recording, from, to, len).unwrap();
    let (got_keys, got_values) = (recording.download(&keys_out), recording.download(&values_out));
    let mut done = recording.submit().unwrap();
    let (expected_keys, expected_values) = radix_sort_cpu(&keys, &values).unwrap();
    same(&done.take(got_keys).unwrap(), &expected_keys, &format!("keys of one pass on {name}"));
    same(&done.take(got_values).unwrap(), &expected_values, &format!("values of one pass on {name}"));
}

/// Workgroups that walk several tiles each, as they do on arrays of many millions.
#[test]
fn few_workgroups_with_long_spans_give_the_same_words() {
    for context in contexts().iter().chain(without_subgroups()) {
        let name = &context.adapter().name;
        const LEN: usize = 40_001;
        let (words, flags) = (noise(LEN, 8), flags(LEN, 0));
        let [input, marks] = [&words, &flags].map(|data| context.upload("input", data).unwrap());
        let output: Vec<_> = (0..4).map(|_| context.zeroed::<u32>("output", LEN).unwrap()).collect();
        let scan = Scan::new(context, LEN).unwrap().with_max_groups(3);
        let sum = Reduce::new(context, ReduceOp::Sum, LEN).unwrap().with_max_groups(3);
        let kept = Compact::new(context, LEN).unwrap().with_max_groups(3);
        let sort = RadixSort::new(context, LEN).unwrap().with_max_groups(3);
        let mut recording = context.record("long spans");
        scan.record(&mut recording, &input, &output[0], LEN).unwrap();
        sum.record(&mut recording, &input, LEN).unwrap();
        kept.record(&mut recording, &marks, &input, &output[1], LEN).unwrap();
        let to = Pairs { keys: &output[2], values: &output[3] };
        sort.record(&mut recording, Pairs { keys: &input, values: &output[0] }, to, LEN).unwrap();
        let downloads: Vec<_> = output.iter().map(|buffer| recording.download(buffer)).collect();
        let total = recording.download(sum.result());
        let mut done = recording.submit().unwrap();
        let results: Vec<_> = downloads.into_iter().map(|d| done.take(d).unwrap()).collect();
        let (ranks, all) = exclusive_scan_cpu(&words);
        assert_eq!(done.take(total).unwrap(), [all]);
        let mut kept = compact_cpu(&flags, &words).unwrap();
        kept.resize(LEN, 0);
        let (keys, values) = radix_sort_cpu(&words, &ranks).unwrap();
        for (got, expected) in results.iter().zip([ranks, kept, keys, values]) {
            same(got, &expected, &format!("long spans on {name}"));
        }
    }
}

#[test]
fn arrays_above_the_binding_limit_run_in_pieces() {
    for context in with_small_bindings() {
        let name = &context.adapter().name;
        for len in [SMALL_BINDING as usize / 4, SMALL_BINDING as usize / 4 + 1, CUT] {
            check_scan_and_reduce(context, len, name);
            [0, 3].iter().for_each(|pattern| check_compact(context, len, *pattern, name));
        }
        // Random and reversed keys: places in every piece, and in the opposite one.
        [0, 3].iter().for_each(|pattern| check_sort(context, CUT, *pattern, name));
    }
}

#[test]
fn the_references_agree_with_the_standard_library() {
    for pattern in 0..PATTERNS {
        let keys = keys(50_000, pattern);
        let mut pairs: Vec<_> = keys.iter().copied().zip(0..).collect();
        pairs.sort();
        let indices: Vec<u32> = (0..50_000).collect();
        assert_eq!(radix_sort_cpu(&keys, &indices).unwrap(), pairs.into_iter().unzip::<u32, u32, Vec<_>, Vec<_>>());
    }
}

/// One recording of everything on device buffers; shorter lengths than the capacity, and no allocation after the first.
#[test]
fn plans_chain_on_the_device_and_allocate_once() {
    // Contexts of its own: other tests allocate in the shared ones.
    for context in &open_all(&ContextOptions::default(), &[NumericsChoice::Auto]) {
        const CAPACITY: usize = 20_000;
        let words = noise(CAPACITY, 41);
        let few: Vec<u32> = words.iter().map(|w| u32::from(w % 3 == 0)).collect();
        let input = context.upload("words", &words).unwrap();
        let flags = context.upload("flags", &few).unwrap();
        let marks = vec![0xabcd_u32; CAPACITY];
        let output: Vec<_> = ["a", "b", "c", "d"].map(|label| context.upload(label, &marks).unwrap()).into();
        let scan = Scan::new(context, CAPACITY).unwrap();
        let largest = Reduce::new(context, ReduceOp::Max, CAPACITY).unwrap();
        let kept = Compact::new(context, CAPACITY).unwrap();
        let sort = RadixSort::with_key_bits(context, CAPACITY, 24).unwrap();
        let mut allocated = None;
        for len in [CAPACITY, 4099, 4099, 5, 0] {
            for buffer in &output {
                buffer.write(0, &marks).unwrap();
            }
            let mut recording = context.record("chain");
            scan.record(&mut recording, &flags, &output[0], len).unwrap();
            kept.record(&mut recording, &flags, &input, &output[1], len).unwrap();
            largest.record(&mut recording, &output[0], len).unwrap();
            let pairs = Pairs { keys: &output[0], values: &output[1] };
            sort.record(&mut recording, pairs, Pairs { keys: &output[2], values: &output[3] }, len).unwrap();
            let downloads: Vec<_> = output.iter().map(|buffer| recording.download(buffer)).collect();
            let words_of = [scan.total(), kept.count(), largest.result()].map(|buffer| recording.download(buffer));
            let mut done = recording.submit().unwrap();
            let results: Vec<_> = downloads.into_iter().map(|d| done.take(d).unwrap()).collect();
            let [total, count, most] = words_of.map(|d| done.take(d).unwrap()[0]);

            let (ranks, sum) = exclusive_scan_cpu(&few[..len]);
            let mut kept_words = compact_cpu(&few[..len], &words[..len]).unwrap();
            assert_eq!((total, count as usize, most), (sum, kept_words.len(), ranks.last().map_or(0, |r| *r)));
            kept_words.resize(len, 0xabcd);
            let (keys, values) = radix_sort_cpu(&ranks, &kept_words).unwrap();
            for (got, expected) in results.iter().zip([ranks, kept_words, keys, values]) {
                same(&got[..len], &expected, &format!("chain of {len}"));
                assert!(got[len..].iter().all(|w| *w == 0xabcd), "chain of {len}: written beyond the length");
            }
            drop(done);
            assert_eq!(*allocated.get_or_insert(context.allocated_bytes()), context.allocated_bytes());
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error_with_numbers() {
    on_every_adapter(|context| {
        let buffer = context.upload("short", &[1u32; 10]).unwrap();
        let other = context.zeroed::<u32>("long", 20).unwrap();
        let scan = Scan::new(context, 15).unwrap();
        let mut recording = context.record("errors");
        for (len, needed, given) in [(12, 12, 10), (16, 16, 15)] {
            match scan.record(&mut recording, if len == 16 { &other } else { &buffer }, &other, len) {
                Err(Error::Length { needed: n, given: g, .. }) => assert_eq!((n, g), (needed, given)),
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(compact(context, &[1, 2], &[1]), Err(Error::Length { needed: 2, given: 1, .. })));
        assert!(matches!(radix_sort(context, &[1, 2], &[1]), Err(Error::Length { needed: 2, given: 1, .. })));
        // A shorter output takes what fits; the count tells the rest.
        let plan = Compact::new(context, 10).unwrap();
        let output = context.upload("three", &[9u32, 9, 9]).unwrap();
        plan.record_indices(&mut recording, &buffer, &output, 10).unwrap();
        let (words, count) = (recording.download(&output), recording.download(plan.count()));
        let mut done = recording.submit().unwrap();
        assert_eq!(done.take(words).unwrap(), [0, 1, 2]);
        assert_eq!(done.take(count).unwrap()[0], 10);
    });
}
