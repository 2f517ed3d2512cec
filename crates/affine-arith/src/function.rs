//! The functions that every kind of number has, as values: what a graph stores, a plan runs and a text names.

/// A function of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Unary {
    /// -x.
    Neg,
    /// |x|.
    Abs,
    /// max(x, 0).
    PositivePart,
    /// x^2.
    Sqr,
    /// 1/x.
    Reciprocal,
    /// Square root of the part that is not negative.
    Sqrt,
    /// 1/sqrt(x), x > 0.
    Rsqrt,
    /// Cube root.
    Cbrt,
    /// 1/cbrt(x).
    Rcbrt,
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// 10^x.
    Exp10,
    /// e^x - 1.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// ln(1 + x).
    Log1p,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Cotangent.
    Cot,
    /// sin(pi x).
    SinPi,
    /// cos(pi x).
    CosPi,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine, x >= 1.
    Acosh,
    /// Inverse hyperbolic tangent, |x| < 1.
    Atanh,
    /// Error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
    Erf,
    /// 1 - erf(x).
    Erfc,
    /// Distribution function of the standard normal distribution.
    NormCdf,
    /// Gamma function, the integral of t^(x - 1) e^-t from 0 to infinity and its continuation; poles at 0, -1, -2, ..
    Tgamma,
    /// ln |gamma(x)|.
    Lgamma,
    /// Largest integer not above x.
    Floor,
    /// Smallest integer not below x.
    Ceil,
    /// Integer part, towards 0.
    Trunc,
    /// Nearest integer, ties away from 0.
    Round,
    /// Nearest integer, ties to even.
    Rint,
    /// x - floor(x).
    Fract,
    /// x - trunc(x).
    Modf,
    /// x^n; x^0 = 1.
    Powi(i32),
    /// x^y for the f64 y with these bits, of the part x >= 0.
    Powf(u64),
}

/// Names of the functions without a parameter, as texts spell them.
const NAMES: [(&str, Unary); 44] = [
    ("neg", Unary::Neg),
    ("abs", Unary::Abs),
    ("positive_part", Unary::PositivePart),
    ("sqr", Unary::Sqr),
    ("reciprocal", Unary::Reciprocal),
    ("sqrt", Unary::Sqrt),
    ("rsqrt", Unary::Rsqrt),
    ("cbrt", Unary::Cbrt),
    ("rcbrt", Unary::Rcbrt),
    ("exp", Unary::Exp),
    ("exp2", Unary::Exp2),
    ("exp10", Unary::Exp10),
    ("expm1", Unary::Expm1),
    ("log", Unary::Log),
    ("log2", Unary::Log2),
    ("log10", Unary::Log10),
    ("log1p", Unary::Log1p),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("cot", Unary::Cot),
    ("sinpi", Unary::SinPi),
    ("cospi", Unary::CosPi),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("asinh", Unary::Asinh),
    ("acosh", Unary::Acosh),
    ("atanh", Unary::Atanh),
    ("erf", Unary::Erf),
    ("erfc", Unary::Erfc),
    ("normcdf", Unary::NormCdf),
    ("tgamma", Unary::Tgamma),
    ("lgamma", Unary::Lgamma),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("trunc", Unary::Trunc),
    ("round", Unary::Round),
    ("rint", Unary::Rint),
    ("fract", Unary::Fract),
    ("modf", Unary::Modf),
];

impl Unary {
    /// x^y.
    pub fn powf(y: f64) -> Self {
        Self::Powf(y.to_bits())
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(text, _)| *text == name).map(|(_, function)| *function)
    }

    /// Its name; `powi` and `powf` for powers.
    pub fn name(self) -> &'static str {
        let parameter = if matches!(self, Self::Powi(_)) { "powi" } else { "powf" };
        NAMES.iter().find(|(_, function)| *function == self).map_or(parameter, |(text, _)| text)
    }

    /// All functions without a parameter.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(_, function)| *function)
    }
}

/// A function of two variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Binary {
    /// x + y.
    Add,
    /// x - y.
    Sub,
    /// x y.
    Mul,
    /// x / y.
    Div,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Angle of the point (second, first): atan2(y, x).
    Atan2,
    /// x - y trunc(x/y).
    Fmod,
    /// x - y rint(x/y).
    Remainder,
    /// x^y, x > 0.
    Pow,
}

/// Names of the functions of two variables that texts call.
const BINARY_NAMES: [(&str, Binary); 6] = [
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("atan2", Binary::Atan2),
    ("fmod", Binary::Fmod),
    ("remainder", Binary::Remainder),
    ("pow", Binary::Pow),
];

impl Binary {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        BINARY_NAMES.iter().find(|(text, _)| *text == name).map(|(_, function)| *function)
    }
}
