// Twins: affine/unary.rs affine/critical.rs
// Gamma and its logarithm of forms: affine_unary with the function in one place only. Needs elementary_gamma and affine.

fn affine_gamma_within(form: Affine, range: Interval, logarithm: bool) -> Affine {
    // [1] The range of the result; without one there is no form.
    if interval_is_empty(range) || !gamma_defined(range) {
        return affine_entire();
    }
    let value = gamma_range(range, logarithm);
    let constant = affine_from_interval(value);
    if affine_is_entire(constant) || affine_is_entire(form) || !interval_is_bounded(range) || range.lo == range.hi {
        return constant;
    }
    let mid = interval_mid(value);
    let origin = select(mid, 0.0, abs(mid) < TINY);
    let falling = gamma_falls(range, logarithm);
    var low = interval_empty();
    var high = interval_empty();
    var alpha = 0.0;
    var search = gamma_search(range);
    var steps = GAMMA_STEPS + 2u;
    for (var i = 0u; i < steps; i++) {
        var at = range.lo;
        if i == 1u {
            at = range.hi;
        } else if i > 1u {
            at = gamma_asked(search, i - 2u);
        }
        let here = end_gamma(at, logarithm);
        if i == 0u {
            low = here;
        } else if i == 1u {
            // [2] Ends and slope.
            high = here;
            alpha = secant(low, high, range);
            if alpha == 0.0 {
                steps = 2u;
            }
        } else {
            let slope = gamma_slope(digamma(at), here, logarithm);
            search = gamma_step(search, i - 2u, at, here, slope, Interval(alpha, alpha), falling);
        }
    }
    // [3] A constant line: the range of f itself.
    var rest = interval_sub(value, Interval(origin, origin));
    if alpha != 0.0 {
        // [4] The point where f' = alpha, by the mean value theorem from the middle of its enclosure.
        let b = form.b;
        rest = interval_join(beside(range.lo, low, b, origin, alpha), beside(range.hi, high, b, origin, alpha));
        let middle = interval_mid(search.found);
        let spread = interval_sub(search.found, Interval(middle, middle));
        var slack = spread;
        if spread.lo != 0.0 || spread.hi != 0.0 {
            slack = interval_mul(interval_sub(search.slopes, Interval(alpha, alpha)), spread);
        }
        rest = interval_join(rest, interval_add(beside(middle, search.value, b, origin, alpha), slack));
        if !interval_is_bounded(rest) {
            return constant;
        }
    }
    return on_line(form, constant, alpha, origin, rest);
}

fn affine_tgamma(form: Affine) -> Affine {
    return affine_gamma_within(form, affine_interval(form), false);
}

fn affine_lgamma(form: Affine) -> Affine {
    return affine_gamma_within(form, affine_interval(form), true);
}

