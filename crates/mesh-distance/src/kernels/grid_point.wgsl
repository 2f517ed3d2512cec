// Query points of a grid from their indices: twin of grid_point.rs.

// (f32(index) + 0.5) * h + lo, snapped. index < 2^23.
fn grid_point(index: vec3<u32>, lo: vec3<f32>, h: vec3<f32>) -> vec3<f32> {
    // [1] the sum with 0.5 is exact below 2^23
    let x = (vec3<f32>(index) + vec3<f32>(0.5)) * h + lo;
    return vec3<f32>(snap(x.x, 0x1p-40f), snap(x.y, 0x1p-40f), snap(x.z, 0x1p-40f));
}
