// Where a ray meets a triangle, watertight: twin of ray_triangle.rs. Needs strict_float and real_single, or strict_double and real_double;
// triangle_record, triangle_distance.

struct RaySetup {
    origin: vec3<real>,
    axis: u32,
    shear: vec2<real>,
    backward: bool,
    scale: real,
}

struct RayMeeting {
    met: bool,
    depth: real,
    uv: vec2<real>,
    front: bool,
}

// |origin| <= 2^58, 0 or at least TINY; the direction's largest component in [1, 2], others 0 or at least TINY.
fn ray_setup(origin: vec3<real>, direction: vec3<real>) -> RaySetup {
    // [1] the axis of the largest component, the first of equals
    let m = abs(direction);
    var axis = 2u;
    if m.x >= m.y && m.x >= m.z {
        axis = 0u;
    } else if m.y >= m.z {
        axis = 1u;
    }
    let d = turned(direction, axis);
    // [2] what moves a point back along the ray
    let shear = vec2<real>(snap(div_rn(d.x, d.z), TINY), snap(div_rn(d.y, d.z), TINY));
    return RaySetup(origin, axis, shear, d.z < real(0.0), abs(d.z));
}

// The components in turn, so that axis comes last.
fn turned(v: vec3<real>, axis: u32) -> vec3<real> {
    if axis == 0u {
        return v.yzx;
    }
    if axis == 1u {
        return v.zxy;
    }
    return v;
}

// A point in the ray's coordinates: the ray is the axis z from 0. Monotone in each coordinate of p.
fn sheared(ray: RaySetup, p: vec3<real>) -> vec3<real> {
    let r = turned(sub(p, ray.origin), ray.axis);
    let x = snap(r.x - r.z * ray.shear.x, TINY);
    let y = snap(r.y - r.z * ray.shear.y, TINY);
    let z = snap(select(r.z, -r.z, ray.backward), SMALL);
    return vec3<real>(x, y, z);
}

struct EdgeSide {
    side: i32,
    area: real,
}

// The side of the origin on which the edge from b to c passes. Components 0 or TINY to 2^60.
fn edge_side(b: vec3<real>, c: vec3<real>) -> EdgeSide {
    // [1] both products with their errors
    let p = two_prod(b.x, c.y);
    let q = two_prod(b.y, c.x);
    let area = (p.x - q.x) + (p.y - q.y);
    // [2] the exact sign of their difference
    if p.x > q.x || (p.x == q.x && p.y > q.y) {
        return EdgeSide(1, area);
    }
    if p.x < q.x || (p.x == q.x && p.y < q.y) {
        return EdgeSide(-1, area);
    }
    // [3] on the line: as if the origin were moved by (e, e^2)
    if b.y != c.y {
        return EdgeSide(select(-1, 1, b.y > c.y), area);
    }
    if b.x != c.x {
        return EdgeSide(select(-1, 1, c.x > b.x), area);
    }
    return EdgeSide(0, area);
}

// Where the ray meets the triangle a, b, c.
fn ray_triangle(ray: RaySetup, a: vec3<real>, b: vec3<real>, c: vec3<real>) -> RayMeeting {
    let missed = RayMeeting(false, real(0.0), vec2<real>(real(0.0)), false);
    // [1] the ray's coordinates
    let sa = sheared(ray, a);
    let sb = sheared(ray, b);
    let sc = sheared(ray, c);
    // [2] the sides of the three edges, each by the corner it faces
    let ea = edge_side(sb, sc);
    let eb = edge_side(sc, sa);
    let ec = edge_side(sa, sb);
    if ea.side == 0 || ea.side != eb.side || ea.side != ec.side {
        return missed;
    }
    // [3] barycentric coordinates
    let sum = (abs(ea.area) + abs(eb.area)) + abs(ec.area);
    var u = real(0.0);
    var v = real(0.0);
    if sum > real(0.0) {
        u = snap(div_rn(abs(eb.area), sum), TINY);
        v = snap(div_rn(abs(ec.area), sum), TINY);
    }
    // [4] depth
    let z = (sa.z + (sb.z - sa.z) * u) + (sc.z - sa.z) * v;
    let lo = smaller(smaller(sa.z, sb.z), sc.z);
    let hi = larger(larger(sa.z, sb.z), sc.z);
    let depth = larger(lo, smaller(z, hi));
    if depth < real(0.0) {
        return missed;
    }
    return RayMeeting(true, depth, vec2<real>(u, v), (ea.side > 0) == ray.backward);
}

// Whether triangles in the box may be met, with a depth of at most limit; never false for a triangle that is.
fn ray_meets_box(ray: RaySetup, lo: vec3<real>, hi: vec3<real>, limit: real) -> bool {
    let near = sheared_low(ray, lo, hi);
    let far = sheared_high(ray, lo, hi);
    let zero = real(0.0);
    return near.x <= zero && far.x >= zero && near.y <= zero && far.y >= zero && far.z >= zero && near.z <= limit;
}

// The smallest sheared coordinates of points in the box, by the same operations.
fn sheared_low(ray: RaySetup, lo: vec3<real>, hi: vec3<real>) -> vec3<real> {
    let low = turned(sub(lo, ray.origin), ray.axis);
    let high = turned(sub(hi, ray.origin), ray.axis);
    let x = low.x - select(low.z, high.z, ray.shear.x > real(0.0)) * ray.shear.x;
    let y = low.y - select(low.z, high.z, ray.shear.y > real(0.0)) * ray.shear.y;
    let z = select(low.z, -high.z, ray.backward);
    return vec3<real>(snap(x, TINY), snap(y, TINY), snap(z, SMALL));
}

// The largest sheared coordinates of points in the box.
fn sheared_high(ray: RaySetup, lo: vec3<real>, hi: vec3<real>) -> vec3<real> {
    let low = turned(sub(lo, ray.origin), ray.axis);
    let high = turned(sub(hi, ray.origin), ray.axis);
    let x = high.x - select(high.z, low.z, ray.shear.x > real(0.0)) * ray.shear.x;
    let y = high.y - select(high.z, low.z, ray.shear.y > real(0.0)) * ray.shear.y;
    let z = select(high.z, -low.z, ray.backward);
    return vec3<real>(snap(x, TINY), snap(y, TINY), snap(z, SMALL));
}

// The ray's parameter at a depth: depth / scale * 2^exponent.
fn ray_parameter(ray: RaySetup, depth: real, exponent: i32) -> real {
    return scale_pow2(div_rn(depth, ray.scale), exponent);
}

// The point of a triangle with these coordinates, clamped into its box.
fn ray_point(a: vec3<real>, b: vec3<real>, c: vec3<real>, uv: vec2<real>) -> vec3<real> {
    let lo = min(min(a, b), c); // zero free
    let hi = max(max(a, b), c); // zero free
    return clamp_box(along(along(a, sub(b, a), uv.x), sub(c, a), uv.y), lo, hi);
}
