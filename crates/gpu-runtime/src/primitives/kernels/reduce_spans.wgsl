// Reduction of spans of words: partials[first + g] = op of input[g * span .. min((g + 1) * span, len)], one workgroup
// a span. Header: GROUP; OP, one of the four below. A span is a multiple of TILE words, so 16 words an invocation.

const OP_SUM: u32 = 0u;
const OP_MIN: u32 = 1u;
const OP_MAX: u32 = 2u;
const OP_COUNT: u32 = 3u; // words that are not zero
const TILE: u32 = 16u * GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    first: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> partials: array<u32>;

fn identity() -> u32 {
    // [1] What words beyond the end count for.
    return select(0u, 0xffffffffu, OP == OP_MIN);
}

fn combine(a: u32, b: u32) -> u32 {
    // [2] Two partial results.
    if (OP == OP_MIN) {
        return min(a, b);
    }
    if (OP == OP_MAX) {
        return max(a, b);
    }
    return a + b;
}

fn combine_quads(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    // [3] The same, four at a time.
    if (OP == OP_MIN) {
        return min(a, b);
    }
    if (OP == OP_MAX) {
        return max(a, b);
    }
    return a + b;
}

fn weigh_quad(quad: u32) -> vec4<u32> {
    // [4] Four words as the operation counts them; the identity beyond the end.
    let left = params.len - min(params.len, 4u * quad);
    if (left == 0u) {
        return vec4<u32>(identity());
    }
    var words = input[quad];
    if (OP == OP_COUNT) {
        words = vec4<u32>(words != vec4<u32>(0u));
    }
    return select(vec4<u32>(identity()), words, vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(left));
}

@compute @workgroup_size(GROUP)
fn reduce_spans(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [5] Tile by tile: four loads of four words in flight an invocation.
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    var sum = vec4<u32>(identity());
    for (var tile = start; tile < end; tile += TILE) {
        let quad = tile / 4u + local;
        let a = weigh_quad(quad);
        let b = weigh_quad(quad + GROUP);
        let c = weigh_quad(quad + 2u * GROUP);
        let d = weigh_quad(quad + 3u * GROUP);
        sum = combine_quads(sum, combine_quads(combine_quads(a, b), combine_quads(c, d)));
    }
    // [6] One word a span.
    let result = group_reduce(combine(combine(sum.x, sum.y), combine(sum.z, sum.w)), local);
    if (local == 0u) {
        partials[params.first + group.x] = result;
    }
}
