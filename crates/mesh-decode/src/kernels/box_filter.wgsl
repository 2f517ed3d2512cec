// Which units and triangles meet a closed box, exactly: twin of box_filter.rs. Sums of up to 64 bits are kept in two words.

const FRACTION = 128i;

// A signed number of 64 bits in two's complement.
struct Wide { low: u32, high: u32 }

fn multiply_words(a: u32, b: u32) -> Wide {
    // [1]
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return Wide((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

fn add(a: Wide, b: Wide) -> Wide {
    // [2]
    let low = a.low + b.low;
    return Wide(low, a.high + b.high + select(0u, 1u, low < a.low));
}

fn negate(a: Wide) -> Wide {
    return add(Wide(~a.low, ~a.high), Wide(1u, 0u));
}

fn widen(a: i32) -> Wide {
    return Wide(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}

fn scale(a: Wide, factor: i32) -> Wide {
    // [3]
    let word = bitcast<u32>(factor);
    let product = multiply_words(a.low, word);
    return Wide(product.low, product.high + a.high * word - select(0u, a.low, factor < 0));
}

fn is_negative(a: Wide) -> bool {
    return (a.high >> 31u) != 0u;
}

// The sum of products with the box's corner at which it is least; low and high exchanged: greatest.
fn least_over(x: Wide, y: Wide, z: Wide, low: vec3<i32>, high: vec3<i32>) -> Wide {
    // [4]
    let on_x = scale(x, select(low.x, high.x, is_negative(x)));
    let on_y = scale(y, select(low.y, high.y, is_negative(y)));
    let on_z = scale(z, select(low.z, high.z, is_negative(z)));
    return add(add(on_x, on_y), on_z);
}

fn dot_points(n: vec3<i32>, point: vec3<i32>) -> Wide {
    return add(add(scale(widen(n.x), point.x), scale(widen(n.y), point.y)), scale(widen(n.z), point.z));
}

// Whether the projections on n overlap: of the box, and of the triangle 0, a, b in grid steps.
fn meets_on(n: vec3<i32>, a: vec3<i32>, b: vec3<i32>, low: vec3<i32>, high: vec3<i32>) -> bool {
    // [5]
    let minus_a = negate(scale(dot_points(n, a), FRACTION));
    let minus_b = negate(scale(dot_points(n, b), FRACTION));
    let least = least_over(widen(n.x), widen(n.y), widen(n.z), low, high);
    let greatest = least_over(widen(n.x), widen(n.y), widen(n.z), high, low);
    // Beyond all three: the box's least is greater, or its greatest less.
    let above = is_negative(negate(least)) && is_negative(negate(add(least, minus_a))) && is_negative(negate(add(least, minus_b)));
    let below = is_negative(greatest) && is_negative(add(greatest, minus_a)) && is_negative(add(greatest, minus_b));
    return !above && !below;
}

// a x b on one axis, from its two components: ax by - ay bx.
fn cross_of(ax: i32, ay: i32, bx: i32, by: i32) -> Wide {
    return add(scale(widen(ax), by), negate(scale(widen(ay), bx)));
}

// An edge x an axis.
fn edge_axis(edge: vec3<i32>, axis: u32) -> vec3<i32> {
    // [6]
    if axis == 0u { return vec3<i32>(0, -edge.z, edge.y); }
    if axis == 1u { return vec3<i32>(edge.z, 0, -edge.x); }
    return vec3<i32>(-edge.y, edge.x, 0);
}

// Boxes of grid points in steps; the closed box in 1/128 of a step. A unit without points has the largest before the smallest.
fn unit_meets_box(smallest: vec3<i32>, largest: vec3<i32>, low: vec3<i32>, high: vec3<i32>) -> bool {
    // [7]
    return all(smallest <= largest) && all(smallest * FRACTION <= high) && all(low <= largest * FRACTION);
}

// Grid points below 2^24, sides below 2^18; the closed box in 1/128 of a step. Touching counts.
fn triangle_meets_box(p: vec3<i32>, q: vec3<i32>, r: vec3<i32>, low: vec3<i32>, high: vec3<i32>) -> bool {
    // [8]
    let smallest = min(min(p, q), r) * FRACTION;
    let largest = max(max(p, q), r) * FRACTION;
    if any(low > high) || any(largest < low) || any(high < smallest) { return false; }
    if all(low <= smallest) && all(largest <= high) { return true; }
    let near = max(low, smallest) - p * FRACTION;
    let far = min(high, largest) - p * FRACTION;
    let e = q - p;
    let f = r - p;
    // [9] the face normal: the triangle's points give 0
    let x = cross_of(e.y, e.z, f.y, f.z);
    let y = cross_of(e.z, e.x, f.z, f.x);
    let z = cross_of(e.x, e.y, f.x, f.y);
    var meets = !is_negative(negate(least_over(x, y, z, near, far))) && !is_negative(least_over(x, y, z, far, near));
    // [10] an edge and a side of the box
    for (var k = 0u; k < 9u && meets; k++) {
        var edge = e;
        if k >= 3u { edge = f; }
        if k >= 6u { edge = f - e; }
        meets = meets_on(edge_axis(edge, k % 3u), e, f, near, far);
    }
    return meets;
}
