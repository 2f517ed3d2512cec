// Schedule: the number of voxels of every leaf, in place of its first row, with sums by group behind the rows; the box of every tile's voxels.

struct Params {
    zero: u32,
    list_capacity: u32,
    groups: u32,
    words: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> list_masks: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> list_rows: array<u32>;
// Six words a tile: 4095 minus the smallest, and the largest coordinate inside the tile, by axis.
@group(0) @binding(4) var<storage, read_write> boxes: array<atomic<u32>>;

const LEAVES: u32 = 16u;

var<workgroup> group_total: atomic<u32>;

fn grow(word: u32, value: u32) {
    if (atomicLoad(&boxes[word]) < value) {
        atomicMax(&boxes[word], value);
    }
}

fn first_bit(bits: u32) -> u32 {
    return firstTrailingBit(bits);
}

fn last_bit(bits: u32) -> u32 {
    return firstLeadingBit(bits);
}

fn count_leaf(leaf: u32) -> u32 {
    var voxels = 0u;
    var all_slices = vec2<u32>(0u);
    var x_bits = 0u;
    for (var x = 0u; x < 8u; x++) {
        let slice = list_masks[8u * leaf + x];
        voxels += countOneBits(slice.x) + countOneBits(slice.y);
        all_slices |= slice;
        x_bits |= select(0u, 1u, (slice.x | slice.y) != 0u) << x;
    }
    var y_bits = 0u;
    for (var y = 0u; y < 4u; y++) {
        y_bits |= select(0u, 1u, ((all_slices.x >> (8u * y)) & 255u) != 0u) << y;
        y_bits |= select(0u, 1u, ((all_slices.y >> (8u * y)) & 255u) != 0u) << (y + 4u);
    }
    var z_bits = all_slices.x | all_slices.y;
    z_bits |= z_bits >> 16u;
    z_bits |= z_bits >> 8u;
    z_bits &= 255u;
    if (voxels != 0u) {
        let key = list_keys[leaf];
        let origin = leaf_of_slots(key.x) << vec3<u32>(3u);
        let low = origin + vec3<u32>(first_bit(x_bits), first_bit(y_bits), first_bit(z_bits));
        let high = origin + vec3<u32>(last_bit(x_bits), last_bit(y_bits), last_bit(z_bits));
        for (var k = 0u; k < 3u; k++) {
            grow(6u * key.y + k, 4095u - low[k]);
            grow(6u * key.y + 3u + k, high[k]);
        }
    }
    return voxels;
}

@compute @workgroup_size(64)
fn count_leaves(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // As leaf_rows shares the leaves out.
    let rounds = (params.list_capacity + LEAVES - 1u) / LEAVES;
    let span = ((rounds + params.groups - 1u) / params.groups) * LEAVES;
    let first = group.x * span;
    let end = min(first + span, params.list_capacity);
    if (local == 0u) {
        atomicStore(&group_total, 0u);
    }
    workgroupBarrier();
    for (var leaf = first + local; leaf < end; leaf += 64u) {
        let voxels = count_leaf(leaf);
        list_rows[2u * leaf] = voxels;
        atomicAdd(&group_total, voxels);
    }
    workgroupBarrier();
    if (local == 0u) {
        list_rows[2u * (params.list_capacity + 1u) + group.x] = atomicLoad(&group_total);
    }
}
