// Twins: interval/mod.rs interval/arithmetic.rs directed.rs
// Intervals of real numbers with float bounds, rounded outward. Twin of interval/ and directed.rs. Needs strict_float.
// The header gives TINY, EXACT_PRODUCT, LIMIT, HUGE. Bounds are 0, or TINY to LIMIT in magnitude, or +-HUGE for an unbounded side. Empty: lo > hi.

struct Interval {
    lo: f32,
    hi: f32,
}

fn interval_empty() -> Interval {
    return Interval(HUGE, -HUGE);
}

fn interval_entire() -> Interval {
    return Interval(-HUGE, HUGE);
}

fn is_bounded(x: f32) -> bool {
    return abs(x) <= LIMIT;
}

// The next number above x, subnormal ones left out: a device may take them for 0, and a bound that should leave 0 would stay there.
fn next_up(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    if (bits & 0x7fffffffu) < 0x00800000u {
        return bitcast<f32>(0x00800000u);
    }
    if bits == 0x80800000u {
        return 0.0;
    }
    return bitcast<f32>(select(bits - 1u, bits + 1u, (bits >> 31u) == 0u));
}

fn next_down(x: f32) -> f32 {
    return -next_up(-x);
}

fn larger(x: f32, y: f32) -> f32 {
    return select(x, y, x < y);
}

fn smaller(x: f32, y: f32) -> f32 {
    return select(x, y, y < x);
}

fn exponent_of(x: f32) -> i32 {
    return i32((bitcast<u32>(x) >> 23u) & 0xffu) - 127;
}

// The largest permitted lower bound not above x.
fn lower_bound(x: f32) -> f32 {
    if x > LIMIT {
        return LIMIT;
    }
    if x < -LIMIT {
        return -HUGE;
    }
    if abs(x) < TINY {
        return select(0.0, -TINY, x < 0.0);
    }
    return x;
}

fn upper_bound(x: f32) -> f32 {
    return -lower_bound(-x);
}

fn add_down(a: f32, b: f32) -> f32 {
    let s = two_sum(a, b);
    return lower_bound(select(s.x, next_down(s.x), s.y < 0.0));
}

fn add_up(a: f32, b: f32) -> f32 {
    return -add_down(-a, -b);
}

fn mul_down(a: f32, b: f32) -> f32 {
    // [1] Zeros and unbounded factors.
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let negative = (a < 0.0) != (b < 0.0);
    if !is_bounded(a) || !is_bounded(b) {
        return select(LIMIT, -HUGE, negative);
    }
    // [2] The error decides, where it is exact; else one step always.
    let p = two_prod(a, b);
    if abs(p.x) >= EXACT_PRODUCT {
        return lower_bound(select(p.x, next_down(p.x), p.y < 0.0));
    }
    if abs(p.x) < TINY {
        return select(0.0, -TINY, negative);
    }
    return lower_bound(next_down(p.x));
}

fn mul_up(a: f32, b: f32) -> f32 {
    return -mul_down(-a, b);
}

fn div_down(a: f32, b: f32) -> f32 {
    // [1] Zeros and unbounded operands.
    if a == 0.0 || !is_bounded(b) {
        return 0.0;
    }
    let negative = (a < 0.0) != (b < 0.0);
    if !is_bounded(a) {
        return select(LIMIT, -HUGE, negative);
    }
    // [2] a - q b tells on which side of the quotient q lies.
    let quotient = div_rn(a, b);
    if !is_bounded(quotient) {
        return lower_bound(quotient);
    }
    if abs(quotient) < TINY {
        return select(0.0, -TINY, negative);
    }
    if abs(a) < EXACT_PRODUCT {
        return lower_bound(next_down(quotient));
    }
    let p = two_prod(quotient, b);
    let rest = (a - p.x) - p.y;
    let below = select((rest < 0.0), (rest > 0.0), b < 0.0);
    return lower_bound(select(quotient, next_down(quotient), below));
}

fn div_up(a: f32, b: f32) -> f32 {
    return -div_down(-a, b);
}

// The nearest root, and x minus its square: below EXACT_PRODUCT with the exponent of x raised first.
fn sqrt_rest(x: f32) -> vec2<f32> {
    let raise = select(0, 48, x < EXACT_PRODUCT);
    let raised = scale_pow2(x, 2 * raise);
    let root = sqrt_rn(raised);
    let square = two_prod(root, root);
    return vec2<f32>(scale_pow2(root, -raise), (raised - square.x) - square.y);
}

fn sqrt_down(x: f32) -> f32 {
    if x == 0.0 {
        return 0.0;
    }
    if !is_bounded(x) {
        return sqrt_rn(LIMIT);
    }
    let root = sqrt_rest(x);
    return lower_bound(select(root.x, next_down(root.x), root.y < 0.0));
}

fn sqrt_up(x: f32) -> f32 {
    if x == 0.0 {
        return 0.0;
    }
    if !is_bounded(x) {
        return HUGE;
    }
    let root = sqrt_rest(x);
    return upper_bound(select(root.x, next_up(root.x), root.y > 0.0));
}

fn interval_outward(lo: f32, hi: f32) -> Interval {
    return Interval(lower_bound(lo), upper_bound(hi));
}

fn interval_point(x: f32) -> Interval {
    return interval_outward(x, x);
}

fn interval_whole(k: i32) -> Interval {
    return Interval(f32(k), f32(k));
}

fn interval_is_empty(x: Interval) -> bool {
    return x.lo > x.hi;
}

fn interval_is_bounded(x: Interval) -> bool {
    return is_bounded(x.lo) && is_bounded(x.hi);
}

fn interval_intersect(x: Interval, y: Interval) -> Interval {
    let both = Interval(larger(x.lo, y.lo), smaller(x.hi, y.hi));
    if interval_is_empty(both) {
        return interval_empty();
    }
    return both;
}

fn interval_join(x: Interval, y: Interval) -> Interval {
    if interval_is_empty(x) {
        return y;
    }
    if interval_is_empty(y) {
        return x;
    }
    return Interval(smaller(x.lo, y.lo), larger(x.hi, y.hi));
}

fn interval_mid(x: Interval) -> f32 {
    if interval_is_empty(x) {
        return 0.0;
    }
    let mid = x.lo * 0.5 + x.hi * 0.5;
    return smaller(larger(mid, x.lo), x.hi);
}

// hi - lo rounded up; above LIMIT when unbounded, 0 when empty.
fn interval_width(x: Interval) -> f32 {
    if interval_is_empty(x) {
        return 0.0;
    }
    if !interval_is_bounded(x) {
        return HUGE;
    }
    return add_up(x.hi, -x.lo);
}

fn interval_magnitude(x: Interval) -> f32 {
    return larger(abs(x.lo), abs(x.hi));
}

fn interval_mignitude(x: Interval) -> f32 {
    if x.lo > 0.0 {
        return x.lo;
    }
    return select(0.0, -x.hi, x.hi < 0.0);
}

fn interval_neg(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    return Interval(-x.hi, -x.lo);
}

fn interval_add(x: Interval, y: Interval) -> Interval {
    if interval_is_empty(x) || interval_is_empty(y) {
        return interval_empty();
    }
    return Interval(add_down(x.lo, y.lo), add_up(x.hi, y.hi));
}

fn interval_sub(x: Interval, y: Interval) -> Interval {
    return interval_add(x, interval_neg(y));
}

fn interval_mul(first: Interval, second: Interval) -> Interval {
    if interval_is_empty(first) || interval_is_empty(second) {
        return interval_empty();
    }
    // [1] Orient the operands: x has a positive bound, or both straddle 0.
    var x = first;
    var y = second;
    var turned = false;
    if x.lo < 0.0 && x.hi <= 0.0 {
        x = interval_neg(x);
        turned = !turned;
    }
    if y.lo < 0.0 && y.hi <= 0.0 {
        y = interval_neg(y);
        turned = !turned;
    }
    // [2] Which bounds meet depends on the signs.
    var product: Interval;
    if x.lo >= 0.0 {
        product = Interval(mul_down(select(x.hi, x.lo, y.lo >= 0.0), y.lo), mul_up(x.hi, y.hi));
    } else if y.lo >= 0.0 {
        product = Interval(mul_down(x.lo, y.hi), mul_up(x.hi, y.hi));
    } else {
        product.lo = smaller(mul_down(x.lo, y.hi), mul_down(x.hi, y.lo));
        product.hi = larger(mul_up(x.lo, y.lo), mul_up(x.hi, y.hi));
    }
    if turned {
        return interval_neg(product);
    }
    return product;
}

fn interval_div(first: Interval, second: Interval) -> Interval {
    if interval_is_empty(first) || interval_is_empty(second) || (second.lo == 0.0 && second.hi == 0.0) {
        return interval_empty();
    }
    // [1] Orient the divisor: positive, or with 0 at its lower end, or inside.
    let x = first;
    var y = second;
    let turned = y.hi <= 0.0;
    if turned {
        y = interval_neg(y);
    }
    var quotient = interval_entire();
    let zero = x.lo == 0.0 && x.hi == 0.0;
    if y.lo < 0.0 {
        if zero {
            return x;
        }
        return quotient;
    }
    if y.lo == 0.0 {
        if zero {
            quotient = x;
        } else if x.lo >= 0.0 {
            quotient = Interval(div_down(x.lo, y.hi), HUGE);
        } else if x.hi <= 0.0 {
            quotient = Interval(-HUGE, div_up(x.hi, y.hi));
        }
    } else {
        // [2] Positive divisor.
        quotient.lo = div_down(x.lo, select(y.lo, y.hi, x.lo >= 0.0));
        quotient.hi = div_up(x.hi, select(y.hi, y.lo, x.hi >= 0.0));
    }
    if turned {
        return interval_neg(quotient);
    }
    return quotient;
}

fn interval_sqr(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    let low = interval_mignitude(x);
    let high = interval_magnitude(x);
    return Interval(mul_down(low, low), mul_up(high, high));
}

fn interval_sqrt(x: Interval) -> Interval {
    if interval_is_empty(x) || x.hi < 0.0 {
        return interval_empty();
    }
    return Interval(sqrt_down(larger(x.lo, 0.0)), sqrt_up(x.hi));
}

fn interval_abs(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    return Interval(interval_mignitude(x), interval_magnitude(x));
}

fn interval_positive_part(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    return Interval(larger(x.lo, 0.0), larger(x.hi, 0.0));
}

fn interval_reciprocal(x: Interval) -> Interval {
    return interval_div(Interval(1.0, 1.0), x);
}

fn interval_min(x: Interval, y: Interval) -> Interval {
    if interval_is_empty(x) || interval_is_empty(y) {
        return interval_empty();
    }
    return Interval(smaller(x.lo, y.lo), smaller(x.hi, y.hi));
}

fn interval_max(x: Interval, y: Interval) -> Interval {
    if interval_is_empty(x) || interval_is_empty(y) {
        return interval_empty();
    }
    return Interval(larger(x.lo, y.lo), larger(x.hi, y.hi));
}
