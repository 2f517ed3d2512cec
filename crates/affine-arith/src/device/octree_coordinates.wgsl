// Schedule: the indices of cells along x, y and z, three words each.

struct Params {
    zero: u32,
    count: u32,
    groups: u32,
    pad: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> cells: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> coordinates: array<i32>;

@compute @workgroup_size(64)
fn octree_coordinates(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let cell = cells[i];
        coordinates[3u * i] = bitcast<i32>(cell.x & 65535u);
        coordinates[3u * i + 1u] = bitcast<i32>(cell.x >> 16u);
        coordinates[3u * i + 2u] = bitcast<i32>(cell.y & 65535u);
    }
}
