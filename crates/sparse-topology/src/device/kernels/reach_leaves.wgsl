// Schedule: every leaf of the source marks the leaves of the destination that one of its voxels reaches.
// Constants: TEST is whether voxels decide; without it all related leaves are reached. NODES is whether lower nodes stand for their leaves.
// MOST is how many coordinates of a related leaf may differ: 3, or fewer for neighbours that share a face or an edge.
// `mark` and `MARK` come from reach_upper or reach_lower.

@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> list_status: array<u32>;
@group(0) @binding(3) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> list_masks: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> marks: array<atomic<u32>>;

fn mark_bit(word: u32, bit: u32) {
    // Most bits are set already.
    if ((atomicLoad(&marks[word]) & bit) == 0u) {
        atomicOr(&marks[word], bit);
    }
}

fn chosen(bits: u32) -> vec4<u32> {
    let low = 0u - (bits & 1u);
    let high = 0u - ((bits >> 1u) & 1u);
    return vec4<u32>(low, low, high, high);
}

// The key of a leaf, or of a lower node's first leaf.
fn list_key(index: u32) -> vec2<u32> {
    let key = list_keys[index];
    return select(key, vec2<u32>(key.x << 12u, key.y), NODES);
}

fn reach_leaf(index: u32) {
    let key = list_key(index);
    let leaf = leaf_of_slots(key.x);
    let frame = frame(key.y);
    let wx = walk(leaf.x, frame.offset.x, params.step.x, params.first.x, params.entries.x);
    let wy = walk(leaf.y, frame.offset.y, params.step.y, params.first.y, params.entries.y);
    let wz = walk(leaf.z, frame.offset.z, params.step.z, params.first.z, params.entries.z);
    var a = vec4<u32>(0xffffffffu);
    var b = a;
    var c = a;
    var d = a;
    if (TEST) {
        a = list_masks[4u * index];
        b = list_masks[4u * index + 1u];
        c = list_masks[4u * index + 2u];
        d = list_masks[4u * index + 3u];
    }
    for (var i = 0u; i < wx.count; i++) {
        let xs = entry_word(0u, wx.entry + i * wx.skip, 4u);
        let joined = (a & chosen(xs)) | (b & chosen(xs >> 2u)) | (c & chosen(xs >> 4u)) | (d & chosen(xs >> 6u));
        let slice = joined.xy | joined.zw;
        if ((slice.x | slice.y) == 0u) {
            continue;
        }
        for (var j = 0u; j < wy.count; j++) {
            let columns = slice_columns(slice, entry_word(1u, wy.entry + j * wy.skip, 4u));
            for (var k = 0u; k < wz.count; k++) {
                let moved = select(0u, 1u, i != 1u) + select(0u, 1u, j != 1u) + select(0u, 1u, k != 1u);
                if (MOST < 3u && moved > MOST) {
                    continue;
                }
                if ((columns & entry_word(2u, wz.entry + k * wz.skip, 4u)) != 0u) {
                    let to = vec3<u32>(wx.first + i * wx.stride, wy.first + j * wy.stride, wz.first + k * wz.stride);
                    let tile = tile_at(frame.block, to);
                    if (tile != NONE) {
                        mark(tile, slots_of_leaf(to));
                    }
                }
            }
        }
    }
}

fn reach_leaves(invocation: u32) {
    let count = min(list_status[select(1u, 0u, NODES)], params.list_capacity);
    for (var index = invocation; index < count; index += params.groups * 64u) {
        reach_leaf(index);
    }
}
