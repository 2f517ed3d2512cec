//! Sums, products, quotients and square roots rounded down and up: the tightest float, found from the exact error of the
//! nearest one. Bounds are 0, or of magnitude TINY to LIMIT, or ±HUGE for "unbounded".

use crate::real::Real;

/// The largest permitted lower bound not above `x`.
pub(crate) fn lower<T: Real>(x: T) -> T {
    if x > T::LIMIT {
        return T::LIMIT;
    }
    if x < -T::LIMIT {
        return -T::HUGE;
    }
    if x.abs() < T::TINY {
        return if x < T::ZERO { -T::TINY } else { T::ZERO };
    }
    x
}

/// The smallest permitted upper bound not below `x`.
pub(crate) fn upper<T: Real>(x: T) -> T {
    -lower(-x)
}

/// a + b rounded down; a and b are lower bounds.
pub(crate) fn add_down<T: Real>(a: T, b: T) -> T {
    let (sum, error) = a.two_sum(b);
    lower(if error < T::ZERO { sum.next_down() } else { sum })
}

/// a + b rounded up; a and b are upper bounds.
pub(crate) fn add_up<T: Real>(a: T, b: T) -> T {
    -add_down(-a, -b)
}

/// a b rounded down; an unbounded factor times 0 is 0.
pub(crate) fn mul_down<T: Real>(a: T, b: T) -> T {
    // [1] Zeros and unbounded factors.
    if a == T::ZERO || b == T::ZERO {
        return T::ZERO;
    }
    let negative = (a < T::ZERO) != (b < T::ZERO);
    if !a.is_bounded() || !b.is_bounded() {
        return if negative { -T::HUGE } else { T::LIMIT };
    }
    // [2] The error decides, where it is exact; else one step always.
    let (product, error) = a.two_prod(b);
    if product.abs() >= T::EXACT_PRODUCT {
        return lower(if error < T::ZERO { product.next_down() } else { product });
    }
    if product.abs() < T::TINY {
        return if negative { -T::TINY } else { T::ZERO };
    }
    lower(product.next_down())
}

/// a b rounded up.
pub(crate) fn mul_up<T: Real>(a: T, b: T) -> T {
    -mul_down(-a, b)
}

/// a / b rounded down, b not 0; a bounded number over an unbounded one is 0.
pub(crate) fn div_down<T: Real>(a: T, b: T) -> T {
    // [1] Zeros and unbounded operands.
    if a == T::ZERO || !b.is_bounded() {
        return T::ZERO;
    }
    let negative = (a < T::ZERO) != (b < T::ZERO);
    if !a.is_bounded() {
        return if negative { -T::HUGE } else { T::LIMIT };
    }
    // [2] a - q b tells on which side of the quotient q lies.
    let quotient = a.div_rn(b);
    if !quotient.is_bounded() {
        return lower(quotient);
    }
    if quotient.abs() < T::TINY {
        return if negative { -T::TINY } else { T::ZERO };
    }
    if a.abs() < T::EXACT_PRODUCT {
        return lower(quotient.next_down());
    }
    let (product, error) = quotient.two_prod(b);
    let rest = (a - product) - error;
    let below = if b < T::ZERO { rest > T::ZERO } else { rest < T::ZERO };
    lower(if below { quotient.next_down() } else { quotient })
}

/// a / b rounded up.
pub(crate) fn div_up<T: Real>(a: T, b: T) -> T {
    -div_down(-a, b)
}

/// Square root rounded down; x >= 0.
pub(crate) fn sqrt_down<T: Real>(x: T) -> T {
    if x == T::ZERO {
        return T::ZERO;
    }
    if !x.is_bounded() {
        return T::LIMIT.sqrt_rn();
    }
    let (root, rest) = sqrt_rest(x);
    lower(if rest < T::ZERO { root.next_down() } else { root })
}

/// Square root rounded up; x >= 0.
pub(crate) fn sqrt_up<T: Real>(x: T) -> T {
    if x == T::ZERO {
        return T::ZERO;
    }
    if !x.is_bounded() {
        return T::HUGE;
    }
    let (root, rest) = sqrt_rest(x);
    upper(if rest > T::ZERO { root.next_up() } else { root })
}

/// The nearest root, and x minus its square, exact: below EXACT_PRODUCT with the exponent of x raised by an even number first.
fn sqrt_rest<T: Real>(x: T) -> (T, T) {
    let raise = if x < T::EXACT_PRODUCT { T::DIGITS as i32 * 2 } else { 0 };
    let raised = x.scale_pow2(2 * raise);
    let root = raised.sqrt_rn();
    let (square, error) = root.two_prod(root);
    (root.scale_pow2(-raise), (raised - square) - error)
}
