// Query points of a grid from their indices: twin of grid_point.rs. Needs strict_float and real_single, or strict_double and real_double.

// (real(index) + 1/2) * h + lo, snapped. index < 2^23.
fn grid_point(index: vec3<u32>, lo: vec3<real>, h: vec3<real>) -> vec3<real> {
    // [1] the sum with 0.5 is exact below 2^23
    let x = (vec3<real>(index) + vec3<real>(real(0.5))) * h + lo;
    return vec3<real>(snap(x.x, TINY), snap(x.y, TINY), snap(x.z, TINY));
}
