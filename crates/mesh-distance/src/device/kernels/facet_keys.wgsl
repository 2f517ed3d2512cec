// Schedule: keys of triangles along a Hilbert curve, ten bits an axis, and their indices. The order decides no bit of an answer.
// Source: Skilling, Programming the Hilbert curve, 2004. Needs folded_grid, real_single or real_double, move_params.

@group(0) @binding(1) var<storage, read> working: array<real>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

const AXIS_BITS = 10u;

// Two zeros after each of the low ten bits.
fn spread(x: u32) -> u32 {
    var s = x & 0x3ffu;
    s = (s | (s << 16u)) & 0x030000ffu;
    s = (s | (s << 8u)) & 0x0300f00fu;
    s = (s | (s << 4u)) & 0x030c30c3u;
    s = (s | (s << 2u)) & 0x09249249u;
    return s;
}

fn hilbert_key(cell: vec3<u32>) -> u32 {
    var x = cell;
    for (var bit = AXIS_BITS - 1u; bit > 0u; bit -= 1u) {
        let low = (1u << bit) - 1u;
        for (var axis = 0u; axis < 3u; axis += 1u) {
            let exchange = (x.x ^ x[axis]) & low;
            if ((x[axis] >> bit) & 1u) == 1u {
                x.x ^= low;
            } else {
                x.x ^= exchange;
                x[axis] ^= exchange;
            }
        }
    }
    x.y ^= x.x;
    x.z ^= x.y;
    var turned = 0u;
    for (var bit = AXIS_BITS - 1u; bit > 0u; bit -= 1u) {
        turned ^= select(0u, (1u << bit) - 1u, ((x.z >> bit) & 1u) == 1u);
    }
    x ^= vec3<u32>(turned);
    return (spread(x.x) << 2u) | (spread(x.y) << 1u) | spread(x.z);
}

fn corner(facet: u32, k: u32) -> vec3<f32> {
    let at = 3u * triangles[3u * facet + k];
    return vec3<f32>(vec3<real>(working[at], working[at + 1u], working[at + 2u]));
}

@compute @workgroup_size(64)
fn facet_keys(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let facet = folded_index(workgroup, lane, 64u, params.groups_x);
    if facet >= params.count { return; }
    let sum = (corner(facet, 0u) + corner(facet, 1u)) + corner(facet, 2u);
    let cell = vec3<u32>(clamp(sum * params.scale + 512.0, vec3<f32>(0.0), vec3<f32>(1023.0))); // bound only
    keys[facet] = hilbert_key(cell);
    indices[facet] = facet;
}
