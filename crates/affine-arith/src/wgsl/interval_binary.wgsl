// Twins: elementary/binary.rs interval/binary.rs
// Functions of two intervals: bounds are among the values at the corners. Twin of elementary/binary.rs and interval/binary.rs. Needs elementary.

// Of magnitudes: `steep` where y is the larger one, `left` where x is negative.
fn upper_angle(y: f32, x: f32, steep: bool, left: bool) -> Interval {
    // [1] The ratio, at most 1, where it counts beside a quarter or a half turn.
    let a = select(y, x, steep);
    let b = select(x, y, steep);
    let none = (a == 0.0) | !is_bounded(b);
    let least = none | (exponent_of(a) - exponent_of(b) < LEAST_RATIO);
    // atan r is below r by less than half an ulp.
    let low = div_down(a, b);
    var angle = Interval(select(lower_bound(next_down(low)), low, low == 0.0), div_up(a, b));
    angle = interval_select(angle, Interval(0.0, 0.0), none);
    angle = interval_select(angle, PI, left);
    angle = interval_select(angle, HALF_PI, steep);
    // [2] Turned to where it is.
    let scale = -exponent_of(b);
    let over = select(scale_pow2(a, scale), 1.0, least);
    let ratio = atan_to_one(dw_div(dw_new(over), dw_new(select(scale_pow2(b, scale), 1.0, least))));
    let turned = dw_select(dw_neg(ratio), ratio, steep == left);
    let sum = dw_add(dw_select(PI_WORD, HALF_PI_WORD, steep), turned);
    return interval_select(near(dw_select(ratio, sum, steep | left)), angle, least);
}

// The angle of the point (x, y) in [-pi, pi], 0 or pi for y = 0. Unbounded coordinates stand for their limits; none for two of them, nor for the origin.
fn point_atan2(y: f32, x: f32) -> Interval {
    let size = abs(y);
    let far = abs(x);
    let none = ((size == 0.0) & (far == 0.0)) | (!is_bounded(size) & !is_bounded(far));
    let angle = upper_angle(size, far, size > far, x < 0.0);
    return interval_select(interval_select(angle, interval_neg(angle), y < 0.0), interval_empty(), none);
}

// x^y for x >= 0; limits at 0 and for what is not bounded.
fn point_power(x: f32, y: f32) -> Interval {
    // [1] Exact and unbounded values.
    let one = Interval(1.0, 1.0);
    let limit = (x == 0.0) | !is_bounded(x) | !is_bounded(y);
    let grows = (x > 1.0) == (y > 0.0);
    var power = interval_select(Interval(0.0, 0.0), Interval(LIMIT, HUGE), grows);
    if !limit {
        // [2] Exponents whose product with a logarithm vanishes beside 1.
        power = point_powf(x, dw_new(y));
        power = interval_select(power, Interval(next_down(1.0), next_up(1.0)), abs(y) < LEAST_POWER);
        power = interval_select(power, Interval(x, x), y == 1.0);
    }
    return interval_select(power, one, (y == 0.0) | (x == 1.0));
}

// The number of ends that differ, none of the empty interval.
fn ends_of(x: Interval) -> u32 {
    return select(select(2u, 1u, x.lo == x.hi), 0u, interval_is_empty(x));
}

fn interval_atan2(y: Interval, x: Interval) -> Interval {
    var range = interval_empty();
    for (var i = 0u; i < ends_of(y); i++) {
        for (var j = 0u; j < ends_of(x); j++) {
            range = interval_join(range, point_atan2(select(y.lo, y.hi, i == 1u), select(x.lo, x.hi, j == 1u)));
        }
    }
    let cut = (y.lo < 0.0) & (y.hi >= 0.0) & (x.lo < 0.0) & !interval_is_empty(x);
    return interval_select(range, Interval(-PI.hi, PI.hi), cut);
}

fn interval_pow(x: Interval, y: Interval) -> Interval {
    let base = interval_intersect(x, Interval(0.0, HUGE));
    var range = interval_empty();
    for (var i = 0u; i < ends_of(base); i++) {
        for (var j = 0u; j < ends_of(y); j++) {
            range = interval_join(range, point_power(select(base.lo, base.hi, i == 1u), select(y.lo, y.hi, j == 1u)));
        }
    }
    // 0 alone: y ln x has no corner there.
    let zero = (base.lo == base.hi) & (base.hi == 0.0);
    let of_zero = interval_select(interval_empty(), base, (y.hi > 0.0) & !interval_is_empty(y));
    return interval_select(range, of_zero, zero);
}
