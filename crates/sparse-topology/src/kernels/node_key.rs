//! Names of nodes: slots and tiles of coordinates.
//!
//! A coordinate's tile is `x >> 12`, its lower node in the tile has the upper slot (15 bits) `((x >> 7) & 31) << 10 | ((y >> 7) & 31) << 5 | ((z >> 7) & 31)`,
//! its leaf in the lower node the lower slot (12 bits) `((x >> 3) & 15) << 8 | ((y >> 3) & 15) << 4 | ((z >> 3) & 15)`.
//! Leaves are named by their leaf coordinate `x >> 3` (29 bits, signed).

/// Leaves along an axis of a tile.
pub const TILE_LEAVES: u32 = 512;

/// Tile of a leaf coordinate.
pub fn tile_of_leaf(leaf: [i32; 3]) -> [i32; 3] {
    leaf.map(|n| n >> 9)
}

/// Upper slot and lower slot, 27 bits, of a leaf coordinate.
pub fn slots_of_leaf(leaf: [i32; 3]) -> u32 {
    // [1] the position in the tile
    let [x, y, z] = leaf.map(|n| n as u32 & 511);
    // [2] upper slot, then lower slot, x slowest in both
    let upper = ((x >> 4) << 10) | ((y >> 4) << 5) | (z >> 4);
    let lower = ((x & 15) << 8) | ((y & 15) << 4) | (z & 15);
    (upper << 12) | lower
}

/// Position of a lower node in its tile, in lower nodes.
pub fn upper_position(slot: u32) -> [u32; 3] {
    [(slot >> 10) & 31, (slot >> 5) & 31, slot & 31]
}

/// Position of a leaf in its lower node, in leaves.
pub fn lower_position(slot: u32) -> [u32; 3] {
    [(slot >> 8) & 15, (slot >> 4) & 15, slot & 15]
}

/// Lower slot of a position in a lower node.
pub fn lower_slot(position: [u32; 3]) -> u32 {
    (position[0] << 8) | (position[1] << 4) | position[2]
}

/// Leaf coordinate of a tile and its 27-bit slots: the inverse of [`tile_of_leaf`] and [`slots_of_leaf`].
pub fn leaf_of_slots(tile: [i32; 3], slots: u32) -> [i32; 3] {
    let (upper, lower) = (upper_position(slots >> 12), lower_position(slots & 4095));
    std::array::from_fn(|k| (tile[k] << 9) | ((upper[k] << 4) | lower[k]) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_coordinates_are_inverse() {
        for leaf in [[0, 0, 0], [-1, -1, -1], [511, 512, -512], [-(1 << 28), (1 << 28) - 1, 77]] {
            assert_eq!(leaf_of_slots(tile_of_leaf(leaf), slots_of_leaf(leaf)), leaf);
        }
        assert_eq!(slots_of_leaf([-1, -1, -1]), (1 << 27) - 1);
        assert_eq!(slots_of_leaf([16, 0, 1]), (1 << 22) | 1);
    }
}
