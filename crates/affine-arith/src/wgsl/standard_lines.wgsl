// Twins: standard/arithmetic.rs
// Lines of functions, for standard forms: what a form with one symbol of factor 1 becomes. Needs affine with N = 1.

// y = slope (x - b) + middle -+ radius for all x of a range, b being the centre of the operand.
struct Line {
    middle: f32,
    slope: f32,
    radius: f32,
}

fn line_operand(b: f32) -> Affine {
    var form: Affine;
    form.b = b;
    form.x[0] = 1.0;
    return form;
}

fn line_of_form(form: Affine) -> Line {
    return Line(form.b, form.x[0], form.err);
}

fn line_of_range(range: Interval) -> Line {
    let centre = centre_of(range);
    return Line(centre.b, 0.0, centre.radius);
}

fn line_of_positive_part(b: f32, range: Interval) -> Line {
    return line_of_form(affine_positive_part_within(line_operand(b), range));
}

// 1: above 0, -1: below 0, 0: neither, or no value.
fn interval_sign(x: Interval) -> i32 {
    let sign = select(select(0, -1, x.hi < 0.0), 1, x.lo > 0.0);
    return select(sign, 0, interval_is_empty(x));
}
