// Schedule: parameters that every kernel shares which makes or moves a surface on the device.

struct Params {
    // The centre of the frame, words of f64.
    centre_low: vec3<u32>,
    zero: u32,
    centre_high: vec3<u32>,
    exponent: i32,
    // Items of this dispatch.
    count: u32,
    groups_x: u32,
    // The first of them.
    first: u32,
    // Where the vectors of this kind of feature begin.
    base: u32,
    vertices: u32,
    triangles: u32,
    // Slots of the hash table less one, a power of two less one.
    mask: u32,
    // Most triangles at a vertex.
    most: u32,
    // Cells of the curve that orders triangles for a sum of three working coordinates.
    scale: f32,
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
