//! Point enclosures of every function against f64 references, over sampled words; all words by `cargo xtask conformance`.

use affine_arith::{Unary, sweep_all};

/// Floats from the lower to the upper bound: 2 where the last bit is in doubt.
fn allowed(function: Unary) -> u32 {
    match function {
        Unary::Cot => 3,
        Unary::SinPi => 3,
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
            format!("{function:?}"), found.compared, found.missed, found.widest, f32::from_bits(found.widest_word), share
        );
        if found.missed > 0 || found.widest > allowed(function) || found.compared < 10_000 {
            faults.push(format!("{function:?}: {found:?} first {:?}", found.first_missed.map(f32::from_bits)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
