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
    q: vec3<f32>,
    d2: f32,
    e: vec3<f32>,
    feature: u32,
    uv: vec2<f32>,
}

struct Parameters {
    t: vec3<f32>,
    v: f32,
    w: f32,
    inside: bool,
}

// x limited to [0, 1], and 0 below 2^-40.
fn clamp01(x: f32) -> f32 {
    let low = select(x, 0.0, x < TINY);
    return select(low, 1.0, low > 1.0);
}

// No NaN and no -0.
fn smaller(x: f32, y: f32) -> f32 {
    return select(y, x, x < y);
}

// No NaN and no -0.
fn larger(x: f32, y: f32) -> f32 {
    return select(y, x, x > y);
}

fn along(a: vec3<f32>, u: vec3<f32>, t: f32) -> vec3<f32> {
    return a + u * t;
}

// q limited to the box, component by component.
fn clamp_box(q: vec3<f32>, lo: vec3<f32>, hi: vec3<f32>) -> vec3<f32> {
    let low = select(hi, q, q < hi);
    return select(low, lo, lo > low);
}

// x, or +0 when |x| < 2^-60.
fn flush60(x: f32) -> f32 {
    return select(x, 0.0, abs(x) < SMALL);
}

// p - q with components below 2^-60 set to +0.
fn diff(p: vec3<f32>, q: vec3<f32>) -> vec3<f32> {
    let d = p - q;
    return select(d, vec3<f32>(0.0), abs(d) < vec3<f32>(SMALL));
}

// Parameters of the nearest points of the three edges and of the plane.
fn parameters(r: TriangleRecord, ab: vec3<f32>, ac: vec3<f32>, bc: vec3<f32>, p: vec3<f32>) -> Parameters {
    // [1] projections
    let ap = sub(p, r.a);
    let bp = sub(p, r.b);
    let d1 = dt(ab, ap);
    let d2 = dt(ac, ap);
    let d3 = dt(bc, bp);
    // [2] edges
    let s = d1 * r.ia;
    let t = vec3<f32>(clamp01(s), clamp01(d2 * r.ib), clamp01(d3 * r.ic));
    // [3] plane: the height over ab, then the place along ab less the apex's share of it; without interior g is 0, so w is 0 too
    let w = clamp01(dt(r.g, ap));
    let v = s - w * (dt(ab, ac) * r.ia);
    let inside = w >= TINY && v >= TINY && w < 1.0 && v + w <= 1.0;
    return Parameters(t, v, w, inside);
}

// Squared distance of the point p to the triangle of the record. |p| <= 2^58, multiples of 2^-63.
fn triangle_distance(r: TriangleRecord, p: vec3<f32>) -> f32 {
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
fn closest_feature(r: TriangleRecord, p: vec3<f32>) -> ClosestFeature {
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let bc = sub(r.c, r.b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo = min(min(r.a, r.b), r.c); // zero free
    let hi = max(max(r.a, r.b), r.c); // zero free
    // [5] candidates, a later one only when it is strictly nearer
    var best = edge_candidate(r.a, ab, s.t.x, lo, hi, p, vec3<u32>(EDGE_AB, CORNER_A, CORNER_B));
    best.uv = vec2<f32>(s.t.x, 0.0);
    var other = edge_candidate(r.a, ac, s.t.y, lo, hi, p, vec3<u32>(EDGE_AC, CORNER_A, CORNER_C));
    if other.d2 < best.d2 {
        other.uv = vec2<f32>(0.0, s.t.y);
        best = other;
    }
    other = edge_candidate(r.b, bc, s.t.z, lo, hi, p, vec3<u32>(EDGE_BC, CORNER_B, CORNER_C));
    if other.d2 < best.d2 {
        other.uv = vec2<f32>(1.0 - s.t.z, s.t.z);
        best = other;
    }
    // [6] the plane wins ties
    if s.inside {
        let q = clamp_box(along(along(r.a, ab, s.v), ac, s.w), lo, hi);
        let e = diff(p, q);
        let d2 = dt(e, e);
        if d2 <= best.d2 {
            best = ClosestFeature(q, d2, e, FACE, vec2<f32>(s.v, s.w));
        }
    }
    return best;
}

// Nearest point of the edge a + t u, its feature by the exact parameters 0 and 1.
fn edge_candidate(a: vec3<f32>, u: vec3<f32>, t: f32, lo: vec3<f32>, hi: vec3<f32>, p: vec3<f32>, features: vec3<u32>) -> ClosestFeature {
    let q = clamp_box(along(a, u, t), lo, hi);
    let e = diff(p, q);
    var feature = features.x;
    if t == 0.0 {
        feature = features.y;
    }
    if t == 1.0 {
        feature = features.z;
    }
    return ClosestFeature(q, dt(e, e), e, feature, vec2<f32>(0.0));
}

// Squared distance from which every point is outside: there the feature that wins is no longer the closest one.
const OUTSIDE = 16777216.0;

// Whether the point lies inside by the pseudo-normal of the closest feature.
fn is_negative(normal: vec3<f32>, e: vec3<f32>) -> bool {
    return dt(e, e) < OUTSIDE && dt(normal, e) < 0.0;
}

// Squared gap between a point and a box, computed as the distance to a clamped point is.
fn box_gap(lo: vec3<f32>, hi: vec3<f32>, p: vec3<f32>) -> f32 {
    let g = max(max(lo - p, p - hi), vec3<f32>(0.0)); // zero free
    let f = select(g, vec3<f32>(0.0), g < vec3<f32>(SMALL));
    return dt(f, f);
}
