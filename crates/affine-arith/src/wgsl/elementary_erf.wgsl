// Twins: elementary/erf.rs
// The error function and its complement: point enclosures. Needs elementary.

// erf of 0 < x <= 6: 2/sqrt(pi) x e^(-z) (1 + 2z/3 (1 + 2z/5 (1 + ...))), z = x^2.
fn dw_erf(x: DoubleWord) -> DoubleWord {
    let z = dw_mul(x, x);
    let twice = dw_scale_pow2(z, 1);
    let terms = i32(floor(z.high)) * 3 + ERF_TERMS;
    var sum = dw_new(1.0);
    for (var n = terms; n >= 1; n--) {
        sum = dw_add(dw_div(dw_mul(sum, twice), dw_new(f32(2 * n + 1))), dw_new(1.0));
    }
    return dw_mul(dw_mul(dw_mul(sum, dw_exp(dw_neg(z))), x), TWO_OVER_SQRT_PI_WORD);
}

fn point_erf(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(x, x);
    }
    if abs(x) < ODD_SMALL {
        return just_inside_multiple(TWO_OVER_SQRT_PI_WORD, x);
    }
    if abs(x) >= 6.0 {
        return one_below(x);
    }
    return interval_intersect(round_out(signed(x, dw_erf(dw_new(abs(x)))), POWER_ERROR), Interval(-1.0, 1.0));
}

// 2^k erfc(x).
fn complement(x: DoubleWord, k: i32) -> Interval {
    let most = scale_pow2(1.0, k + 1);
    if abs(x.high) < SMALL * ROUNDOFF {
        let one = scale_pow2(1.0, k);
        return Interval(next_down(one), next_up(one));
    }
    if x.high < 0.0 {
        // [1] 1 + erf(-x).
        if x.high <= -6.0 {
            return Interval(next_down(most), most);
        }
        let value = dw_scale_pow2(dw_add(dw_erf(dw_neg(x)), dw_new(1.0)), k);
        return interval_intersect(round_out(value, POWER_ERROR), Interval(0.0, most));
    }
    // [2] 1 - erf(x) where that loses few bits.
    if x.high < 2.25 {
        return round_out(dw_scale_pow2(dw_sub(dw_new(1.0), dw_erf(x)), k), POWER_ERROR);
    }
    // [3] The continued fraction; nothing is left below TINY.
    let square = dw_mul(x, x);
    if square.high > -LEAST_EXPONENT {
        return Interval(0.0, TINY);
    }
    let steps = i32(floor(div_rn(TAIL_STEPS, square.high))) + 8;
    var fraction = x;
    for (var n = steps; n >= 1; n--) {
        fraction = dw_add(dw_div(dw_new(f32(n) * 0.5), fraction), x);
    }
    let tail = dw_div(dw_scale_pow2(TWO_OVER_SQRT_PI_WORD, -1), fraction);
    let scaled = dw_exp_scaled(dw_neg(square));
    return round_out(dw_scale_pow2(dw_mul(tail, scaled.value), k + scaled.k), POWER_ERROR);
}

fn point_erfc(x: f32) -> Interval {
    return complement(dw_new(x), 0);
}

fn point_normcdf(x: f32) -> Interval {
    if x == 0.0 {
        return Interval(0.5, 0.5);
    }
    return complement(dw_mul_real(SQRT_HALF_WORD, -x), -1);
}
