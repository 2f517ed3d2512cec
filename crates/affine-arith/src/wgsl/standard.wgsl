// Twins: standard/arithmetic.rs
// Standard forms of the N symbols of one layout, the operation's own symbol the last. Twin of standard/arithmetic.rs. A kernel has a copy of
// these functions, and of those of affine.wgsl that they use, for every number of symbols that it meets.

// With the operation's own symbol.
fn standard_owned(form: Affine, radius: f32) -> Affine {
    var owned = form;
    owned.x[N - 1u] = select(larger(radius, TINY), 0.0, radius == 0.0);
    return affine_checked(owned);
}

// The form times a constant within `slack` of c, slack > 0.
fn standard_times(form: Affine, c: f32, slack: f32) -> Affine {
    let more = larger(inflate(slack * (abs(form.b) + affine_reach(form)), 2u), TINY);
    var product = affine_scaled(form, c);
    let entire = affine_is_entire(product);
    product.err = inflate(product.err + more, 1u);
    // An unbounded slack: the inverse of a constant that may be 0.
    return affine_select(affine_checked(product), affine_entire(), affine_is_entire(form) | entire | !is_bounded(slack));
}

// x y: never wider than |b| err_y + |b_y| err + R R_y.
fn standard_mul(first: Affine, second: Affine) -> Affine {
    // [1] The parts; what they lose is this operation's.
    let parts = product_parts(first, second);
    var product = parts.form;
    // [2] Old rounding errors.
    let linear = exact_product(abs(first.b), second.err);
    let other = exact_product(abs(second.b), first.err);
    product.err = inflate((linear.x + other.x) + (linear.y + other.y), 4u);
    product = standard_owned(product, inflate(parts.radius + parts.lost, 3u * N + 4u));
    return affine_select(product, affine_entire(), affine_is_entire(first) | affine_is_entire(second));
}

// x^2: b^2 + 2 b x' + x'^2 with 0 <= x'^2 <= R^2.
fn standard_sqr(form: Affine) -> Affine {
    // [1] Half of R^2 is centre shift and radius at once; it must not be below R^2/2.
    let reach = affine_reach(form);
    let plain = inflate(reach * reach, 1u) * 0.5;
    let half = select(plain, larger(plain, TINY), reach != 0.0);
    let square = exact_product(form.b, form.b);
    var lost = square.y;
    let b = exact_sum(square.x, half);
    lost += b.y;
    let twice = form.b + form.b;
    var squared = form;
    squared.b = b.x;
    for (var i = 0u; i < N; i++) {
        let x = exact_product(twice, squared.x[i]);
        lost += x.y;
        squared.x[i] = x.x;
    }
    // [2] Old rounding errors.
    let linear = exact_product(abs(twice), form.err);
    squared.err = inflate(linear.x + linear.y, 2u);
    squared = standard_owned(squared, inflate(half + lost, N + 3u));
    return affine_select(squared, affine_entire(), affine_is_entire(form));
}

// A function of the form, by its line.
fn standard_on_line(form: Affine, line: Line) -> Affine {
    var result = form;
    result.b = line.middle;
    var lost = 0.0;
    for (var i = 0u; i < N; i++) {
        let x = exact_product(line.slope, result.x[i]);
        lost += x.y;
        result.x[i] = x.x;
    }
    let err = exact_product(abs(line.slope), form.err);
    result.err = inflate(err.x + err.y, 2u);
    result = standard_owned(result, inflate(line.radius + lost, N + 2u));
    return affine_select(result, affine_entire(), line.radius > LIMIT);
}

// The smaller one: an operand where the other is certainly not below it, else x - max(x - y, 0).
fn standard_smaller(x: Affine, y: Affine) -> Affine {
    let range = affine_interval(x);
    let other = affine_interval(y);
    let difference = affine_sub(x, y);
    let apart = interval_intersect(affine_interval(difference), interval_sub(range, other));
    let line = line_of_positive_part(difference.b, apart);
    let constant = line_of_range(interval_min(range, other));
    let flat = (line.radius >= constant.radius) & (constant.radius <= LIMIT);
    let above = standard_on_line(difference, line);
    var least = affine_select(affine_sub(x, above), standard_on_line(x, constant), flat);
    least = affine_select(least, y, apart.lo >= 0.0);
    return affine_select(least, x, apart.hi <= 0.0);
}

// atan2(y, x), `turned` being atan(y/x) where x > 0, else atan(x/y).
fn standard_angle(turned: Affine, y: Interval, x: Interval) -> Affine {
    let quarter = centre_of(HALF_PI);
    var constant: Affine;
    constant.b = select(quarter.b, -quarter.b, interval_sign(y) < 0);
    constant.err = quarter.radius;
    let ranged = standard_on_line(turned, line_of_range(interval_atan2(y, x)));
    let beside_axis = affine_select(affine_sub(constant, turned), ranged, interval_sign(y) == 0);
    return affine_select(beside_axis, turned, interval_sign(x) > 0);
}

// x - y n while the integer n near x/y is known.
fn standard_remainder(x: Affine, y: Affine, truncated: bool) -> Affine {
    let range = affine_interval(x);
    let divisor = affine_interval(y);
    let whole = interval_steps(interval_div(range, divisor), select(4u, 2u, truncated));
    var value = interval_entire();
    if truncated {
        value = interval_fmod(range, divisor);
    } else {
        value = interval_remainder(range, divisor);
    }
    let constant = standard_on_line(x, line_of_range(value));
    let rest = affine_sub(x, affine_scaled(y, whole.lo));
    let known = affine_select(constant, rest, is_single(whole));
    return affine_select(known, affine_entire(), interval_mignitude(divisor) == 0.0);
}
