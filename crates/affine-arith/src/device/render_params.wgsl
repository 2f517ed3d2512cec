// Schedule: what the kernels of a picture have in common.

struct Params {
    zero: u32,
    width: u32,
    height: u32,
    groups_x: u32,
    eye: vec3<f32>,
    size: f32,
    forward: vec3<f32>,
    shift_x: f32,
    right: vec3<f32>,
    shift_y: f32,
    up: vec3<f32>,
    total: u32,
    low: vec3<f32>,
    shading: u32,
    high: vec3<f32>,
    first: u32,
    lamp: vec3<f32>,
    shadows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

