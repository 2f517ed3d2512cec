// Schedule: counts of STRIDE meshlets, from the table that stride_state describes. Needs chain_state.

// Vertices and triangles, half a word each.
fn counts_of(unit: u32) -> u32 {
    return table[3u * unit + 1u].x;
}
