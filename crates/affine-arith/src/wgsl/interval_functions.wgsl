// Twins: interval/functions.rs interval/periodic.rs interval/integers.rs elementary/turns.rs
// Intervals through trigonometric, integer-valued and power functions. Twin of interval/ and elementary/turns.rs. Needs elementary.

// The quarter turn in which an angle lies, and enclosures of two functions of it.
struct Turn {
    quarter: u32,
    first: Interval,
    second: Interval,
}

fn interval_unit(x: Interval) -> Interval {
    return interval_intersect(x, Interval(-1.0, 1.0));
}

// Sine and cosine of k quarter turns and a reduced angle, `negative` or not.
fn placed(k: u32, negative: bool, sine: Interval, cosine: Interval) -> Turn {
    let quarter = select(k, (k + 3u) & 3u, negative);
    switch k {
        case 0u: {
            return Turn(quarter, sine, cosine);
        }
        case 1u: {
            return Turn(quarter, cosine, interval_neg(sine));
        }
        case 2u: {
            return Turn(quarter, interval_neg(sine), interval_neg(cosine));
        }
        default: {
            return Turn(quarter, interval_neg(cosine), sine);
        }
    }
}

fn turned(k: u32, sine: DoubleWord, cosine: DoubleWord) -> Turn {
    return placed(k & 3u, sine.high < 0.0, interval_unit(near(sine)), interval_unit(near(cosine)));
}

fn sine_quadrant(x: f32) -> Turn {
    if abs(x) < ODD_SMALL {
        if x == 0.0 {
            return Turn(0u, Interval(0.0, 0.0), Interval(1.0, 1.0));
        }
        return Turn(select(0u, 3u, x < 0.0), just_inside(x), one_below(1.0));
    }
    let angle = sin_cos(x);
    return turned(angle.k, angle.sin, angle.cos);
}

// Tangent and cotangent; an empty interval at a pole.
fn tangent_quadrant(x: f32) -> Turn {
    if x == 0.0 {
        return Turn(0u, Interval(x, x), interval_empty());
    }
    if abs(x) < ODD_SMALL {
        let inverse = interval_div(Interval(1.0, 1.0), Interval(x, x));
        let cotangent = interval_join(just_inside(inverse.lo), just_inside(inverse.hi));
        return Turn(select(0u, 3u, x < 0.0), just_outside(x), cotangent);
    }
    let angle = sin_cos(x);
    let quarter = select(angle.k & 3u, (angle.k + 3u) & 3u, angle.sin.high < 0.0);
    let tangent = near(dw_div(angle.sin, angle.cos));
    let cotangent = near(dw_div(angle.cos, angle.sin));
    if (angle.k & 1u) == 0u {
        return Turn(quarter, tangent, cotangent);
    }
    return Turn(quarter, interval_neg(cotangent), interval_neg(tangent));
}

fn whole_of_quarter(quarter: u32) -> f32 {
    return select(0.0, select(-1.0, 1.0, quarter == 1u), (quarter & 1u) == 1u);
}

// For sin(pi x): an angle in half turns, which is reduced exactly.
fn sine_of_pi(x: f32) -> Turn {
    // [1] Modulo 2, exact.
    let turns = round(x * 0.5);
    let rest = x - (turns + turns);
    // [2] The nearest quarter turn, exact.
    let k = round(rest + rest);
    let fraction = rest - k * 0.5;
    let quarter = u32(i32(k)) & 3u;
    if fraction == 0.0 {
        let sine = whole_of_quarter(quarter);
        let cosine = whole_of_quarter((quarter + 1u) & 3u);
        return Turn(quarter, Interval(sine, sine), Interval(cosine, cosine));
    }
    // [3] Close to a quarter turn: sine within u of the angle, cosine of 1.
    if abs(fraction) < ODD_SMALL * 0.25 {
        return placed(quarter, fraction < 0.0, just_inside_multiple(PI_WORD, fraction), one_below(1.0));
    }
    let angle = sin_cos_reduced(dw_mul_real(PI_WORD, fraction));
    return turned(quarter, angle.sin, angle.cos);
}

fn turn_of(x: f32, half_turns: bool) -> Turn {
    if half_turns {
        return sine_of_pi(x);
    }
    return sine_quadrant(x);
}

// Sine, or cosine one quarter turn further on, of radians or of half turns.
fn wave(x: Interval, half_turns: bool, cosine: bool) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    let period = select(6.25, 2.0, half_turns);
    let half = select(3.0, 1.0, half_turns);
    // [1] A period or more. The width is rounded up, so it is not less than the true one.
    let width = interval_width(x);
    if !interval_is_bounded(x) || width >= period {
        return Interval(-1.0, 1.0);
    }
    // [2] Both ends.
    var first = turn_of(x.lo, half_turns);
    if cosine {
        first.quarter = (first.quarter + 1u) & 3u;
        first.first = first.second;
    }
    if x.lo == x.hi {
        return first.first;
    }
    var last = turn_of(x.hi, half_turns);
    if cosine {
        last.quarter = (last.quarter + 1u) & 3u;
        last.first = last.second;
    }
    let ends = interval_join(first.first, last.first);
    // [3] Boundaries that are passed: 0|1 carries a maximum, 2|3 a minimum.
    let steps = (last.quarter - first.quarter) & 3u;
    if steps == 0u && width > half {
        return Interval(-1.0, 1.0);
    }
    let maximum = ((0u - first.quarter) & 3u) < steps;
    let minimum = ((2u - first.quarter) & 3u) < steps;
    return Interval(select(ends.lo, -1.0, minimum), select(ends.hi, 1.0, maximum));
}

fn interval_sin(x: Interval) -> Interval {
    return wave(x, false, false);
}

fn interval_cos(x: Interval) -> Interval {
    return wave(x, false, true);
}

fn interval_sinpi(x: Interval) -> Interval {
    return wave(x, true, false);
}

fn interval_cospi(x: Interval) -> Interval {
    return wave(x, true, true);
}

// Tangent, or minus the cotangent: increasing functions of period pi.
fn ratio_of_waves(x: Interval, cotangent: bool) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    if !interval_is_bounded(x) || interval_width(x) >= 3.0 {
        return interval_entire();
    }
    let first = tangent_quadrant(x.lo);
    var at_lo = first.first;
    if cotangent {
        at_lo = interval_neg(first.second);
    }
    if x.lo == x.hi {
        if interval_is_empty(at_lo) {
            return interval_entire();
        }
        return at_lo;
    }
    let last = tangent_quadrant(x.hi);
    var at_hi = last.first;
    if cotangent {
        at_hi = interval_neg(last.second);
    }
    let first_branch = (first.quarter >> 1u) ^ select(first.quarter & 1u, 0u, cotangent);
    let last_branch = (last.quarter >> 1u) ^ select(last.quarter & 1u, 0u, cotangent);
    let apart = (first_branch & 1u) != (last_branch & 1u);
    if apart || interval_is_empty(at_lo) || interval_is_empty(at_hi) || at_lo.lo > at_hi.hi {
        return interval_entire();
    }
    return Interval(at_lo.lo, at_hi.hi);
}

fn interval_tan(x: Interval) -> Interval {
    return ratio_of_waves(x, false);
}

fn interval_cot(x: Interval) -> Interval {
    return interval_neg(ratio_of_waves(x, true));
}

// Integer-valued functions of a bound: 0 floor, 1 ceil, 2 trunc, 3 round, 4 rint. Unbounded sides stay so.
fn step_of(x: f32, kind: u32) -> f32 {
    if !is_bounded(x) {
        return x;
    }
    switch kind {
        case 0u: {
            return floor(x) + 0.0;
        }
        case 1u: {
            return -floor(-x) + 0.0;
        }
        case 2u: {
            return select(floor(x), -floor(-x), x < 0.0) + 0.0;
        }
        case 3u: {
            let magnitude = abs(x);
            let below = floor(magnitude);
            let rounded = select(below, below + 1.0, magnitude - below >= 0.5);
            return select(rounded, -rounded, x < 0.0) + 0.0;
        }
        default: {
            return round(x) + 0.0;
        }
    }
}

fn interval_steps(x: Interval, kind: u32) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    return Interval(step_of(x.lo, kind), step_of(x.hi, kind));
}

fn interval_floor(x: Interval) -> Interval {
    return interval_steps(x, 0u);
}

fn interval_ceil(x: Interval) -> Interval {
    return interval_steps(x, 1u);
}

fn interval_trunc(x: Interval) -> Interval {
    return interval_steps(x, 2u);
}

fn interval_round(x: Interval) -> Interval {
    return interval_steps(x, 3u);
}

fn interval_rint(x: Interval) -> Interval {
    return interval_steps(x, 4u);
}

fn is_single(x: Interval) -> bool {
    return x.lo == x.hi && interval_is_bounded(x);
}

fn interval_fract(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    let n = interval_floor(x);
    if is_single(n) {
        return interval_sub(x, n);
    }
    return Interval(0.0, 1.0);
}

fn interval_modf(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    let n = interval_trunc(x);
    if is_single(n) {
        return interval_sub(x, n);
    }
    return Interval(select(0.0, -1.0, x.lo < 0.0), select(0.0, 1.0, x.hi > 0.0));
}

fn remainder_with(x: Interval, y: Interval, quotient: Interval, range: Interval) -> Interval {
    if interval_is_empty(x) || interval_is_empty(y) || interval_abs(y).hi == 0.0 {
        return interval_empty();
    }
    if is_single(quotient) {
        return interval_intersect(interval_sub(x, interval_mul(y, quotient)), range);
    }
    return range;
}

fn interval_fmod(x: Interval, y: Interval) -> Interval {
    let quotient = interval_trunc(interval_div(x, y));
    let size = interval_abs(y).hi;
    let range = Interval(select(0.0, -size, x.lo < 0.0), select(0.0, size, x.hi > 0.0));
    return remainder_with(x, y, quotient, range);
}

fn interval_remainder(x: Interval, y: Interval) -> Interval {
    let quotient = interval_rint(interval_div(x, y));
    let half = interval_mul(Interval(0.5, 0.5), interval_abs(y));
    return remainder_with(x, y, quotient, Interval(-half.hi, half.hi));
}

// x^n at an end of an interval.
fn end_powi(x: f32, n: i32) -> Interval {
    if x == 0.0 {
        if n > 0 {
            return Interval(x, x);
        }
        return Interval(LIMIT, HUGE);
    }
    let odd_negative = x < 0.0 && (n & 1) != 0;
    var power: Interval;
    if !is_bounded(x) {
        power = Interval(0.0, 0.0);
        if n > 0 {
            power = Interval(point_powi(LIMIT, n).lo, HUGE);
        }
    } else {
        power = point_powi(abs(x), n);
    }
    if odd_negative {
        return interval_neg(power);
    }
    return power;
}

fn interval_between(low: Interval, high: Interval) -> Interval {
    if low.lo > high.hi {
        return interval_empty();
    }
    return Interval(low.lo, high.hi);
}

fn interval_powi(x: Interval, n: i32) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    if n == 0 {
        return Interval(1.0, 1.0);
    }
    if n == 1 {
        return x;
    }
    if n == 2 {
        return interval_sqr(x);
    }
    if n == -1 {
        return interval_reciprocal(x);
    }
    var base = x;
    if (n & 1) == 0 {
        base = interval_abs(x);
    }
    if n > 0 {
        let low = end_powi(base.lo, n);
        if base.lo == base.hi {
            return low;
        }
        return interval_between(low, end_powi(base.hi, n));
    }
    // Negative exponents: decreasing on either side of 0.
    if base.lo == 0.0 && base.hi == 0.0 {
        return interval_empty();
    }
    let turned = base.hi <= 0.0;
    if turned {
        base = interval_neg(base);
    }
    if base.lo < 0.0 {
        return interval_entire();
    }
    var hi = HUGE;
    if base.lo != 0.0 {
        hi = end_powi(base.lo, n).hi;
    }
    let power = Interval(end_powi(base.hi, n).lo, hi);
    if turned {
        return interval_neg(power);
    }
    return power;
}

// x^y on x >= 0, y no integer.
fn end_powf(x: f32, y: DoubleWord) -> Interval {
    if x == 0.0 {
        if y.high > 0.0 {
            return Interval(x, x);
        }
        return Interval(LIMIT, HUGE);
    }
    if !is_bounded(x) {
        if y.high < 0.0 {
            return Interval(0.0, 0.0);
        }
        return Interval(point_powf(LIMIT, y).lo, HUGE);
    }
    return point_powf(x, y);
}

fn interval_powf(x: Interval, y: DoubleWord) -> Interval {
    let base = interval_intersect(x, Interval(0.0, HUGE));
    if interval_is_empty(base) {
        return base;
    }
    if y.high > 0.0 {
        let low = end_powf(base.lo, y);
        if base.lo == base.hi {
            return low;
        }
        return interval_between(low, end_powf(base.hi, y));
    }
    let low = end_powf(base.hi, y);
    if base.lo == base.hi {
        return low;
    }
    return interval_between(low, end_powf(base.lo, y));
}

fn interval_rcbrt(x: Interval) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    if (x.lo > 0.0 || x.hi < 0.0) && interval_is_bounded(x) {
        let low = point_rcbrt(x.hi);
        if x.lo == x.hi {
            return low;
        }
        return interval_between(low, point_rcbrt(x.lo));
    }
    return interval_div(Interval(1.0, 1.0), interval_cbrt(x));
}

fn interval_cosh(x: Interval) -> Interval {
    return interval_cosh_of_magnitude(interval_abs(x));
}

fn interval_atan2(y: Interval, x: Interval) -> Interval {
    if interval_is_empty(y) || interval_is_empty(x) {
        return interval_empty();
    }
    // [1] Half planes without the cut.
    if x.lo > 0.0 {
        return interval_intersect(interval_atan(interval_div(y, x)), Interval(-HALF_PI.hi, HALF_PI.hi));
    }
    if y.lo > 0.0 {
        return interval_sub(HALF_PI, interval_atan(interval_div(x, y)));
    }
    if y.hi < 0.0 {
        return interval_sub(interval_neg(HALF_PI), interval_atan(interval_div(x, y)));
    }
    // [2] The left half plane from one side of the cut.
    if y.lo >= 0.0 && x.hi < 0.0 {
        return interval_add(PI, interval_atan(interval_div(y, x)));
    }
    // [3] All quadrants that are met.
    let right = x.lo >= 0.0;
    let most = select(PI.hi, HALF_PI.hi, right);
    let at_zero = select(PI.hi, 0.0, right);
    return Interval(select(0.0, -most, y.lo < 0.0), select(at_zero, most, y.hi > 0.0));
}

fn interval_pow(x: Interval, y: Interval) -> Interval {
    return interval_exp(interval_mul(y, interval_log(x)));
}
