//! Point enclosures of every function against f64 references, over sampled words; all words by `cargo xtask conformance`.

use affine_arith::{Interval, Unary, sweep_all};

/// Floats from the lower to the upper bound: 2 where the last bit is in doubt.
fn allowed(function: Unary) -> u32 {
    match function {
        Unary::Cot => 3,
        Unary::SinPi | Unary::Erf => 3,
        // Near 1 and 2, where it vanishes, the bound is absolute.
        Unary::Lgamma => 24,
        _ => 2,
    }
}

#[test]
fn sampled_words_are_enclosed_tightly() {
    let mut faults = Vec::new();
    for (function, found) in sweep_all(40_009) {
        let share = found.tightest as f64 / found.compared as f64;
        println!(
            "{:12} {:9} compared, {} missed, widest {} at {:e}, tightest {:.4}",
            format!("{function:?}"),
            found.compared,
            found.missed,
            found.widest,
            f32::from_bits(found.widest_word),
            share
        );
        if found.missed > 0 || found.widest > allowed(function) || found.compared < 10_000 {
            faults.push(format!("{function:?}: {found:?} first {:?}", found.first_missed.map(f32::from_bits)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A line a value: function, the word of x, and the words of the f64 below and above f(x), computed with 400 bits.
const VALUES: &str = include_str!("../data/f32_values.txt");

#[test]
fn error_functions_contain_values_of_400_bits() {
    for line in VALUES.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let word = |i: usize| u64::from_str_radix(fields[i], 16).expect("a word in hexadecimal");
        let function = Unary::named(fields[0]).expect("a known function");
        let x = f32::from_bits(word(1) as u32);
        let found = Interval::point(x).apply(function);
        let (below, above) = (f64::from_bits(word(2)), f64::from_bits(word(3)));
        assert!(f64::from(found.lower()) <= below && above <= f64::from(found.upper()), "{line} {x:e}: {found:?}");
        assert!(
            found.lower() == 0.0 || found.upper() <= found.lower().next_up().next_up().next_up(),
            "{line} {x:e}: {found:?}"
        );
    }
}
