// Schedule: parameters and buffers that every distance kernel shares. Needs real_single or real_double.

struct Params {
    // Words of the grid's corner and cell size: see grid_lo, grid_h.
    lo: vec3<u32>,
    zero: u32,
    h: vec3<u32>,
    exponent: i32,
    // Cells of this dispatch along each axis, or (points, 1, 1).
    counts: vec3<u32>,
    groups_x: u32,
    // Index in the whole grid of the first cell of this dispatch.
    first: vec3<u32>,
    // Cells of the finest level that one query of this dispatch stands for, along each axis or along the list.
    ratio: u32,
    // Packets along each axis.
    blocks: vec3<u32>,
    group_count: u32,
    // The level that gave the seeds.
    seed_counts: vec3<u32>,
    seed_ratio: u32,
    lo_high: vec3<u32>,
    // Squared distance beyond which nothing is looked for (REACH_ALL).
    reach2: f32,
    h_high: vec3<u32>,
    pad: u32,
}

// One query of an invocation. Invocations without a query of their own repeat their neighbour's and write nothing.
struct Query {
    p: vec3<real>,
    seed: u32,
    at: u32,
    valid: bool,
    // Squared distance beyond which nothing is looked for, unless REACH_NONE.
    reach2: f32,
}

// Values of REACH: whether queries have a largest distance, all the same one or each its own.
const REACH_NONE = 0u;
const REACH_ALL = 1u;
const REACH_EACH = 2u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read> normal_vectors: array<vec4<real>>;
@group(0) @binding(4) var<storage, read> normal_features: array<u32>;
@group(0) @binding(5) var<storage, read> seeds: array<u32>;
@group(0) @binding(6) var<storage, read_write> results: array<u32>;

fn grid_lo() -> vec3<real> {
    return real_vector(params.lo, params.lo_high);
}

fn grid_h() -> vec3<real> {
    return real_vector(params.h, params.h_high);
}
