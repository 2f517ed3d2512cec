// Twins: affine/mod.rs affine/arithmetic.rs affine/products.rs affine/unary.rs
// Affine forms of N symbols: b + sum of x_i e_i + e, |e| <= err. Twin of affine/. Needs interval_functions. The header gives N.

struct Affine {
    b: f32,
    x: array<f32, N>,
    err: f32,
}

fn affine_entire() -> Affine {
    var form: Affine;
    form.err = HUGE;
    return form;
}

fn affine_is_entire(form: Affine) -> bool {
    return form.err > LIMIT;
}

// `yes` where the condition holds.
fn affine_select(no: Affine, yes: Affine, condition: bool) -> Affine {
    var form = no;
    var other = yes;
    form.b = select(no.b, yes.b, condition);
    for (var i = 0u; i < N; i++) {
        form.x[i] = select(form.x[i], other.x[i], condition);
    }
    form.err = select(no.err, yes.err, condition);
    return form;
}

// An upper bound of a sum of products of numbers that are not negative, after at most `roundings` roundings on a path.
fn inflate(sum: f32, roundings: u32) -> f32 {
    return sum * (1.0 + ROUNDOFF * f32(2u * roundings + 2u));
}

struct Centred {
    // Whether the interval has a centre.
    bounded: bool,
    b: f32,
    radius: f32,
}

fn centre_of(range: Interval) -> Centred {
    let bounded = interval_is_bounded(range) & !interval_is_empty(range);
    let mid = interval_mid(range);
    let b = select(mid, 0.0, abs(mid) < TINY);
    let radius = larger(add_up(range.hi, -b), add_up(b, -range.lo));
    return Centred(bounded, select(0.0, b, bounded), select(HUGE, radius, bounded));
}

fn affine_from_interval(range: Interval) -> Affine {
    let centre = centre_of(range);
    var form: Affine;
    form.b = centre.b;
    form.err = centre.radius;
    return form;
}

fn affine_constant(c: f32) -> Affine {
    return affine_from_interval(interval_point(c));
}

fn affine_variable(k: u32, range: Interval) -> Affine {
    let form = affine_from_interval(range);
    var variable = affine_entire();
    variable.b = form.b;
    variable.err = 0.0;
    for (var i = 0u; i < N; i++) {
        variable.x[i] = select(0.0, form.err, k == i);
    }
    return affine_select(variable, affine_entire(), affine_is_entire(form) | (k >= N));
}

fn affine_magnitude(form: Affine) -> f32 {
    var copy = form;
    var sum = 0.0;
    for (var i = 0u; i < N; i++) {
        sum += abs(copy.x[i]);
    }
    return sum;
}

fn affine_reach(form: Affine) -> f32 {
    var copy = form;
    var terms = select(0u, 1u, form.err != 0.0);
    for (var i = 0u; i < N; i++) {
        terms += select(0u, 1u, copy.x[i] != 0.0);
    }
    let sum = affine_magnitude(form) + form.err;
    return select(sum, inflate(sum, N + 1u), terms > 1u);
}

fn affine_interval(form: Affine) -> Interval {
    let reach = affine_reach(form);
    let range = Interval(add_down(form.b, -reach), add_up(form.b, reach));
    return interval_select(range, interval_entire(), affine_is_entire(form));
}

fn affine_is_exact(form: Affine) -> bool {
    return (form.err == 0.0) & (affine_magnitude(form) == 0.0);
}

fn affine_possibly_zero(form: Affine) -> bool {
    return affine_is_entire(form) | (abs(form.b) <= affine_reach(form));
}

// Entire where a magnitude exceeds the limit; coefficients below TINY become part of the error.
fn affine_checked(form: Affine) -> Affine {
    var checked = form;
    let small = (abs(form.b) < TINY) & (form.b != 0.0);
    checked.b = select(form.b, 0.0, small);
    var lost = select(0.0, TINY, small);
    for (var i = 0u; i < N; i++) {
        let drop = (abs(checked.x[i]) < TINY) & (checked.x[i] != 0.0);
        checked.x[i] = select(checked.x[i], 0.0, drop);
        lost += select(0.0, TINY, drop);
    }
    let more = (lost != 0.0) | ((checked.err != 0.0) & (checked.err < TINY));
    checked.err = select(checked.err, larger(inflate(checked.err + lost, 2u), TINY), more);
    let total = abs(checked.b) + affine_magnitude(checked) + checked.err;
    return affine_select(affine_entire(), checked, total <= LIMIT);
}

// A value, and what its rounding may have lost.
fn exact_sum(a: f32, b: f32) -> vec2<f32> {
    let s = two_sum(a, b);
    return vec2<f32>(s.x, abs(s.y));
}

fn exact_product(a: f32, b: f32) -> vec2<f32> {
    let p = two_prod(a, b);
    let size = abs(p.x);
    let product = vec2<f32>(select(p.x, 0.0, size < TINY), select(TINY, abs(p.y), size >= EXACT_PRODUCT));
    return select(product, vec2<f32>(0.0, 0.0), (a == 0.0) | (b == 0.0));
}

fn affine_neg(form: Affine) -> Affine {
    var negated = form;
    negated.b = -form.b;
    for (var i = 0u; i < N; i++) {
        negated.x[i] = -negated.x[i];
    }
    return negated;
}

fn affine_add(first: Affine, second: Affine) -> Affine {
    // [1] Sums, and what they lose.
    var sum = first;
    var other = second;
    let b = exact_sum(first.b, second.b);
    sum.b = b.x;
    var lost = b.y;
    for (var i = 0u; i < N; i++) {
        let x = exact_sum(sum.x[i], other.x[i]);
        sum.x[i] = x.x;
        lost += x.y;
    }
    // [2] Error terms.
    sum.err = inflate((first.err + second.err) + lost, N + 3u);
    return affine_select(affine_checked(sum), affine_entire(), affine_is_entire(first) | affine_is_entire(second));
}

fn affine_sub(first: Affine, second: Affine) -> Affine {
    return affine_add(first, affine_neg(second));
}

// c times the form, c exact; entire forms stay.
fn affine_scaled(form: Affine, c: f32) -> Affine {
    var scaled = form;
    let b = exact_product(c, form.b);
    scaled.b = b.x;
    var lost = b.y;
    for (var i = 0u; i < N; i++) {
        let x = exact_product(c, scaled.x[i]);
        scaled.x[i] = x.x;
        lost += x.y;
    }
    let err = exact_product(abs(c), form.err);
    lost += err.y;
    scaled.err = inflate(err.x + lost, N + 3u);
    return affine_select(affine_checked(scaled), form, affine_is_entire(form) | (c == 1.0));
}

// The product with a form that is c alone.
fn affine_times(form: Affine, c: f32) -> Affine {
    let entire = affine_select(affine_entire(), affine_from_interval(Interval(0.0, 0.0)), c == 0.0);
    return affine_select(affine_scaled(form, c), entire, affine_is_entire(form));
}

fn exact_quotient(a: f32, c: f32) -> vec2<f32> {
    let quotient = div_rn(a, c);
    let size = abs(quotient);
    let p = two_prod(quotient, c);
    let exact = (size >= TINY) & (abs(a) >= EXACT_PRODUCT) & (p.x == a) & (p.y == 0.0);
    let lost = select(size * ROUNDOFF + TINY, 0.0, exact | !is_bounded(quotient));
    let value = vec2<f32>(select(quotient, 0.0, size < TINY), lost);
    return select(value, vec2<f32>(a, 0.0), a == 0.0);
}

// The form over c, c exact and not 0.
fn affine_over_constant(form: Affine, c: f32) -> Affine {
    var over = form;
    let b = exact_quotient(form.b, c);
    over.b = b.x;
    var lost = b.y;
    var fits = is_bounded(b.x);
    for (var i = 0u; i < N; i++) {
        let x = exact_quotient(over.x[i], c);
        over.x[i] = x.x;
        lost += x.y;
        fits = fits & is_bounded(x.x);
    }
    let err = exact_quotient(form.err, abs(c));
    lost += err.y;
    over.err = inflate(err.x + lost, N + 3u);
    let result = affine_select(affine_entire(), affine_checked(over), fits & is_bounded(err.x));
    return affine_select(result, form, affine_is_entire(form));
}

// Centre and radius of (x - b)(y - b_y), by quarter squares.
fn bilinear_rest(first: Affine, second: Affine) -> vec2<f32> {
    // [1] The plain bound, and p.
    let reach = affine_reach(first);
    let other_reach = affine_reach(second);
    let plain = larger(inflate(reach * other_reach, 1u), TINY);
    let p = div_rn(other_reach, reach);
    let far = 1048576.0;
    // [2] Sums and differences; cancellation costs u of the parts, not of the sums.
    var x = first;
    var y = second;
    let errors = p * first.err + second.err;
    let slack = ROUNDOFF * (4.0 * (p * reach + other_reach));
    var plus = errors + slack;
    var minus = errors + slack;
    for (var i = 0u; i < N; i++) {
        let scaled = p * x.x[i];
        plus += abs(scaled + y.x[i]);
        minus += abs(scaled - y.x[i]);
    }
    // [3] The interval of the rest, from upper bounds of its two parts.
    let quarter = p * 4.0;
    let above = inflate(div_rn(flush(plus * plus), quarter), 2u * N + 8u);
    let below = inflate(div_rn(flush(minus * minus), quarter), 2u * N + 8u);
    let shift = (above - below) * 0.5;
    let radius = inflate(larger(above - shift, below + shift), 1u);
    let near = (p <= far) & (p * far >= 1.0) & is_bounded(plain);
    let usable = near & (radius < plain) & (radius >= EXACT_PRODUCT) & ((shift == 0.0) | (abs(shift) >= TINY));
    let rest = select(vec2<f32>(0.0, plain), vec2<f32>(shift, radius), usable);
    return select(rest, vec2<f32>(0.0, 0.0), (reach == 0.0) | (other_reach == 0.0));
}

// A product but for its error: centre and coefficients, the radius of the bilinear rest, and what was lost.
struct ProductParts {
    form: Affine,
    radius: f32,
    lost: f32,
}

fn product_parts(first: Affine, second: Affine) -> ProductParts {
    // [1] The linear part.
    var x = first;
    var y = second;
    var product = first;
    var lost = 0.0;
    for (var i = 0u; i < N; i++) {
        let p = exact_product(first.b, y.x[i]);
        lost += p.y;
        let q = exact_product(second.b, x.x[i]);
        lost += q.y;
        let s = exact_sum(p.x, q.x);
        lost += s.y;
        product.x[i] = s.x;
    }
    // [2] The bilinear rest, and the centre.
    let rest = bilinear_rest(first, second);
    let centre = exact_product(first.b, second.b);
    lost += centre.y;
    let b = exact_sum(centre.x, rest.x);
    lost += b.y;
    product.b = b.x;
    return ProductParts(product, rest.y, lost);
}

// Neither form entire, and neither exact.
fn product_of_forms(first: Affine, second: Affine) -> Affine {
    // [2] The parts.
    let parts = product_parts(first, second);
    var product = parts.form;
    // [3] The error terms.
    let linear = exact_product(abs(first.b), second.err);
    var lost = parts.lost + linear.y;
    let other = exact_product(abs(second.b), first.err);
    lost += other.y;
    product.err = inflate(((linear.x + other.x) + parts.radius) + lost, 3u * N + 6u);
    return affine_checked(product);
}

fn affine_mul(first: Affine, second: Affine) -> Affine {
    // [1] Entire forms and exact factors.
    let first_entire = affine_is_entire(first);
    let second_entire = affine_is_entire(second);
    let first_exact = affine_is_exact(first);
    let second_exact = affine_is_exact(second);
    let zero = ((first.b == 0.0) & first_exact) | ((second.b == 0.0) & second_exact);
    let by_first = first_exact & !second_entire;
    var product: Affine;
    if by_first | (second_exact & !first_entire) {
        product = affine_scaled(affine_select(first, second, by_first), select(second.b, first.b, by_first));
    } else {
        product = product_of_forms(first, second);
        product = affine_select(product, affine_entire(), first_entire | second_entire);
        let none = affine_from_interval(Interval(0.0, 0.0));
        product = affine_select(product, none, zero & (first_entire | second_entire));
    }
    return product;
}

// x^2: b^2 + 2 b x' + x'^2 with 0 <= x'^2 <= R^2.
fn affine_squared(form: Affine) -> Affine {
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
    // [2] The error term.
    let linear = exact_product(abs(twice), form.err);
    lost += linear.y;
    squared.err = inflate((linear.x + half) + lost, N + 4u);
    return affine_select(affine_checked(squared), affine_entire(), affine_is_entire(form));
}

// Critical points of a function: at most four enclosures, empty ones are not there.
struct Points {
    a: Interval,
    b: Interval,
    c: Interval,
    d: Interval,
}

fn one_point(a: Interval) -> Points {
    return Points(a, interval_empty(), interval_empty(), interval_empty());
}

fn both_signs(a: Interval) -> Points {
    return Points(a, interval_neg(a), interval_empty(), interval_empty());
}

fn no_points() -> Points {
    return one_point(interval_empty());
}

fn points_select(no: Points, yes: Points, condition: bool) -> Points {
    return Points(
        interval_select(no.a, yes.a, condition),
        interval_select(no.b, yes.b, condition),
        interval_select(no.c, yes.c, condition),
        interval_select(no.d, yes.d, condition),
    );
}

fn turns_later(base: Interval, period: Interval, k: f32) -> Interval {
    return interval_add(base, interval_times(period, k));
}

// The first and the last point base + k period in the range.
fn branch_ends(base: Interval, period: Interval, range: Interval) -> vec2<f32> {
    let turns = interval_div(interval_sub(range, base), period);
    var ends = vec2<f32>(floor(turns.lo), -floor(-turns.hi));
    // One more on either side is tried: the enclosures decide which lie inside.
    for (var k = 0u; k < 2u; k++) {
        let end = select(ends.x, ends.y, k == 1u);
        let outside = interval_is_empty(interval_intersect(turns_later(base, period, end), range));
        let next = select(end, end + select(1.0, -1.0, k == 1u), outside);
        ends = select(vec2<f32>(next, ends.y), vec2<f32>(ends.x, next), k == 1u);
    }
    return ends;
}

// All points centre +- angle + k period that can carry an extreme.
fn branches(angle: Interval, centre: Interval, period: Interval, range: Interval) -> Points {
    var points = no_points();
    let sides = select(2u, 0u, interval_is_empty(angle));
    for (var k = 0u; k < sides; k++) {
        let base = interval_add(centre, interval_select(angle, interval_neg(angle), k == 1u));
        let ends = branch_ends(base, period, range);
        points.a = points.c;
        points.b = points.d;
        points.c = turns_later(base, period, ends.x);
        points.d = turns_later(base, period, ends.y);
    }
    return points;
}

fn point_of(points: Points, k: u32) -> Interval {
    let first = interval_select(points.b, points.a, k == 0u);
    let last = interval_select(points.d, points.c, k == 2u);
    return interval_select(last, first, k < 2u);
}

// The slope of the secant; any number is sound.
fn secant(low: Interval, high: Interval, range: Interval) -> f32 {
    let alpha = div_rn(interval_mid(high) - interval_mid(low), range.hi - range.lo);
    return select(0.0, alpha, (abs(alpha) >= TINY) & is_bounded(alpha));
}

// A slope between that of the secant and that at an inflection inside the range. For x^3 over [-a, b] the best one is 3/4 b^2 where b/2 < a <= b,
// while the secant's is a^2 - a b + b^2: both the error and the range of the form become smaller. Any number is sound.
fn bent(alpha: f32, range: Interval, at: f32, steepness: f32) -> f32 {
    let left = at - range.lo;
    let right = range.hi - at;
    let near = smaller(left, right);
    let far = larger(left, right);
    let t = div_rn(near, far);
    let weight = 1.0 - div_rn(0.75, (1.0 - t) + t * t);
    let product = weight * (alpha - steepness);
    let less = select(product, 0.0, abs(product) < TINY);
    let inside = (near > 0.0) & (t > 0.5) & (alpha != 0.0);
    let slope = select(alpha, alpha - less, inside);
    return select(0.0, slope, (abs(slope) >= TINY) & is_bounded(slope));
}

// No slope where a wave has too many turns, or where they are too far away to be found.
fn wave_slope(range: Interval, most: f32, slope: f32) -> f32 {
    return select(slope, 0.0, (interval_width(range) > most) | (interval_magnitude(range) > 65536.0));
}

// x > 0 with n x^(n-1) = alpha, with both signs where n - 1 is even, the sign of alpha/n where it is odd.
fn power_points(alpha: Interval, n: Interval, odd_root: bool) -> Points {
    let ratio = interval_div(alpha, n);
    let exponent = interval_sub(n, Interval(1.0, 1.0));
    let root = interval_exp(interval_div(interval_log(interval_abs(ratio)), exponent));
    let odd = one_point(interval_select(interval_neg(root), root, ratio.lo > 0.0));
    let even = points_select(both_signs(root), no_points(), ratio.hi <= 0.0);
    return points_select(even, odd, odd_root);
}

fn line_offset(x: Interval, b: f32, alpha: f32) -> Interval {
    return interval_times(Interval(add_down(x.lo, -b), add_up(x.hi, -b)), alpha);
}

// f(x) - origin - alpha (x - b) for an enclosure of f(x).
fn beside(x: f32, value: Interval, b: f32, origin: f32, alpha: f32) -> Interval {
    return interval_sub(interval_sub(value, Interval(origin, origin)), line_offset(Interval(x, x), b, alpha));
}

// y = alpha (x - b) + origin + shift -+ radius, or the constant where that is no worse.
fn placed_line(form: Affine, constant: Affine, alpha: f32, origin: f32, shift: f32, radius: f32) -> Affine {
    var result = form;
    let b = exact_sum(origin, shift);
    result.b = b.x;
    var lost = b.y;
    for (var i = 0u; i < N; i++) {
        let x = exact_product(alpha, result.x[i]);
        lost += x.y;
        result.x[i] = x.x;
    }
    let scaled = exact_product(abs(alpha), form.err);
    lost += scaled.y;
    result.err = inflate((radius + scaled.x) + lost, N + 4u);
    result = affine_checked(result);
    // A form whose error alone is as wide as the range knows nothing more.
    return affine_select(result, constant, affine_is_entire(result) | (result.err >= constant.err));
}

// y = alpha (x - b) + origin + rest.
fn on_line(form: Affine, constant: Affine, alpha: f32, origin: f32, rest: Interval) -> Affine {
    let centre = centre_of(rest);
    let result = placed_line(form, constant, alpha, origin, centre.b, centre.radius);
    return affine_select(constant, result, centre.bounded);
}

// 1/x: the tangent at the flat end c of the range. With s = 1/c^2, rounded twice, h(x) = 1/|x| + s |x| is convex and its slope at c is below
// 2.1 u s: over the range it is at least h(c) and at most h(a), but for 2.1 u s (|c| - |a|).
fn line_reciprocal(form: Affine, range: Interval) -> Mixed {
    let value = interval_select(interval_reciprocal(range), interval_entire(), interval_is_empty(range));
    let constant = affine_from_interval(value);
    // [1] Magnitudes: a the near end, c the far one; low and high enclose 1/c and 1/a.
    let negative = range.hi < 0.0;
    let a = interval_mignitude(range);
    let c = interval_magnitude(range);
    let low = select(value.lo, -value.hi, negative);
    let high = select(value.hi, -value.lo, negative);
    let m = select(form.b, -form.b, negative);
    let steep = div_rn(1.0, flush(c * c));
    let flat = affine_is_entire(form) | affine_is_entire(constant) | !interval_is_bounded(range) | (range.lo == range.hi);
    let usable = !flat & is_bounded(steep) & (steep >= TINY);
    // [2] What is left of 1/|x| beside the line through the origin of the range of 1/x: bounds at both ends, and the slack.
    let mid = interval_mid(Interval(low, high));
    let origin = select(mid, 0.0, abs(mid) < TINY);
    let slack = mul_up(mul_up(steep, add_up(c, -a)), 4.0 * ROUNDOFF);
    let most = add_up(add_up(add_up(high, -origin), mul_up(steep, add_up(a, -m))), slack);
    let least = add_down(add_down(add_down(low, -origin), mul_down(steep, add_down(c, -m))), -slack);
    let centre = centre_of(Interval(least, most));
    // [3] By sign.
    let result = placed_line(
        form,
        constant,
        -steep,
        select(origin, -origin, negative),
        select(centre.b, -centre.b, negative),
        centre.radius,
    );
    return Mixed(affine_select(constant, result, usable & centre.bounded), value);
}

fn affine_reciprocal_within(form: Affine, range: Interval) -> Affine {
    return line_reciprocal(form, range).form;
}

fn affine_reciprocal(form: Affine) -> Affine {
    return affine_reciprocal_within(form, affine_interval(form));
}

fn affine_steps(range: Interval, kind: u32) -> Affine {
    return affine_from_interval(interval_steps(range, kind));
}

// x - floor(x) (kind 0) or x - trunc(x) (kind 2).
fn affine_fraction(form: Affine, kind: u32, range: Interval) -> Affine {
    let whole = interval_steps(range, kind);
    let constant = affine_from_interval(interval_select(interval_modf(range), interval_fract(range), kind == 0u));
    let fraction = affine_sub(form, affine_from_interval(whole));
    return affine_select(constant, fraction, is_single(whole) & !affine_is_entire(form));
}
