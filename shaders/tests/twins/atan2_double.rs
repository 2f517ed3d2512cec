//! `atan2_strict` of f64 against numbers of 160 bits, and its two texts against each other.

use crate::support::Words;
use astro_float_num::{BigFloat, Consts, RoundingMode};
use gpu_shaders::atan2_double::{MAX_ERROR_ULPS, atan2_strict};

const BITS: usize = 192;
const NEAREST: RoundingMode = RoundingMode::ToEven;

/// The angle of (x, y) by the quotient and the octant.
fn exact(y: f64, x: f64, constants: &mut Consts) -> BigFloat {
    let [y, x] = [y, x].map(|v| BigFloat::from_f64(v, BITS));
    let angle = y.div(&x, BITS, NEAREST).atan(BITS, NEAREST, constants);
    let pi = constants.pi(BITS, NEAREST);
    match (x.is_negative(), y.is_negative()) {
        (false, _) => angle,
        (true, false) => angle.add(&pi, BITS, NEAREST),
        (true, true) => angle.sub(&pi, BITS, NEAREST),
    }
}

/// The error in units in the last place of the exact angle.
fn error_in_ulps(y: f64, x: f64, constants: &mut Consts) -> f64 {
    let (got, exact) = (atan2_strict(y, x), exact(y, x, constants));
    let exponent = exact.exponent().expect("a finite angle") - 53;
    let difference = BigFloat::from_f64(got, BITS).sub(&exact, BITS, NEAREST);
    // As text of decimal digits: the crate has no conversion to f64.
    let difference: f64 = difference.to_string().parse().expect("a number");
    difference.abs() * 2f64.powi(-exponent)
}

fn double(words: &mut Words, low: i32, high: i32) -> f64 {
    let exponent = low + (words.next() % (high - low + 1) as u64) as i32;
    f64::from_bits((words.next() & 0x800f_ffff_ffff_ffff) | (((exponent + 1023) as u64) << 52))
}

#[test]
fn error_stays_below_the_stated_bound() {
    let mut words = Words(22);
    let mut constants = Consts::new().expect("constants");
    let mut worst = (0.0, 0.0, 0.0);
    for round in 0..6_000 {
        let (y, x) = (double(&mut words, -3, 3), double(&mut words, -3, 3));
        // Every octant, nearly equal sizes, steep and flat.
        let (y, x) = match round % 4 {
            0 | 1 => (y, x),
            2 => (y, y * (1.0 + double(&mut words, -12, -4))),
            _ => (double(&mut words, -90, 1), x),
        };
        let ulps = error_in_ulps(y, x, &mut constants);
        assert!(ulps <= MAX_ERROR_ULPS, "atan2({y:e}, {x:e}): {ulps}");
        if ulps > worst.0 {
            worst = (ulps, y, x);
        }
    }
    println!("largest error: {worst:?}");
    // The bound is not slack.
    assert!(worst.0 > 0.5 * MAX_ERROR_ULPS, "{worst:?}");
}

#[test]
fn axes_diagonals_and_zeros() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let inf = f64::INFINITY;
    let tiny = f64::from_bits(1);
    let cases = [
        (0.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0),
        (0.0, -0.0, 0.0),
        (-0.0, -1.0, -PI),
        (tiny, 2.0, 0.0),
        (-tiny, -2.0, -PI),
        (3.0, -tiny, FRAC_PI_2),
        (-3.0, 0.0, -FRAC_PI_2),
        (5.0, 5.0, FRAC_PI_4),
        (5.0, -5.0, 3.0 * FRAC_PI_4),
        (inf, inf, FRAC_PI_4),
        (-inf, 1.0, -FRAC_PI_2),
        (-1.0, -inf, -PI),
        (f64::MIN_POSITIVE, f64::MAX, 0.0),
    ];
    for (y, x, want) in cases {
        assert_eq!(atan2_strict(y, x).to_bits(), want.to_bits(), "atan2({y:e}, {x:e})");
    }
    for (y, x) in [(f64::NAN, 1.0), (1.0, -f64::NAN), (f64::NAN, 0.0)] {
        assert_eq!(atan2_strict(y, x).to_bits(), 0x7ff8_0000_0000_0000, "{y} {x}");
    }
}

#[test]
fn both_texts_hold_the_same_numbers() {
    let rust = include_str!("../../src/atan2_double.rs");
    let end = rust.find("/// Largest error").expect("the bound follows the twin");
    let wgsl = crate::support::double_literals(gpu_shaders::ATAN2_DOUBLE.source, "const PI_HIGH");
    assert_eq!(crate::support::double_literals(&rust[..end], "const PI_HIGH"), wgsl);
    assert!(wgsl.len() > 35, "{wgsl:x?}");
}
