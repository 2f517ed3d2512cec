//! `atan2_strict` against the f64 arc tangent, and its two texts against each other.

use crate::support::{Words, assert_word};
use gpu_shaders::atan2::{MAX_ERROR_ULPS, atan2_strict, error_in_ulps};

#[test]
fn error_stays_below_the_stated_bound() {
    let mut words = Words(21);
    let mut worst = (0.0, 0.0, 0.0);
    let mut ask = |y: f32, x: f32| {
        let ulps = error_in_ulps(y, x);
        assert!(ulps <= MAX_ERROR_ULPS, "atan2({y:e}, {x:e}): {ulps}");
        if ulps > worst.0 {
            worst = (ulps, y, x);
        }
    };
    for round in 0..400_000 {
        let (y, x) = (words.float(-3, 3), words.float(-3, 3));
        // Every octant, nearly equal sizes, steep and flat.
        match round % 4 {
            0 => ask(y, x),
            1 => ask(y, y + words.float(-12, -4)),
            2 => ask(words.float(-60, 60), words.float(-60, 60)),
            _ => ask(words.float(-40, 1), x),
        }
    }
    // The bound is not slack.
    assert!(worst.0 > 0.6 * MAX_ERROR_ULPS, "{worst:?}");
}

#[test]
fn axes_diagonals_and_zeros() {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let inf = f32::INFINITY;
    let tiny = f32::from_bits(1);
    let cases = [
        (0.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0),
        (0.0, 0.0, 0.0),
        (0.0, -0.0, 0.0),
        (-0.0, -0.0, -0.0),
        (0.0, -1.0, PI),
        (-0.0, -1.0, -PI),
        (tiny, 2.0, 0.0),
        (-tiny, -2.0, -PI),
        (3.0, tiny, FRAC_PI_2),
        (3.0, -tiny, FRAC_PI_2),
        (-3.0, 0.0, -FRAC_PI_2),
        (5.0, 5.0, FRAC_PI_4),
        (-5.0, 5.0, -FRAC_PI_4),
        (5.0, -5.0, 3.0 * FRAC_PI_4),
        (inf, inf, FRAC_PI_4),
        (inf, -inf, 3.0 * FRAC_PI_4),
        (-inf, 1.0, -FRAC_PI_2),
        (1.0, inf, 0.0),
        (-1.0, -inf, -PI),
        (f32::MIN_POSITIVE, f32::MAX, 0.0),
    ];
    for (y, x, want) in cases {
        assert_word(atan2_strict(y, x), want, format_args!("atan2({y:e}, {x:e})"));
    }
    for (y, x) in [(f32::NAN, 1.0), (1.0, -f32::NAN), (f32::NAN, 0.0)] {
        assert_eq!(atan2_strict(y, x).to_bits(), 0x7fc0_0000, "{y} {x}");
    }
}

#[test]
fn both_texts_hold_the_same_numbers() {
    let rust = include_str!("../../src/atan2.rs");
    let end = rust.find("/// Largest error").expect("the bound follows the twin");
    let wgsl = crate::support::literals(gpu_shaders::ATAN2.source, "const PI_HIGH");
    assert_eq!(crate::support::literals(&rust[..end], "const PI_HIGH"), wgsl);
    let tail = crate::support::literals(gpu_shaders::ATAN_TAIL.source, "fn atan_tail");
    assert_eq!(crate::support::literals(include_str!("../../src/atan_tail.rs"), "fn atan_tail"), tail);
    assert!(wgsl.len() + tail.len() > 20, "{wgsl:x?} {tail:x?}");
}
