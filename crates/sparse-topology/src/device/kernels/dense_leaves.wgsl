// Schedule: the masks of a batch without the voxels whose bit in a dense mask is 0; an invocation a word.

struct Params {
    low: vec3<i32>,
    zero: u32,
    size: vec3<u32>,
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
// A bit a voxel of the box, x slowest.
@group(0) @binding(5) var<storage, read> bits: array<u32>;
@group(0) @binding(6) var<storage, read_write> filtered: array<u32>;

@compute @workgroup_size(64)
fn dense_leaves(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = 16u * min(list_status[1], params.list_capacity);
    for (var at = id.x; at < count; at += params.groups * 64u) {
        let key = list_keys[at >> 4u];
        let tile = 4u * key.y;
        let leaf = vec3<i32>(leaf_of_slots(key.x));
        let origin = ((vec3<i32>(tables[tile], tables[tile + 1u], tables[tile + 2u]) << vec3<u32>(9u)) | leaf) << vec3<u32>(3u);
        // Differences of coordinates inside the box are below 2^32, whatever their signs.
        let inside = bitcast<vec3<u32>>(origin) - bitcast<vec3<u32>>(params.low);
        var rest = list_masks[at];
        var kept = 0u;
        while (rest != 0u) {
            let bit = firstTrailingBit(rest);
            let slot = 32u * (at & 15u) + bit;
            let v = inside + vec3<u32>(slot >> 6u, (slot >> 3u) & 7u, slot & 7u);
            let place = (v.x * params.size.y + v.y) * params.size.z + v.z;
            kept |= ((bits[place >> 5u] >> (place & 31u)) & 1u) << bit;
            rest &= rest - 1u;
        }
        filtered[at] = kept;
    }
    if (id.x < 16u) {
        filtered[16u * params.list_capacity + id.x] = 0u;
    }
}
