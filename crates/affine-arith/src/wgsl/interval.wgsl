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

// `yes` where the condition holds: selections instead of branches, since functions are inlined many times and the cost of compiling a
// kernel grows with the square of its blocks on some devices.
fn interval_select(no: Interval, yes: Interval, condition: bool) -> Interval {
    return Interval(select(no.lo, yes.lo, condition), select(no.hi, yes.hi, condition));
}

fn is_bounded(x: f32) -> bool {
    return abs(x) <= LIMIT;
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

// The largest permitted lower bound not above x.
fn lower_bound(x: f32) -> f32 {
    var bound = select(x, select(0.0, -TINY, x < 0.0), abs(x) < TINY);
    bound = select(bound, -HUGE, x < -LIMIT);
    return select(bound, LIMIT, x > LIMIT);
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
    // [2] The error decides, where it is exact; else one step always.
    let p = two_prod(a, b);
    let size = abs(p.x);
    let negative = (a < 0.0) != (b < 0.0);
    var product = lower_bound(select(p.x, next_down(p.x), (p.y < 0.0) | (size < EXACT_PRODUCT)));
    product = select(product, select(0.0, -TINY, negative), size < TINY);
    // [1] Zeros and unbounded factors.
    product = select(select(LIMIT, -HUGE, negative), product, is_bounded(a) & is_bounded(b));
    return select(product, 0.0, (a == 0.0) | (b == 0.0));
}

fn mul_up(a: f32, b: f32) -> f32 {
    return -mul_down(-a, b);
}

fn div_down(a: f32, b: f32) -> f32 {
    // [2] a - q b tells on which side of the quotient q lies.
    let quotient = div_rn(a, b);
    let size = abs(quotient);
    let negative = (a < 0.0) != (b < 0.0);
    let p = two_prod(quotient, b);
    let rest = (a - p.x) - p.y;
    let below = select((rest < 0.0), (rest > 0.0), b < 0.0) | (abs(a) < EXACT_PRODUCT);
    var result = lower_bound(select(quotient, next_down(quotient), below & is_bounded(quotient)));
    result = select(result, select(0.0, -TINY, negative), size < TINY);
    // [1] Zeros and unbounded operands.
    result = select(select(LIMIT, -HUGE, negative), result, is_bounded(a));
    return select(result, 0.0, (a == 0.0) | !is_bounded(b));
}

fn div_up(a: f32, b: f32) -> f32 {
    return -div_down(-a, b);
}

// The nearest root, and x minus its square: below EXACT_PRODUCT with the exponent of x raised first.
fn sqrt_rest(x: f32) -> vec2<f32> {
    let raise = select(0, SQRT_RAISE, x < EXACT_PRODUCT);
    let raised = scale_pow2(x, 2 * raise);
    let root = sqrt_rn(raised);
    let square = two_prod(root, root);
    return vec2<f32>(scale_pow2(root, -raise), (raised - square.x) - square.y);
}

fn sqrt_down(x: f32) -> f32 {
    let root = sqrt_rest(smaller(x, LIMIT));
    return select(lower_bound(select(root.x, next_down(root.x), root.y < 0.0)), 0.0, x == 0.0);
}

fn sqrt_up(x: f32) -> f32 {
    let root = sqrt_rest(x);
    let bound = select(HUGE, upper_bound(select(root.x, next_up(root.x), root.y > 0.0)), is_bounded(x));
    return select(bound, 0.0, x == 0.0);
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
    return is_bounded(x.lo) & is_bounded(x.hi);
}

fn interval_possibly_zero(x: Interval) -> bool {
    return (x.lo <= 0.0) & (x.hi >= 0.0);
}

fn interval_intersect(x: Interval, y: Interval) -> Interval {
    let both = Interval(larger(x.lo, y.lo), smaller(x.hi, y.hi));
    return interval_select(both, interval_empty(), interval_is_empty(both));
}

fn interval_join(x: Interval, y: Interval) -> Interval {
    let both = Interval(smaller(x.lo, y.lo), larger(x.hi, y.hi));
    return interval_select(interval_select(both, x, interval_is_empty(y)), y, interval_is_empty(x));
}

fn interval_mid(x: Interval) -> f32 {
    let mid = x.lo * 0.5 + x.hi * 0.5;
    return select(smaller(larger(mid, x.lo), x.hi), 0.0, interval_is_empty(x));
}

// hi - lo rounded up; above LIMIT when unbounded, 0 when empty.
fn interval_width(x: Interval) -> f32 {
    let width = select(HUGE, add_up(x.hi, -x.lo), interval_is_bounded(x));
    return select(width, 0.0, interval_is_empty(x));
}

fn interval_magnitude(x: Interval) -> f32 {
    return larger(abs(x.lo), abs(x.hi));
}

fn interval_mignitude(x: Interval) -> f32 {
    return select(select(0.0, -x.hi, x.hi < 0.0), x.lo, x.lo > 0.0);
}

fn interval_neg(x: Interval) -> Interval {
    return interval_select(Interval(-x.hi, -x.lo), x, interval_is_empty(x));
}

fn interval_add(x: Interval, y: Interval) -> Interval {
    let sum = Interval(add_down(x.lo, y.lo), add_up(x.hi, y.hi));
    return interval_select(sum, interval_empty(), interval_is_empty(x) | interval_is_empty(y));
}

fn interval_sub(x: Interval, y: Interval) -> Interval {
    return interval_add(x, interval_neg(y));
}

fn interval_mul(first: Interval, second: Interval) -> Interval {
    // [1] Orient the operands: x has a positive bound, or both straddle 0.
    let turned_x = (first.lo < 0.0) & (first.hi <= 0.0);
    let turned_y = (second.lo < 0.0) & (second.hi <= 0.0);
    let x = interval_select(first, interval_neg(first), turned_x);
    let y = interval_select(second, interval_neg(second), turned_y);
    // [2] Which bounds meet depends on the signs.
    let positive = x.lo >= 0.0;
    let straddle = (x.lo < 0.0) & (y.lo < 0.0);
    let nearer = select(x.hi, x.lo, y.lo >= 0.0);
    var product: Interval;
    product.lo = mul_down(select(x.lo, nearer, positive), select(y.hi, y.lo, positive));
    product.hi = mul_up(x.hi, y.hi);
    product.lo = select(product.lo, smaller(product.lo, mul_down(x.hi, y.lo)), straddle);
    product.hi = select(product.hi, larger(mul_up(x.lo, y.lo), product.hi), straddle);
    product = interval_select(product, interval_neg(product), turned_x != turned_y);
    return interval_select(product, interval_empty(), interval_is_empty(first) | interval_is_empty(second));
}

// c times the interval.
fn interval_times(x: Interval, c: f32) -> Interval {
    let falling = c < 0.0;
    let product = Interval(mul_down(select(x.lo, x.hi, falling), c), mul_up(select(x.hi, x.lo, falling), c));
    return interval_select(product, x, interval_is_empty(x));
}

fn interval_div(first: Interval, second: Interval) -> Interval {
    let x = first;
    // [1] Orient the divisor: positive, or with 0 at its lower end, or inside.
    let turned = second.hi <= 0.0;
    let y = interval_select(second, interval_neg(second), turned);
    // [2] Positive divisor.
    var quotient: Interval;
    quotient.lo = div_down(x.lo, select(y.lo, y.hi, x.lo >= 0.0));
    quotient.hi = div_up(x.hi, select(y.hi, y.lo, x.hi >= 0.0));
    // [3] With 0 at its end half a line, with 0 inside all numbers; 0 stays.
    quotient.lo = select(quotient.lo, -HUGE, (y.lo < 0.0) | ((y.lo == 0.0) & (x.lo < 0.0)));
    quotient.hi = select(quotient.hi, HUGE, (y.lo < 0.0) | ((y.lo == 0.0) & ((x.lo >= 0.0) | (x.hi > 0.0))));
    quotient = interval_select(quotient, x, (y.lo <= 0.0) & (x.lo == 0.0) & (x.hi == 0.0));
    quotient = interval_select(quotient, interval_neg(quotient), turned);
    let nothing = interval_is_empty(first) | interval_is_empty(second) | ((second.lo == 0.0) & (second.hi == 0.0));
    return interval_select(quotient, interval_empty(), nothing);
}

fn interval_sqr(x: Interval) -> Interval {
    let low = interval_mignitude(x);
    let high = interval_magnitude(x);
    return interval_select(Interval(mul_down(low, low), mul_up(high, high)), x, interval_is_empty(x));
}

fn interval_sqrt(x: Interval) -> Interval {
    let root = Interval(sqrt_down(larger(x.lo, 0.0)), sqrt_up(x.hi));
    return interval_select(root, interval_empty(), interval_is_empty(x) | (x.hi < 0.0));
}

fn interval_abs(x: Interval) -> Interval {
    return interval_select(Interval(interval_mignitude(x), interval_magnitude(x)), x, interval_is_empty(x));
}

fn interval_positive_part(x: Interval) -> Interval {
    return interval_select(Interval(larger(x.lo, 0.0), larger(x.hi, 0.0)), x, interval_is_empty(x));
}

fn interval_reciprocal(x: Interval) -> Interval {
    return interval_div(Interval(1.0, 1.0), x);
}

fn interval_min(x: Interval, y: Interval) -> Interval {
    let least = Interval(smaller(x.lo, y.lo), smaller(x.hi, y.hi));
    return interval_select(least, interval_empty(), interval_is_empty(x) | interval_is_empty(y));
}

fn interval_max(x: Interval, y: Interval) -> Interval {
    let most = Interval(larger(x.lo, y.lo), larger(x.hi, y.hi));
    return interval_select(most, interval_empty(), interval_is_empty(x) | interval_is_empty(y));
}
