// The rule by which rays decide inside: twin of ray_parity.rs. Needs ray_triangle.

// The direction of ray k of three.
fn parity_direction(k: u32) -> vec3<real> {
    let zero = real(0.0);
    let one = real(1.0);
    return vec3<real>(select(zero, one, k == 0u), select(zero, one, k == 1u), select(zero, one, k == 2u));
}

// Whether at least two of three rays say inside.
fn majority(odd: vec3<bool>) -> bool {
    return (odd.x && odd.y) || (odd.z && (odd.x || odd.y));
}
