//! What a kernel computes with: a type of the library, how its constants are spelled, and its functions.

use super::enclose::absent;
use crate::estimate::Estimate;
use crate::function::{Binary, Unary};
use crate::wgsl::{DeviceReal, binary_name, powf_word, unary_name};
use crate::{Affine, Error, Interval, Mixed, Scalar};

/// A call of a function of the library.
pub(super) struct Call {
    /// Its name.
    pub(super) root: String,
    pub(super) text: String,
}

impl Call {
    fn new(root: String, operands: &str) -> Self {
        let text = format!("{root}({operands})");
        Self { root, text }
    }
}

/// A kind of number that kernels have.
pub(super) trait DeviceValue: Scalar + Copy {
    /// What it is made of.
    type Number: DeviceReal;
    /// The type, and what the names of its functions begin with.
    const TYPE: &'static str;
    const PREFIX: &'static str;

    /// The number as a value of the type.
    fn spelled(&self) -> String;

    /// What the host gives of a constant that it computes: four words.
    fn given(&self) -> [Self::Number; 4];

    /// The value from these words.
    fn from_given(words: &str) -> String;

    /// A function of one variable.
    fn unary_call(function: Unary, x: &str) -> Result<Call, Error> {
        let name = unary_name::<Self::Number>(function).ok_or_else(|| absent(function))?;
        Ok(Call::new(format!("{}_{name}", Self::PREFIX), x))
    }

    /// Sine, of radians or half turns, `turn` quarter turns on.
    fn wave_call(sine: Unary, x: &str, turn: &str) -> Call {
        let name = if sine == Unary::SinPi { "wave_pi" } else { "wave" };
        Call::new(format!("{}_{name}", Self::PREFIX), &format!("{x}, {turn}"))
    }

    /// A function of two, whose operands may be exact constants.
    fn binary_call(function: Binary, operands: [&str; 2], _exact: [Option<Self::Number>; 2]) -> Call {
        let [x, y] = operands;
        Call::new(format!("{}_{}", Self::PREFIX, binary_name(function)), &format!("{x}, {y}"))
    }

    /// x/y, 1/y being at hand; `exact` are x and y where they are floats. None where this kind does not divide by way of 1/y.
    fn divided(_operands: [&str; 3], _exact: [Option<Self::Number>; 2]) -> Option<Call> {
        None
    }
}

impl<T: DeviceReal> DeviceValue for Interval<T> {
    type Number = T;
    const TYPE: &'static str = "Interval";
    const PREFIX: &'static str = "interval";

    fn spelled(&self) -> String {
        format!("Interval({}, {})", self.lo.literal(), self.hi.literal())
    }

    fn given(&self) -> [T; 4] {
        [self.lo, self.hi, T::ZERO, T::ZERO]
    }

    fn from_given(words: &str) -> String {
        format!("Interval({words}.x, {words}.y)")
    }

    fn unary_call(function: Unary, x: &str) -> Result<Call, Error> {
        Ok(match function {
            Unary::Powi(n) => Call::new("interval_powi".into(), &format!("{x}, {n}")),
            Unary::Powf(y) => {
                unary_name::<T>(function).ok_or_else(|| absent(function))?;
                Call::new("interval_powf".into(), &format!("{x}, {}", powf_word::<T>(f64::from_bits(y))))
            }
            _ => Call::new(format!("interval_{}", function.name()), x),
        })
    }
}

impl<T: DeviceReal, const N: usize> DeviceValue for Affine<T, N> {
    type Number = T;
    const TYPE: &'static str = "Affine";
    const PREFIX: &'static str = "affine";

    fn spelled(&self) -> String {
        let x: Vec<String> = self.x.iter().map(|x| x.literal()).collect();
        format!("Affine({}, array<{}, N>({}), {})", self.b.literal(), T::TYPE, x.join(", "), self.err.literal())
    }

    fn given(&self) -> [T; 4] {
        [self.b, self.err, T::ZERO, T::ZERO]
    }

    fn from_given(words: &str) -> String {
        let zeros = vec![T::ZERO.literal(); N].join(", ");
        format!("Affine({words}.x, array<{}, N>({zeros}), {words}.y)", T::TYPE)
    }

    /// Products and quotients with a constant that is a float are parts of the general function's text.
    fn binary_call(function: Binary, [x, y]: [&str; 2], exact: [Option<T>; 2]) -> Call {
        match (function, exact) {
            (Binary::Mul, [Some(c), _]) => Call::new("affine_times".into(), &format!("{y}, {}", c.literal())),
            (Binary::Mul, [_, Some(c)]) => Call::new("affine_times".into(), &format!("{x}, {}", c.literal())),
            (Binary::Div, [_, Some(c)]) if c != T::ZERO => {
                Call::new("affine_over_constant".into(), &format!("{x}, {}", c.literal()))
            }
            _ => Call::new(format!("affine_{}", binary_name(function)), &format!("{x}, {y}")),
        }
    }

    fn divided([x, y, inverse]: [&str; 3], exact: [Option<T>; 2]) -> Option<Call> {
        match exact {
            // By the quotients of the parts.
            [_, Some(c)] if c != T::ZERO => None,
            [Some(c), _] => {
                Some(Call::new("affine_constant_quotient".into(), &format!("{}, {y}, {inverse}", c.literal())))
            }
            _ => Some(Call::new("affine_quotient".into(), &format!("{x}, {y}, {inverse}"))),
        }
    }
}

impl DeviceValue for Estimate {
    type Number = f32;
    const TYPE: &'static str = "Affine";
    const PREFIX: &'static str = "affine";

    fn spelled(&self) -> String {
        self.0.spelled()
    }

    fn given(&self) -> [f32; 4] {
        self.0.given()
    }

    fn from_given(words: &str) -> String {
        Affine::<f32, 1>::from_given(words)
    }

    fn unary_call(function: Unary, x: &str) -> Result<Call, Error> {
        match function {
            Unary::Sqr | Unary::Powi(2) => Ok(Call::new("estimate_sqr".into(), x)),
            _ => Affine::<f32, 1>::unary_call(function, x),
        }
    }

    fn binary_call(function: Binary, operands: [&str; 2], exact: [Option<f32>; 2]) -> Call {
        let [x, y] = operands;
        match function {
            Binary::Add | Binary::Sub | Binary::Mul => {
                Call::new(format!("estimate_{}", binary_name(function)), &format!("{x}, {y}"))
            }
            _ => Affine::<f32, 1>::binary_call(function, operands, exact),
        }
    }

    fn divided(operands: [&str; 3], exact: [Option<f32>; 2]) -> Option<Call> {
        Affine::<f32, 1>::divided(operands, exact)
    }
}

impl<T: DeviceReal, const N: usize> DeviceValue for Mixed<T, N> {
    type Number = T;
    const TYPE: &'static str = "Mixed";
    const PREFIX: &'static str = "mixed";

    fn spelled(&self) -> String {
        format!("Mixed({}, {})", self.form().spelled(), self.interval().spelled())
    }

    fn given(&self) -> [T; 4] {
        let ([b, err, ..], range) = (self.form().given(), self.interval());
        [b, err, range.lo, range.hi]
    }

    fn from_given(words: &str) -> String {
        format!("Mixed({}, Interval({words}.z, {words}.w))", Affine::<T, N>::from_given(words))
    }
}
