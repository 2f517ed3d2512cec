// Schedule: counts of MD1 meshlets, from the table that md1_block describes. Needs chain_state.

// Vertices and triangles, half a word each.
fn counts_of(unit: u32) -> u32 {
    let counts = table[unit].z;
    return ((counts & 255u) + 1u) | ((((counts >> 8u) & 255u) + 1u) << 16u);
}
