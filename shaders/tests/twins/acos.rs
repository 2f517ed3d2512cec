//! `acos_strict` against the f64 arc cosine, and its two texts against each other.

use crate::support::{Words, assert_word, literals};
use gpu_shaders::acos::{MAX_ERROR_ULPS, acos_strict, worst_error};

#[test]
fn error_stays_below_the_stated_bound() {
    // Neighbourhoods of the ends and of the change of formula, and a sample of every binade.
    for middle in [0x3f80_0000u32, 0x3f00_0000, 0x3080_0000, 0x3f0b_30c3] {
        let high = (middle + 20_000).min(0x3f80_0000);
        for sign in [0, 0x8000_0000] {
            let worst = worst_error(((middle - 20_000) | sign)..=(high | sign));
            assert!(worst.ulps <= MAX_ERROR_ULPS, "{worst:?}");
        }
    }
    // The bounds of the four branches in docs/numerics.md: x above and below 0, |x| up to 1/2 and above.
    let mut words = Words(20);
    for _ in 0..300_000 {
        let word = words.float(-32, -1).to_bits();
        let worst = worst_error(word..=word);
        let bound = match (word >> 31 == 0, word & 0x7fff_ffff <= 0x3f00_0000) {
            (true, true) => 0.77,
            (true, false) => MAX_ERROR_ULPS,
            (false, true) => 0.65,
            (false, false) => 0.89,
        };
        assert!(worst.ulps <= bound, "{worst:?}, bound {bound}");
    }
    // The bound is not slack: the worst word of the exhaustive sweep is worse than one ulp.
    let known = worst_error(0x3f0b_30c3..=0x3f0b_30c3);
    assert!(known.ulps > 1.0, "{known:?}");
}

#[test]
fn ends_and_clamping() {
    use std::f32::consts::{FRAC_PI_2, PI};
    let cases = [
        (1.0, 0.0),
        (-1.0, PI),
        (0.0, FRAC_PI_2),
        (-0.0, FRAC_PI_2),
        (f32::from_bits(1), FRAC_PI_2),
        (1.5, 0.0),
        (-7.0, PI),
        (f32::INFINITY, 0.0),
        (f32::NEG_INFINITY, PI),
        (f32::from_bits(0x7fc0_0000), 0.0),
        (f32::from_bits(0xffc0_0000), PI),
    ];
    for (x, want) in cases {
        assert_word(acos_strict(x), want, format_args!("acos {x:e}"));
    }
}

#[test]
fn both_texts_hold_the_same_numbers() {
    let rust = include_str!("../../src/acos.rs");
    let end = rust.find("/// Largest error").expect("the sweep follows the twin");
    let wgsl = literals(gpu_shaders::ACOS.source, "const HALF_PI_HIGH");
    assert_eq!(literals(&rust[..end], "const HALF_PI_HIGH"), wgsl);
    assert!(wgsl.len() > 15, "{wgsl:x?}");
}
