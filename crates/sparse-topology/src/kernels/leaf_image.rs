//! The image of a leaf in another leaf under a relation that is a product of relations of the axes.

use super::LeafMask;

/// Where the eight positions of a source leaf go along one axis of a destination leaf: bit q of byte p is set when source position p gives destination position q.
pub type AxisMap = [u8; 8];

/// The destination positions (X, Y, Z) with a source voxel (x, y, z) such that `X in x_map[x]`, `Y in y_map[y]` and `Z in z_map[z]`.
///
/// Every separable operation is an OR of such images over the source leaves that reach the destination leaf: coarsening, refinement, convolution, padding and shifts differ in their maps alone.
pub fn leaf_image(mask: &LeafMask, x_map: &AxisMap, y_map: &AxisMap, z_map: &AxisMap) -> LeafMask {
    image_z(&image_y(&image_x(mask, x_map), y_map), z_map)
}

/// [1] x: whole slices are copied.
fn image_x(mask: &LeafMask, map: &AxisMap) -> LeafMask {
    let mut out = [0; 16];
    for x in 0..8 {
        let (low, high) = (mask[2 * x], mask[2 * x + 1]);
        let mut targets = u32::from(map[x]);
        if (low | high) == 0 {
            targets = 0;
        }
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            out[2 * to] |= low;
            out[2 * to + 1] |= high;
            targets &= targets - 1;
        }
    }
    out
}

/// [2] y: byte y of a slice goes to the bytes of its map; a byte times a word with ones in some bytes is that copy.
fn image_y(mask: &LeafMask, map: &AxisMap) -> LeafMask {
    let mut out = [0; 16];
    for (y, &targets) in map.iter().enumerate() {
        let targets = u32::from(targets);
        if targets == 0 {
            continue;
        }
        let (low, high) = (spread(targets & 15), spread(targets >> 4));
        let (word, shift) = (y >> 2, 8 * (y & 3));
        for x in 0..8 {
            let row = (mask[2 * x + word] >> shift) & 255;
            out[2 * x] |= row * low;
            out[2 * x + 1] |= row * high;
        }
    }
    out
}

/// [3] z: bit z of every byte goes to the bits of its map; `(bit << 8) - bit` fills the byte.
fn image_z(mask: &LeafMask, map: &AxisMap) -> LeafMask {
    let mut out = [0; 16];
    for (z, &targets) in map.iter().enumerate() {
        let targets = u32::from(targets) * 0x0101_0101;
        if targets == 0 {
            continue;
        }
        for i in 0..16 {
            let bit = (mask[i] >> z) & 0x0101_0101;
            out[i] |= (bit << 8).wrapping_sub(bit) & targets;
        }
    }
    out
}

/// Bit i of four to bit 8 i.
fn spread(bits: u32) -> u32 {
    (bits & 1) | ((bits & 2) << 7) | ((bits & 4) << 14) | ((bits & 8) << 21)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::leaf::{leaf_slots, leaf_test, voxel_position};

    /// A few words of a multiplicative generator.
    fn random_words<const N: usize>(seed: u32) -> [u32; N] {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        std::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state ^ (state >> 15)
        })
    }

    #[test]
    fn the_image_is_the_union_over_voxels() {
        for seed in 1..200 {
            let sparse = random_words::<16>(seed + 5000);
            let mask = random_words::<16>(seed).map(|w| if seed % 2 == 0 { w } else { w & sparse[0] & (w >> 7) });
            let maps: [AxisMap; 3] = std::array::from_fn(|k| {
                random_words::<8>(seed * 3 + k as u32)
                    .map(|w| if w & 0x300 == 0 { 0 } else { (w >> 16) as u8 & w as u8 })
            });
            let image = leaf_image(&mask, &maps[0], &maps[1], &maps[2]);
            for slot in 0..512 {
                let to = voxel_position(slot);
                let expected = leaf_slots(&mask)
                    .any(|s| (0..3).all(|k| (maps[k][voxel_position(s)[k] as usize] >> to[k]) & 1 == 1));
                assert_eq!(leaf_test(&image, slot), expected, "seed {seed}, slot {slot}");
            }
        }
    }
}
