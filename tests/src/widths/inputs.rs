//! Inputs of the measurements, and what a result is compared with.

use affine_arith::{Affine, Interval};

use super::rows::Domain;

/// Repeatable numbers; a state for every input, so that the order of threads does not matter.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn of(stream: usize, input: usize) -> Self {
        Self(((stream as u64) << 32) + input as u64)
    }

    /// In [0, 1): SplitMix64.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A range about `width` wide.
    pub(super) fn range(&mut self, domain: Domain, width: f64) -> Interval<f32> {
        let half = 0.5 * width * self.between(0.5, 1.5);
        let centre = match domain {
            Domain::Any => self.between(-10.0, 10.0),
            Domain::Positive => self.between(1.5, 20.0),
            // Mostly away from the poles.
            Domain::Branch => self.between(-1.0, 1.0) * (1.35 - half).max(0.0),
            Domain::Cotangent => self.between(-1.35, 1.35) + std::f64::consts::FRAC_PI_2,
            Domain::Unit => self.between(-0.95, 0.95),
            Domain::Middle => self.between(-2.0, 2.0),
            Domain::Above => self.between(0.2, 10.0),
        };
        hull(centre - half, centre + half)
    }

    /// vusvna's own inputs: of all sizes, a tenth points, a few near 0 and far away, half of them with an error term.
    pub(super) fn mixture(&mut self) -> Input {
        let size = 10f64.powf(self.between(-4.0, 2.5));
        let sign = if self.unit() < 0.5 { -1.0 } else { 1.0 };
        let kind = self.unit();
        let centre = sign
            * if kind < 0.05 {
                1e-30 * self.unit()
            } else if kind < 0.08 {
                1e15 * self.unit()
            } else {
                size
            };
        let relative = self.unit() < 0.5;
        let width =
            if relative { size * 10f64.powf(self.between(-7.0, 0.3)) } else { 10f64.powf(self.between(-6.0, 1.0)) };
        let width = if self.unit() < 0.1 { 0.0 } else { width };
        let spread = 10f64.powf(self.between(-3.0, -0.5));
        let error = if self.unit() < 0.5 { 0.0 } else { (width * spread) as f32 };
        Input { range: hull(centre, centre + width), error }
    }
}

/// The floats beside two numbers.
fn hull(low: f64, high: f64) -> Interval<f32> {
    Interval::new(low as f32, high as f32).unwrap_or(Interval::ENTIRE)
}

/// A range, and an error term beside its symbol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input {
    pub(super) range: Interval<f32>,
    pub(super) error: f32,
}

impl Input {
    pub(super) fn form(&self, symbol: usize) -> Affine<f32, 2> {
        let variable = Affine::variable(symbol, self.range);
        if self.error == 0.0 {
            return variable;
        }
        variable + Affine::from_interval(Interval::new(-self.error, self.error).unwrap_or(Interval::ENTIRE))
    }

    /// Numbers over all of its values, both ends among them.
    pub(super) fn samples(&self, count: usize) -> impl Iterator<Item = f64> + use<> {
        let low = f64::from(self.range.lower()) - f64::from(self.error);
        let high = f64::from(self.range.upper()) + f64::from(self.error);
        (0..count).map(move |i| low + (high - low) * i as f64 / (count - 1) as f64)
    }
}

/// The least and the largest of sampled values; NaN where one has no value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Truth {
    low: f64,
    high: f64,
}

impl Truth {
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let fold = |truth: Self, value: f64| {
            if value.is_nan() || truth.low.is_nan() {
                return Self { low: f64::NAN, high: f64::NAN };
            }
            Self { low: truth.low.min(value), high: truth.high.max(value) }
        };
        values.fold(Self { low: f64::INFINITY, high: f64::NEG_INFINITY }, fold)
    }

    /// (Width of the result)/(width of the values), where they are wider than rounding and the result is bounded.
    pub(super) fn ratio(&self, result: Interval<f32>) -> Option<f64> {
        if result.is_bounded() { self.ratio_of(wide(result)) } else { None }
    }

    /// The same of a width.
    pub(super) fn ratio_of(&self, wide: f64) -> Option<f64> {
        let width = self.high - self.low;
        (width.is_finite() && width > 1e-6 * self.size().max(1e-3)).then(|| wide / width)
    }

    fn size(&self) -> f64 {
        self.high.abs().max(self.low.abs())
    }

    /// By how many floats of the largest value a result is wider than `allowed` times the values.
    pub(super) fn floats_above(&self, result: Interval<f32>, allowed: f64) -> Option<f64> {
        let usable = result.is_bounded() && (self.high - self.low).is_finite();
        usable.then(|| (wide(result) - allowed * (self.high - self.low)) / float_at(self.size()))
    }

    /// Width in floats of the value at a point.
    pub(super) fn floats_wide(&self, result: Interval<f32>) -> Option<f64> {
        let usable = result.is_bounded() && self.size() > 1e-30 && self.size().is_finite();
        usable.then(|| wide(result) / float_at(self.size()))
    }
}

fn wide(result: Interval<f32>) -> f64 {
    f64::from(result.upper()) - f64::from(result.lower())
}

/// The distance of the floats at a magnitude.
fn float_at(size: f64) -> f64 {
    let size = size as f32;
    f64::from(size.next_up()) - f64::from(size)
}
