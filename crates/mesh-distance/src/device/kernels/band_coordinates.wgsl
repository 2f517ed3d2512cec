// Schedule: the places of listed cells in their grid, three words each; a mark is a cell's index plus 1.

struct Params {
    zero: u32,
    count: u32,
    // Cells along x and y.
    counts: vec2<u32>,
    groups: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read_write> coordinates: array<i32>;

@compute @workgroup_size(64)
fn band_coordinates(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let cell = marks[i] - 1u;
        let row = cell / params.counts.x;
        coordinates[3u * i] = bitcast<i32>(cell % params.counts.x);
        coordinates[3u * i + 1u] = bitcast<i32>(row % params.counts.y);
        coordinates[3u * i + 2u] = bitcast<i32>(row / params.counts.y);
    }
}
