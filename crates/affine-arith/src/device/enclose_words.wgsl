// Schedule: the range of a function at the floats with the words first, first + stride, .. The module of the function gives enclose(x).

struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    first: u32,
    stride: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> results: array<vec2<f32>>;

@compute @workgroup_size(64)
fn enclose_words(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.count {
        let word = params.first + i * params.stride;
        let magnitude = word & 0x7fffffffu;
        let counts = magnitude == 0u || (magnitude >= bitcast<u32>(TINY) && magnitude <= bitcast<u32>(LIMIT));
        var range = vec2<f32>(0.0, 0.0);
        if counts {
            let at = bitcast<f32>(word);
            let enclosure = enclose(Interval(at, at));
            range = vec2<f32>(enclosure.lo, enclosure.hi);
        }
        results[i] = range;
    }
}
