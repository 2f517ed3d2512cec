// Schedule: fused multiplications and additions of f32 that keep a device busy. Decides nothing.

struct Params {
    rounds: u32,
    a: u32,
    b: u32,
    zero: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;

// Eight statements of four operations a round: the loop's own three are a tenth of them.
@compute @workgroup_size(64)
fn fuse(@builtin(global_invocation_id) id: vec3<u32>) {
    let half = vec4<f32>(0.5);
    var x = vec4<f32>(vec4<u32>(id.x & 255u, 1u, 2u, 3u));
    for (var i = 0u; i < params.rounds; i++) {
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
        x = fma(x, half, half); // bound only
    }
    out[id.x] = x;
}
