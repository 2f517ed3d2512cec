//! The voxels of a leaf inside a box.

use super::LeafMask;

/// The mask of the positions whose x is in the set bits of `x_bits`, y in `y_bits`, z in `z_bits` (8 bits each).
pub fn leaf_box(x_bits: u32, y_bits: u32, z_bits: u32) -> LeafMask {
    // [1] the rows y as bytes of two words, each row with the columns z
    let (mut low, mut high) = (0, 0);
    for y in 0..4 {
        low |= (((y_bits >> y) & 1) * z_bits) << (8 * y);
        high |= (((y_bits >> (y + 4)) & 1) * z_bits) << (8 * y);
    }
    // [2] the slices x
    let mut mask = [0; 16];
    for x in 0..8 {
        if (x_bits >> x) & 1 == 1 {
            mask[2 * x] = low;
            mask[2 * x + 1] = high;
        }
    }
    mask
}

/// The bits `lo` to `hi` (inclusive, clamped to 0 to 7) of 8; zero when there are none.
pub fn bit_range(lo: i64, hi: i64) -> u32 {
    if lo > hi || hi < 0 || lo > 7 {
        return 0;
    }
    let (lo, hi) = (lo.max(0) as u32, hi.min(7) as u32);
    ((2 << hi) - 1) & !((1 << lo) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::leaf::{leaf_test, voxel_position};

    #[test]
    fn a_box_is_the_product_of_its_projections() {
        let mask = leaf_box(0b1010_0001, 0b0001_1000, 0b1000_0001);
        for slot in 0..512 {
            let [x, y, z] = voxel_position(slot);
            let inside = (0b1010_0001 >> x) & (0b0001_1000 >> y) & (0b1000_0001 >> z) & 1 == 1;
            assert_eq!(leaf_test(&mask, slot), inside, "slot {slot}");
        }
    }

    #[test]
    fn ranges_are_clamped() {
        assert_eq!(bit_range(-3, 2), 0b111);
        assert_eq!(bit_range(6, 100), 0b1100_0000);
        assert_eq!((bit_range(3, 2), bit_range(8, 9), bit_range(-2, -1)), (0, 0, 0));
    }
}
