// Schedule: the leaves of a tree that are related to the leaves of a list.
// Constants: FLIP is all ones to read the complement, else 0. `step_of` comes from the module of the words.

@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> list_status: array<u32>;
@group(0) @binding(3) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> tree_lower: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> tree_masks: array<vec2<u32>>;

const LEAVES: u32 = 16u;
// Related leaves that a workgroup keeps.
const ROOM: u32 = 1024u;

var<workgroup> related: array<u32, ROOM>;

struct Related {
    x: Walk,
    y: Walk,
    z: Walk,
    block: u32,
}

fn related_of(key: vec2<u32>) -> Related {
    let leaf = leaf_of_slots(key.x);
    let frame = frame(key.y);
    let step = step_of();
    return Related(
        walk(leaf.x, frame.offset.x, step.x, params.first.x, params.entries.x),
        walk(leaf.y, frame.offset.y, step.y, params.first.y, params.entries.y),
        walk(leaf.z, frame.offset.z, step.z, params.first.z, params.entries.z),
        frame.block,
    );
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

// Leaves a group, whole rounds of LEAVES.
fn leaf_span(count: u32) -> u32 {
    let rounds = (count + LEAVES - 1u) / LEAVES;
    return ((rounds + params.groups - 1u) / params.groups) * LEAVES;
}
