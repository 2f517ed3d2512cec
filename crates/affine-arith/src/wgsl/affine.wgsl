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
    if interval_is_empty(range) || !interval_is_bounded(range) {
        return Centred(false, 0.0, HUGE);
    }
    let mid = interval_mid(range);
    let b = select(mid, 0.0, abs(mid) < TINY);
    return Centred(true, b, larger(add_up(range.hi, -b), add_up(b, -range.lo)));
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
    var form = affine_from_interval(range);
    if affine_is_entire(form) || k >= N {
        return affine_entire();
    }
    form.x[k] = form.err;
    form.err = 0.0;
    return form;
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
    if terms > 1u {
        return inflate(sum, N + 1u);
    }
    return sum;
}

fn affine_interval(form: Affine) -> Interval {
    if affine_is_entire(form) {
        return interval_entire();
    }
    let reach = affine_reach(form);
    return Interval(add_down(form.b, -reach), add_up(form.b, reach));
}

fn affine_is_exact(form: Affine) -> bool {
    return form.err == 0.0 && affine_magnitude(form) == 0.0;
}

fn affine_possibly_zero(form: Affine) -> bool {
    return affine_is_entire(form) || abs(form.b) <= affine_reach(form);
}

// Entire where a magnitude exceeds the limit; coefficients below TINY become part of the error.
fn affine_checked(form: Affine) -> Affine {
    var checked = form;
    var lost = 0.0;
    if abs(checked.b) < TINY && checked.b != 0.0 {
        checked.b = 0.0;
        lost = TINY;
    }
    for (var i = 0u; i < N; i++) {
        if abs(checked.x[i]) < TINY && checked.x[i] != 0.0 {
            checked.x[i] = 0.0;
            lost += TINY;
        }
    }
    if lost != 0.0 || (checked.err != 0.0 && checked.err < TINY) {
        checked.err = larger(inflate(checked.err + lost, 2u), TINY);
    }
    let total = abs(checked.b) + affine_magnitude(checked) + checked.err;
    if total <= LIMIT {
        return checked;
    }
    return affine_entire();
}

// A value, and what its rounding may have lost.
fn exact_sum(a: f32, b: f32) -> vec2<f32> {
    let s = two_sum(a, b);
    return vec2<f32>(s.x, abs(s.y));
}

fn exact_product(a: f32, b: f32) -> vec2<f32> {
    if a == 0.0 || b == 0.0 {
        return vec2<f32>(0.0, 0.0);
    }
    let p = two_prod(a, b);
    if abs(p.x) >= EXACT_PRODUCT {
        return vec2<f32>(p.x, abs(p.y));
    }
    return vec2<f32>(select(p.x, 0.0, abs(p.x) < TINY), TINY);
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
    if affine_is_entire(first) || affine_is_entire(second) {
        return affine_entire();
    }
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
    return affine_checked(sum);
}

fn affine_sub(first: Affine, second: Affine) -> Affine {
    return affine_add(first, affine_neg(second));
}

// c times the form, c exact.
fn affine_scaled(form: Affine, c: f32) -> Affine {
    if affine_is_entire(form) {
        if c == 0.0 {
            return affine_from_interval(Interval(c, c));
        }
        return form;
    }
    if c == 1.0 {
        return form;
    }
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
    return affine_checked(scaled);
}

fn exact_quotient(a: f32, c: f32) -> vec2<f32> {
    if a == 0.0 {
        return vec2<f32>(a, 0.0);
    }
    let quotient = div_rn(a, c);
    if !is_bounded(quotient) {
        return vec2<f32>(quotient, 0.0);
    }
    var exact = false;
    if abs(quotient) >= TINY && abs(a) >= EXACT_PRODUCT {
        let p = two_prod(quotient, c);
        exact = p.x == a && p.y == 0.0;
    }
    let lost = select(abs(quotient) * ROUNDOFF + TINY, 0.0, exact);
    return vec2<f32>(select(quotient, 0.0, abs(quotient) < TINY), lost);
}

// The form over c, c exact and not 0.
fn affine_over_constant(form: Affine, c: f32) -> Affine {
    if affine_is_entire(form) {
        return form;
    }
    var over = form;
    let b = exact_quotient(form.b, c);
    over.b = b.x;
    var lost = b.y;
    var fits = is_bounded(b.x);
    for (var i = 0u; i < N; i++) {
        let x = exact_quotient(over.x[i], c);
        over.x[i] = x.x;
        lost += x.y;
        fits = fits && is_bounded(x.x);
    }
    let err = exact_quotient(form.err, abs(c));
    lost += err.y;
    if !fits || !is_bounded(err.x) {
        return affine_entire();
    }
    over.err = inflate(err.x + lost, N + 3u);
    return affine_checked(over);
}

// Centre and radius of (x - b)(y - b_y), by quarter squares.
fn bilinear_rest(first: Affine, second: Affine) -> vec2<f32> {
    // [1] The plain bound, and p.
    let reach = affine_reach(first);
    let other_reach = affine_reach(second);
    if reach == 0.0 || other_reach == 0.0 {
        return vec2<f32>(0.0, 0.0);
    }
    let plain = larger(inflate(reach * other_reach, 1u), TINY);
    let p = div_rn(other_reach, reach);
    let far = 1048576.0;
    if !(p <= far && p * far >= 1.0 && is_bounded(plain)) {
        return vec2<f32>(0.0, plain);
    }
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
    let usable = radius < plain && radius >= EXACT_PRODUCT && (shift == 0.0 || abs(shift) >= TINY);
    if usable {
        return vec2<f32>(shift, radius);
    }
    return vec2<f32>(0.0, plain);
}

fn affine_mul(first: Affine, second: Affine) -> Affine {
    // [1] Entire forms and exact factors.
    if affine_is_exact(first) && !affine_is_entire(second) {
        return affine_scaled(second, first.b);
    }
    if affine_is_exact(second) && !affine_is_entire(first) {
        return affine_scaled(first, second.b);
    }
    if affine_is_entire(first) || affine_is_entire(second) {
        let zero = (first.b == 0.0 && affine_is_exact(first)) || (second.b == 0.0 && affine_is_exact(second));
        if zero {
            return affine_from_interval(Interval(0.0, 0.0));
        }
        return affine_entire();
    }
    // [2] The linear part.
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
    // [3] The bilinear rest, and the centre.
    let rest = bilinear_rest(first, second);
    let centre = exact_product(first.b, second.b);
    lost += centre.y;
    let b = exact_sum(centre.x, rest.x);
    lost += b.y;
    product.b = b.x;
    let linear = exact_product(abs(first.b), second.err);
    lost += linear.y;
    let other = exact_product(abs(second.b), first.err);
    lost += other.y;
    product.err = inflate(((linear.x + other.x) + rest.y) + lost, 3u * N + 6u);
    return affine_checked(product);
}

// x^2: b^2 + 2 b x' + x'^2 with 0 <= x'^2 <= R^2.
fn affine_squared(form: Affine) -> Affine {
    if affine_is_entire(form) {
        return affine_entire();
    }
    // [1] Half of R^2 is centre shift and radius at once; it must not be below R^2/2.
    let reach = affine_reach(form);
    var half = inflate(reach * reach, 1u) * 0.5;
    if reach != 0.0 {
        half = larger(half, TINY);
    }
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
    return affine_checked(squared);
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

fn turns_later(base: Interval, period: Interval, k: f32) -> Interval {
    return interval_add(base, interval_mul(period, Interval(k, k)));
}

// The first and the last point base + k period in the range.
fn branch_ends(base: Interval, period: Interval, range: Interval) -> vec2<f32> {
    let turns = interval_div(interval_sub(range, base), period);
    var first = floor(turns.lo);
    var last = -floor(-turns.hi);
    // One more on either side is tried: the enclosures decide which lie inside.
    if interval_is_empty(interval_intersect(turns_later(base, period, first), range)) {
        first += 1.0;
    }
    if interval_is_empty(interval_intersect(turns_later(base, period, last), range)) {
        last -= 1.0;
    }
    return vec2<f32>(first, last);
}

// All points centre +- angle + k period that can carry an extreme.
fn branches(angle: Interval, centre: Interval, period: Interval, range: Interval) -> Points {
    if interval_is_empty(angle) {
        return no_points();
    }
    let right = interval_add(centre, angle);
    let left = interval_add(centre, interval_neg(angle));
    let right_ends = branch_ends(right, period, range);
    let left_ends = branch_ends(left, period, range);
    return Points(
        turns_later(right, period, right_ends.x),
        turns_later(right, period, right_ends.y),
        turns_later(left, period, left_ends.x),
        turns_later(left, period, left_ends.y),
    );
}

fn point_of(points: Points, k: u32) -> Interval {
    switch k {
        case 0u: {
            return points.a;
        }
        case 1u: {
            return points.b;
        }
        case 2u: {
            return points.c;
        }
        default: {
            return points.d;
        }
    }
}

// The slope of the secant; any number is sound.
fn secant(low: Interval, high: Interval, range: Interval) -> f32 {
    let alpha = div_rn(interval_mid(high) - interval_mid(low), range.hi - range.lo);
    if abs(alpha) >= TINY && is_bounded(alpha) {
        return alpha;
    }
    return 0.0;
}

// No slope where a wave has too many turns, or where they are too far away to be found.
fn wave_slope(range: Interval, most: f32, slope: f32) -> f32 {
    return select(slope, 0.0, interval_width(range) > most || interval_magnitude(range) > 65536.0);
}

// x > 0 with n x^(n-1) = alpha, with both signs where n - 1 is even, the sign of alpha/n where it is odd.
fn power_points(alpha: Interval, n: Interval, odd_root: bool) -> Points {
    let ratio = interval_div(alpha, n);
    let exponent = interval_sub(n, Interval(1.0, 1.0));
    let root = interval_exp(interval_div(interval_log(interval_abs(ratio)), exponent));
    if odd_root {
        if ratio.lo > 0.0 {
            return one_point(root);
        }
        return one_point(interval_neg(root));
    }
    if ratio.hi <= 0.0 {
        return no_points();
    }
    return both_signs(root);
}

// The tangent at the flat end of 1/x.
fn flat_tangent(range: Interval) -> f32 {
    let end = select(range.lo, range.hi, range.lo > 0.0);
    let steep = div_rn(1.0, flush(end * end));
    return select(0.0, -steep, is_bounded(steep));
}

fn line_offset(x: Interval, b: f32, alpha: f32) -> Interval {
    return interval_mul(Interval(alpha, alpha), Interval(add_down(x.lo, -b), add_up(x.hi, -b)));
}

// f(x) - origin - alpha (x - b) for an enclosure of f(x).
fn beside(x: f32, value: Interval, b: f32, origin: f32, alpha: f32) -> Interval {
    return interval_sub(interval_sub(value, Interval(origin, origin)), line_offset(Interval(x, x), b, alpha));
}

// y = alpha (x - b) + origin + rest, or the constant where that is no worse.
fn on_line(form: Affine, constant: Affine, alpha: f32, origin: f32, rest: Interval) -> Affine {
    let centre = centre_of(rest);
    if !centre.bounded {
        return constant;
    }
    var result = form;
    let b = exact_sum(origin, centre.b);
    result.b = b.x;
    var lost = b.y;
    for (var i = 0u; i < N; i++) {
        let x = exact_product(alpha, result.x[i]);
        lost += x.y;
        result.x[i] = x.x;
    }
    let scaled = exact_product(abs(alpha), form.err);
    lost += scaled.y;
    result.err = inflate((centre.radius + scaled.x) + lost, N + 4u);
    result = affine_checked(result);
    // A form whose error alone is as wide as the range knows nothing more.
    if affine_is_entire(result) || result.err >= constant.err {
        return constant;
    }
    return result;
}

fn affine_steps(range: Interval, kind: u32) -> Affine {
    return affine_from_interval(interval_steps(range, kind));
}

// x - floor(x) (kind 0) or x - trunc(x) (kind 2).
fn affine_fraction(form: Affine, kind: u32, range: Interval) -> Affine {
    let whole = interval_steps(range, kind);
    if is_single(whole) && !affine_is_entire(form) {
        return affine_sub(form, affine_from_interval(whole));
    }
    if kind == 0u {
        return affine_from_interval(interval_fract(range));
    }
    return affine_from_interval(interval_modf(range));
}
