// Everything about a query's closest point: twin of query_answer.rs. Needs strict_float, triangle_distance, pseudo_normal.

const FAR = 0x7f800000u;
const NO_FACET = 0xffffffffu;
const INSIDE = 8u;

// Direction in which the distance grows fastest.
fn gradient(closest: ClosestFeature, normal: vec3<f32>, inside: bool) -> vec3<f32> {
    // [1] the side of the point; 0 on the surface
    let near = dt(closest.e, closest.e) < OUTSIDE;
    let side = dt(normal, closest.e);
    let flat_side = closest.feature == FACE && near && dt(normal, normal) > 0.0;
    // [2] from the surface to the point
    var outward = closest.e;
    if flat_side || closest.d2 == 0.0 {
        outward = normal;
    }
    let u = unit_vector(outward);
    // [3] turned once for the far side of a face, once inside
    if (flat_side && side < 0.0) != inside {
        return vec3<f32>(snap(-u.x, TINY), snap(-u.y, TINY), snap(-u.z, TINY));
    }
    return u;
}

// The answer for a closest feature, its pseudo-normal and the side of the point.
fn query_answer(c: ClosestFeature, facet: u32, normal: vec3<f32>, inside: bool, exponent: i32) -> array<u32, 15> {
    // [1] magnitudes, then the sign
    let sign = select(0u, 0x80000000u, inside);
    let distance = bitcast<u32>(scale_pow2(sqrt_rn(c.d2), exponent)) | sign;
    let squared = bitcast<u32>(scale_pow2(c.d2, 2 * exponent)) | sign;
    let flags = c.feature + select(0u, INSIDE, inside);
    // [2] vectors
    let uv = bitcast<vec2<u32>>(c.uv);
    let q = bitcast<vec3<u32>>(c.q);
    let n = bitcast<vec3<u32>>(unit_vector(normal));
    let g = bitcast<vec3<u32>>(gradient(c, normal, inside));
    return array<u32, 15>(distance, squared, facet, flags, uv.x, uv.y, q.x, q.y, q.z, n.x, n.y, n.z, g.x, g.y, g.z);
}

// The answer of a query whose surface is farther than its limit.
fn query_miss() -> array<u32, 15> {
    return array<u32, 15>(FAR, FAR, NO_FACET, 0u, 0u, 0u, FAR, FAR, FAR, 0u, 0u, 0u, 0u, 0u, 0u);
}
