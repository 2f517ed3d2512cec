// Names of nodes inside a tile: see node_key.rs. Positions are relative to the tile here; the host deals with tiles.

fn slots_of_leaf(leaf: vec3<u32>) -> u32 {
    // [1] the position in the tile
    let p = leaf & vec3<u32>(511u);
    // [2] upper slot, then lower slot, x slowest in both
    let upper = ((p.x >> 4u) << 10u) | ((p.y >> 4u) << 5u) | (p.z >> 4u);
    let lower = ((p.x & 15u) << 8u) | ((p.y & 15u) << 4u) | (p.z & 15u);
    return (upper << 12u) | lower;
}

fn upper_position(slot: u32) -> vec3<u32> {
    return vec3<u32>((slot >> 10u) & 31u, (slot >> 5u) & 31u, slot & 31u);
}

fn lower_position(slot: u32) -> vec3<u32> {
    return vec3<u32>((slot >> 8u) & 15u, (slot >> 4u) & 15u, slot & 15u);
}

fn leaf_of_slots(slots: u32) -> vec3<u32> {
    return (upper_position(slots >> 12u) << vec3<u32>(4u)) | lower_position(slots & 4095u);
}
