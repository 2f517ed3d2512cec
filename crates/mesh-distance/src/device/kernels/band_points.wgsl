// Schedule: the centres of listed cells of a band in working coordinates, three numbers each, and their order; a mark is a cell's index plus 1.
// Needs strict_float, grid_point.

struct Params {
    lo: vec3<u32>,
    zero: u32,
    h: vec3<u32>,
    count: u32,
    // Cells along x and y.
    counts: vec2<u32>,
    groups: u32,
    // The first mark.
    first: u32,
    lo_high: vec3<u32>,
    pad: u32,
    h_high: vec3<u32>,
    pad2: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read_write> points: array<real>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(64)
fn band_points(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let cell = marks[params.first + i] - 1u;
        let row = cell / params.counts.x;
        let index = vec3<u32>(cell % params.counts.x, row % params.counts.y, row / params.counts.y);
        let p = grid_point(index, real_vector(params.lo, params.lo_high), real_vector(params.h, params.h_high));
        points[3u * i] = p.x;
        points[3u * i + 1u] = p.y;
        points[3u * i + 2u] = p.z;
        order[i] = i;
    }
}
