// Twins: mixed.rs affine/unary.rs affine/binary.rs
// Forms with an interval of the same quantity beside them. Twin of mixed.rs. Needs affine, affine_binary and the functions of one form, which
// bring their mixed ones along.

struct Mixed {
    form: Affine,
    range: Interval,
}

// A form and an interval of the same quantity; the interval is cut to the form's.
fn mixed_new(form: Affine, value: Interval) -> Mixed {
    let own = affine_interval(form);
    let range = interval_intersect(value, own);
    // A form without symbols is no better than the range.
    let bare = (affine_magnitude(form) == 0.0) & !interval_is_empty(range);
    let wider = bare & (interval_width(own) > interval_width(range));
    return Mixed(affine_select(form, affine_from_interval(range), wider), range);
}

fn mixed_variable(k: u32, range: Interval) -> Mixed {
    return Mixed(affine_variable(k, range), range);
}

fn mixed_from_form(form: Affine) -> Mixed {
    return Mixed(form, affine_interval(form));
}

fn mixed_possibly_zero(x: Mixed) -> bool {
    return affine_possibly_zero(x.form) & interval_possibly_zero(x.range);
}

fn mixed_add(x: Mixed, y: Mixed) -> Mixed {
    return mixed_new(affine_add(x.form, y.form), interval_add(x.range, y.range));
}

fn mixed_sub(x: Mixed, y: Mixed) -> Mixed {
    return mixed_new(affine_sub(x.form, y.form), interval_sub(x.range, y.range));
}

fn mixed_mul(x: Mixed, y: Mixed) -> Mixed {
    return mixed_new(affine_mul(x.form, y.form), interval_mul(x.range, y.range));
}

// The range of a result, entire where there is none.
fn mixed_range(value: Interval) -> Interval {
    return interval_select(value, interval_entire(), interval_is_empty(value));
}

fn mixed_div(x: Mixed, y: Mixed) -> Mixed {
    let form = affine_div_within(x.form, y.form, y.range);
    return mixed_new(form, mixed_range(interval_div(x.range, y.range)));
}

// Of an operand without values the range is entire.
fn mixed_value(form: Affine, value: Interval, operand: Interval) -> Mixed {
    return mixed_new(form, interval_select(value, interval_entire(), interval_is_empty(operand)));
}

fn mixed_neg(x: Mixed) -> Mixed {
    return mixed_value(affine_neg(x.form), interval_neg(x.range), x.range);
}

fn mixed_reciprocal(x: Mixed) -> Mixed {
    let line = line_reciprocal(x.form, x.range);
    return mixed_new(line.form, line.range);
}

// An entire form is a range alone.
fn mixed_sqr(x: Mixed) -> Mixed {
    let square = interval_sqr(x.range);
    let constant = affine_select(affine_from_interval(square), affine_entire(), interval_is_empty(x.range));
    let form = affine_select(affine_squared(x.form), constant, affine_is_entire(x.form));
    return mixed_value(form, square, x.range);
}

fn mixed_abs(x: Mixed) -> Mixed {
    return mixed_value(affine_abs_within(x.form, x.range), interval_abs(x.range), x.range);
}

fn mixed_positive_part(x: Mixed) -> Mixed {
    return mixed_value(affine_positive_part_within(x.form, x.range), interval_positive_part(x.range), x.range);
}

fn mixed_steps(x: Mixed, kind: u32) -> Mixed {
    let value = interval_steps(x.range, kind);
    return mixed_value(affine_from_interval(value), value, x.range);
}

fn mixed_floor(x: Mixed) -> Mixed {
    return mixed_steps(x, 0u);
}

fn mixed_ceil(x: Mixed) -> Mixed {
    return mixed_steps(x, 1u);
}

fn mixed_trunc(x: Mixed) -> Mixed {
    return mixed_steps(x, 2u);
}

fn mixed_round(x: Mixed) -> Mixed {
    return mixed_steps(x, 3u);
}

fn mixed_rint(x: Mixed) -> Mixed {
    return mixed_steps(x, 4u);
}

fn mixed_fract(x: Mixed) -> Mixed {
    return mixed_value(affine_fraction(x.form, 0u, x.range), interval_fract(x.range), x.range);
}

fn mixed_modf(x: Mixed) -> Mixed {
    return mixed_value(affine_fraction(x.form, 2u, x.range), interval_modf(x.range), x.range);
}

// Gamma or its logarithm.
fn mixed_gamma(x: Mixed, logarithm: bool) -> Mixed {
    let defined = !interval_is_empty(x.range) && gamma_defined(x.range);
    var value = interval_entire();
    if defined {
        value = gamma_range(x.range, logarithm);
    }
    return mixed_new(affine_gamma_within(x.form, x.range, logarithm), value);
}

fn mixed_tgamma(x: Mixed) -> Mixed {
    return mixed_gamma(x, false);
}

fn mixed_lgamma(x: Mixed) -> Mixed {
    return mixed_gamma(x, true);
}

fn mixed_min(x: Mixed, y: Mixed) -> Mixed {
    let form = smaller_form(x.form, y.form, x.range, y.range);
    return mixed_new(form, mixed_range(interval_min(x.range, y.range)));
}

fn mixed_max(x: Mixed, y: Mixed) -> Mixed {
    let form = larger_form(x.form, y.form, x.range, y.range);
    return mixed_new(form, mixed_range(interval_max(x.range, y.range)));
}

fn mixed_atan2(y: Mixed, x: Mixed) -> Mixed {
    let form = affine_atan2_within(y.form, x.form, y.range, x.range);
    return mixed_new(form, mixed_range(interval_atan2(y.range, x.range)));
}

fn mixed_fmod(x: Mixed, y: Mixed) -> Mixed {
    let form = remainder_form(x.form, y.form, x.range, y.range, true);
    return mixed_new(form, mixed_range(interval_fmod(x.range, y.range)));
}

fn mixed_remainder(x: Mixed, y: Mixed) -> Mixed {
    let form = remainder_form(x.form, y.form, x.range, y.range, false);
    return mixed_new(form, mixed_range(interval_remainder(x.range, y.range)));
}

// e^(y ln x), x > 0.
fn mixed_pow(x: Mixed, y: Mixed) -> Mixed {
    let form = affine_exp(affine_mul(y.form, affine_log_within(x.form, x.range)));
    let value = interval_select(interval_pow(x.range, y.range), interval_entire(), x.range.lo <= 0.0);
    return mixed_new(form, mixed_range(value));
}
