// Schedule: a vertex filter in place, one invocation a vertex (exponential: a word). FILTER: 0 octahedral, 1 quaternion, 2 exponential, 3 colour; WIDE: components
// of 16 bits in two words, otherwise of 8 bits in one. Needs strict_float, vertex_filters, folded_grid.

struct Params { zero: u32, count: u32, groups_x: u32, pad: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

const WIDTH = select(1u, 2u, WIDE);

// Component k of a vertex, sign-extended.
fn signed_component(first: u32, k: u32) -> i32 {
    if WIDE { return bitcast<i32>(words[first + (k >> 1u)] << (16u - 16u * (k & 1u))) >> 16u; }
    return bitcast<i32>(words[first] << (24u - 8u * k)) >> 24u;
}

fn unsigned_component(first: u32, k: u32) -> u32 {
    return bitcast<u32>(signed_component(first, k)) & select(0xffu, 0xffffu, WIDE);
}

fn store_components(first: u32, c: vec4<u32>) {
    if WIDE {
        words[first] = (c.x & 0xffffu) | (c.y << 16u);
        words[first + 1u] = (c.z & 0xffffu) | (c.w << 16u);
    } else {
        words[first] = (c.x & 255u) | ((c.y & 255u) << 8u) | ((c.z & 255u) << 16u) | (c.w << 24u);
    }
}

@compute @workgroup_size(64)
fn filter_vertices(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, 64u, params.groups_x);
    if index >= params.count { return; }
    if FILTER == 2u {
        words[index] = bitcast<u32>(exponential(words[index]));
        return;
    }
    let first = index * WIDTH;
    let x = signed_component(first, 0u);
    let y = signed_component(first, 1u);
    let z = signed_component(first, 2u);
    if FILTER == 0u {
        let unit = bitcast<vec3<u32>>(octahedral(x, y, z, select(127.0, 32767.0, WIDE)));
        store_components(first, vec4<u32>(unit, unsigned_component(first, 3u)));
    } else if FILTER == 1u {
        store_components(first, bitcast<vec4<u32>>(quaternion(x, y, z, signed_component(first, 3u))));
    } else {
        let luma = bitcast<i32>(unsigned_component(first, 0u));
        store_components(first, colour(luma, y, z, unsigned_component(first, 3u), select(255.0, 65535.0, WIDE)));
    }
}
