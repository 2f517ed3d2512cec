//! Operations on standard forms of one layout: what an operation of the graph is off becomes its own symbol, the last of the layout.
//!
//! Twin of standard.wgsl and, for sums and factors, of affine.wgsl with the symbols of the layout.

use crate::affine::{self, Affine, ProductParts, inflate, product, product_parts, quotient, sum};
use crate::directed::{add_down, add_up};
use crate::function::{Binary, Unary};
use crate::interval::{Interval, Sign};
use crate::real::Real;

/// b + sum of x_k e_k + e with |e_k| <= 1, |e| <= err, for the symbols of a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct StandardForm<T> {
    pub(crate) b: T,
    pub(crate) x: Vec<T>,
    pub(crate) err: T,
}

/// y = slope (x - b) + middle -+ radius for all x of a range, b being the centre of the operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<T> {
    middle: T,
    slope: T,
    radius: T,
}

impl<T: Real> Line<T> {
    /// Of a function over a range: what a form with one symbol of factor 1 becomes.
    pub(crate) fn new(function: Unary, b: T, range: Interval<T>) -> Self {
        let operand = Affine::<T, 1> { b, x: [T::ONE], err: T::ZERO };
        // The square of a form is made of its parts, which are not those of this one.
        let square = function == Unary::powf(2.0) && range.lo >= T::ZERO;
        let form =
            if square { operand.nonlinear(Unary::Powi(2), range) } else { operand.apply_within(function, range) };
        Self { middle: form.b, slope: form.x[0], radius: form.err }
    }

    fn constant(range: Interval<T>) -> Self {
        let form = Affine::<T, 0>::from_interval(range);
        Self { middle: form.b, slope: T::ZERO, radius: form.err }
    }
}

impl<T: Real> StandardForm<T> {
    /// Any number.
    pub(crate) fn entire(symbols: usize) -> Self {
        Self { b: T::ZERO, x: vec![T::ZERO; symbols], err: T::HUGE }
    }

    /// The centre b, the coefficients x_k and the bound err of the rounding errors.
    pub fn parts(&self) -> (T, &[T], T) {
        (self.b, &self.x, self.err)
    }

    /// Whether it may be any number.
    pub fn is_entire(&self) -> bool {
        self.err > T::LIMIT
    }

    /// All its values, rounded outward.
    pub fn interval(&self) -> Interval<T> {
        if self.is_entire() {
            return Interval::ENTIRE;
        }
        let reach = self.reach();
        Interval { lo: add_down(self.b, -reach), hi: add_up(self.b, reach) }
    }

    /// Whether 0 is among its possible values.
    pub fn possibly_zero(&self) -> bool {
        self.is_entire() || self.b.abs() <= self.reach()
    }

    pub(crate) fn reach(&self) -> T {
        affine::reach(&self.x, self.err)
    }

    pub(crate) fn checked(mut self) -> Self {
        if affine::checked(&mut self.b, &mut self.x, &mut self.err) { self } else { Self::entire(self.x.len()) }
    }

    pub(crate) fn neg(mut self) -> Self {
        self.b = -self.b;
        self.x.iter_mut().for_each(|x| *x = -*x);
        self
    }

    pub(crate) fn add(self, y: &Self) -> Self {
        let terms = self.x.len();
        if self.is_entire() || y.is_entire() {
            return Self::entire(terms);
        }
        let mut lost = T::ZERO;
        let b = sum(self.b, y.b, &mut lost);
        let x = self.x.iter().zip(&y.x).map(|(x, y)| sum(*x, *y, &mut lost)).collect();
        Self { b, x, err: inflate((self.err + y.err) + lost, terms + 3) }.checked()
    }

    pub(crate) fn sub(self, y: &Self) -> Self {
        self.add(&y.clone().neg())
    }

    /// c times the form, c exact; entire forms stay.
    fn scaled(self, c: T) -> Self {
        let terms = self.x.len();
        if self.is_entire() || c == T::ONE {
            return self;
        }
        let mut lost = T::ZERO;
        let b = product(c, self.b, &mut lost);
        let x = self.x.iter().map(|x| product(c, *x, &mut lost)).collect();
        let err = product(c.abs(), self.err, &mut lost);
        Self { b, x, err: inflate(err + lost, terms + 3) }.checked()
    }

    /// The form times a constant within `slack` of c.
    pub(crate) fn times(self, c: T, slack: T) -> Self {
        if slack == T::ZERO {
            return self.scaled(c);
        }
        // Any constant: the inverse of one that may be 0.
        if self.is_entire() || !slack.is_bounded() {
            return Self::entire(self.x.len());
        }
        let more = inflate(slack * (self.b.abs() + self.reach()), 2).larger(T::TINY);
        let mut product = self.scaled(c);
        if product.is_entire() {
            return product;
        }
        product.err = inflate(product.err + more, 1);
        product.checked()
    }

    /// The form over c, c exact and not 0.
    pub(crate) fn over(self, c: T) -> Self {
        let terms = self.x.len();
        if self.is_entire() {
            return self;
        }
        let mut lost = T::ZERO;
        let b = quotient(self.b, c, &mut lost);
        let x: Vec<T> = self.x.iter().map(|x| quotient(*x, c, &mut lost)).collect();
        let err = quotient(self.err, c.abs(), &mut lost);
        let fits = b.is_bounded() && x.iter().all(|x| x.is_bounded()) && err.is_bounded();
        if fits { Self { b, x, err: inflate(err + lost, terms + 3) }.checked() } else { Self::entire(terms) }
    }

    /// With the operation's own symbol.
    fn owned(mut self, radius: T) -> Self {
        if let Some(own) = self.x.last_mut() {
            *own = if radius == T::ZERO { radius } else { radius.larger(T::TINY) };
        }
        self.checked()
    }

    /// x y: never wider than |b| err_y + |b_y| err + R R_y.
    pub(crate) fn mul(self, y: &Self) -> Self {
        let terms = self.x.len();
        if self.is_entire() || y.is_entire() {
            return Self::entire(terms);
        }
        // [1] The parts; what they lose is this operation's.
        let mut x = vec![T::ZERO; terms];
        let parts = product_parts((self.b, &self.x, self.err), (y.b, &y.x, y.err), &mut x);
        let ProductParts { b, radius, lost } = parts;
        // [2] Old rounding errors.
        let mut rounded = T::ZERO;
        let err = product(self.b.abs(), y.err, &mut rounded) + product(y.b.abs(), self.err, &mut rounded);
        let form = Self { b, x, err: inflate(err + rounded, 4) };
        form.owned(inflate(radius + lost, 3 * terms + 4))
    }

    /// x^2: b^2 + 2 b x' + x'^2 with 0 <= x'^2 <= R^2.
    pub(crate) fn sqr(self) -> Self {
        let terms = self.x.len();
        if self.is_entire() {
            return self;
        }
        // [1] Half of R^2 is centre shift and radius at once; it must not be below R^2/2.
        let mut lost = T::ZERO;
        let reach = self.reach();
        let half = inflate(reach * reach, 1) * T::HALF;
        let half = if reach == T::ZERO { half } else { half.larger(T::TINY) };
        let square = product(self.b, self.b, &mut lost);
        let b = sum(square, half, &mut lost);
        let twice = self.b + self.b;
        let x = self.x.iter().map(|x| product(twice, *x, &mut lost)).collect();
        // [2] Old rounding errors.
        let mut rounded = T::ZERO;
        let err = product(twice.abs(), self.err, &mut rounded);
        let form = Self { b, x, err: inflate(err + rounded, 2) };
        form.owned(inflate(half + lost, terms + 3))
    }

    /// A function of the form, by its line.
    pub(crate) fn on_line(self, line: Line<T>) -> Self {
        let terms = self.x.len();
        if line.radius > T::LIMIT {
            return Self::entire(terms);
        }
        let mut lost = T::ZERO;
        let x = self.x.iter().map(|x| product(line.slope, *x, &mut lost)).collect();
        let mut rounded = T::ZERO;
        let err = product(line.slope.abs(), self.err, &mut rounded);
        let form = Self { b: line.middle, x, err: inflate(err + rounded, 2) };
        form.owned(inflate(line.radius + lost, terms + 2))
    }

    /// A quantity of which the range alone is known.
    pub(crate) fn within(self, range: Interval<T>) -> Self {
        self.on_line(Line::constant(range))
    }

    /// The smaller one: an operand where the other is certainly not below it, else x - max(x - y, 0).
    pub(crate) fn smaller(self, y: &Self) -> Self {
        let (range, other) = (self.interval(), y.interval());
        let difference = self.clone().sub(y);
        let apart = difference.interval().intersect(range - other);
        if apart.hi <= T::ZERO {
            return self;
        }
        if apart.lo >= T::ZERO {
            return y.clone();
        }
        let line = Line::new(Unary::PositivePart, difference.b, apart);
        let constant = Line::constant(range.min(other));
        if line.radius >= constant.radius && constant.radius <= T::LIMIT {
            return self.within(range.min(other));
        }
        let above = difference.on_line(line);
        self.sub(&above)
    }

    /// atan2(y, x) `turned` being atan(y/x) where x > 0, else atan(x/y).
    pub(crate) fn angle(turned: Self, y: Interval<T>, x: Interval<T>) -> Self {
        let quarter = Affine::<T, 0>::from_interval(crate::elementary::constant(crate::elementary::HALF_PI));
        let terms = turned.x.len();
        let constant = |b: T| Self { b, x: vec![T::ZERO; terms], err: quarter.err };
        match (x.sign(), y.sign()) {
            (Sign::Positive, _) => turned,
            (_, Sign::Positive) => constant(quarter.b).sub(&turned),
            (_, Sign::Negative) => constant(-quarter.b).sub(&turned),
            _ => turned.within(y.apply2(Binary::Atan2, x)),
        }
    }

    /// x - y n while the integer n is known.
    pub(crate) fn remainder(self, function: Binary, y: &Self) -> Self {
        let (range, divisor) = (self.interval(), y.interval());
        if divisor.mignitude() == T::ZERO {
            return Self::entire(self.x.len());
        }
        let quotient = range / divisor;
        let whole = if function == Binary::Fmod { quotient.trunc() } else { quotient.rint() };
        match whole.single() {
            Some(n) => self.sub(&y.clone().scaled(n)),
            None => self.within(range.apply2(function, divisor)),
        }
    }
}
