// Schedule: parameters that every kernel of the robust signs shares, and the points they ask for.

struct Params {
    // Words of the grid's corner and cell size.
    lo: vec3<u32>,
    zero: u32,
    h: vec3<u32>,
    exponent: i32,
    // Cells of this piece along each axis, or (points, 1, 1).
    counts: vec3<u32>,
    groups_x: u32,
    // Index in the whole grid of the first cell of the piece.
    first: vec3<u32>,
    group_count: u32,
    // Largest radius over distance of an expansion, squared, and the factor of its error: of one walk after the other, REACHES of them.
    reach2: vec4<f32>,
    growth: vec4<f32>,
    // Queries of this piece.
    total: u32,
    // Words that a query writes; its distance is the first.
    stride: u32,
    squared: u32,
    // The list that is read: counters[list] entries. The next one is written.
    list: u32,
    triangles: u32,
    // Bounds of the winding field (signs/field.rs).
    squares: f32,
    cubes: f32,
    quantum: f32,
    rim: f32,
    nearest: f32,
    beta2: f32,
    // Links stay in blocks of 2^block_log cells along each axis.
    block_log: u32,
    lo_high: vec3<u32>,
    // Word of a query that holds the sign of its distance; it is 0 only where the distance is.
    upper: u32,
    h_high: vec3<u32>,
    // Most slices of a sum over all triangles.
    most_slices: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

const NODE_VEC4 = 17u;
const NEGATIVE = 0x80000000u;
// The counter that says how many slices the listed sums have, where there are more than one.
const SLICES = 7u;

fn cell_of(at: u32) -> vec3<u32> {
    return vec3<u32>(at % params.counts.x, (at / params.counts.x) % params.counts.y, at / (params.counts.x * params.counts.y));
}

fn grid_lo() -> vec3<real> {
    return real_vector(params.lo, params.lo_high);
}

fn grid_h() -> vec3<real> {
    return real_vector(params.h, params.h_high);
}
