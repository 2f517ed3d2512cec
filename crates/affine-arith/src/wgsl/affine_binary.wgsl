// Twins: affine/binary.rs affine/integers.rs
// Functions of two forms. Twin of affine/binary.rs and affine/integers.rs. Needs affine and the functions of one form.

fn affine_abs_within(form: Affine, range: Interval) -> Affine {
    if !interval_is_empty(range) && range.lo > 0.0 {
        return form;
    }
    if !interval_is_empty(range) && range.hi < 0.0 {
        return affine_neg(form);
    }
    return affine_kink_abs_within(form, range);
}

fn affine_abs(form: Affine) -> Affine {
    return affine_abs_within(form, affine_interval(form));
}

fn affine_positive_part_within(form: Affine, range: Interval) -> Affine {
    if !interval_is_empty(range) && range.lo > 0.0 {
        return form;
    }
    return affine_kink_positive_part_within(form, range);
}

fn affine_positive_part(form: Affine) -> Affine {
    return affine_positive_part_within(form, affine_interval(form));
}

fn affine_sqr(form: Affine) -> Affine {
    return affine_squared(form);
}

fn affine_floor(form: Affine) -> Affine {
    return affine_steps(affine_interval(form), 0u);
}

fn affine_ceil(form: Affine) -> Affine {
    return affine_steps(affine_interval(form), 1u);
}

fn affine_trunc(form: Affine) -> Affine {
    return affine_steps(affine_interval(form), 2u);
}

fn affine_round(form: Affine) -> Affine {
    return affine_steps(affine_interval(form), 3u);
}

fn affine_rint(form: Affine) -> Affine {
    return affine_steps(affine_interval(form), 4u);
}

fn affine_fract(form: Affine) -> Affine {
    return affine_fraction(form, 0u, affine_interval(form));
}

fn affine_modf(form: Affine) -> Affine {
    return affine_fraction(form, 2u, affine_interval(form));
}

// x/y, 1/y being at hand: 0 times an entire form is 0, but 0/0 is not.
fn affine_quotient(x: Affine, y: Affine, inverse: Affine) -> Affine {
    if affine_is_exact(y) && y.b != 0.0 {
        return affine_over_constant(x, y.b);
    }
    return affine_select(affine_mul(x, inverse), affine_entire(), affine_is_entire(inverse));
}

// c/y for an exact c.
fn affine_constant_quotient(c: f32, y: Affine, inverse: Affine) -> Affine {
    // A number over a number rounds once.
    let ratio = exact_quotient(c, y.b);
    var over: Affine;
    over.b = ratio.x;
    over.err = inflate(ratio.y, N + 3u);
    over = affine_select(affine_entire(), affine_checked(over), is_bounded(ratio.x));
    return affine_select(affine_scaled(inverse, c), over, affine_is_exact(y) & (y.b != 0.0));
}

fn affine_div_within(x: Affine, y: Affine, range: Interval) -> Affine {
    return affine_quotient(x, y, affine_reciprocal_within(y, range));
}

// x/y as x times 1/y; y = 0 inside gives the entire form, whatever x is.
fn affine_div(x: Affine, y: Affine) -> Affine {
    return affine_div_within(x, y, affine_interval(y));
}

// An operand where the other is certainly not below it, else x - max(x - y, 0).
fn smaller_form(x: Affine, y: Affine, x_range: Interval, y_range: Interval) -> Affine {
    let difference = affine_sub(x, y);
    let apart = interval_intersect(affine_interval(difference), interval_sub(x_range, y_range));
    if apart.hi <= 0.0 {
        return x;
    }
    if apart.lo >= 0.0 {
        return y;
    }
    let form = affine_sub(x, affine_positive_part_within(difference, apart));
    let constant = affine_from_interval(interval_min(x_range, y_range));
    if affine_is_entire(form) || (form.err >= constant.err && !affine_is_entire(constant)) {
        return constant;
    }
    return form;
}

fn affine_min(x: Affine, y: Affine) -> Affine {
    return smaller_form(x, y, affine_interval(x), affine_interval(y));
}

fn larger_form(x: Affine, y: Affine, x_range: Interval, y_range: Interval) -> Affine {
    return affine_neg(smaller_form(affine_neg(x), affine_neg(y), interval_neg(x_range), interval_neg(y_range)));
}

fn affine_max(x: Affine, y: Affine) -> Affine {
    return larger_form(x, y, affine_interval(x), affine_interval(y));
}

// As atan of a quotient on three half planes, else the range of angles: x/y turned by a quarter where x may be 0.
fn affine_atan2_within(y: Affine, x: Affine, y_range: Interval, x_range: Interval) -> Affine {
    let constant = affine_from_interval(interval_atan2(y_range, x_range));
    let right = x_range.lo > 0.0;
    let below = y_range.hi < 0.0;
    var form = constant;
    if right | (y_range.lo > 0.0) | below {
        let over = affine_select(x, y, right);
        let over_range = interval_select(x_range, y_range, right);
        let under_range = interval_select(y_range, x_range, right);
        let ratio = affine_div_within(over, affine_select(y, x, right), under_range);
        let angle = affine_atan_within(ratio, interval_div(over_range, under_range));
        let quarter = affine_from_interval(HALF_PI);
        let turned = affine_sub(affine_select(quarter, affine_neg(quarter), below & !(y_range.lo > 0.0)), angle);
        form = affine_select(turned, angle, right);
        form = affine_select(form, constant, affine_is_entire(form) | (form.err >= constant.err));
    }
    return form;
}

fn affine_atan2(y: Affine, x: Affine) -> Affine {
    return affine_atan2_within(y, x, affine_interval(y), affine_interval(x));
}

// x - y n for n = trunc(x/y) (fmod) or rint(x/y).
fn remainder_form(x: Affine, y: Affine, x_range: Interval, y_range: Interval, truncated: bool) -> Affine {
    if interval_mignitude(y_range) == 0.0 {
        return affine_entire();
    }
    var range: Interval;
    if truncated {
        range = interval_fmod(x_range, y_range);
    } else {
        range = interval_remainder(x_range, y_range);
    }
    let constant = affine_from_interval(range);
    let whole = interval_steps(interval_div(x_range, y_range), select(4u, 2u, truncated));
    if !is_single(whole) {
        return constant;
    }
    let form = affine_sub(x, affine_scaled(y, whole.lo));
    if affine_is_entire(form) || (form.err >= constant.err && form.err > 0.0) {
        return constant;
    }
    return form;
}

fn affine_fmod(x: Affine, y: Affine) -> Affine {
    return remainder_form(x, y, affine_interval(x), affine_interval(y), true);
}

fn affine_remainder(x: Affine, y: Affine) -> Affine {
    return remainder_form(x, y, affine_interval(x), affine_interval(y), false);
}

// e^(y ln x).
fn affine_pow(x: Affine, y: Affine) -> Affine {
    return affine_exp(affine_mul(y, affine_log(x)));
}
