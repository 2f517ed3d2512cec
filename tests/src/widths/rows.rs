//! What is measured: vusvna's operations with the medians of its version 1.0.2, and every elementary function.

/// Where inputs lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain {
    /// [-10, 10].
    Any,
    /// [1.5, 20].
    Positive,
    /// Between two poles of the tangent.
    Branch,
    /// Centres between two poles of the cotangent, whatever the width.
    Cotangent,
    /// (-1, 1).
    Unit,
    /// Where functions with limits are not constant to the last float: [-2, 2].
    Middle,
    /// [0.2, 10].
    Above,
}

/// An operation of vusvna. Medians are NaN where none was measured.
pub(super) struct Row {
    pub(super) label: &'static str,
    /// In x and y.
    pub(super) text: &'static str,
    pub(super) domain: Domain,
    /// (width of the result)/(width of the true range) under vusvna's own protocol.
    pub(super) own: f64,
    /// Width at a point in f32 ulps of the value.
    pub(super) point: f64,
    /// The ratio for widths about 1e-4, 0.1 and 2.
    pub(super) medians: [f64; 3],
}

const fn row(label: &'static str, text: &'static str, domain: Domain, own: f64, point: f64, medians: [f64; 3]) -> Row {
    Row { label, text, domain, own, point, medians }
}

const NONE: f64 = f64::NAN;

use Domain::{Above, Any, Branch, Cotangent, Middle, Positive, Unit};

pub(super) const ROWS: [Row; 53] = [
    row("x + y", "x + y", Any, 1.0, 8.0, [1.02, 1.0, 1.0]),
    row("x - y", "x - y", Any, 1.0, 8.0, [1.02, 1.0, 1.0]),
    row("x y", "x*y", Any, 1.0, 8.0, [1.013, 1.005, 1.086]),
    row("x/y", "x/y", Positive, 1.003, 46.0, [1.179, 1.002, 1.045]),
    row("x^2", "sqr(x)", Any, 1.009, 8.0, [1.019, 1.003, 1.051]),
    row("abs", "abs(x)", Any, 1.001, 8.0, [1.038, 1.0, 1.0]),
    row("sqrt", "sqrt(x)", Positive, 1.085, 46.0, [1.788, 1.002, 1.012]),
    row("rsqrt", "rsqrt(x)", Positive, 1.031, 64.0, [2.199, 1.003, 1.035]),
    row("cbrt", "cbrt(x)", Positive, 1.043, 42.0, [1.48, 1.002, 1.034]),
    row("rcbrt", "rcbrt(x)", Positive, 1.041, 64.0, [2.534, 1.003, 1.031]),
    row("exp", "exp(x)", Any, 1.039, 128.0, [1.111, 1.013, 1.236]),
    row("exp2", "exp2(x)", Any, 1.044, 106.0, [1.128, 1.009, 1.167]),
    row("exp10", "exp10(x)", Any, 1.04, 190.0, [1.073, 1.029, 1.458]),
    row("log", "log(x)", Positive, 1.022, 30.0, [1.627, 1.002, 1.024]),
    row("log2", "log2(x)", Positive, 1.026, 32.0, [1.639, 1.002, 1.023]),
    row("log10", "log10(x)", Positive, 1.026, 34.0, [1.784, 1.002, 1.023]),
    row("sin", "sin(x)", Any, 1.01, 102.0, [1.11, 1.011, 1.19]),
    row("cos", "cos(x)", Any, 1.127, 108.0, [1.111, 1.014, 1.203]),
    row("tan", "tan(x)", Branch, 1.013, 80.0, [1.027, 1.018, 1.19]),
    row("cot", "cot(x)", Cotangent, 1.053, 142.0, [1.042, 1.019, 1.304]),
    row("sinpi", "sinpi(x)", Any, 1.013, 252.0, [1.084, 1.039, 1.001]),
    row("cospi", "cospi(x)", Any, 1.113, 236.0, [1.086, 1.039, 1.001]),
    row("atan", "atan(x)", Any, 1.372, 11530.0, [335.9, 1.34, 1.12]),
    row("atan2(x, y)", "atan2(x, y)", Any, 1.158, 7205.0, [43.9, 1.077, 1.336]),
    row("x^3", "x^3", Any, 1.058, 64.0, [1.09, 1.005, 1.1]),
    row("x^-2", "x^(-2)", Positive, 1.036, 74.0, [1.329, 1.004, 1.07]),
    row("x^4", "x^4", Any, 1.044, 86.0, [1.091, 1.008, 1.145]),
    row("x^1.5", "x^1.5", Positive, 1.127, 154.0, [2.039, 1.002, 1.011]),
    row("x^0.3", "x^0.3", Positive, 1.224, 56.0, [2.968, 1.003, 1.016]),
    row("x^-0.7", "x^(-0.7)", Positive, 1.047, 96.0, [2.385, 1.004, 1.04]),
    row("positive_part", "positive_part(x)", Any, 1.006, 8.0, [1.037, 1.0, 1.0]),
    row("min", "min(x, y)", Any, 1.178, 12.0, [1.052, 1.0, 1.0]),
    row("max", "max(x, y)", Any, 1.196, 12.0, [1.052, 1.0, 1.0]),
    row("2.5 x + 1", "x*2.5 + 1", Any, 1.0, 8.0, [1.037, 1.0, 1.0]),
    row("1/x", "1/x", Positive, 1.005, 50.0, [1.417, 1.0, 1.0]),
    row("smooth_min(x, y, 0.5)", "smooth_min(x, y, 0.5)", Any, 1.195, 14.0, [1.058, 1.0, 1.0]),
    row("x²+y²+xy-(xy)²/2-1/4", "x^2+y^2+x*y-(x*y)^2/2-1/4", Any, 1.038, 20.0, [1.018, 1.014, 1.203]),
    row("sin x cos y + exp(xy/10)", "sin(x)*cos(y)+exp(x*y/10)", Any, 1.111, 130.0, [1.088, 1.029, 1.528]),
    row("sqrt(x²-x+½)/sqrt(x²+½)", "sqrt(x^2-x+0.5)/sqrt(x^2+0.5)", Any, 1.598, 114.0, [7.192, 1.334, 13.18]),
    row("x/3", "x/3", Any, 1.0, 18.0, [1.075, 1.0, 1.0]),
    row("2 - x", "2 - x", Any, 1.001, 8.0, [1.033, 1.0, 1.0]),
    row("hypot(x, y)", "hypot(x, y)", Any, 1.057, 44.0, [1.234, 1.005, 1.113]),
    row("floor", "floor(x)", Any, 1.0, 6.0, [NONE, 1.0, 1.0]),
    row("ceil", "ceil(x)", Any, 1.0, 6.0, [1.0, 1.0, 1.0]),
    row("trunc", "trunc(x)", Any, 1.0, 6.0, [NONE, 1.0, 1.0]),
    row("round", "round(x)", Any, 1.0, 6.0, [NONE, 1.0, 1.0]),
    row("rint", "rint(x)", Any, 1.0, 6.0, [1.0, 1.0, 1.0]),
    row("fract", "fract(x)", Any, 1.004, 22.0, [1.011, 1.0, 1.005]),
    row("modf", "modf(x)", Any, 1.001, 22.0, [1.011, 1.0, 1.005]),
    row("fmod(x, 0.7)", "fmod(x, 0.7)", Any, 1.002, 94.0, [1.033, 1.0, 1.006]),
    row("remainder(x, 0.7)", "remainder(x, 0.7)", Any, 1.002, 204.0, [1.034, 1.0, 1.005]),
    row("fmod(x, y)", "fmod(x, y)", Positive, 1.001, 10.0, [1.025, 1.0, 1.0]),
    row("remainder(x, y)", "remainder(x, y)", Positive, 1.001, 14.0, [1.018, 1.0, 1.003]),
];

/// Every elementary function in x, and where it is looked at.
pub(super) const FUNCTIONS: [(&str, Domain); 47] = [
    ("sqr(x)", Any),
    ("abs(x)", Any),
    ("positive_part(x)", Any),
    ("fract(x)", Any),
    ("modf(x)", Any),
    ("1/x", Positive),
    ("sqrt(x)", Positive),
    ("rsqrt(x)", Positive),
    ("cbrt(x)", Positive),
    ("rcbrt(x)", Positive),
    ("exp(x)", Any),
    ("exp2(x)", Any),
    ("exp10(x)", Any),
    ("expm1(x)", Any),
    ("log(x)", Positive),
    ("log2(x)", Positive),
    ("log10(x)", Positive),
    ("log1p(x)", Above),
    ("sin(x)", Any),
    ("cos(x)", Any),
    ("tan(x)", Branch),
    ("cot(x)", Any),
    ("sinpi(x)", Any),
    ("cospi(x)", Any),
    ("asin(x)", Unit),
    ("acos(x)", Unit),
    ("atan(x)", Any),
    ("sinh(x)", Any),
    ("cosh(x)", Any),
    ("tanh(x)", Middle),
    ("asinh(x)", Any),
    ("acosh(x)", Positive),
    ("atanh(x)", Unit),
    ("erf(x)", Middle),
    ("erfc(x)", Middle),
    ("normcdf(x)", Middle),
    ("tgamma(x)", Above),
    ("lgamma(x)", Above),
    ("x^3", Any),
    ("x^4", Any),
    ("x^5", Any),
    ("x^(-2)", Positive),
    ("x^(-3)", Positive),
    ("x^1.5", Positive),
    ("x^0.3", Positive),
    ("x^(-0.7)", Positive),
    ("2 - x/3", Any),
];
