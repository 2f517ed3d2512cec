//! What the functions of one variable are made of, as WGSL: ranges at the ends of monotone pieces, slopes, critical points, derivatives.

/// How the range of a monotone function comes from point enclosures.
pub(super) struct Monotone {
    pub(super) name: &'static str,
    pub(super) increasing: bool,
    /// The domain, when it is not all numbers.
    pub(super) domain: Option<(&'static str, &'static str)>,
    /// Values at single arguments: condition and interval.
    pub(super) ends: &'static [(&'static str, &'static str)],
    /// Values at minus and plus infinity.
    pub(super) limits: [&'static str; 2],
}

const ZERO: &str = "Interval(0.0, 0.0)";
const ONE: &str = "Interval(1.0, 1.0)";
const MINUS_ONE: &str = "Interval(-1.0, -1.0)";
const BELOW: &str = "Interval(-HUGE, -LIMIT)";
const ABOVE: &str = "Interval(LIMIT, HUGE)";
/// From the value at LIMIT on, which is `value` there.
const ON: &str = "Interval(value.lo, HUGE)";
/// The same, mirrored.
const BACK: &str = "Interval(-HUGE, -value.lo)";

const fn increasing(
    name: &'static str,
    domain: Option<(&'static str, &'static str)>,
    ends: &'static [(&'static str, &'static str)],
    limits: [&'static str; 2],
) -> Monotone {
    Monotone { name, increasing: true, domain, ends, limits }
}

const fn decreasing(
    name: &'static str,
    domain: Option<(&'static str, &'static str)>,
    ends: &'static [(&'static str, &'static str)],
    limits: [&'static str; 2],
) -> Monotone {
    Monotone { name, increasing: false, domain, ends, limits }
}

const HALF_LINE: Option<(&str, &str)> = Some(("0.0", "HUGE"));
const UNIT: Option<(&str, &str)> = Some(("-1.0", "1.0"));

/// The functions that are monotone on their domain.
pub(super) const MONOTONE: [Monotone; 22] = [
    increasing("exp", None, &[], [ZERO, ON]),
    increasing("exp2", None, &[], [ZERO, ON]),
    increasing("exp10", None, &[], [ZERO, ON]),
    increasing("expm1", None, &[], [MINUS_ONE, ON]),
    increasing("log", HALF_LINE, &[("x == 0.0", BELOW)], [BACK, ON]),
    increasing("log2", HALF_LINE, &[("x == 0.0", BELOW)], [BACK, ON]),
    increasing("log10", HALF_LINE, &[("x == 0.0", BELOW)], [BACK, ON]),
    increasing("log1p", Some(("-1.0", "HUGE")), &[("x == -1.0", BELOW)], [BACK, ON]),
    increasing("sinh", None, &[], [BACK, ON]),
    // Of magnitudes.
    increasing("cosh_of_magnitude", None, &[], [BACK, ON]),
    increasing("tanh", None, &[], [MINUS_ONE, ONE]),
    increasing("asinh", None, &[], [BACK, ON]),
    increasing("acosh", Some(("1.0", "HUGE")), &[], [BACK, ON]),
    increasing("atanh", UNIT, &[("x == -1.0", BELOW), ("x == 1.0", ABOVE)], [BACK, ON]),
    increasing("asin", UNIT, &[("x == -1.0", "interval_neg(HALF_PI)"), ("x == 1.0", "HALF_PI")], [BACK, ON]),
    decreasing("acos", UNIT, &[("x == -1.0", "PI")], [BACK, ON]),
    increasing("atan", None, &[], ["interval_neg(HALF_PI)", "HALF_PI"]),
    increasing("cbrt", None, &[], [BACK, ON]),
    decreasing("rsqrt", HALF_LINE, &[("x == 0.0", ABOVE)], [ZERO, ZERO]),
    increasing("erf", None, &[], [MINUS_ONE, ONE]),
    decreasing("erfc", None, &[], ["Interval(2.0, 2.0)", ZERO]),
    increasing("normcdf", None, &[], [ZERO, ONE]),
];

impl Monotone {
    /// `interval_NAME`, with its value at one end.
    pub(super) fn text(&self) -> String {
        let name = self.name;
        let point = format!("point_{}", name.trim_end_matches("_of_magnitude"));
        let mut text = format!("\nfn end_{name}(x: f32) -> Interval {{\n");
        for (condition, value) in self.ends {
            text += &format!("    if {condition} {{\n        return {value};\n    }}\n");
        }
        let [below, above] = self.limits;
        // One place for the point enclosure, since drivers copy it to each: an unbounded side asks for LIMIT.
        text += &if self.limits.iter().any(|limit| limit.contains("value")) {
            format!(
                "    let bounded = is_bounded(x);\n    let value = {point}(select(LIMIT, x, bounded));\n    \
                 let beyond = interval_select({above}, {below}, x < 0.0);\n    return interval_select(beyond, value, bounded);\n"
            )
        } else {
            format!(
                "    if !is_bounded(x) {{\n        return interval_select({above}, {below}, x < 0.0);\n    }}\n    return {point}(x);\n"
            )
        };
        text += &format!("}}\n\nfn interval_{name}(operand: Interval) -> Interval {{\n");
        text += &match self.domain {
            Some((lo, hi)) => format!("    let x = interval_intersect(operand, Interval({lo}, {hi}));\n"),
            None => "    let x = operand;\n".to_owned(),
        };
        let (first, second) = if self.increasing { ("lo", "hi") } else { ("hi", "lo") };
        text + &format!(
            "    var low = x;\n    var high = x;\n    let count = select(select(2u, 1u, x.lo == x.hi), 0u, interval_is_empty(x));\n    \
             for (var k = 0u; k < count; k++) {{\n        high = end_{name}(select(x.{first}, x.{second}, k == 1u));\n        \
             low = interval_select(low, high, k == 0u);\n    }}\n    \
             return interval_select(interval_between(low, high), x, count == 0u);\n}}\n"
        )
    }
}

/// What the form of a function needs beside its range.
pub(super) struct Form {
    pub(super) name: &'static str,
    /// Where the function is defined on the whole range.
    pub(super) defined: &'static str,
    /// Critical points for f' = alpha.
    pub(super) critical: &'static str,
    /// f' over x; `value` is f over x.
    pub(super) derivative: &'static str,
}

const fn form(name: &'static str, defined: &'static str, critical: &'static str, derivative: &'static str) -> Form {
    Form { name, defined, critical, derivative }
}

/// In the texts: `#e` whole numbers as intervals, `f(..)` interval functions; see [`spelled`].
pub(super) const FORMS: [Form; 28] = [
    form("kink_abs", "true", "no_points()", "interval_entire()"),
    form("kink_positive_part", "true", "no_points()", "interval_entire()"),
    form("exp", "true", "one_point(log(alpha))", "value"),
    form("expm1", "true", "one_point(log(alpha))", "exp(x)"),
    form("exp2", "true", "one_point(log2(div(alpha, LN_2)))", "mul(value, LN_2)"),
    form("exp10", "true", "one_point(log10(div(alpha, LN_10)))", "mul(value, LN_10)"),
    form("log", "range.lo > 0.0", "one_point(div(#1, alpha))", "div(#1, x)"),
    form("log2", "range.lo > 0.0", "one_point(div(#1, mul(alpha, LN_2)))", "div(#1, mul(x, LN_2))"),
    form("log10", "range.lo > 0.0", "one_point(div(#1, mul(alpha, LN_10)))", "div(#1, mul(x, LN_10))"),
    form("log1p", "range.lo > -1.0", "one_point(sub(div(#1, alpha), #1))", "div(#1, add(x, #1))"),
    form("sqrt", "range.hi >= 0.0", "one_point(sqr(div(#1, add(alpha, alpha))))", "div(#1, mul(sqrt(x), #2))"),
    form(
        "rsqrt",
        "range.lo > 0.0",
        "one_point(div(#1, sqr(cbrt(neg(add(alpha, alpha))))))",
        "neg(div(#1, mul(mul(x, sqrt(x)), #2)))",
    ),
    form("cbrt", "true", "both_signs(powi(div(#1, sqrt(mul(alpha, #3))), 3))", "div(#1, mul(sqr(value), #3))"),
    form(
        "rcbrt",
        "true",
        "both_signs(div(#1, powi(sqrt(sqrt(mul(neg(alpha), #3))), 3)))",
        "neg(div(value, mul(x, #3)))",
    ),
    form("tan", "true", "branches(atan(sqrt(sub(alpha, #1))), #0, PI, range)", "add(sqr(value), #1)"),
    form(
        "cot",
        "true",
        "branches(atan(sqrt(sub(neg(alpha), #1))), mul(PI, Interval(0.5, 0.5)), PI, range)",
        "neg(add(sqr(value), #1))",
    ),
    form(
        "asin",
        "range.lo >= -1.0 && range.hi <= 1.0",
        "both_signs(sqrt(sub(#1, div(#1, sqr(alpha)))))",
        "div(#1, sqrt(mul(sub(#1, x), add(#1, x))))",
    ),
    form(
        "acos",
        "range.lo >= -1.0 && range.hi <= 1.0",
        "both_signs(sqrt(sub(#1, div(#1, sqr(alpha)))))",
        "neg(div(#1, sqrt(mul(sub(#1, x), add(#1, x)))))",
    ),
    form("atan", "true", "both_signs(sqrt(sub(div(#1, alpha), #1)))", "div(#1, add(#1, sqr(x)))"),
    form("sinh", "true", "both_signs(acosh(alpha))", "cosh(x)"),
    form("cosh", "true", "one_point(asinh(alpha))", "sinh(x)"),
    form("tanh", "true", "both_signs(atanh(sqrt(sub(#1, alpha))))", "sub(#1, sqr(value))"),
    form("asinh", "true", "both_signs(sqrt(sub(div(#1, sqr(alpha)), #1)))", "div(#1, sqrt(add(#1, sqr(x))))"),
    form(
        "acosh",
        "range.lo >= 1.0",
        "one_point(sqrt(add(div(#1, sqr(alpha)), #1)))",
        "div(#1, sqrt(mul(sub(x, #1), add(x, #1))))",
    ),
    form(
        "atanh",
        "range.lo > -1.0 && range.hi < 1.0",
        "both_signs(sqrt(sub(#1, div(#1, alpha))))",
        "div(#1, mul(sub(#1, x), add(#1, x)))",
    ),
    form(
        "erf",
        "true",
        "both_signs(sqrt(neg(log(div(alpha, TWO_OVER_SQRT_PI)))))",
        "mul(exp(neg(sqr(x))), TWO_OVER_SQRT_PI)",
    ),
    form(
        "erfc",
        "true",
        "both_signs(sqrt(neg(log(div(neg(alpha), TWO_OVER_SQRT_PI)))))",
        "neg(mul(exp(neg(sqr(x))), TWO_OVER_SQRT_PI))",
    ),
    form(
        "normcdf",
        "true",
        "both_signs(mul(sqrt(neg(log(mul(alpha, sqrt(TWO_PI))))), sqrt(#2)))",
        "div(exp(neg(sqr(div(x, sqrt(#2))))), sqrt(TWO_PI))",
    ),
];

/// Sines `turn` quarter turns on, of radians and of half turns, whose slope is that of one quarter turn more; 0 and 1 alone are asked for.
pub(super) const WAVES: [Form; 2] = [
    form(
        "wave",
        "true",
        "branches(acos(select(neg(alpha), alpha, turn == 0u)), select(HALF_PI, #0, turn == 0u), TWO_PI, range)",
        "value",
    ),
    form(
        "wave_pi",
        "true",
        "branches(div(acos(div(select(neg(alpha), alpha, turn == 0u), PI)), PI), select(Interval(0.5, 0.5), #0, turn == 0u), #2, range)",
        "mul(value, PI)",
    ),
];

/// A formula of [`FORMS`] as WGSL: function names get the prefix of intervals, `#k` becomes [k, k].
pub(super) fn spelled(formula: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    let mut rest = formula.chars();
    while let Some(c) = rest.next() {
        if c == '#' {
            let digit = rest.next().unwrap_or('0');
            text += &format!("Interval({digit}.0, {digit}.0)");
        } else if c.is_ascii_alphabetic() || c == '_' || c.is_ascii_digit() && !word.is_empty() {
            word.push(c);
        } else {
            text += &prefixed(&word, c == '(');
            word.clear();
            text.push(c);
        }
    }
    text + &prefixed(&word, false)
}

fn prefixed(word: &str, called: bool) -> String {
    let own = [
        "one_point",
        "both_signs",
        "branches",
        "no_points",
        "interval_entire",
        "power_points",
        "gamma_crossing",
        "gamma_slope",
    ];
    if called && word.starts_with(|c: char| c.is_ascii_lowercase()) && !own.contains(&word) {
        format!("interval_{word}")
    } else {
        word.to_owned()
    }
}
