// Twins: elementary/gamma.rs interval/gamma.rs
// The gamma function and the logarithm of its magnitude: point enclosures and ranges. Needs elementary and interval_functions.

fn is_pole(x: f32) -> bool {
    return x <= 0.0 && floor(x) == x;
}

// Steps from x to where Stirling's series is precise.
fn shift(x: f32) -> i32 {
    var steps = 0;
    if x < f32(STIRLING_FROM) {
        steps = STIRLING_FROM - i32(floor(x));
    }
    return steps;
}

// ln gamma(z) by Stirling's series, z at least STIRLING_FROM.
fn log_gamma(z: DoubleWord) -> DoubleWord {
    var sum = dw_add(dw_sub(dw_mul(dw_add(z, dw_new(-0.5)), dw_log(z)), z), HALF_LN_TWO_PI_WORD);
    if z.high <= STIRLING_TO {
        let inverse = dw_div(dw_new(1.0), z);
        sum = dw_add(sum, dw_mul(stirling_series(dw_mul(inverse, inverse)), inverse));
    }
    return sum;
}

// A low word below TINY cut off.
fn without_tail(x: DoubleWord) -> DoubleWord {
    return DoubleWord(x.high, snap(x.low, TINY));
}

// These are called in loops, by lanes that need not agree: no return but the last.
fn point_tgamma(x: f32) -> Interval {
    var range = interval_entire();
    // [1] Beyond the range of bounds.
    if is_pole(x) {
        range = interval_entire();
    } else if x > GAMMA_MOST || abs(x) < INVERSE_LIMIT {
        range = unbounded(x);
    } else if x < -GAMMA_LEAST {
        range = Interval(-TINY, TINY);
    } else {
        // [2] gamma(x) = gamma(x + n)/(x (x + 1) .. (x + n - 1)).
        let n = shift(x);
        let raise = select(0, LIMIT_EXPONENT, x < -1.0);
        var value = without_tail(dw_scale_pow2(dw_exp(log_gamma(dw_sum(x, f32(n)))), raise));
        for (var k = n - 1; k >= 0; k--) {
            value = without_tail(dw_div(value, dw_sum(x, f32(k))));
        }
        range = round_out(dw_scale_pow2(value, -raise), POWER_ERROR);
    }
    return range;
}

// Two numbers whose difference is ln gamma(x), x > 0.
struct Parts {
    upper: DoubleWord,
    lower: DoubleWord,
}

fn log_gamma_parts(x: DoubleWord, n: i32) -> Parts {
    var product = dw_new(1.0);
    for (var k = 0; k < n; k++) {
        product = dw_mul(product, dw_add(x, dw_new(f32(k))));
    }
    return Parts(log_gamma(dw_add(x, dw_new(f32(n)))), dw_log(product));
}

// A sum of parts of magnitude `scale`.
fn beside_zero(value: DoubleWord, scale: f32) -> Interval {
    var range = round_out(value, POWER_ERROR);
    if abs(value.high) < scale_pow2(scale, -4) {
        let slack = scale * DOUBLE_WORD_ERROR;
        range = interval_add(range, Interval(-slack, slack));
    }
    return range;
}

// sin(pi r) and cos(pi r), 0 < r <= 1/2.
struct Waves {
    sine: DoubleWord,
    cosine: DoubleWord,
}

fn waves_to_half(r: f32) -> Waves {
    let swapped = r > 0.25;
    let waves = sin_cos_reduced(dw_mul_real(PI_WORD, select(r, 0.5 - r, swapped)));
    var result = Waves(waves.sin, waves.cos);
    if swapped {
        result = Waves(waves.cos, waves.sin);
    }
    return result;
}

fn point_lgamma(x: f32) -> Interval {
    var range = Interval(0.0, 0.0);
    if is_pole(x) {
        range = interval_entire();
    } else if abs(x) < LGAMMA_SMALL {
        // [1] Next to 0: -ln |x|.
        range = round_out(dw_neg(dw_log(dw_new(abs(x)))), POWER_ERROR);
    } else if x != 1.0 && x != 2.0 {
        var at = dw_new(x);
        if x < 0.0 {
            at = dw_sum(1.0, -x);
        }
        let parts = log_gamma_parts(at, shift(at.high));
        var value = dw_sub(parts.upper, parts.lower);
        var scale = abs(parts.upper.high) + abs(parts.lower.high);
        // [2] gamma(x) gamma(1 - x) = pi/sin(pi x).
        if x < 0.0 {
            let sine = dw_log(waves_to_half(abs(x - round(x))).sine);
            value = dw_sub(dw_sub(LN_PI_WORD, sine), value);
            scale = 2.0 - sine.high + abs(parts.upper.high) + abs(parts.lower.high);
        }
        range = beside_zero(value, scale);
    }
    return range;
}

// Digamma at an x that is no pole.
fn digamma(x: f32) -> Interval {
    let one = dw_new(1.0);
    var at = dw_new(x);
    if x < 0.0 {
        at = dw_sum(1.0, -x);
    }
    // [1] The terms up to z.
    let n = shift(at.high);
    var sum = dw_new(0.0);
    for (var k = 0; k < n; k++) {
        sum = dw_add(sum, dw_div(one, dw_add(at, dw_new(f32(k)))));
    }
    // [2] The series at z; nothing is left of it at large z.
    let z = dw_add(at, dw_new(f32(n)));
    let logarithm = dw_log(z);
    var value = dw_sub(logarithm, sum);
    if z.high <= STIRLING_TO {
        let inverse = dw_div(one, z);
        let square = dw_mul(inverse, inverse);
        let rest = dw_mul(digamma_series(square), square);
        value = dw_sub(dw_sub(value, dw_scale_pow2(inverse, -1)), rest);
    }
    var scale = logarithm.high + sum.high + 1.0;
    // [3] psi(x) = psi(1 - x) - pi cot(pi x).
    if x < 0.0 {
        let rest = x - round(x);
        let waves = waves_to_half(abs(rest));
        let cotangent = dw_mul(PI_WORD, dw_div(waves.cosine, waves.sine));
        value = dw_sub(value, signed(rest, cotangent));
        scale += cotangent.high;
    }
    return beside_zero(value, scale);
}

fn without_pole(x: Interval) -> bool {
    return x.hi < 0.0 && floor(x.lo) == floor(x.hi) && !is_pole(x.lo);
}

fn gamma_defined(x: Interval) -> bool {
    return x.lo > 0.0 || without_pole(x);
}

fn is_odd(k: f32) -> bool {
    let half = k * 0.5;
    return floor(half) != half;
}

fn end_gamma(x: f32, logarithm: bool) -> Interval {
    var range = Interval(LIMIT, HUGE);
    if x != 0.0 && is_bounded(x) {
        if logarithm {
            range = point_lgamma(x);
        } else {
            range = point_tgamma(x);
        }
    }
    return range;
}

// The search for a point between two poles, of which every step asks for the function and its slope at one number: in one place, since both
// are long. found: an enclosure of the points with the slope alpha; value: an enclosure of f there.
struct GammaSearch {
    found: Interval,
    slopes: Interval,
    value: Interval,
}

// The number that step i asks for.
fn gamma_asked(search: GammaSearch, i: u32) -> f32 {
    if i == GAMMA_HALVINGS {
        return search.found.lo;
    }
    if i == GAMMA_HALVINGS + 1u {
        return search.found.hi;
    }
    return interval_mid(search.found);
}

// What step i learns from f and f' there.
fn gamma_step(before: GammaSearch, i: u32, at: f32, value: Interval, slope: Interval, alpha: Interval, falling: bool) -> GammaSearch {
    var search = before;
    if i < GAMMA_HALVINGS {
        let above = interval_sub(slope, alpha);
        let less = above.hi < 0.0;
        let more = above.lo > 0.0;
        if select(less, more, falling) {
            search.found.lo = at;
        }
        if select(more, less, falling) {
            search.found.hi = at;
        }
    } else if i < GAMMA_STEPS - 1u {
        search.slopes = interval_join(search.slopes, slope);
    } else {
        search.value = value;
    }
    return search;
}

fn gamma_search(range: Interval) -> GammaSearch {
    return GammaSearch(range, interval_empty(), interval_empty());
}

fn gamma_falls(range: Interval, logarithm: bool) -> bool {
    return !logarithm && range.hi < 0.0 && is_odd(floor(range.hi));
}

// The derivative from digamma and the value.
fn gamma_slope(psi: Interval, value: Interval, logarithm: bool) -> Interval {
    if logarithm {
        return psi;
    }
    return interval_mul(psi, value);
}

fn gamma_range(x: Interval, logarithm: bool) -> Interval {
    if interval_is_empty(x) {
        return x;
    }
    let right = x.lo >= 0.0 && x.hi > 0.0;
    if !right && !without_pole(x) {
        return interval_entire();
    }
    let single = x.lo == x.hi;
    let falling = gamma_falls(x, logarithm);
    let zero = Interval(0.0, 0.0);
    // Ends first, then the search between two poles.
    var ends = interval_empty();
    var first = interval_entire();
    var search = gamma_search(x);
    var steps = select(select(GAMMA_STEPS + 2u, 2u, right), 1u, single);
    for (var i = 0u; i < steps; i++) {
        var at = x.lo;
        if i == 1u {
            at = x.hi;
        } else if i > 1u {
            at = gamma_asked(search, i - 2u);
        }
        let value = end_gamma(at, logarithm);
        if i < 2u {
            ends = interval_join(ends, value);
        }
        var slope = interval_entire();
        if !right && !single {
            slope = gamma_slope(digamma(at), value, logarithm);
        }
        if i == 0u {
            first = slope;
        } else if i == 1u {
            let rising = first.lo > 0.0 && slope.lo > 0.0;
            if rising || (first.hi < 0.0 && slope.hi < 0.0) {
                steps = 2u;
            }
        } else {
            search = gamma_step(search, i - 2u, at, value, slope, zero, falling);
        }
    }
    if steps <= 2u {
        // [1] The minimum over the positive numbers.
        if !single && right && x.lo < GAMMA_TURN.hi && x.hi > GAMMA_TURN.lo {
            if logarithm {
                return interval_join(ends, LGAMMA_MINIMUM);
            }
            return interval_join(ends, GAMMA_MINIMUM);
        }
        return ends;
    }
    // [2] Between two poles.
    let middle = interval_mid(search.found);
    let spread = interval_sub(search.found, Interval(middle, middle));
    return interval_join(ends, interval_add(search.value, interval_mul(search.slopes, spread)));
}

fn interval_tgamma(x: Interval) -> Interval {
    return gamma_range(x, false);
}

fn interval_lgamma(x: Interval) -> Interval {
    return gamma_range(x, true);
}
