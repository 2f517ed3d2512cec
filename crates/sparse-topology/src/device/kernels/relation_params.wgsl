// Schedule: one relation between the leaves of a list and a tree: what the host says about it, and how its tables are read.
// Constants: EXPAND is whether the list is the coarse side.

const NONE: u32 = 0xffffffffu;

struct Params {
    step: vec3<u32>,
    zero: u32,
    first: vec3<u32>,
    // Leaves that the list has room for.
    list_capacity: u32,
    entries: vec3<u32>,
    // Lower nodes and leaves that the tree has room for.
    tree_lower_capacity: u32,
    extent: vec3<u32>,
    tree_leaf_capacity: u32,
    // Most leaves that one is related to, by axis.
    reach: vec3<u32>,
    groups: u32,
    // Where the tables begin: entries by axis, tiles of the list.
    axis_at: vec3<u32>,
    tiles_at: u32,
    // Upper slots that the result has room for, the last exclusive.
    first_slot: u32,
    end_slot: u32,
    pad: vec2<u32>,
}
@group(0) @binding(0) var<uniform> params: Params;

fn walk(leaf: u32, offset: u32, step: u32, first: u32, entries: u32) -> Walk {
    if (EXPAND) {
        return expand_walk(leaf, offset, step, first, entries);
    }
    return contract_walk(leaf, offset, step, first, entries);
}

// Where the tiles of a leaf's relatives are listed, and the offsets of its tile.
struct Frame {
    offset: vec3<u32>,
    block: u32,
}

fn frame(tile: u32) -> Frame {
    let at = params.tiles_at + 4u * tile;
    return Frame(vec3<u32>(tables[at], tables[at + 1u], tables[at + 2u]), tables[at + 3u]);
}

// The tree's tile that holds a leaf position; NONE outside of all.
fn tile_at(block: u32, leaf: vec3<u32>) -> u32 {
    let q = leaf >> vec3<u32>(9u);
    return tables[block + (q.x * params.extent.y + q.y) * params.extent.z + q.z];
}

// Words of a table entry: two of the map (byte p: destinations of source position p), two of its transpose, sources.
fn entry_word(axis: u32, entry: u32, word: u32) -> u32 {
    return tables[params.axis_at[axis] + 8u * entry + word];
}
