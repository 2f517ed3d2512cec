// Twins: estimate.rs
// Affine forms whose sums, products and squares count no rounding errors: for drawing, not rigorous. Twin of estimate.rs. Needs affine.

// x y, or 0 below TINY.
fn snapped(x: f32, y: f32) -> f32 {
    let product = x * y;
    return select(product, 0.0, abs(product) < TINY);
}

fn estimate_reach(form: Affine) -> f32 {
    return affine_magnitude(form) + form.err;
}

fn estimate_add(x: Affine, y: Affine) -> Affine {
    var sum = x;
    var other = y;
    sum.b = x.b + y.b;
    for (var i = 0u; i < N; i++) {
        sum.x[i] = sum.x[i] + other.x[i];
    }
    sum.err = x.err + y.err;
    return affine_select(affine_checked(sum), affine_entire(), affine_is_entire(x) | affine_is_entire(y));
}

fn estimate_sub(x: Affine, y: Affine) -> Affine {
    return estimate_add(x, affine_neg(y));
}

fn estimate_mul(x: Affine, y: Affine) -> Affine {
    var product = x;
    var other = y;
    for (var i = 0u; i < N; i++) {
        product.x[i] = snapped(x.b, other.x[i]) + snapped(y.b, product.x[i]);
    }
    product.b = snapped(x.b, y.b);
    let linear = snapped(abs(x.b), y.err) + snapped(abs(y.b), x.err);
    product.err = linear + snapped(estimate_reach(x), estimate_reach(y));
    return affine_select(affine_checked(product), affine_entire(), affine_is_entire(x) | affine_is_entire(y));
}

fn estimate_sqr(x: Affine) -> Affine {
    let reach = estimate_reach(x);
    let half = snapped(reach, reach) * 0.5;
    let twice = x.b + x.b;
    var square = x;
    square.b = snapped(x.b, x.b) + half;
    for (var i = 0u; i < N; i++) {
        square.x[i] = snapped(twice, square.x[i]);
    }
    square.err = snapped(abs(twice), x.err) + half;
    return affine_select(affine_checked(square), affine_entire(), affine_is_entire(x));
}
