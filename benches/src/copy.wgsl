// Schedule: a plain copy, the rate that decoders are measured against. Decides nothing.

struct Params {
    quads: u32,
    groups_x: u32,
    pad: u32,
    zero: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> from_words: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> to_words: array<vec4<u32>>;

@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * params.groups_x + group.x) * 256u + lane;
    if i < params.quads { to_words[i] = from_words[i]; }
}
