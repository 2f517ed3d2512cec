// Schedule: the words of a list's leaves from the leaves of a tree that are related to them; 16 invocations a leaf.
// Constants: FLIP is all ones to read the complement, else 0.

@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> list_status: array<u32>;
@group(0) @binding(3) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> tree_lower: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> tree_masks: array<vec2<u32>>;

const LEAVES: u32 = 16u;
// Related leaves that are looked up at a time.
const ROUND: u32 = 64u;

var<workgroup> related: array<u32, LEAVES * ROUND>;

struct Related {
    x: Walk,
    y: Walk,
    z: Walk,
    block: u32,
}

fn related_of(key: vec2<u32>) -> Related {
    let leaf = leaf_of_slots(key.x);
    let frame = frame(key.y);
    return Related(
        walk(leaf.x, frame.offset.x, params.step.x, params.first.x, params.entries.x),
        walk(leaf.y, frame.offset.y, params.step.y, params.first.y, params.entries.y),
        walk(leaf.z, frame.offset.z, params.step.z, params.first.z, params.entries.z),
        frame.block,
    );
}

// Position of a related leaf among `reach`, z fastest.
fn place(child: u32) -> vec3<u32> {
    let q = child / params.reach.z;
    return vec3<u32>(q / params.reach.y, q % params.reach.y, child % params.reach.z);
}

// Index of a related leaf: the zero leaf behind the last where it is not in the tree, NONE where the relation has none.
fn related_leaf(r: Related, at: vec3<u32>) -> u32 {
    if (at.x >= r.x.count || at.y >= r.y.count || at.z >= r.z.count) {
        return NONE;
    }
    let leaf = vec3<u32>(
        r.x.first + at.x * r.x.stride,
        r.y.first + at.y * r.y.stride,
        r.z.first + at.z * r.z.stride,
    );
    let tile = tile_at(r.block, leaf);
    if (tile == NONE) {
        return params.tree_leaf_capacity;
    }
    return find_leaf(tile, slots_of_leaf(leaf), params.tree_lower_capacity, params.tree_leaf_capacity);
}

fn related_word(r: Related, at: vec3<u32>, index: u32, word: u32) -> u32 {
    let ex = r.x.entry + at.x * r.x.skip;
    let ey = r.y.entry + at.y * r.y.skip;
    let ez = r.z.entry + at.z * r.z.skip;
    var slices = map_byte(entry_word(0u, ex, 2u), entry_word(0u, ex, 3u), word >> 1u);
    var slice = vec2<u32>(0u);
    while (slices != 0u) {
        slice |= tree_masks[8u * index + firstTrailingBit(slices)] ^ vec2<u32>(FLIP);
        slices &= slices - 1u;
    }
    let rows = rows_image(slice, entry_word(1u, ey, 0u), entry_word(1u, ey, 1u), word & 1u);
    return columns_image(rows, entry_word(2u, ez, 0u), entry_word(2u, ez, 1u));
}

// Word `lane` of the image in leaf `base + slot`; every invocation of the group calls it.
fn gather_word(base: u32, end: u32, slot: u32, lane: u32) -> u32 {
    let live = base + slot < end;
    let r = related_of(list_keys[min(base + slot, end - 1u)]);
    let total = params.reach.x * params.reach.y * params.reach.z;
    var word = 0u;
    for (var round = 0u; round < total; round += ROUND) {
        let here = min(ROUND, total - round);
        workgroupBarrier();
        for (var c = lane; c < here; c += 16u) {
            related[slot * ROUND + c] = related_leaf(r, place(round + c));
        }
        workgroupBarrier();
        for (var c = 0u; live && c < here; c++) {
            let index = related[slot * ROUND + c];
            if (index != NONE && (FLIP != 0u || index != params.tree_leaf_capacity)) {
                word |= related_word(r, place(round + c), index, lane);
            }
        }
    }
    return word;
}

// Leaves a group, whole rounds of LEAVES.
fn leaf_span(count: u32) -> u32 {
    let rounds = (count + LEAVES - 1u) / LEAVES;
    return ((rounds + params.groups - 1u) / params.groups) * LEAVES;
}
