// Squared distance of a point to a triangle, and the winner's closest point, feature and sign: twin of triangle_distance.rs.
// Needs triangle_record.

const FACE = 0u;
const EDGE_AB = 1u;
const EDGE_AC = 2u;
const EDGE_BC = 3u;
const CORNER_A = 4u;
const CORNER_B = 5u;
const CORNER_C = 6u;

struct ClosestFeature {
    q: vec3<real>,
    d2: real,
    e: vec3<real>,
    feature: u32,
    uv: vec2<real>,
}

struct Parameters {
    t: vec3<real>,
    v: real,
    w: real,
    inside: bool,
}

// x limited to [0, 1], and 0 below TINY.
fn clamp01(x: real) -> real {
    let low = select(x, real(0.0), x < TINY);
    return select(low, real(1.0), low > 1.0);
}

// No NaN and no -0.
fn smaller(x: real, y: real) -> real {
    return select(y, x, x < y);
}

// No NaN and no -0.
fn larger(x: real, y: real) -> real {
    return select(y, x, x > y);
}

fn along(a: vec3<real>, u: vec3<real>, t: real) -> vec3<real> {
    return a + u * t;
}

// q limited to the box, component by component.
fn clamp_box(q: vec3<real>, lo: vec3<real>, hi: vec3<real>) -> vec3<real> {
    let low = select(hi, q, q < hi);
    return select(low, lo, lo > low);
}

// x, or +0 when |x| < SMALL.
fn flush60(x: real) -> real {
    return select(x, real(0.0), abs(x) < SMALL);
}

// p - q with components below SMALL set to +0.
fn diff(p: vec3<real>, q: vec3<real>) -> vec3<real> {
    let d = p - q;
    return select(d, vec3<real>(real(0.0)), abs(d) < vec3<real>(SMALL));
}

// Parameters of the nearest points of the three edges and of the plane.
fn parameters(r: TriangleRecord, ab: vec3<real>, ac: vec3<real>, bc: vec3<real>, p: vec3<real>) -> Parameters {
    // [1] projections
    let ap = sub(p, r.a);
    let bp = sub(p, r.b);
    let d1 = dt(ab, ap);
    let d2 = dt(ac, ap);
    let d3 = dt(bc, bp);
    // [2] edges
    let s = d1 * r.ia;
    let t = vec3<real>(clamp01(s), clamp01(d2 * r.ib), clamp01(d3 * r.ic));
    // [3] plane: the height over ab, then the place along ab less the apex's share of it; without interior g is 0, so w is 0 too
    let w = clamp01(dt(r.g, ap));
    let v = s - w * (dt(ab, ac) * r.ia);
    let inside = w >= TINY && v >= TINY && w < 1.0 && v + w <= 1.0;
    return Parameters(t, v, w, inside);
}

// Squared distance of the point p to the triangle of the record. |p| <= 2^58, multiples of 2^-63.
fn triangle_distance(r: TriangleRecord, p: vec3<real>) -> real {
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let bc = sub(r.c, r.b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo = min(min(r.a, r.b), r.c); // zero free
    let hi = max(max(r.a, r.b), r.c); // zero free
    // [5] candidates
    let e1 = diff(p, clamp_box(along(r.a, ab, s.t.x), lo, hi));
    let e2 = diff(p, clamp_box(along(r.a, ac, s.t.y), lo, hi));
    let e3 = diff(p, clamp_box(along(r.b, bc, s.t.z), lo, hi));
    let edges = smaller(smaller(dt(e1, e1), dt(e2, e2)), dt(e3, e3));
    if s.inside {
        let e0 = diff(p, clamp_box(along(along(r.a, ab, s.v), ac, s.w), lo, hi));
        return smaller(dt(e0, e0), edges);
    }
    return edges;
}

// Closest point and feature of the triangle that won: the first candidate that attains the minimum, the plane before ab, ac
// and bc; an edge's parameter of exactly 0 or 1 is its end.
fn closest_feature(r: TriangleRecord, p: vec3<real>) -> ClosestFeature {
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let bc = sub(r.c, r.b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo = min(min(r.a, r.b), r.c); // zero free
    let hi = max(max(r.a, r.b), r.c); // zero free
    // [5] candidates, a later one only when it is strictly nearer
    var best = edge_candidate(r.a, ab, s.t.x, lo, hi, p, vec3<u32>(EDGE_AB, CORNER_A, CORNER_B));
    best.uv = vec2<real>(s.t.x, real(0.0));
    var other = edge_candidate(r.a, ac, s.t.y, lo, hi, p, vec3<u32>(EDGE_AC, CORNER_A, CORNER_C));
    if other.d2 < best.d2 {
        other.uv = vec2<real>(real(0.0), s.t.y);
        best = other;
    }
    other = edge_candidate(r.b, bc, s.t.z, lo, hi, p, vec3<u32>(EDGE_BC, CORNER_B, CORNER_C));
    if other.d2 < best.d2 {
        other.uv = vec2<real>(1.0 - s.t.z, s.t.z);
        best = other;
    }
    // [6] the plane wins ties
    if s.inside {
        let q = clamp_box(along(along(r.a, ab, s.v), ac, s.w), lo, hi);
        let e = diff(p, q);
        let d2 = dt(e, e);
        if d2 <= best.d2 {
            best = ClosestFeature(q, d2, e, FACE, vec2<real>(s.v, s.w));
        }
    }
    return best;
}

// Nearest point of the edge a + t u, its feature by the exact parameters 0 and 1.
fn edge_candidate(a: vec3<real>, u: vec3<real>, t: real, lo: vec3<real>, hi: vec3<real>, p: vec3<real>, features: vec3<u32>) -> ClosestFeature {
    let q = clamp_box(along(a, u, t), lo, hi);
    let e = diff(p, q);
    var feature = features.x;
    if t == 0.0 {
        feature = features.y;
    }
    if t == 1.0 {
        feature = features.z;
    }
    return ClosestFeature(q, dt(e, e), e, feature, vec2<real>(real(0.0)));
}

// Whether the point lies inside by the pseudo-normal of the closest feature.
fn is_negative(normal: vec3<real>, e: vec3<real>) -> bool {
    return dt(e, e) < OUTSIDE && dt(normal, e) < 0.0;
}

// Squared gap between a point and a box, computed as the distance to a clamped point is.
fn box_gap(lo: vec3<real>, hi: vec3<real>, p: vec3<real>) -> real {
    let g = max(max(lo - p, p - hi), vec3<real>(real(0.0))); // zero free
    let f = select(g, vec3<real>(real(0.0)), g < vec3<real>(SMALL));
    return dt(f, f);
}
