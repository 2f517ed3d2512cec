// Schedule: the leaf of a tile's slots, through the ranks of both levels. Needs `tree_upper`, `tree_lower`.

// The leaf's index; `missing` where there is none. Ranks above a capacity come from a result that was too small and is thrown away.
fn find_leaf(tile: u32, slots: u32, lower_capacity: u32, missing: u32) -> u32 {
    let node = tree_upper[tile * 1024u + (slots >> 17u)];
    let node_bit = 1u << ((slots >> 12u) & 31u);
    if ((node.x & node_bit) == 0u) {
        return missing;
    }
    let lower = min(node.y + countOneBits(node.x & (node_bit - 1u)), lower_capacity - 1u);
    let word = tree_lower[lower * 128u + ((slots & 4095u) >> 5u)];
    let bit = 1u << (slots & 31u);
    if ((word.x & bit) == 0u) {
        return missing;
    }
    return min(word.y + countOneBits(word.x & (bit - 1u)), missing);
}
