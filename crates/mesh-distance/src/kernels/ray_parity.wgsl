// The rule by which rays decide inside: twin of ray_parity.rs. Needs ray_triangle.

// The direction of ray k of three.
fn parity_direction(k: u32) -> vec3<f32> {
    return vec3<f32>(f32(k == 0u), f32(k == 1u), f32(k == 2u));
}

// Whether at least two of three rays say inside.
fn majority(odd: vec3<bool>) -> bool {
    return (odd.x && odd.y) || (odd.z && (odd.x || odd.y));
}
