//! Random inputs and f64 references.

use affine_arith::{Affine, Binary, Interval, Scalar, Unary};

/// SplitMix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A symbol's value; corners often, since extremes are there.
    pub(crate) fn symbol(&mut self) -> f64 {
        match self.word() % 4 {
            0 => -1.0,
            1 => 1.0,
            _ => self.between(-1.0, 1.0),
        }
    }
}

/// A form of symbol `k` with an error term: centres, widths and errors over many magnitudes, some degenerate.
pub(crate) fn random_form(random: &mut Random, k: usize) -> Affine<f32, 2> {
    let magnitude = 10f64.powf(random.between(-4.0, 2.5));
    let centre = if random.unit() < 0.5 { magnitude } else { -magnitude };
    let relative = random.unit() < 0.5;
    let width = if relative {
        magnitude * 10f64.powf(random.between(-7.0, 0.3))
    } else {
        10f64.powf(random.between(-6.0, 1.0))
    };
    let width = if random.unit() < 0.1 { 0.0 } else { width };
    let range = Interval::new((centre - width) as f32, (centre + width) as f32).expect("ordered");
    let form = Affine::variable(k, range);
    let error = if random.unit() < 0.5 { 0.0 } else { width * 10f64.powf(random.between(-3.0, -0.5)) };
    form + Affine::from_interval(Interval::new(-error as f32, error as f32).expect("ordered"))
}

/// The value of a form for given symbols, with e for its error term.
pub(crate) fn value(form: &Affine<f32, 2>, symbols: [f64; 2], e: f64) -> f64 {
    let (b, x, err) = form.parts();
    f64::from(b) + f64::from(x[0]) * symbols[0] + f64::from(x[1]) * symbols[1] + f64::from(err) * e
}

/// f64 with the functions of the system: the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reference(pub(crate) f64);

macro_rules! operator {
    ($trait:ident, $name:ident, $op:tt) => {
        impl std::ops::$trait for Reference {
            type Output = Self;

            fn $name(self, y: Self) -> Self {
                Self(self.0 $op y.0)
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl std::ops::Neg for Reference {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Scalar for Reference {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self(lo * 0.5 + hi * 0.5)
    }

    fn unary(&self, function: Unary) -> Self {
        Self(reference(function, self.0))
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        let (x, y) = (self.0, y.0);
        Self(match function {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul => x * y,
            Binary::Div => x / y,
            Binary::Min => x.min(y),
            Binary::Max => x.max(y),
            Binary::Atan2 => x.atan2(y),
            Binary::Fmod => x % y,
            Binary::Remainder => x - y * (x / y).round_ties_even(),
            Binary::Pow => x.powf(y),
            _ => f64::NAN,
        })
    }
}

/// f(x) by the system's library.
pub(crate) fn reference(function: Unary, x: f64) -> f64 {
    match function {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::PositivePart => x.max(0.0),
        Unary::Sqr => x * x,
        Unary::Reciprocal => 1.0 / x,
        Unary::Sqrt => x.max(0.0).sqrt(),
        Unary::Rsqrt => 1.0 / x.sqrt(),
        Unary::Cbrt => x.cbrt(),
        Unary::Rcbrt => 1.0 / x.cbrt(),
        Unary::Exp => x.exp(),
        Unary::Exp2 => x.exp2(),
        Unary::Exp10 => 10f64.powf(x),
        Unary::Expm1 => x.exp_m1(),
        Unary::Log => x.ln(),
        Unary::Log2 => x.log2(),
        Unary::Log10 => x.log10(),
        Unary::Log1p => x.ln_1p(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Cot => 1.0 / x.tan(),
        Unary::SinPi => (std::f64::consts::PI * (x % 2.0)).sin(),
        Unary::CosPi => (std::f64::consts::PI * (x % 2.0)).cos(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Asinh => x.asinh(),
        Unary::Acosh => x.acosh(),
        Unary::Atanh => x.atanh(),
        Unary::Erf => erf(x),
        Unary::Erfc => 1.0 - erf(x),
        Unary::NormCdf => 0.5 + 0.5 * erf(x * std::f64::consts::FRAC_1_SQRT_2),
        Unary::Tgamma if x > 0.0 || x.floor() != x => libm::tgamma(x),
        Unary::Lgamma if x > 0.0 || x.floor() != x => libm::lgamma(x),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Trunc => x.trunc(),
        Unary::Round => x.round(),
        Unary::Rint => x.round_ties_even(),
        Unary::Fract => x - x.floor(),
        Unary::Modf => x.fract(),
        Unary::Powi(n) => x.powi(n),
        Unary::Powf(y) => x.max(0.0).powf(f64::from_bits(y)),
        _ => f64::NAN,
    }
}

/// Functions with parameters that the tests add to those without.
pub(crate) fn functions() -> Vec<Unary> {
    let powers = [Unary::Powi(3), Unary::Powi(-2), Unary::Powi(4), Unary::Powi(-3)];
    let real_powers = [1.5, 0.3, -0.7, 2.5].map(Unary::powf);
    Unary::all().chain(powers).chain(real_powers).collect()
}

/// The functions of two variables.
pub(crate) const BINARIES: [Binary; 10] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Min,
    Binary::Max,
    Binary::Atan2,
    Binary::Fmod,
    Binary::Remainder,
    Binary::Pow,
];

/// Error function by Simpson's rule, good to 1e-13 absolutely.
fn erf(x: f64) -> f64 {
    let end = x.clamp(-7.0, 7.0);
    let steps = 2_000;
    let h = end / f64::from(steps);
    let bell = |t: f64| (-t * t).exp();
    let inner: f64 = (1..steps).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * bell(h * f64::from(i))).sum();
    (1.0 + inner + bell(end)) * h / 3.0 * 2.0 / std::f64::consts::PI.sqrt()
}
