//! Counts, ranks and projections of a leaf mask.

use super::LeafMask;

/// Slot of a voxel in its leaf, from its coordinate.
pub fn voxel_slot(coordinate: [i32; 3]) -> u32 {
    let [x, y, z] = coordinate.map(|c| c as u32 & 7);
    (x << 6) | (y << 3) | z
}

/// Position of a voxel slot in its leaf.
pub fn voxel_position(slot: u32) -> [u32; 3] {
    [slot >> 6, (slot >> 3) & 7, slot & 7]
}

/// Number of voxels of a leaf.
pub fn leaf_count(mask: &LeafMask) -> u32 {
    mask.iter().map(|w| w.count_ones()).sum()
}

/// Whether a voxel is active.
pub fn leaf_test(mask: &LeafMask, slot: u32) -> bool {
    (mask[(slot >> 5) as usize] >> (slot & 31)) & 1 == 1
}

/// Number of active voxels before a slot.
pub fn leaf_rank(mask: &LeafMask, slot: u32) -> u32 {
    // [1] whole words before the slot's word
    let word = slot >> 5;
    let mut rank = 0;
    for w in &mask[..word as usize] {
        rank += w.count_ones();
    }
    // [2] bits before the slot in its word
    rank + (mask[word as usize] & ((1 << (slot & 31)) - 1)).count_ones()
}

/// The projections of a mask on the axes: bits 0 to 7 the slices x that hold a voxel, bits 8 to 15 the rows y, bits 16 to 23 the columns z.
pub fn leaf_occupancy(mask: &LeafMask) -> u32 {
    // [1] slices, and the OR of all slices
    let (mut x_bits, mut low, mut high) = (0, 0, 0);
    for x in 0..8 {
        let (a, b) = (mask[2 * x], mask[2 * x + 1]);
        x_bits |= u32::from((a | b) != 0) << x;
        low |= a;
        high |= b;
    }
    // [2] rows: the bytes that are not zero
    let mut y_bits = 0;
    for y in 0..4 {
        y_bits |= u32::from(((low >> (8 * y)) & 255) != 0) << y;
        y_bits |= u32::from(((high >> (8 * y)) & 255) != 0) << (y + 4);
    }
    // [3] columns: the OR of all bytes
    let mut z_bits = low | high;
    z_bits |= z_bits >> 16;
    z_bits |= z_bits >> 8;
    x_bits | (y_bits << 8) | ((z_bits & 255) << 16)
}

/// First and last set bit of the three projections of [`leaf_occupancy`]: the leaf's bounding box. The mask must not be empty.
pub fn leaf_bounds(occupancy: u32) -> ([u32; 3], [u32; 3]) {
    let axis = |k: u32| (occupancy >> (8 * k)) & 255;
    (
        std::array::from_fn(|k| axis(k as u32).trailing_zeros()),
        std::array::from_fn(|k| 31 - axis(k as u32).leading_zeros().min(31)),
    )
}

/// The active slots of a mask, ascending.
pub fn leaf_slots(mask: &LeafMask) -> impl Iterator<Item = u32> + '_ {
    mask.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                (i as u32) * 32 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask_of(voxels: &[[i32; 3]]) -> LeafMask {
        let mut mask = [0; 16];
        for &v in voxels {
            let slot = voxel_slot(v);
            mask[(slot >> 5) as usize] |= 1 << (slot & 31);
        }
        mask
    }

    #[test]
    fn projections_ranks_and_slots_agree_with_the_voxels() {
        let voxels = [[1, 0, 6], [1, 3, 2], [5, 7, 2]];
        let mask = mask_of(&voxels);
        assert_eq!(leaf_occupancy(&mask), 0b0010_0010 | (0b1000_1001 << 8) | (0b0100_0100 << 16));
        assert_eq!(leaf_bounds(leaf_occupancy(&mask)), ([1, 0, 2], [5, 7, 6]));
        assert_eq!(leaf_count(&mask), 3);
        let slots: Vec<u32> = leaf_slots(&mask).collect();
        assert_eq!(slots, voxels.map(voxel_slot));
        for (rank, &slot) in slots.iter().enumerate() {
            assert!(leaf_test(&mask, slot) && !leaf_test(&mask, slot + 1));
            assert_eq!(leaf_rank(&mask, slot) as usize, rank);
            assert_eq!(voxel_position(slot).map(|p| p as i32), voxels[rank]);
        }
    }
}
