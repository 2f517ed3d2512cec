//! The constants and series of the library for one kind of number.

use std::fmt::Write;

use super::number::DeviceReal;
use super::{interval, spelled_word, word};
use crate::double_word::DoubleWord;
use crate::elementary::{constants as c, odd_small, tail_steps};

pub(super) fn header<T: DeviceReal>(n: usize) -> String {
    let mut text = String::new();
    let tables = &T::TABLES;
    let logarithm = |k: i32| f64::from(k) * std::f64::consts::LN_2;
    let [most, least] = [T::LIMIT, T::TINY].map(|x| logarithm(x.exponent()));
    let digits = T::DIGITS as i32;
    let small_power = T::EXACT_PRODUCT.exponent();
    let _ = writeln!(text, "const N: u32 = {n}u;");
    let floats = [
        ("TINY", T::TINY),
        ("EXACT_PRODUCT", T::EXACT_PRODUCT),
        ("LIMIT", T::LIMIT),
        ("HUGE", T::HUGE),
        ("ROUNDOFF", T::ROUNDOFF),
        ("DOUBLE_WORD_ERROR", T::DOUBLE_WORD_ERROR),
        ("POWER_ERROR", T::POWER_ERROR),
        ("SMALL", tables.small),
        ("LOG2_E_HIGH", T::from_f64(c::LOG2_E.0)),
        ("LN_2_HEAD", tables.ln_2_head),
        ("SQRT_2", T::from_f64(std::f64::consts::SQRT_2)),
        ("UPPER_EXPONENT", T::from_f64(most + 1.0)),
        ("LEAST_EXPONENT", T::from_f64(least)),
        ("MOST_LOGARITHM", T::from_f64(most + 1.0)),
        ("LEAST_LOGARITHM", T::from_f64(least - 1.0)),
        ("TAIL_STEPS", T::from_f64(tail_steps::<T>())),
        ("STIRLING_TO", T::ONE.scale_pow2(digits + 2)),
        ("GAMMA_MOST", T::from_i32(tables.gamma_most)),
        ("GAMMA_LEAST", T::from_i32(tables.gamma_least)),
        ("INVERSE_PI", T::from_f64(std::f64::consts::FRAC_1_PI)),
        ("INVERSE_LIMIT", T::ONE.div_rn(T::LIMIT)),
        ("LEAST_POWER", T::TINY.scale_pow2(24)),
        ("LGAMMA_SMALL", T::ONE.scale_pow2(4 - 2 * digits)),
        // Below it, x^2/3 is under half of u.
        ("ODD_SMALL", odd_small()),
        // From here on x + sqrt(x^2 +- 1) = 2 x within the error bound.
        ("LARGE", T::ONE.scale_pow2(digits - 2)),
    ];
    for (name, value) in floats {
        let _ = writeln!(text, "const {name}: {} = {};", T::TYPE, value.literal());
    }
    let _ = writeln!(text, "const POWER_SMALLEST: i32 = {small_power};");
    let _ = writeln!(text, "const STIRLING_FROM: i32 = {};", tables.stirling_from);
    let _ = writeln!(text, "const LIMIT_EXPONENT: i32 = {};", T::LIMIT.exponent());
    let _ = writeln!(text, "const POWER_LARGEST: i32 = {};", T::HUGE.exponent() + 48);
    let _ = writeln!(text, "const SQRT_RAISE: i32 = {};", 2 * digits);
    let _ = writeln!(text, "const LEAST_RATIO: i32 = {};", -digits - 16);
    let _ = writeln!(text, "const ERF_TERMS: i32 = {};", digits + 4);
    // One for every digit; then both ends and the middle of what was found.
    let _ = writeln!(text, "const GAMMA_HALVINGS: u32 = {digits}u;\nconst GAMMA_STEPS: u32 = {}u;", digits + 3);
    words::<T>(&mut text);
    all_series::<T>(&mut text);
    text
}

/// Constants that are no floats: pairs of them, and the intervals round them.
fn words<T: DeviceReal>(text: &mut String) {
    let words = [
        ("PI", c::PI),
        ("HALF_PI", c::HALF_PI),
        ("TWO_PI", c::TWO_PI),
        ("LN_2", c::LN_2),
        ("LN_10", c::LN_10),
        ("LOG2_E", c::LOG2_E),
        ("LOG10_E", c::LOG10_E),
        ("THIRD", c::THIRD),
        ("TWO_OVER_SQRT_PI", c::TWO_OVER_SQRT_PI),
        ("SQRT_HALF", c::SQRT_HALF),
        ("HALF_LN_TWO_PI", c::HALF_LN_TWO_PI),
        ("LN_PI", c::LN_PI),
        ("GAMMA_TURN", c::GAMMA_TURN),
        ("GAMMA_MINIMUM", c::GAMMA_MINIMUM),
        ("LGAMMA_MINIMUM", c::LGAMMA_MINIMUM),
    ];
    for (name, pair) in words {
        let _ = writeln!(text, "const {name}_WORD = {};", word::<T>(pair));
        let _ = writeln!(text, "const {name} = {};", interval(crate::elementary::constant::<T>(pair)));
    }
    let _ = writeln!(text, "const LN_2_REST = {};\n", spelled_word(T::TABLES.ln_2_rest));
}

/// Series and tables as functions.
fn all_series<T: DeviceReal>(text: &mut String) {
    let tables = &T::TABLES;
    series("exp_series", tables.exp.coefficients, tables.exp.tail, text);
    series("expm1_series", &tables.exp.coefficients[1..], tables.exp.tail - 1, text);
    series("atanh_series", tables.atanh.coefficients, tables.atanh.tail, text);
    series("atan_series", tables.atan.coefficients, tables.atan.tail, text);
    series("sin_series", tables.sin.coefficients, tables.sin.tail, text);
    series("cos_series", tables.cos.coefficients, tables.cos.tail, text);
    series("stirling_series", tables.stirling.coefficients, tables.stirling.tail, text);
    series("digamma_series", tables.digamma.coefficients, tables.digamma.tail, text);
    text.push_str("fn atan_eighth(i: i32) -> DoubleWord {\n    var value = dw_new(0.0);\n");
    for (i, value) in tables.atan_eighths.iter().enumerate().skip(1) {
        let value = spelled_word(*value);
        let _ = writeln!(text, "    value = dw_select(value, {value}, i == {i});");
    }
    text.push_str("    return value;\n}\n\nfn two_over_pi(i: u32) -> u32 {\n    var value = 0u;\n");
    for (i, value) in c::TWO_OVER_PI.iter().enumerate() {
        let _ = writeln!(text, "    value = select(value, {value:#x}u, i == {i}u);");
    }
    text.push_str("    return value;\n}\n\n");
}

/// Horner's rule as [`DoubleWord`] has it: from `tail` on in single floats.
fn series<T: DeviceReal>(name: &str, coefficients: &[DoubleWord<T>], tail: usize, text: &mut String) {
    let _ = writeln!(text, "fn {name}(x: DoubleWord) -> DoubleWord {{");
    let mut singles = coefficients[tail..].iter().rev();
    let first = singles.next().map_or(T::ZERO, |last| last.high);
    let _ = writeln!(text, "    var single = {};", first.literal());
    for coefficient in singles {
        let _ = writeln!(text, "    single = single * x.high + {};", coefficient.high.literal());
    }
    text.push_str("    var sum = dw_new(single);\n");
    for coefficient in coefficients[..tail].iter().rev() {
        let value = spelled_word(*coefficient);
        let _ = writeln!(text, "    sum = dw_add(dw_mul(sum, x), {value});");
    }
    text.push_str("    return sum;\n}\n\n");
}
