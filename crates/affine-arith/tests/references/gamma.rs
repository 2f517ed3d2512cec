//! Gamma and its logarithm: against values of 500 bits in both precisions, and ranges over pieces between poles.

use crate::common::Random;
use affine_arith::{Affine, Interval, Real, Unary};

const SINGLE: &str = include_str!("../data/f32_gamma.txt");
const DOUBLE: &str = include_str!("../data/f64_gamma.txt");

/// Point enclosures that are wider than a relative error of `relative` allows, or miss the value, are faults.
fn faults<T: Real>(lines: &str, float: impl Fn(&str) -> T, relative: f64, absolute: f64) -> Vec<String> {
    let mut faults = Vec::new();
    for line in lines.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let word = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).expect("a word in hexadecimal"));
        let (function, x) = (Unary::named(fields[0]).expect("a known function"), float(fields[1]));
        let found = Interval::point(x).apply(function);
        let (below, above) = (word(fields[2]), word(fields[3]));
        let (lower, upper) = (found.lower().to_f64(), found.upper().to_f64());
        let wide = upper - lower > relative * above.abs() + absolute;
        if !(lower <= below && above <= upper) || wide {
            faults.push(format!("{line} {x}: {found:?}, {below:e}"));
        }
    }
    faults
}

#[test]
fn points_are_enclosed_tightly() {
    let single = |text: &str| f32::from_bits(u32::from_str_radix(text, 16).expect("a word"));
    let found = faults(SINGLE, single, 3.6e-7, 1e-9);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let double = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).expect("a word"));
    let found = faults(DOUBLE, double, 6.7e-16, 1e-21);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(SINGLE.lines().count() > 110 && DOUBLE.lines().count() > 110);
}

#[test]
fn poles_and_ends() {
    let range = |lo: f64, hi: f64, f: Unary| Interval::<f64>::new(lo, hi).expect("in order").apply(f);
    for function in [Unary::Tgamma, Unary::Lgamma] {
        for (lo, hi) in [(0.0, 0.0), (-1.0, -1.0), (-1.5, -0.5), (-3.0, -2.5), (-2.5, -2.0), (-0.5, 0.5), (-1e9, -1e9)]
        {
            assert!(range(lo, hi, function).is_entire(), "{function:?} {lo} {hi}");
        }
        assert_eq!(range(0.0, 3.0, function).upper(), f64::INFINITY);
        assert_eq!(range(3.0, f64::INFINITY, function).upper(), f64::INFINITY);
    }
    let least = range(0.0, 3.0, Unary::Tgamma).lower();
    assert!(least <= 0.885_603_194_410_888_7 && least > 0.885_603_194_410_888);
    assert_eq!(range(1.0, 1.0, Unary::Lgamma), Interval::point(0.0));
    // gamma(5) = 24, and factorials are exact within the error.
    let four = range(5.0, 5.0, Unary::Tgamma);
    assert!(four.contains(24.0) && four.width() < 1e-13);
    let turn = range(-0.9, -0.2, Unary::Tgamma);
    assert!(turn.upper() < -3.544_6 && turn.upper() > -3.544_7, "{turn:?}");
}

/// Joint containment over pieces on both sides of 0: f(x) lies in the form for the symbol value of x.
#[test]
fn forms_contain_their_function() {
    let mut random = Random(21);
    let value = |f: Unary, x: f64| Interval::<f64>::point(x).apply(f);
    let mut narrow = Vec::new();
    for i in 0..4000 {
        let piece = -((i % 5) as f64);
        let base = if i % 2 == 0 { random.between(0.01, 12.0) } else { piece - random.between(0.02, 0.98) };
        let width = [1e-6, 1e-3, 0.1, 1.0, 4.0][i % 5] * random.between(0.1, 1.0);
        let (mut lo, mut hi) = (base - width, base + width);
        if base < 0.0 {
            (lo, hi) = (lo.max(base.floor() + 0.01), hi.min(base.ceil() - 0.01));
        }
        let cell = Interval::<f32>::from_f64(lo.max(if base > 0.0 { 0.005 } else { lo })).join(Interval::from_f64(hi));
        for function in [Unary::Tgamma, Unary::Lgamma] {
            let form = Affine::<f32, 1>::variable(0, cell).apply(function);
            let (b, x, err) = form.parts();
            let (centre, radius) = {
                let variable = Affine::<f32, 1>::variable(0, cell);
                (f64::from(variable.parts().0), f64::from(variable.parts().1[0]))
            };
            let range = cell.apply(function);
            for k in 0..17 {
                let symbol = f64::from(k - 8) / 8.0;
                let at = centre + radius * symbol;
                if at < f64::from(cell.lower()) || at > f64::from(cell.upper()) {
                    continue;
                }
                let truth = value(function, at);
                let line = f64::from(b) + f64::from(x[0]) * symbol;
                let slack = f64::from(err) * (1.0 + 1e-12) + 1e-13 * line.abs();
                assert!(
                    form.is_entire() || (truth.lower() - line).abs() <= slack,
                    "{function:?} {cell:?} {at}: {truth:?}, {form:?}"
                );
                assert!(
                    f64::from(range.lower()) <= truth.upper() && truth.lower() <= f64::from(range.upper()),
                    "{function:?} {cell:?} {at}"
                );
            }
            if i % 5 == 1 && !form.is_entire() && i % 2 == 0 {
                let sampled = [cell.lower(), cell.upper()].map(|x| value(function, f64::from(x)).mid());
                narrow.push(f64::from(form.interval().width()) / (sampled[1] - sampled[0]).abs().max(1e-6));
            }
        }
    }
    narrow.sort_by(f64::total_cmp);
    println!("narrow: median width {:.3} of the truth", narrow[narrow.len() / 2]);
    assert!(narrow[narrow.len() / 2] < 1.05);
}
