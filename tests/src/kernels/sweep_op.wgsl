// One operation of gpu-shaders on many operands, made from an index on both sides: twin of sweep_op.rs.

struct Params {
    start: u32,
    count: u32,
    seed: u32,
    groups_x: u32,
    zero: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> results: array<vec2<u32>>;

// [1] A word from an index: PCG's output permutation of a linear congruential step.
fn scramble(x: u32) -> u32 {
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// [2] A float whose exponent field is one of `spread` values from `lowest` on; any sign and significand.
fn float_of(word: u32, exponent_word: u32, lowest: u32, spread: u32) -> f32 {
    let exponent = lowest + exponent_word % spread;
    return bitcast<f32>((word & 0x807fffffu) | (exponent << 23u));
}

// [3] The words of operation OP at an index; operations of one operand take the index itself, so that a sweep is complete.
fn sweep_words(index: u32, seed: u32) -> vec2<u32> {
    let u = scramble(index ^ seed);
    let v = scramble(u ^ 0x9e3779b9u);
    let w = scramble(v + index);
    switch OP {
        case 0u: {
            return vec2<u32>(bitcast<u32>(sqrt_rn(bitcast<f32>(index))), 0u);
        }
        case 1u: {
            return vec2<u32>(bitcast<u32>(div_rn(bitcast<f32>(u), bitcast<f32>(v))), 0u);
        }
        case 2u: {
            return bitcast<vec2<u32>>(two_sum(float_of(u, w, 88u, 64u), float_of(v, w >> 8u, 88u, 64u)));
        }
        case 3u: {
            return bitcast<vec2<u32>>(two_prod(float_of(u, w, 96u, 56u), float_of(v, w >> 8u, 96u, 56u)));
        }
        case 4u: {
            return vec2<u32>(bitcast<u32>(f32(index & 0x00ffffffu)), bitcast<u32>(f32(bitcast<i32>(index))));
        }
        case 5u: {
            let whole = float_of(u, w, 100u, 58u);
            return vec2<u32>(u32(abs(whole)), bitcast<u32>(i32(whole)));
        }
        case 6u: {
            return vec2<u32>(bitcast<u32>(acos_strict(bitcast<f32>(index))), 0u);
        }
        case 7u: {
            return vec2<u32>(bitcast<u32>(scale_pow2(bitcast<f32>(u), bitcast<i32>(v >> 22u) - 512)), 0u);
        }
        case 8u: {
            return vec2<u32>(ordered_key(bitcast<f32>(index)), bitcast<u32>(ordered_value(index)));
        }
        case 10u: {
            if index % 2u == 0u {
                return vec2<u32>(bitcast<u32>(atan2_strict(bitcast<f32>(u), bitcast<f32>(v))), 0u);
            }
            return vec2<u32>(bitcast<u32>(atan2_strict(float_of(u, w, 124u, 6u), float_of(v, w >> 8u, 124u, 6u))), 0u);
        }
        default: {
            return vec2<u32>(extract_bits(u, v, w & 31u, (w >> 5u) % 33u), 0u);
        }
    }
}

// [4] One index an invocation.
@compute @workgroup_size(64)
fn sweep_op(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let item = folded_index(group, local, 64u, params.groups_x);
    if item >= params.count {
        return;
    }
    results[item] = sweep_words(params.start + item, params.seed);
}
