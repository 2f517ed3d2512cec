// Schedule: integer arithmetic that keeps a device busy. Decides nothing.

struct Params {
    steps: u32,
    a: u32,
    b: u32,
    zero: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn spin(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = id.x;
    for (var i = 0u; i < params.steps; i++) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 7u;
    }
    out[id.x] = x;
}
