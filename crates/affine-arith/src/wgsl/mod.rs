//! The numbers of this crate in WGSL: `Interval`, `Affine` and `Mixed` of N symbols with every operation and function, the words of the Rust types.

mod functions;
mod reach;
mod sized;

use std::fmt::Write;

use gpu_shaders::STRICT_FLOAT;

use crate::double_word::DoubleWord;
use crate::elementary::{constants as c, tail_steps};
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;
use functions::{FORMS, MONOTONE, spelled};
pub(crate) use sized::StandardRoots;

const DOUBLE_WORD: &str = include_str!("double_word.wgsl");
const INTERVAL: &str = include_str!("interval.wgsl");
const ELEMENTARY: &str = include_str!("elementary.wgsl");
const ELEMENTARY_ERF: &str = include_str!("elementary_erf.wgsl");
const ELEMENTARY_GAMMA: &str = include_str!("elementary_gamma.wgsl");
const INTERVAL_FUNCTIONS: &str = include_str!("interval_functions.wgsl");
const AFFINE: &str = include_str!("affine.wgsl");
const AFFINE_GAMMA: &str = include_str!("affine_gamma.wgsl");
const AFFINE_UNARY: &str = include_str!("affine_unary.wgsl.template");
const AFFINE_BINARY: &str = include_str!("affine_binary.wgsl");
const ESTIMATE: &str = include_str!("estimate.wgsl");
const MIXED: &str = include_str!("mixed.wgsl");
const STANDARD: &str = include_str!("standard.wgsl");
const STANDARD_LINES: &str = include_str!("standard_lines.wgsl");

/// The library as one text, for shaders with forms of `n` symbols: types, operations and functions, no entry point and no binding.
///
/// `Interval { lo, hi }`: `interval_add`, `interval_sin`, .. take and give intervals; `Affine { b, x, err }`: `affine_mul`, `affine_exp`, ..;
/// `Mixed { form, range }`: `mixed_mul`, .. The same words as [`Interval`], [`crate::Affine`] and [`crate::Mixed`] of f32, provided that `+ - *` round to nearest and are neither contracted nor reassociated
/// (docs/numerics.md). Powers with a fixed exponent: `interval_powi(x, n)`. `standard_mul`, `standard_on_line`, ..: forms whose last symbol is that of the
/// operation ([`crate::StandardPlan`]).
///
/// A text of some 2,500 lines; the kernels of this crate take only the functions that they reach.
pub fn wgsl(n: usize) -> String {
    let mut text = base(n);
    text += &powers(&[]);
    text += &unrolled(&["\n", STANDARD_LINES, "\n", STANDARD].concat(), n);
    format!("// Affine arithmetic with {n} symbols, written by affine-arith.\n\n{}\n{text}", STRICT_FLOAT.source)
}

/// The part of the library that the functions `roots` use, such as `affine_sqrt`, `affine_mul`, `interval_sin`, `affine_powi_3`, `affine_powi_m2`,
/// with the powers of forms that `functions` name. Without strict_float, which comes before it.
pub(crate) fn wgsl_of(n: usize, roots: &[String], functions: &[Unary]) -> String {
    let text = base(n) + &powers(functions);
    reach::reachable(&text, roots)
}

/// Name of the function of forms in the library; None where there is none.
pub(crate) fn unary_name(function: Unary) -> Option<String> {
    Some(match function {
        Unary::Powi(n) => format!("powi_{}", exponent_name(n)),
        Unary::Powf(y) if f64::from_bits(y).fract() == 0.0 => return None,
        Unary::Powf(y) if powf_is_wide(f64::from_bits(y)) => return None,
        Unary::Powf(y) => format!("powf_{y:016x}"),
        other => other.name().to_owned(),
    })
}

/// The same for two forms.
pub(crate) fn binary_name(function: Binary) -> &'static str {
    match function {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::Min => "min",
        Binary::Max => "max",
        Binary::Atan2 => "atan2",
        Binary::Fmod => "fmod",
        Binary::Remainder => "remainder",
        Binary::Pow => "pow",
    }
}

fn exponent_name(n: i32) -> String {
    if n < 0 { format!("m{}", n.unsigned_abs()) } else { n.to_string() }
}

/// Exponents that enclosures give up on.
fn powf_is_wide(y: f64) -> bool {
    y.is_nan() || y.abs() > f64::from(f32::LIMIT) || y.abs() < f64::from(f32::TINY) * 2f64.powi(24)
}

/// The exponent y of x^y in the library.
pub(crate) fn powf_word(y: f64) -> String {
    word((y, 0.0))
}

/// A literal that reads back to the same bits.
pub(crate) fn literal(value: f32) -> String {
    if value.is_sign_negative() && value != 0.0 { format!("(-{:e}f)", -value) } else { format!("{:e}f", value.abs()) }
}

fn word(pair: (f64, f64)) -> String {
    let word: DoubleWord<f32> = f32::double_word(pair);
    format!("DoubleWord({}, {})", literal(word.high), literal(word.low))
}

fn interval(range: Interval<f32>) -> String {
    format!("Interval({}, {})", literal(range.lo), literal(range.hi))
}

/// Most symbols whose loops are written out.
const UNROLLED: usize = 4;

fn base(n: usize) -> String {
    let mut text = String::new();
    header(n, &mut text);
    text += DOUBLE_WORD;
    text += INTERVAL;
    text += ELEMENTARY;
    text += "\n";
    text += ELEMENTARY_ERF;
    text += INTERVAL_FUNCTIONS;
    for function in &MONOTONE {
        text += &function.text();
    }
    text += "\n";
    text += ELEMENTARY_GAMMA;
    for name in ["abs", "positive_part"] {
        // Forms of one sign are copied before the kink matters.
        let _ =
            writeln!(text, "\nfn interval_kink_{name}(x: Interval) -> Interval {{\n    return interval_{name}(x);\n}}");
    }
    text += "\n";
    text += AFFINE;
    text += AFFINE_GAMMA;
    for form in &FORMS {
        text += &unary(form.name, form.defined, &spelled(form.critical), &spelled(form.derivative));
    }
    text += "\n";
    text += AFFINE_BINARY;
    text += MIXED;
    text += "\n";
    text += ESTIMATE;
    unrolled(&text, n)
}

/// Loops over symbols, written out where there are few: compilers that search a function once for every loop take minutes for kernels with a
/// hundred of them.
fn unrolled(text: &str, n: usize) -> String {
    const LOOP: &str = "    for (var i = 0u; i < N; i++) {\n";
    if n > UNROLLED {
        return text.to_owned();
    }
    let mut pieces = text.split(LOOP);
    let mut result = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        // The body ends at the first brace with the loop's indentation.
        let (body, rest) = piece.split_once("\n    }\n").unwrap_or((piece, ""));
        for k in 0..n {
            result += &format!(
                "    {{\n{}\n    }}\n",
                body.replace("[i]", &format!("[{k}]")).replace("== i)", &format!("== {k}u)"))
            );
        }
        result += rest;
    }
    result
}

/// Most critical points that a formula gives.
fn points(critical: &str) -> u32 {
    match critical.split('(').next().unwrap_or_default() {
        "no_points" => 0,
        "one_point" => 1,
        "both_signs" | "power_points" => 2,
        _ => 4,
    }
}

/// Whether a function that is monotone wherever it is defined rises; None for the others.
fn increasing(name: &str) -> Option<bool> {
    match name {
        "sqrt" => Some(true),
        _ => MONOTONE.iter().find(|function| function.name == name).map(|function| function.increasing),
    }
}

/// A function of forms: value at one number, critical points, derivative, and the template.
fn unary(name: &str, defined: &str, critical: &str, derivative: &str) -> String {
    let clipped = name == "sqrt" || name.starts_with("powf");
    let kink = clipped || name.starts_with("kink");
    let over = if clipped { "Interval(larger(x.lo, 0.0), larger(x.hi, 0.0))" } else { "x" };
    let secant = "secant(low, high, range)";
    let slope = match name {
        "tan" => format!("bent({secant}, range, floor(interval_mid(range) * INVERSE_PI + 0.5) * PI_WORD.high, 1.0)"),
        "cot" => format!("bent({secant}, range, (floor(interval_mid(range) * INVERSE_PI) + 0.5) * PI_WORD.high, -1.0)"),
        "sinh" | "asin" | "atanh" => format!("bent({secant}, range, 0.0, 1.0)"),
        "acos" => format!("bent({secant}, range, 0.0, -1.0)"),
        power if is_odd_power(power) => format!("bent({secant}, range, 0.0, 0.0)"),
        "sin" | "cos" => format!("wave_slope(range, 12.0, {secant})"),
        "sinpi" | "cospi" => format!("wave_slope(range, 4.0, {secant})"),
        _ => secant.to_owned(),
    };
    let mut text = format!(
        "\nfn over_{name}(x: Interval) -> Interval {{\n    return interval_{name}({over});\n}}\n\n\
         fn critical_{name}(alpha: Interval, range: Interval) -> Points {{\n    return {critical};\n}}\n\n\
         fn derivative_{name}(x: Interval) -> Interval {{\n    return {derivative};\n}}\n\n"
    );
    let kinked = "rest = interval_select(rest, interval_join(rest, beside(0.0, Interval(0.0, 0.0), b, origin, alpha)), \
                  (alpha != 0.0) & (range.lo < 0.0) & (range.hi > 0.0));";
    // The range comes from its ends where the function is monotone.
    let (start, range) = match increasing(name) {
        Some(true) => ("1u", "interval_between(low, high)"),
        Some(false) => ("1u", "interval_between(high, low)"),
        None => ("0u", "value"),
    };
    let template = AFFINE_UNARY.replace("NAME", name).replace("DEFINED", defined).replace("SLOPE", &slope);
    let template = template.replace("START", start).replace("RANGE", range);
    let template = template.replace("POINTS", &format!("{}u", points(critical)));
    text += &template.replace("KINK", if kink { kinked } else { "// No kinks." });
    text
}

/// Whether this is the name of x^n with an odd n from 3 on.
fn is_odd_power(name: &str) -> bool {
    name.strip_prefix("powi_").and_then(|n| n.parse::<i32>().ok()).is_some_and(|n| n >= 3 && n % 2 == 1)
}

/// Powers of forms with a fixed exponent.
fn powers(functions: &[Unary]) -> String {
    let mut text = String::new();
    for function in functions {
        match *function {
            Unary::Powi(n) => text += &integer_power(n),
            Unary::Powf(y) => text += &real_power(y),
            _ => {}
        }
    }
    text
}

fn integer_power(n: i32) -> String {
    let name = format!("powi_{}", exponent_name(n));
    let special = |body: &str, mixed: &str| {
        format!("\nfn affine_{name}(form: Affine) -> Affine {{\n    return {body};\n}}\n")
            + &format!("\nfn mixed_{name}(x: Mixed) -> Mixed {{\n    return {mixed};\n}}\n")
    };
    let one = "affine_from_interval(Interval(1.0, 1.0))";
    match n {
        0 => return special(one, &format!("mixed_value({one}, Interval(1.0, 1.0), x.range)")),
        1 => return special("form", "mixed_value(x.form, x.range, x.range)"),
        2 => return special("affine_squared(form)", "mixed_sqr(x)"),
        -1 => return special("affine_reciprocal(form)", "mixed_reciprocal(x)"),
        _ => {}
    }
    let less = n.saturating_sub(1);
    let whole = interval(Interval::from_f64(f64::from(n)));
    let odd_root = n % 2 == 0;
    let critical = format!("power_points(alpha, {whole}, {odd_root})");
    let derivative = format!("interval_mul(interval_powi(x, {less}), {whole})");
    format!("\nfn interval_{name}(x: Interval) -> Interval {{\n    return interval_powi(x, {n});\n}}\n")
        + &unary(&name, "true", &critical, &derivative)
}

fn real_power(bits: u64) -> String {
    let (y, name) = (f64::from_bits(bits), format!("powf_{bits:016x}"));
    let exponent = |y: f64| word((y, 0.0));
    let power = |y: f64| {
        // What y - 1 can be, where it is an integer, are other functions.
        if y.fract() == 0.0 {
            format!("interval_powi(interval_intersect(x, Interval(0.0, HUGE)), {})", y as i32)
        } else {
            format!("interval_powf(x, {})", exponent(y))
        }
    };
    let (less, error) = y.two_sum(-1.0);
    let powers = if error == 0.0 {
        power(less)
    } else {
        format!("interval_join({}, {})", power(less.next_down()), power(less.next_up()))
    };
    let range = interval(Interval::from_f64(y));
    let critical = format!("one_point(power_points(alpha, {range}, false).a)");
    let derivative = format!("interval_mul({powers}, {range})");
    let defined = if y > 0.0 { "range.hi >= 0.0" } else { "range.lo > 0.0" };
    let own = exponent(y);
    format!("\nfn interval_{name}(x: Interval) -> Interval {{\n    return interval_powf(x, {own});\n}}\n")
        + &unary(&name, defined, &critical, &derivative)
}

fn header(n: usize, text: &mut String) {
    let tables = &f32::TABLES;
    let logarithm = |k: i32| f64::from(k) * std::f64::consts::LN_2;
    let [most, least] = [f32::LIMIT, f32::TINY].map(|x| logarithm(x.exponent()));
    // Binary ones; f32 has a constant of the same name for decimal ones.
    let digits = <f32 as Real>::DIGITS as i32;
    let small_power = f32::EXACT_PRODUCT.exponent();
    let _ = writeln!(text, "const N: u32 = {n}u;");
    let floats = [
        ("TINY", f32::TINY),
        ("EXACT_PRODUCT", f32::EXACT_PRODUCT),
        ("LIMIT", f32::LIMIT),
        ("HUGE", f32::HUGE),
        ("ROUNDOFF", f32::ROUNDOFF),
        ("DOUBLE_WORD_ERROR", f32::DOUBLE_WORD_ERROR),
        ("POWER_ERROR", f32::POWER_ERROR),
        ("SMALL", tables.small),
        ("LOG2_E_HIGH", f32::from_f64(c::LOG2_E.0)),
        ("LN_2_HEAD", tables.ln_2_head),
        ("SQRT_2", f32::from_f64(std::f64::consts::SQRT_2)),
        ("UPPER_EXPONENT", f32::from_f64(most + 1.0)),
        ("LEAST_EXPONENT", f32::from_f64(least)),
        ("MOST_LOGARITHM", f32::from_f64(most + 1.0)),
        ("LEAST_LOGARITHM", f32::from_f64(least - 1.0)),
        ("TAIL_STEPS", f32::from_f64(tail_steps::<f32>())),
        ("STIRLING_TO", f32::ONE.scale_pow2(digits + 2)),
        ("GAMMA_MOST", f32::from_i32(tables.gamma_most)),
        ("GAMMA_LEAST", f32::from_i32(tables.gamma_least)),
        ("INVERSE_PI", f32::from_f64(std::f64::consts::FRAC_1_PI)),
        ("INVERSE_LIMIT", f32::ONE.div_rn(f32::LIMIT)),
        ("LGAMMA_SMALL", f32::ONE.scale_pow2(4 - 2 * digits)),
    ];
    for (name, value) in floats {
        let _ = writeln!(text, "const {name}: f32 = {};", literal(value));
    }
    let _ = writeln!(text, "const POWER_SMALLEST: i32 = {small_power};");
    let _ = writeln!(text, "const STIRLING_FROM: i32 = {};", tables.stirling_from);
    let _ = writeln!(text, "const LIMIT_EXPONENT: i32 = {};", f32::LIMIT.exponent());
    let _ = writeln!(text, "const POWER_LARGEST: i32 = {};", f32::HUGE.exponent() + 48);
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
        let _ = writeln!(text, "const {name}_WORD = {};", word(pair));
        let _ = writeln!(text, "const {name} = {};", interval(crate::elementary::constant(pair)));
    }
    let rest = tables.ln_2_rest;
    let _ = writeln!(text, "const LN_2_REST = DoubleWord({}, {});\n", literal(rest.high), literal(rest.low));
    series("exp_series", tables.exp.coefficients, tables.exp.tail, text);
    series("expm1_series", &tables.exp.coefficients[1..], tables.exp.tail - 1, text);
    series("atanh_series", tables.atanh.coefficients, tables.atanh.tail, text);
    series("atan_series", tables.atan.coefficients, tables.atan.tail, text);
    series("sin_series", tables.sin.coefficients, tables.sin.tail, text);
    series("cos_series", tables.cos.coefficients, tables.cos.tail, text);
    series("stirling_series", tables.stirling.coefficients, tables.stirling.tail, text);
    series("digamma_series", tables.digamma.coefficients, tables.digamma.tail, text);
    text.push_str("fn atan_eighth(i: i32) -> DoubleWord {\n    var value = DoubleWord(0.0, 0.0);\n");
    for (i, value) in tables.atan_eighths.iter().enumerate().skip(1) {
        let value = format!("DoubleWord({}, {})", literal(value.high), literal(value.low));
        let _ = writeln!(text, "    value = dw_select(value, {value}, i == {i});");
    }
    text.push_str("    return value;\n}\n\nfn two_over_pi(i: u32) -> u32 {\n    var value = 0u;\n");
    for (i, value) in c::TWO_OVER_PI.iter().enumerate() {
        let _ = writeln!(text, "    value = select(value, {value:#x}u, i == {i}u);");
    }
    text.push_str("    return value;\n}\n\n");
}

/// Horner's rule as [`DoubleWord`] has it: from `tail` on in single floats.
fn series(name: &str, coefficients: &[DoubleWord<f32>], tail: usize, text: &mut String) {
    let _ = writeln!(text, "fn {name}(x: DoubleWord) -> DoubleWord {{");
    let mut singles = coefficients[tail..].iter().rev();
    let first = singles.next().map_or(0.0, |last| last.high);
    let _ = writeln!(text, "    var single = {};", literal(first));
    for coefficient in singles {
        let _ = writeln!(text, "    single = single * x.high + {};", literal(coefficient.high));
    }
    text.push_str("    var sum = dw_new(single);\n");
    for coefficient in coefficients[..tail].iter().rev() {
        let value = format!("DoubleWord({}, {})", literal(coefficient.high), literal(coefficient.low));
        let _ = writeln!(text, "    sum = dw_add(dw_mul(sum, x), {value});");
    }
    text.push_str("    return sum;\n}\n\n");
}
