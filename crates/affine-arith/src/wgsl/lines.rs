//! Functions of one form as text: what each needs beside the template that all of them share.

use super::functions::{Form, MONOTONE, spelled};

const TEMPLATE: &str = include_str!("affine_unary.wgsl.template");

/// A function of forms.
pub(super) struct Line<'a> {
    name: &'a str,
    /// Where the function is defined on the whole range.
    defined: &'a str,
    critical: String,
    /// f' over x; `value` is the function asked for the slope, over x.
    derivative: String,
    /// The function over the interval x.
    over: String,
    /// A parameter more, and its argument.
    more: [&'a str; 2],
    /// The same of the function itself in a round; `steep` is set when its value is for the slope.
    asked: [&'a str; 2],
}

impl<'a> Line<'a> {
    fn plain(name: &'a str, defined: &'a str, critical: String, derivative: String) -> Self {
        let operand = if is_clipped(name) { "Interval(larger(x.lo, 0.0), larger(x.hi, 0.0))" } else { "x" };
        let over = format!("interval_{name}({operand})");
        Self { name, defined, critical, derivative, over, more: [""; 2], asked: [""; 2] }
    }

    pub(super) fn new(form: &Form) -> Line<'static> {
        Line::plain(form.name, form.defined, spelled(form.critical), spelled(form.derivative))
    }

    /// A sine some quarter turns on.
    pub(super) fn wave(form: &Form) -> Line<'static> {
        Line {
            over: format!("interval_{}(x, turn)", form.name),
            more: [", turn: u32", ", turn"],
            asked: [", turn: u32", ", turn + select(0u, 1u, steep)"],
            ..Line::new(form)
        }
    }

    /// x^n, n neither 0, 1, 2 nor -1; `whole` is n as an interval.
    pub(super) fn integer_power(name: &'a str, n: i32, critical: String, whole: &str) -> Self {
        if n == 3 {
            return Self::plain(name, "true", critical, format!("interval_mul(interval_sqr(x), {whole})"));
        }
        let derivative = format!("interval_mul(value, {whole})");
        let over = format!("power_of_ends(x, select({n}, {}, steep))", n.saturating_sub(1));
        Self { over, asked: [", steep: bool", ", steep"], ..Self::plain(name, "true", critical, derivative) }
    }

    /// x^y, y no integer.
    pub(super) fn real_power(name: &'a str, defined: &'a str, critical: String, derivative: String) -> Self {
        Self::plain(name, defined, critical, derivative)
    }

    fn slope(&self) -> String {
        let secant = "secant(low, high, range)";
        match self.name {
            "tan" => {
                format!("bent({secant}, range, floor(interval_mid(range) * INVERSE_PI + 0.5) * PI_WORD.high, 1.0)")
            }
            "cot" => {
                format!("bent({secant}, range, (floor(interval_mid(range) * INVERSE_PI) + 0.5) * PI_WORD.high, -1.0)")
            }
            "sinh" | "asin" | "atanh" => format!("bent({secant}, range, 0.0, 1.0)"),
            "acos" => format!("bent({secant}, range, 0.0, -1.0)"),
            power if is_odd_power(power) => format!("bent({secant}, range, 0.0, 0.0)"),
            "wave" => format!("wave_slope(range, 12.0, {secant})"),
            "wave_pi" => format!("wave_slope(range, 4.0, {secant})"),
            _ => secant.to_owned(),
        }
    }

    /// The function over an interval, its critical points and its derivative; then `line_NAME`, `affine_NAME`, `mixed_NAME`.
    pub(super) fn text(&self) -> String {
        let Self { name, critical, derivative, over, more: [parameter, argument], .. } = self;
        let kinked = "let kinked = (range.lo < 0.0) & (range.hi > 0.0);\n        \
                      point = interval_select(point, interval_select(interval_empty(), Interval(0.0, 0.0), kinked), k == 4u);";
        let (kink, first) =
            if is_clipped(name) || name.starts_with("kink") { (kinked, "5u") } else { ("// No kink.", "4u") };
        // The range comes from its ends where the function is monotone.
        let (start, range) = match increasing(name) {
            Some(true) => ("1u", "interval_between(low, high)"),
            Some(false) => ("1u", "interval_between(high, low)"),
            None => ("0u", "value"),
        };
        let rounds = if uses_value(derivative) { 2 } else { 1 };
        let template = kept(rounds)
            .replace("NAME", name)
            .replace("DEFINED", self.defined)
            .replace("SLOPE", &self.slope())
            .replace("START", start)
            .replace("RANGE", range)
            .replace("POINTS", &format!("{}u", rounds * points(critical)))
            .replace("ROUNDS", &format!("{rounds}u"))
            .replace("KINK", kink)
            .replace("FIRST", first)
            .replace(" PARAMETER", parameter)
            .replace(" ARGUMENT", argument)
            .replace(" ASKED", self.asked[1]);
        format!(
            "\nfn over_{name}(x: Interval{}) -> Interval {{\n    return {over};\n}}\n\n\
             fn critical_{name}(alpha: Interval, range: Interval{parameter}) -> Points {{\n    return {critical};\n}}\n\n\
             fn derivative_{name}(x: Interval, value: Interval) -> Interval {{\n    return {derivative};\n}}\n\n{template}",
            self.asked[0]
        )
    }
}

/// Whether a formula of a derivative needs the function itself.
fn uses_value(derivative: &str) -> bool {
    derivative.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "value")
}

/// The template for this many rounds a critical point: two where the slope comes from the function, asked over the enclosure of the point.
fn kept(rounds: u32) -> String {
    let [own, other] =
        if rounds == 2 { [" // two rounds", " // one round"] } else { [" // one round", " // two rounds"] };
    let lines = TEMPLATE.lines().filter(|line| !line.ends_with(other));
    lines.map(|line| line.strip_suffix(own).unwrap_or(line).to_owned() + "\n").collect()
}

/// Sine and cosine as waves.
pub(super) fn waves() -> String {
    let functions = [("sin", "wave", 0), ("cos", "wave", 1), ("sinpi", "wave_pi", 0), ("cospi", "wave_pi", 1)];
    let text = |(name, wave, turn)| {
        format!(
            "\nfn affine_{name}_within(form: Affine, range: Interval) -> Affine {{\n    return affine_{wave}_within(form, range, {turn}u);\n}}\n\
             \nfn affine_{name}(form: Affine) -> Affine {{\n    return affine_{wave}(form, {turn}u);\n}}\n\
             \nfn mixed_{name}(x: Mixed) -> Mixed {{\n    return mixed_{wave}(x, {turn}u);\n}}\n"
        )
    };
    functions.map(text).concat()
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

/// Functions of numbers from 0 on that count others as 0.
fn is_clipped(name: &str) -> bool {
    name == "sqrt" || name.starts_with("powf")
}

/// Whether this is the name of x^n with an odd n from 3 on.
fn is_odd_power(name: &str) -> bool {
    name.strip_prefix("powi_").and_then(|n| n.parse::<i32>().ok()).is_some_and(|n| n >= 3 && n % 2 == 1)
}
