// Schedule: the row of a voxel in the batch. Needs `tree_masks`, `tree_rows` and what the searches need.

struct Found {
    row: vec2<u32>,
    tile: u32,
}

// All ones where the voxel is not active. `hint` is a tile to try first.
fn row_of(item: i32, v: vec3<i32>, hint: u32) -> Found {
    let tile = find_tile(vec4<i32>(item, v >> vec3<u32>(12u)), params.tiles, hint);
    if (tile == NONE) {
        return Found(vec2<u32>(NONE), NONE);
    }
    let slots = slots_of_leaf(bitcast<vec3<u32>>(v >> vec3<u32>(3u)));
    let leaf = find_leaf(tile, slots, params.lower_capacity, params.leaf_capacity);
    let p = bitcast<vec3<u32>>(v) & vec3<u32>(7u);
    let slot = (p.x << 6u) | (p.y << 3u) | p.z;
    // The zero leaf behind the last holds no voxel.
    let word = tree_masks[16u * leaf + (slot >> 5u)];
    let bit = 1u << (slot & 31u);
    if ((word & bit) == 0u) {
        return Found(vec2<u32>(NONE), tile);
    }
    var rank = countOneBits(word & (bit - 1u));
    for (var w = 0u; w < (slot >> 5u); w++) {
        rank += countOneBits(tree_masks[16u * leaf + w]);
    }
    let first = tree_rows[leaf];
    let low = first.x + rank;
    return Found(vec2<u32>(low, first.y + select(0u, 1u, low < rank)), tile);
}
