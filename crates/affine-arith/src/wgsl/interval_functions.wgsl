// Twins: interval/functions.rs interval/periodic.rs interval/integers.rs elementary/turns.rs
// Intervals through trigonometric, integer-valued and power functions. Twin of interval/ and elementary/turns.rs. Needs elementary.

// A function of an angle, and the quarter turn in which the angle lies.
struct Turn {
    quarter: u32,
    value: Interval,
}

fn interval_unit(x: Interval) -> Interval {
    return interval_intersect(x, Interval(-1.0, 1.0));
}

// `value` or its opposite: sine, cosine, minus sine, minus cosine from quarter to quarter. `negative`: the reduced angle is.
fn placed(k: u32, negative: bool, value: Interval) -> Turn {
    let quarter = select(k, k + 3u, negative) & 3u;
    return Turn(quarter, interval_select(value, interval_neg(value), (k & 2u) != 0u));
}

// The sine of k quarter turns and a reduced angle.
fn turned(k: u32, sine: DoubleWord, cosine: DoubleWord) -> Turn {
    return placed(k, sine.high < 0.0, interval_unit(near(dw_select(sine, cosine, (k & 1u) != 0u))));
}

// The sine of x and `further` quarter turns.
fn sine_quadrant(x: f32, further: u32) -> Turn {
    if abs(x) < ODD_SMALL {
        let sine = interval_select(just_inside(x), Interval(0.0, 0.0), x == 0.0);
        let cosine = interval_select(one_below(1.0), Interval(1.0, 1.0), x == 0.0);
        return placed(further, x < 0.0, interval_select(sine, cosine, (further & 1u) != 0u));
    }
    let angle = sin_cos(x);
    return turned(angle.k + further, angle.sin, angle.cos);
}

// The tangent, or the cotangent; an empty interval at a pole.
fn tangent_quadrant(x: f32, cotangent: bool) -> Turn {
    if abs(x) < ODD_SMALL {
        let inverse = interval_div(Interval(1.0, 1.0), Interval(x, x));
        let opposite = interval_join(just_inside(inverse.lo), just_inside(inverse.hi));
        let tangent = interval_select(just_outside(x), Interval(x, x), x == 0.0);
        let value = interval_select(tangent, interval_select(opposite, interval_empty(), x == 0.0), cotangent);
        return Turn(select(0u, 3u, x < 0.0), value);
    }
    let angle = sin_cos(x);
    let quarter = select(angle.k, angle.k + 3u, angle.sin.high < 0.0) & 3u;
    let odd = (angle.k & 1u) != 0u;
    let upper = dw_select(angle.sin, angle.cos, odd != cotangent);
    let lower = dw_select(angle.cos, angle.sin, odd != cotangent);
    let value = near(dw_div(upper, lower));
    return Turn(quarter, interval_select(value, interval_neg(value), odd));
}

fn whole_of_quarter(quarter: u32) -> f32 {
    return select(0.0, select(-1.0, 1.0, quarter == 1u), (quarter & 1u) == 1u);
}

// The sine of x half turns, which are reduced exactly, and `further` quarter turns.
fn sine_of_pi(x: f32, further: u32) -> Turn {
    // [1] Modulo 2, exact.
    let turns = round(x * 0.5);
    let rest = x - (turns + turns);
    // [2] The nearest quarter turn, exact.
    let nearest = round(rest + rest);
    let fraction = rest - nearest * 0.5;
    let k = (u32(i32(nearest)) + further) & 3u;
    if fraction == 0.0 {
        let sine = whole_of_quarter(k);
        return Turn(k, Interval(sine, sine));
    }
    // [3] Close to a quarter turn: sine within u of the angle, cosine of 1.
    if abs(fraction) < ODD_SMALL * 0.25 {
        let sine = just_inside_multiple(PI_WORD, fraction);
        return placed(k, fraction < 0.0, interval_select(sine, one_below(1.0), (k & 1u) != 0u));
    }
    let angle = sin_cos_reduced(dw_mul_real(PI_WORD, fraction));
    return turned(k, angle.sin, angle.cos);
}

// The ends of a range of angles: their quarter turns, and the hull of the waves there.
struct WaveEnds {
    first: u32,
    last: u32,
    values: Interval,
}

// How many ends are asked: none of a period or more. The width is rounded up, so it is not less than the true one.
fn ends_asked(x: Interval, period: f32) -> u32 {
    let whole = !interval_is_bounded(x) | (interval_width(x) >= period);
    return select(select(2u, 1u, x.lo == x.hi), 0u, whole);
}

fn with_end(ends: WaveEnds, k: u32, turn: Turn) -> WaveEnds {
    return WaveEnds(select(ends.first, turn.quarter, k == 0u), turn.quarter, interval_join(ends.values, turn.value));
}

// `half`: more than a quarter and less than three quarters of a period.
fn between_ends(x: Interval, ends: WaveEnds, asked: u32, half: f32) -> Interval {
    // Boundaries that are passed: 0|1 carries a maximum, 2|3 a minimum.
    let steps = (ends.last - ends.first) & 3u;
    let whole = (asked == 0u) | ((steps == 0u) & (interval_width(x) > half));
    let maximum = ((0u - ends.first) & 3u) < steps;
    let minimum = ((2u - ends.first) & 3u) < steps;
    let lo = select(ends.values.lo, -1.0, minimum | whole);
    let hi = select(ends.values.hi, 1.0, maximum | whole);
    return interval_select(Interval(lo, hi), x, interval_is_empty(x));
}

// The sine `further` quarter turns on, of radians: cosine, minus sine, minus cosine for 1, 2, 3.
fn interval_wave(x: Interval, further: u32) -> Interval {
    var ends = WaveEnds(0u, 0u, interval_empty());
    let asked = ends_asked(x, 6.283185005187988);
    for (var k = 0u; k < asked; k++) {
        ends = with_end(ends, k, sine_quadrant(select(x.lo, x.hi, k == 1u), further));
    }
    return between_ends(x, ends, asked, 3.0);
}

// The same of half turns.
fn interval_wave_pi(x: Interval, further: u32) -> Interval {
    var ends = WaveEnds(0u, 0u, interval_empty());
    let asked = ends_asked(x, 2.0);
    for (var k = 0u; k < asked; k++) {
        ends = with_end(ends, k, sine_of_pi(select(x.lo, x.hi, k == 1u), further));
    }
    return between_ends(x, ends, asked, 1.0);
}

fn interval_sin(x: Interval) -> Interval {
    return interval_wave(x, 0u);
}

fn interval_cos(x: Interval) -> Interval {
    return interval_wave(x, 1u);
}

fn interval_sinpi(x: Interval) -> Interval {
    return interval_wave_pi(x, 0u);
}

fn interval_cospi(x: Interval) -> Interval {
    return interval_wave_pi(x, 1u);
}

// Tangent, or minus the cotangent: increasing functions of period pi.
fn ratio_of_waves(x: Interval, cotangent: bool) -> Interval {
    var none = !interval_is_bounded(x) | (interval_width(x) >= 3.141592502593994);
    var low = x;
    var high = x;
    var first = 0u;
    var last = 0u;
    let count = select(select(2u, 1u, x.lo == x.hi), 0u, none);
    for (var k = 0u; k < count; k++) {
        let turn = tangent_quadrant(select(x.lo, x.hi, k == 1u), cotangent);
        high = interval_select(turn.value, interval_neg(turn.value), cotangent);
        low = interval_select(low, high, k == 0u);
        last = (turn.quarter >> 1u) ^ select(turn.quarter & 1u, 0u, cotangent);
        first = select(first, last, k == 0u);
        none = none | interval_is_empty(high);
    }
    none = none | ((first & 1u) != (last & 1u)) | (low.lo > high.hi);
    let range = interval_select(Interval(low.lo, high.hi), interval_entire(), none);
    return interval_select(range, x, interval_is_empty(x));
}

fn interval_tan(x: Interval) -> Interval {
    return ratio_of_waves(x, false);
}

fn interval_cot(x: Interval) -> Interval {
    return interval_neg(ratio_of_waves(x, true));
}

// Integer-valued functions of a bound: 0 floor, 1 ceil, 2 trunc, 3 round, 4 rint. Unbounded sides stay so.
fn step_of(x: f32, kind: u32) -> f32 {
    let magnitude = abs(x);
    let below = floor(magnitude);
    let rounded = select(below, below + 1.0, magnitude - below >= 0.5);
    // Rint, then the others.
    var whole = round(x);
    whole = select(whole, floor(x), kind == 0u);
    whole = select(whole, -floor(-x), (kind == 1u) | ((kind == 2u) & (x < 0.0)));
    whole = select(whole, floor(x), (kind == 2u) & !(x < 0.0));
    whole = select(whole, select(rounded, -rounded, x < 0.0), kind == 3u);
    return select(x, whole + 0.0, is_bounded(x));
}

fn interval_steps(x: Interval, kind: u32) -> Interval {
    return interval_select(Interval(step_of(x.lo, kind), step_of(x.hi, kind)), x, interval_is_empty(x));
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
    return (x.lo == x.hi) & interval_is_bounded(x);
}

fn interval_fract(x: Interval) -> Interval {
    let n = interval_floor(x);
    let fraction = interval_select(Interval(0.0, 1.0), interval_sub(x, n), is_single(n));
    return interval_select(fraction, x, interval_is_empty(x));
}

fn interval_modf(x: Interval) -> Interval {
    let n = interval_trunc(x);
    let range = Interval(select(0.0, -1.0, x.lo < 0.0), select(0.0, 1.0, x.hi > 0.0));
    let fraction = interval_select(range, interval_sub(x, n), is_single(n));
    return interval_select(fraction, x, interval_is_empty(x));
}

fn remainder_with(x: Interval, y: Interval, quotient: Interval, range: Interval) -> Interval {
    let none = interval_is_empty(x) | interval_is_empty(y) | (interval_abs(y).hi == 0.0);
    let rest = interval_intersect(interval_sub(x, interval_mul(y, quotient)), range);
    return interval_select(interval_select(range, rest, is_single(quotient)), interval_empty(), none);
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
    var power = Interval(x, x);
    if x != 0.0 {
        power = point_powi(smaller(abs(x), LIMIT), n);
        power = interval_select(Interval(power.lo, HUGE), power, is_bounded(x));
    }
    power = interval_select(power, Interval(0.0, 0.0), (n <= 0) & !is_bounded(x));
    power = interval_select(power, Interval(LIMIT, HUGE), (n <= 0) & (x == 0.0));
    return interval_select(power, interval_neg(power), (x < 0.0) & ((n & 1) != 0));
}

fn interval_between(low: Interval, high: Interval) -> Interval {
    return interval_select(Interval(low.lo, high.hi), interval_empty(), low.lo > high.hi);
}

fn interval_powi(x: Interval, n: i32) -> Interval {
    if n == 2 {
        return interval_sqr(x);
    }
    if n == -1 {
        return interval_reciprocal(x);
    }
    return power_of_ends(x, n);
}

// x^n, n neither 2 nor -1.
fn power_of_ends(x: Interval, n: i32) -> Interval {
    let odd = (n & 1) != 0;
    let size = interval_select(interval_abs(x), x, odd);
    // Negative exponents: decreasing on either side of 0.
    let turned = (n < 0) & (size.hi <= 0.0);
    let base = interval_select(size, interval_neg(size), turned);
    var low = interval_entire();
    var high = low;
    for (var k = 0u; k < select(2u, 0u, n == 0); k++) {
        high = end_powi(select(base.lo, base.hi, (k == 1u) == (n > 0)), n);
        low = interval_select(low, high, k == 0u);
    }
    var power = interval_between(low, high);
    power = interval_select(power, interval_entire(), (n < 0) & (base.lo < 0.0));
    power = interval_select(power, interval_neg(power), turned);
    power = interval_select(power, interval_empty(), (n < 0) & (base.lo == 0.0) & (base.hi == 0.0));
    power = interval_select(power, x, interval_is_empty(x) | (n == 1));
    return interval_select(power, Interval(1.0, 1.0), (n == 0) & !interval_is_empty(x));
}

// x^y on x >= 0, y no integer.
fn end_powf(x: f32, y: DoubleWord) -> Interval {
    var power = Interval(x, x);
    if x != 0.0 {
        power = point_powf(smaller(x, LIMIT), y);
        power = interval_select(Interval(power.lo, HUGE), power, is_bounded(x));
    }
    power = interval_select(power, Interval(0.0, 0.0), (y.high < 0.0) & !is_bounded(x));
    return interval_select(power, Interval(LIMIT, HUGE), !(y.high > 0.0) & (x == 0.0));
}

fn interval_powf(x: Interval, y: DoubleWord) -> Interval {
    let base = interval_intersect(x, Interval(0.0, HUGE));
    var low = base;
    var high = base;
    let count = select(select(2u, 1u, base.lo == base.hi), 0u, interval_is_empty(base));
    for (var k = 0u; k < count; k++) {
        high = end_powf(select(base.lo, base.hi, (k == 1u) == (y.high > 0.0)), y);
        low = interval_select(low, high, k == 0u);
    }
    return interval_select(interval_between(low, high), base, count == 0u);
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
