// Schedule: the masks of a batch inside a box; an invocation a word.

struct Params {
    low: vec3<i32>,
    zero: u32,
    high: vec3<i32>,
    list_capacity: u32,
    groups: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<i32>;
@group(0) @binding(2) var<storage, read> list_status: array<u32>;
@group(0) @binding(3) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> list_masks: array<u32>;
@group(0) @binding(5) var<storage, read_write> filtered: array<u32>;

// The positions 0 to 7 of a leaf inside [low, high] of an axis.
fn inside(origin: i32, low: i32, high: i32) -> u32 {
    var bits = 0u;
    for (var p = 0; p < 8; p++) {
        bits |= select(0u, 1u, low <= origin + p && origin + p <= high) << u32(p);
    }
    return bits;
}

@compute @workgroup_size(64)
fn clip_leaves(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = 16u * min(list_status[1], params.list_capacity);
    for (var at = id.x; at < count; at += params.groups * 64u) {
        let key = list_keys[at >> 4u];
        let tile = 4u * key.y;
        let leaf = vec3<i32>(leaf_of_slots(key.x));
        let origin = ((vec3<i32>(tables[tile], tables[tile + 1u], tables[tile + 2u]) << vec3<u32>(9u)) | leaf) << vec3<u32>(3u);
        let x = inside(origin.x, params.low.x, params.high.x);
        let y = inside(origin.y, params.low.y, params.high.y);
        let z = inside(origin.z, params.low.z, params.high.z);
        filtered[at] = list_masks[at] & box_word(at & 15u, x, y, z);
    }
    if (id.x < 16u) {
        filtered[16u * params.list_capacity + id.x] = 0u;
    }
}
