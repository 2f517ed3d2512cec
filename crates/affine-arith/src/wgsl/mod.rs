//! The numbers of this crate in WGSL: `Interval`, `Affine` and `Mixed` of N symbols with every operation and function, the words of the Rust types.

mod functions;
mod header;
mod lines;
mod number;
mod reach;
mod sized;

use std::fmt::Write;

use crate::double_word::DoubleWord;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;
use functions::{FORMS, MONOTONE, WAVES};
use header::header;
use lines::{Line, waves};
pub use number::DeviceReal;
pub(crate) use sized::{LineName, StandardRoots};

const DOUBLE_WORD: &str = include_str!("double_word.wgsl");
const INTERVAL: &str = include_str!("interval.wgsl");
const ELEMENTARY: &str = include_str!("elementary.wgsl");
const ELEMENTARY_ERF: &str = include_str!("elementary_erf.wgsl");
const ELEMENTARY_GAMMA: &str = include_str!("elementary_gamma.wgsl");
const INTERVAL_FUNCTIONS: &str = include_str!("interval_functions.wgsl");
const INTERVAL_BINARY: &str = include_str!("interval_binary.wgsl");
const AFFINE: &str = include_str!("affine.wgsl");
const AFFINE_GAMMA: &str = include_str!("affine_gamma.wgsl");
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
    library::<f32>(n)
}

/// The same of f64, for devices with f64 and 64-bit integers.
pub fn wgsl_double(n: usize) -> String {
    library::<f64>(n)
}

fn library<T: DeviceReal>(n: usize) -> String {
    let standard = unrolled(&["\n", STANDARD_LINES, "\n", STANDARD].concat(), n);
    let text = base::<T>(n) + &powers::<T>(&[]) + &T::spelled(&standard);
    let title = format!("Affine arithmetic in {} with {n} symbols, written by affine-arith.", T::TYPE);
    format!("// {title}\n\n{}\n{text}", T::STRICT.source)
}

/// The part of the library that the functions `roots` use, such as `affine_sqrt`, `affine_mul`, `interval_sin`, `affine_powi_3`, `affine_powi_m2`,
/// with the powers of forms that `functions` name. Without exact arithmetic ([`DeviceReal::STRICT`]), which comes before it.
pub(crate) fn wgsl_of<T: DeviceReal>(n: usize, roots: &[String], functions: &[Unary]) -> String {
    let text = base::<T>(n) + &powers::<T>(functions);
    reach::reachable(&text, roots)
}

/// Name of the function of forms in the library; None where there is none.
pub(crate) fn unary_name<T: DeviceReal>(function: Unary) -> Option<String> {
    Some(match function {
        Unary::Powi(n) => format!("powi_{}", exponent_name(n)),
        Unary::Powf(y) if f64::from_bits(y).fract() == 0.0 => return None,
        Unary::Powf(y) if powf_is_wide::<T>(f64::from_bits(y)) => return None,
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
fn powf_is_wide<T: DeviceReal>(y: f64) -> bool {
    y.is_nan() || y.abs() > T::LIMIT.to_f64() || y.abs() < T::TINY.to_f64() * 2f64.powi(24)
}

/// The exponent y of x^y in the library.
pub(crate) fn powf_word<T: DeviceReal>(y: f64) -> String {
    word::<T>((y, 0.0))
}

fn word<T: DeviceReal>(pair: (f64, f64)) -> String {
    spelled_word(T::double_word(pair))
}

fn spelled_word<T: DeviceReal>(word: DoubleWord<T>) -> String {
    format!("DoubleWord({}, {})", word.high.literal(), word.low.literal())
}

fn interval<T: DeviceReal>(range: Interval<T>) -> String {
    format!("Interval({}, {})", range.lo.literal(), range.hi.literal())
}

/// Most symbols whose loops are written out.
const UNROLLED: usize = 4;

fn base<T: DeviceReal>(n: usize) -> String {
    let mut text = header::<T>(n);
    text += DOUBLE_WORD;
    text += T::BITS;
    text += INTERVAL;
    text += ELEMENTARY;
    text += "\n";
    text += ELEMENTARY_ERF;
    text += INTERVAL_FUNCTIONS;
    text += INTERVAL_BINARY;
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
    FORMS.iter().for_each(|form| text += &Line::new(form).text());
    WAVES.iter().for_each(|form| text += &Line::wave(form).text());
    text += &waves();
    text += "\n";
    text += AFFINE_BINARY;
    text += MIXED;
    text += "\n";
    text += ESTIMATE;
    T::spelled(&unrolled(&text, n))
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

/// Powers of forms with a fixed exponent.
fn powers<T: DeviceReal>(functions: &[Unary]) -> String {
    let mut text = String::new();
    for function in functions {
        match *function {
            Unary::Powi(n) => text += &integer_power::<T>(n),
            Unary::Powf(y) => text += &real_power::<T>(y),
            _ => {}
        }
    }
    T::spelled(&text)
}

fn integer_power<T: DeviceReal>(n: i32) -> String {
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
    let whole = interval(Interval::<T>::from_f64(f64::from(n)));
    let critical = format!("power_points(alpha, {whole}, {})", n % 2 == 0);
    format!("\nfn interval_{name}(x: Interval) -> Interval {{\n    return interval_powi(x, {n});\n}}\n")
        + &Line::integer_power(&name, n, critical, &whole).text()
}

fn real_power<T: DeviceReal>(bits: u64) -> String {
    let (y, name) = (f64::from_bits(bits), format!("powf_{bits:016x}"));
    let exponent = |y: f64| word::<T>((y, 0.0));
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
    let range = interval(Interval::<T>::from_f64(y));
    let critical = format!("one_point(power_points(alpha, {range}, false).a)");
    let derivative = format!("interval_mul({powers}, {range})");
    let defined = if y > 0.0 { "range.hi >= 0.0" } else { "range.lo > 0.0" };
    let own = exponent(y);
    format!("\nfn interval_{name}(x: Interval) -> Interval {{\n    return interval_powf(x, {own});\n}}\n")
        + &Line::real_power(&name, defined, critical, derivative).text()
}
