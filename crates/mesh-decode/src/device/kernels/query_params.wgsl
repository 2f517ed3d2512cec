// Schedule: what the kernels of a box query share: the closed box, in 1/128 of a grid step.

struct Params {
    zero: u32,
    units: u32,
    groups_x: u32,
    // Triangles of a whole decode.
    triangles: u32,
    low: vec3<i32>,
    pad0: u32,
    high: vec3<i32>,
    pad1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
