// Bound: a padded cylinder round points and cylinders; tree/cylinder.rs is the host's, which fits in f64 with half the pads.
// It decides no bit of an answer: docs/numerics.md, section 6, has the proof that it holds what it must.

// Twice the host's pads, of radius and half height together and of the largest coordinate 2: the rest covers this file's own rounding.
const RELATIVE_PAD = 0x1p-14f;
const ABSOLUTE_PAD = 0x1p-18f;
const NODE_VEC4 = 17u;
const BOX_WORDS = 52u;

struct Basis {
    u: vec3<f32>,
    v: vec3<f32>,
    n: vec3<f32>,
}

struct Extents {
    lo: vec3<f32>,
    hi: vec3<f32>,
}

struct Axis {
    centre: vec3<f32>,
    n: vec3<f32>,
}

fn inner_product(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

fn outer_product(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

fn magnitude_of(a: vec3<f32>) -> f32 {
    return sqrt(inner_product(a, a)); // bound only
}

// Two directions about at right angles to a unit vector and to each other (Duff et al., 2017): they only place the centre.
fn basis_about(n: vec3<f32>) -> Basis {
    let s = select(1.0, -1.0, n.z < 0.0);
    let a = -1.0 / (s + n.z); // bound only
    let b = n.x * n.y * a;
    return Basis(vec3<f32>(1.0 + s * n.x * n.x * a, s * b, -s * n.x), vec3<f32>(b, s + n.y * n.y * a, -n.y), n);
}

fn in_basis(b: Basis, p: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(inner_product(p, b.u), inner_product(p, b.v), inner_product(p, b.n));
}

fn no_extents() -> Extents {
    return Extents(vec3<f32>(0x1p62f), vec3<f32>(-0x1p62f));
}

fn with_point(e: Extents, p: vec3<f32>) -> Extents {
    return Extents(min(e.lo, p), max(e.hi, p)); // zero free
}

// The largest f32 that is not above x, 0 or at least 2^-100 in size: of f64 the conversion gives it or the next one, whichever way the device rounds.
fn single_below(x: real) -> f32 {
    let y = f32(x);
    let bits = bitcast<u32>(y);
    return select(y, bitcast<f32>(select(bits - 1u, bits + 1u, y < 0.0)), real(y) > x);
}

// The box of a triangle, of f64 the next f32 outside of it: its words are the host's. 0 - x: a bound of 0 is +0.
fn box_of(a: vec3<real>, b: vec3<real>, c: vec3<real>) -> Extents {
    let lo = min(min(a, b), c); // zero free
    let hi = -max(max(a, b), c); // zero free
    let top = vec3<f32>(single_below(hi.x), single_below(hi.y), single_below(hi.z));
    return Extents(vec3<f32>(single_below(lo.x), single_below(lo.y), single_below(lo.z)), vec3<f32>(0.0) - top);
}

// The axis of the smaller of two cylinders: about the mean normal (none is zero), and along the thinnest side of the box.
fn better_axis(b: Basis, along: Extents, box_extents: Extents) -> Axis {
    let half = 0.5 * (along.hi - along.lo);
    let radius = max(half.x, half.y); // bound only
    let height = max(half.z, 0.001 * radius); // bound only
    let side = 0.5 * (box_extents.hi - box_extents.lo);
    var n = vec3<f32>(1.0, 0.0, 0.0);
    var thin = side.x;
    var wide = max(side.y, side.z); // bound only
    if side.y < thin {
        n = vec3<f32>(0.0, 1.0, 0.0);
        thin = side.y;
        wide = max(side.x, side.z); // bound only
    }
    if side.z < thin {
        n = vec3<f32>(0.0, 0.0, 1.0);
        thin = side.z;
        wide = max(side.x, side.y); // bound only
    }
    thin = max(thin, 0.001 * wide); // bound only
    let none = b.n.x == 0.0 && b.n.y == 0.0 && b.n.z == 0.0;
    if none || (height > 0.25 * radius && wide * wide * thin < radius * radius * height) {
        return Axis(0.5 * (box_extents.lo + box_extents.hi), n);
    }
    let middle = 0.5 * (along.lo + along.hi);
    return Axis((b.u * middle.x + b.v * middle.y) + b.n * middle.z, b.n);
}

// Distance of a point from the axis, and from the middle along it.
fn point_reach(axis: Axis, p: vec3<f32>) -> vec2<f32> {
    let e = p - axis.centre;
    let h = inner_product(e, axis.n);
    return vec2<f32>(magnitude_of(e - axis.n * h), abs(h));
}

// The same at most for the points of a cylinder: centre and radius, axis and half height.
fn cylinder_reach(axis: Axis, c: vec4<f32>, n: vec4<f32>) -> vec2<f32> {
    let reach = point_reach(axis, c.xyz);
    let slope = magnitude_of(outer_product(n.xyz, axis.n));
    return reach + vec2<f32>(c.w + n.w * slope, n.w * abs(inner_product(n.xyz, axis.n)) + c.w * slope);
}

// Half the extent of a cylinder along a direction.
fn cylinder_half(c: vec4<f32>, n: vec4<f32>, d: vec3<f32>) -> f32 {
    return n.w * abs(inner_product(n.xyz, d)) + c.w * magnitude_of(outer_product(n.xyz, d));
}

// Writes the cylinder of a child, which reaches so far across and along its axis.
fn write_cylinder(place: u32, axis: Axis, reach: vec2<f32>) {
    // A needle along its axis would amplify the error of a query's bound.
    let radius = max(reach.x, 0.125 * reach.y); // bound only
    let pad = RELATIVE_PAD * (radius + reach.y) + ABSOLUTE_PAD;
    let at = place / 8u * NODE_VEC4 + 2u * (place % 8u);
    nodes[at] = bitcast<vec4<u32>>(vec4<f32>(axis.centre, radius + pad));
    nodes[at + 1u] = bitcast<vec4<u32>>(vec4<f32>(axis.n, reach.y + pad));
}

// Writes the box of a child: exact, its words are the host's.
fn write_box(place: u32, e: Extents) {
    let at = place / 8u * BOX_WORDS + place % 8u;
    for (var k = 0u; k < 3u; k += 1u) {
        boxes[at + 8u * k] = bitcast<u32>(e.lo[k]);
        boxes[at + 8u * (k + 3u)] = bitcast<u32>(e.hi[k]);
    }
}
