//! What a kernel computes with: a type of the library, how its constants are spelled, and its functions.

use super::enclose::absent;
use crate::estimate::Estimate;
use crate::function::{Binary, Unary};
use crate::wgsl::{DeviceReal, binary_name, powf_word, unary_name};
use crate::{Affine, Error, Interval, Mixed, Op, Plan, Scalar};

/// An operand of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    /// A value of the kind that the kernel computes with.
    Value(String),
    /// A number of this type: as text, and what it is.
    Number(&'static str, String, f64),
    /// A parameter that calls in one place share.
    Fixed(String),
}

/// A call of a function of the library.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// Its name.
    pub(super) root: String,
    pub(super) arguments: Vec<Argument>,
}

impl Call {
    fn new(root: String, arguments: impl Into<Vec<Argument>>) -> Self {
        Self { root, arguments: arguments.into() }
    }

    fn of(root: impl Into<String>, values: &[&str]) -> Self {
        Self::new(root.into(), values.iter().map(|value| Argument::Value((*value).to_owned())).collect::<Vec<_>>())
    }

    fn with(mut self, more: Argument) -> Self {
        self.arguments.push(more);
        self
    }

    /// As an expression.
    pub(super) fn text(&self) -> String {
        let text = |argument: &Argument| match argument {
            Argument::Value(text) | Argument::Number(_, text, _) | Argument::Fixed(text) => text.clone(),
        };
        format!("{}({})", self.root, self.arguments.iter().map(text).collect::<Vec<_>>().join(", "))
    }

    /// Whether one text does for both, with other values and numbers.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let like = |pair: (&Argument, &Argument)| match pair {
            (Argument::Value(_), Argument::Value(_)) => true,
            (Argument::Number(kind, ..), Argument::Number(same, ..)) => kind == same,
            (Argument::Fixed(text), Argument::Fixed(same)) => text == same,
            _ => false,
        };
        self.root == other.root
            && self.arguments.len() == other.arguments.len()
            && self.arguments.iter().zip(&other.arguments).all(like)
    }
}

/// A kind of number that kernels have.
pub(super) trait DeviceValue: Scalar + Copy {
    /// What it is made of.
    type Number: DeviceReal;
    /// The type, and what the names of its functions begin with.
    const TYPE: &'static str;
    const PREFIX: &'static str;
    /// Numbers that it is made of.
    const NUMBERS: usize;
    /// Whether x - y is x + (-y), word for word.
    const SUBTRACTS_BY_NEGATION: bool = true;

    /// The number as a value of the type.
    fn spelled(&self) -> String;

    /// What the host gives of a constant that it computes: four words.
    fn given(&self) -> [Self::Number; 4];

    /// The value from these words.
    fn from_given(words: &str) -> String;

    /// A function of one variable.
    fn unary_call(function: Unary, x: &str) -> Result<Call, Error> {
        let name = unary_name::<Self::Number>(function).ok_or_else(|| absent(function))?;
        Ok(Call::of(format!("{}_{name}", Self::PREFIX), &[x]))
    }

    /// Sines and cosines, of radians or half turns, as sines some quarter turns on; None for other functions.
    fn wave_call(function: Unary, x: &str) -> Option<Call> {
        let (name, turn): (_, u32) = match function {
            Unary::Sin => ("wave", 0),
            Unary::Cos => ("wave", 1),
            Unary::SinPi => ("wave_pi", 0),
            Unary::CosPi => ("wave_pi", 1),
            _ => return None,
        };
        Some(Call::of(format!("{}_{name}", Self::PREFIX), &[x]).with(Argument::Number(
            "u32",
            format!("{turn}u"),
            f64::from(turn),
        )))
    }

    /// A function of two, whose operands may be exact constants.
    fn binary_call(function: Binary, operands: [&str; 2], _exact: [Option<Self::Number>; 2]) -> Call {
        Call::of(format!("{}_{}", Self::PREFIX, binary_name(function)), &operands)
    }

    /// x/y, 1/y being at hand; `exact` are x and y where they are floats. None where this kind does not divide by way of 1/y.
    fn divided(_operands: [&str; 3], _exact: [Option<Self::Number>; 2]) -> Option<Call> {
        None
    }
}

/// The number that an operation of a plan is, if it is one.
pub(super) fn exact<T: DeviceReal>(plan: &Plan, i: u32) -> Option<T> {
    match plan.ops()[i as usize] {
        Op::Constant(lo, hi) => {
            let form = Affine::<T, 0>::between(f64::from_bits(lo), f64::from_bits(hi));
            (form.err == T::ZERO).then_some(form.b)
        }
        _ => None,
    }
}

impl<T: DeviceReal> DeviceValue for Interval<T> {
    type Number = T;
    const TYPE: &'static str = "Interval";
    const PREFIX: &'static str = "interval";
    const NUMBERS: usize = 2;

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
            Unary::Powi(n) => Call::of("interval_powi", &[x]).with(Argument::Fixed(n.to_string())),
            Unary::Powf(y) => {
                unary_name::<T>(function).ok_or_else(|| absent(function))?;
                Call::of("interval_powf", &[x]).with(Argument::Fixed(powf_word::<T>(f64::from_bits(y))))
            }
            _ => Call::of(format!("interval_{}", function.name()), &[x]),
        })
    }
}

impl<T: DeviceReal, const N: usize> DeviceValue for Affine<T, N> {
    type Number = T;
    const TYPE: &'static str = "Affine";
    const PREFIX: &'static str = "affine";
    const NUMBERS: usize = N + 2;

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
        let number = |c: T| Argument::Number(T::TYPE, c.literal(), c.to_f64());
        match (function, exact) {
            (Binary::Mul, [Some(c), _]) => Call::of("affine_times", &[y]).with(number(c)),
            (Binary::Mul, [_, Some(c)]) => Call::of("affine_times", &[x]).with(number(c)),
            (Binary::Div, [_, Some(c)]) if c != T::ZERO => Call::of("affine_over_constant", &[x]).with(number(c)),
            _ => Call::of(format!("affine_{}", binary_name(function)), &[x, y]),
        }
    }

    fn divided([x, y, inverse]: [&str; 3], exact: [Option<T>; 2]) -> Option<Call> {
        match exact {
            // By the quotients of the parts.
            [_, Some(c)] if c != T::ZERO => None,
            [Some(c), _] => {
                let [y, inverse] = [y, inverse].map(|value| Argument::Value(value.to_owned()));
                let arguments = [Argument::Number(T::TYPE, c.literal(), c.to_f64()), y, inverse];
                Some(Call::new("affine_constant_quotient".to_owned(), arguments))
            }
            _ => Some(Call::of("affine_quotient", &[x, y, inverse])),
        }
    }
}

impl DeviceValue for Estimate {
    type Number = f32;
    const TYPE: &'static str = "Affine";
    const PREFIX: &'static str = "affine";
    const NUMBERS: usize = 3;

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
            Unary::Sqr | Unary::Powi(2) => Ok(Call::of("estimate_sqr", &[x])),
            _ => Affine::<f32, 1>::unary_call(function, x),
        }
    }

    fn binary_call(function: Binary, operands: [&str; 2], exact: [Option<f32>; 2]) -> Call {
        match function {
            Binary::Add | Binary::Sub | Binary::Mul => {
                Call::of(format!("estimate_{}", binary_name(function)), &operands)
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
    const NUMBERS: usize = N + 4;
    /// The range of -y is cut to that of its form.
    const SUBTRACTS_BY_NEGATION: bool = false;

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
