// Twins: elementary/enclose.rs elementary/kernels.rs elementary/reduction.rs elementary/composed.rs elementary/powers.rs
// Elementary functions in double words, and point enclosures: the interval of f(x) for a float x. Twin of elementary/.
// The header gives constants (PI_WORD, ..), the series (exp_series, ..), atan_eighth and two_over_pi. Needs double_word and interval.

fn round_out(value: DoubleWord, relative: f32) -> Interval {
    let slack = flush(abs(value.high) * relative);
    let low = flush(value.low);
    let lo = select(next_down(value.high), value.high, low > slack);
    let hi = select(next_up(value.high), value.high, low < -slack);
    return interval_outward(lo, hi);
}

fn near(value: DoubleWord) -> Interval {
    return round_out(value, DOUBLE_WORD_ERROR);
}

fn just_above(x: f32) -> Interval {
    return interval_outward(x, next_up(x));
}

fn just_below(x: f32) -> Interval {
    return interval_outward(next_down(x), x);
}

fn just_inside(x: f32) -> Interval {
    return interval_select(just_below(x), just_above(x), x < 0.0);
}

fn just_outside(x: f32) -> Interval {
    return interval_select(just_above(x), just_below(x), x < 0.0);
}

fn just_inside_multiple(c: DoubleWord, x: f32) -> Interval {
    let exponent = exponent_of(x);
    let product = near(dw_mul_real(c, scale_pow2(x, -exponent)));
    return interval_join(just_inside(scale_pow2(product.lo, exponent)), just_inside(scale_pow2(product.hi, exponent)));
}

fn one_below(x: f32) -> Interval {
    return interval_select(Interval(next_down(1.0), 1.0), Interval(-1.0, next_up(-1.0)), x < 0.0);
}

// Above LIMIT, with the sign of x.
fn unbounded(x: f32) -> Interval {
    return interval_select(Interval(LIMIT, HUGE), Interval(-HUGE, -LIMIT), x < 0.0);
}

// e^x = 2^k times the value; k is the second.
struct ScaledWord {
    value: DoubleWord,
    k: i32,
}

fn dw_exp_scaled(x: DoubleWord) -> ScaledWord {
    // [1] x = k ln 2 + r, |r| <= 0.35; k times the head of ln 2 is exact.
    let k = round(x.high * LOG2_E_HIGH);
    let r = dw_sub(dw_add(dw_new(-(k * LN_2_HEAD)), x), dw_mul_real(LN_2_REST, k));
    return ScaledWord(exp_series(r), i32(k));
}

fn dw_exp(x: DoubleWord) -> DoubleWord {
    let scaled = dw_exp_scaled(x);
    // [2] 2^k e^r.
    return dw_scale_pow2(scaled.value, scaled.k);
}

fn dw_expm1(x: DoubleWord) -> DoubleWord {
    let small = abs(x.high) <= 0.3125;
    return dw_select(dw_sub(dw_exp(x), dw_new(1.0)), dw_mul(expm1_series(x), x), small);
}

// 2 atanh(s), |s| <= 0.172.
fn two_atanh(s: DoubleWord) -> DoubleWord {
    let value = dw_mul(atanh_series(dw_mul(s, s)), s);
    return dw_scale_pow2(dw_select(value, s, abs(s.high) < SMALL), 1);
}

fn dw_log(x: DoubleWord) -> DoubleWord {
    // [1] x = 2^e m, m between sqrt(1/2) and sqrt 2.
    let whole = exponent_of(x.high);
    let scaled = dw_scale_pow2(x, -whole);
    let above = scaled.high > SQRT_2;
    let e = whole + select(0, 1, above);
    let m = dw_select(scaled, dw_scale_pow2(scaled, -1), above);
    // [2] ln m = 2 atanh((m - 1)/(m + 1)).
    let one = dw_new(1.0);
    let ln_m = two_atanh(dw_div(dw_sub(m, one), dw_add(m, one)));
    let k = f32(e);
    return dw_select(dw_add(dw_add(dw_new(k * LN_2_HEAD), dw_mul_real(LN_2_REST, k)), ln_m), ln_m, e == 0);
}

fn dw_log1p(z: DoubleWord) -> DoubleWord {
    // [1] x = 2^e m as for the logarithm of 1 + z; e = 0 where z is small, without the rounding of 1 + z.
    let x = dw_add(z, dw_new(1.0));
    let whole = exponent_of(x.high);
    let scaled = dw_scale_pow2(x, -whole);
    let above = scaled.high > SQRT_2;
    let m = dw_select(scaled, dw_scale_pow2(scaled, -1), above);
    let small = (z.high > -0.25) & (z.high < 0.375);
    let e = select(whole + select(0, 1, above), 0, small);
    let one = dw_new(1.0);
    let upper = dw_select(dw_sub(m, one), z, small);
    let lower = dw_select(dw_add(m, one), dw_add(z, dw_new(2.0)), small);
    // [2] 2 atanh of the quotient.
    let ln_m = two_atanh(dw_div(upper, lower));
    let k = f32(e);
    return dw_select(dw_add(dw_add(dw_new(k * LN_2_HEAD), dw_mul_real(LN_2_REST, k)), ln_m), ln_m, e == 0);
}

struct SinCos {
    k: u32,
    sin: DoubleWord,
    cos: DoubleWord,
}

fn sin_cos_reduced(r: DoubleWord) -> SinCos {
    let z = dw_mul(r, r);
    let small = abs(r.high) < SMALL;
    return SinCos(0u, dw_select(dw_mul(sin_series(z), r), r, small), dw_select(cos_series(z), dw_new(1.0), small));
}

fn sin_cos(x: f32) -> SinCos {
    var turn = SinCos(0u, dw_new(x), dw_new(x));
    if abs(x) > 0.75 {
        turn = quadrant(x);
        turn.sin = dw_mul(turn.sin, HALF_PI_WORD);
    }
    let reduced = sin_cos_reduced(turn.sin);
    return SinCos(turn.k, reduced.sin, reduced.cos);
}

fn atan_sixteenth(t: DoubleWord) -> DoubleWord {
    return dw_select(dw_mul(atan_series(dw_mul(t, t)), t), t, abs(t.high) < SMALL);
}

fn atan_to_one(y: DoubleWord) -> DoubleWord {
    // [2] atan y = atan(i/8) + atan t, t = (y - i/8)/(1 + y i/8), |t| <= 1/16.
    let i = i32(round(y.high * 8.0));
    let node = dw_new(scale_pow2(f32(i), -3));
    let t = dw_div(dw_sub(y, node), dw_add(dw_mul(y, node), dw_new(1.0)));
    let rest = atan_sixteenth(dw_select(t, y, i == 0));
    return dw_select(dw_add(atan_eighth(i), rest), rest, i == 0);
}

fn dw_atan(y: DoubleWord) -> DoubleWord {
    // [1] Above 1: pi/2 - atan(1/y).
    let above = y.high > 1.0;
    let angle = atan_to_one(dw_select(y, dw_div(dw_new(1.0), y), above));
    return dw_select(angle, dw_sub(HALF_PI_WORD, angle), above);
}

fn is_large(x: f32) -> bool {
    return abs(x) >= LARGE;
}

// The value for |x| with the sign of x.
fn signed(x: f32, value: DoubleWord) -> DoubleWord {
    return dw_select(value, dw_neg(value), x < 0.0);
}

fn exponential(x: DoubleWord) -> Interval {
    let small = abs(x.high) < SMALL * ROUNDOFF;
    let beside_one = interval_select(just_above(1.0), just_below(1.0), x.high < 0.0);
    var value = interval_intersect(near(dw_exp(x)), Interval(0.0, HUGE));
    value = interval_select(value, beside_one, small);
    value = interval_select(value, Interval(0.0, TINY), x.high < LEAST_EXPONENT);
    return interval_select(value, unbounded(1.0), x.high > UPPER_EXPONENT);
}

fn point_exp(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(1.0, 1.0);
    }
    return exponential(dw_new(x));
}

fn point_exp2(x: f32) -> Interval {
    if abs(x) < 64.0 && floor(x) == x {
        return interval_point(scale_pow2(1.0, i32(x)));
    }
    return exponential(dw_mul_real(LN_2_WORD, x));
}

fn point_exp10(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(1.0, 1.0);
    }
    return exponential(dw_mul_real(LN_10_WORD, x));
}

fn point_expm1(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < SMALL * ROUNDOFF {
        return just_above(x);
    }
    if x > UPPER_EXPONENT {
        return unbounded(1.0);
    }
    if x < -40.0 {
        return one_below(x);
    }
    return near(dw_expm1(dw_new(x)));
}

fn point_log(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(0.0, 0.0);
    }
    return near(dw_log(dw_new(x)));
}

fn point_log2(x: f32) -> Interval {
    let e = exponent_of(x);
    if scale_pow2(1.0, e) == x {
        return interval_point(f32(e));
    }
    return near(dw_mul(dw_log(dw_new(x)), LOG2_E_WORD));
}

fn point_log10(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(0.0, 0.0);
    }
    return near(dw_mul(dw_log(dw_new(x)), LOG10_E_WORD));
}

fn point_log1p(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < SMALL * ROUNDOFF {
        return just_below(x);
    }
    return near(dw_log1p(dw_new(x)));
}

fn point_sinh(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_outside(x);
    }
    if abs(x) > UPPER_EXPONENT {
        return unbounded(x);
    }
    let e = dw_expm1(dw_new(abs(x)));
    return near(signed(x, dw_scale_pow2(dw_add(e, dw_div(e, dw_add(e, dw_new(1.0)))), -1)));
}

fn point_cosh(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(1.0, 1.0);
    }
    if abs(x) > UPPER_EXPONENT {
        return unbounded(1.0);
    }
    let e = dw_exp(dw_new(abs(x)));
    let value = dw_scale_pow2(dw_add(e, dw_div(dw_new(1.0), e)), -1);
    return interval_intersect(near(value), Interval(1.0, HUGE));
}

fn point_tanh(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_inside(x);
    }
    if abs(x) >= 20.0 {
        return one_below(x);
    }
    let e = dw_expm1(dw_new(abs(x) + abs(x)));
    let value = signed(x, dw_div(e, dw_add(e, dw_new(2.0))));
    return interval_intersect(near(value), Interval(-1.0, 1.0));
}

fn point_asinh(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_inside(x);
    }
    let size = abs(x);
    if is_large(x) {
        return near(signed(x, dw_log(dw_new(size + size))));
    }
    let square = dw_product(size, size);
    let root = dw_sqrt(dw_add(square, dw_new(1.0)));
    let inner = dw_add(dw_div(square, dw_add(root, dw_new(1.0))), dw_new(size));
    return near(signed(x, dw_log1p(inner)));
}

fn point_acosh(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(0.0, 0.0);
    }
    if is_large(x) {
        return near(dw_log(dw_new(x + x)));
    }
    let t = dw_sum(x, -1.0);
    let root = dw_sqrt(dw_mul(t, dw_add(t, dw_new(2.0))));
    return near(dw_log1p(dw_add(t, root)));
}

fn point_atanh(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_outside(x);
    }
    let size = abs(x);
    let rest = dw_sum(1.0, -size);
    let value = dw_scale_pow2(dw_log1p(dw_div(dw_new(size + size), rest)), -1);
    return near(signed(x, value));
}

fn point_asin(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_outside(x);
    }
    let size = abs(x);
    let cosine = dw_sqrt(dw_mul(dw_sum(1.0, -size), dw_sum(1.0, size)));
    return near(signed(x, dw_atan(dw_div(dw_new(size), cosine))));
}

fn point_acos(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(0.0, 0.0);
    }
    let ratio = dw_div(dw_sum(1.0, -x), dw_sum(1.0, x));
    return near(dw_scale_pow2(dw_atan(dw_sqrt(ratio)), 1));
}

fn point_atan(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.0, 0.0);
    }
    if abs(x) < ODD_SMALL {
        return just_inside(x);
    }
    return near(signed(x, dw_atan(dw_new(abs(x)))));
}

// x^(numerator/3), x > 0.
fn third_power(x: f32, numerator: f32) -> DoubleWord {
    return dw_exp(dw_mul_real(dw_mul(dw_log(dw_new(x)), THIRD_WORD), numerator));
}

fn point_cbrt(x: f32) -> Interval {
    if x == 0.0 || x == 1.0 {
        return Interval(x, x);
    }
    return near(signed(x, third_power(abs(x), 1.0)));
}

fn point_rcbrt(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(1.0, 1.0);
    }
    return near(signed(x, third_power(abs(x), -1.0)));
}

fn point_rsqrt(x: f32) -> Interval {
    if x == 1.0 {
        return Interval(1.0, 1.0);
    }
    let half = exponent_of(x) >> 1u;
    let m = scale_pow2(x, -2 * half);
    return near(dw_scale_pow2(dw_div(dw_new(1.0), dw_sqrt(dw_new(m))), -half));
}

// e^t for t with an absolute error below POWER_ERROR/2 while it is in range. Rounded exponents: only the side of 1 is known.
fn from_logarithm(t: DoubleWord, rounded: bool) -> Interval {
    var value = interval_intersect(round_out(dw_exp(t), POWER_ERROR), Interval(0.0, HUGE));
    value = interval_select(value, interval_outward(next_down(1.0), next_up(1.0)), abs(t.high) < SMALL * ROUNDOFF);
    value = interval_select(value, Interval(0.0, HUGE), rounded);
    value = interval_select(value, Interval(0.0, select(TINY, 1.0, rounded)), t.high < LEAST_LOGARITHM);
    return interval_select(value, Interval(select(LIMIT, 1.0, rounded), HUGE), t.high > MOST_LOGARITHM);
}

// x^n for bounded x > 0. |n| < 2^24 here: larger ones are not written.
fn point_powi(x: f32, n: i32) -> Interval {
    if x == 1.0 || n == 0 {
        return Interval(1.0, 1.0);
    }
    let exponent = exponent_of(x);
    let power = abs(n);
    let largest = select(POWER_LARGEST, -POWER_SMALLEST, n < 0);
    if power > 64 || (exponent + 1) * power > largest || exponent * power < POWER_SMALLEST {
        return from_logarithm(dw_mul_real(dw_log(dw_new(x)), f32(n)), false);
    }
    // x^|n| by squaring.
    var value = dw_new(x);
    for (var bit = 31u - countLeadingZeros(u32(power)); bit > 0u; bit--) {
        value = dw_mul(value, value);
        if ((u32(power) >> (bit - 1u)) & 1u) == 1u {
            value = dw_mul_real(value, x);
        }
    }
    if n < 0 {
        value = dw_div(dw_new(1.0), value);
    }
    return round_out(value, POWER_ERROR);
}

// x^y for bounded x > 0.
fn point_powf(x: f32, y: DoubleWord) -> Interval {
    if x == 1.0 {
        return Interval(1.0, 1.0);
    }
    return from_logarithm(dw_mul(dw_log(dw_new(x)), y), false);
}
