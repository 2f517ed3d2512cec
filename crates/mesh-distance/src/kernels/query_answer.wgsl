// Everything about a query's closest point: twin of query_answer.rs. Needs strict_float, triangle_distance, pseudo_normal.

const NO_FACET = 0xffffffffu;
const INSIDE = 8u;

// Direction in which the distance grows fastest.
fn gradient(closest: ClosestFeature, normal: vec3<real>, inside: bool) -> vec3<real> {
    // [1] the side of the point; 0 on the surface
    let near = dt(closest.e, closest.e) < OUTSIDE;
    let side = dt(normal, closest.e);
    let flat_side = closest.feature == FACE && near && dt(normal, normal) > real(0.0);
    // [2] from the surface to the point
    var outward = closest.e;
    if flat_side || closest.d2 == real(0.0) {
        outward = normal;
    }
    let u = unit_vector(outward);
    // [3] turned once for the far side of a face, once inside
    if (flat_side && side < real(0.0)) != inside {
        return vec3<real>(snap(-u.x, TINY), snap(-u.y, TINY), snap(-u.z, TINY));
    }
    return u;
}

// The answer for a closest feature, its pseudo-normal and the side of the point: words, the lower one first.
fn query_answer(c: ClosestFeature, facet: u32, normal: vec3<real>, inside: bool, exponent: i32) -> array<vec2<u32>, 15> {
    // [1] magnitudes, then the sign
    let distance = with_sign(scale_pow2(sqrt_rn(c.d2), exponent), inside);
    let squared = with_sign(scale_pow2(c.d2, 2 * exponent), inside);
    let flags = c.feature + select(0u, INSIDE, inside);
    // [2] vectors
    let n = unit_vector(normal);
    let g = gradient(c, normal, inside);
    return array<vec2<u32>, 15>(
        words_of(distance), words_of(squared), vec2<u32>(facet, 0u), vec2<u32>(flags, 0u),
        words_of(c.uv.x), words_of(c.uv.y), words_of(c.q.x), words_of(c.q.y), words_of(c.q.z),
        words_of(n.x), words_of(n.y), words_of(n.z), words_of(g.x), words_of(g.y), words_of(g.z),
    );
}

// The answer of a query whose surface is farther than its limit.
fn query_miss() -> array<vec2<u32>, 15> {
    let none = vec2<u32>(0u, 0u);
    return array<vec2<u32>, 15>(FAR, FAR, vec2<u32>(NO_FACET, 0u), none, none, none, FAR, FAR, FAR, none, none, none, none, none, none);
}

fn words_of(x: real) -> vec2<u32> {
    return vec2<u32>(low_word(x), high_word(x));
}
