// Schedule: keys of points along a Morton curve, ten bits an axis, and their indices.

struct Params {
    lo: vec3<f32>,
    zero: u32,
    scale: vec3<f32>,
    count: u32,
    groups_x: u32,
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Working coordinates, three numbers a point.
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> indices: array<u32>;

// Two zeros after each of the low ten bits.
fn spread(x: u32) -> u32 {
    var s = x & 0x3ffu;
    s = (s | (s << 16u)) & 0x030000ffu;
    s = (s | (s << 8u)) & 0x0300f00fu;
    s = (s | (s << 4u)) & 0x030c30c3u;
    s = (s | (s << 2u)) & 0x09249249u;
    return s;
}

@compute @workgroup_size(64)
fn point_keys(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = folded_index(workgroup, local, 64u, params.groups_x);
    if i >= params.count { return; }
    let p = vec3<f32>(vec3<real>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]));
    let cell = vec3<u32>(clamp((p - params.lo) * params.scale, vec3<f32>(0.0), vec3<f32>(1023.0))); // bound only
    keys[i] = spread(cell.x) | (spread(cell.y) << 1u) | (spread(cell.z) << 2u);
    indices[i] = i;
}
