//! Single words of a leaf and of its images, for devices on which 16 invocations share a leaf.
//!
//! [`leaf_image`](super::leaf_image::leaf_image) of a mask is, word by word, the OR over source slices of `columns_image(rows_image(slice))`; the tests say so.

/// Bit i of four to bit 8 i.
pub fn spread_bits(bits: u32) -> u32 {
    bits.wrapping_mul(0x0020_4081) & 0x0101_0101
}

/// Byte `k` of eight.
pub fn map_byte(low: u32, high: u32, k: u32) -> u32 {
    ((if k >= 4 { high } else { low }) >> (8 * (k & 3))) & 255
}

/// The columns z of a slice (two words) that hold a voxel in the rows y of `rows`.
pub fn slice_columns(slice: [u32; 2], rows: u32) -> u32 {
    // [1] the rows asked for, as bytes
    let low = slice[0] & (spread_bits(rows & 15) * 255);
    let high = slice[1] & (spread_bits(rows >> 4) * 255);
    // [2] the OR of all bytes
    let mut columns = low | high;
    columns |= columns >> 16;
    columns |= columns >> 8;
    columns & 255
}

/// The rows `4 * half` to `4 * half + 3` of a slice's image along y. The map's byte y has the rows that row y goes to.
pub fn rows_image(slice: [u32; 2], map_low: u32, map_high: u32, half: u32) -> u32 {
    // [3] every row to the rows of its map in one half
    let mut image = 0;
    for y in 0..4 {
        let low = (map_low >> (8 * y + 4 * half)) & 15;
        let high = (map_high >> (8 * y + 4 * half)) & 15;
        image |= ((slice[0] >> (8 * y)) & 255) * spread_bits(low);
        image |= ((slice[1] >> (8 * y)) & 255) * spread_bits(high);
    }
    image
}

/// The image of four rows along z. The map's byte z has the columns that column z goes to.
pub fn columns_image(rows: u32, map_low: u32, map_high: u32) -> u32 {
    // [4] every column to the columns of its map
    let mut image = 0;
    for z in 0..4 {
        image |= ((rows >> z) & 0x0101_0101) * ((map_low >> (8 * z)) & 255);
        image |= ((rows >> (z + 4)) & 0x0101_0101) * ((map_high >> (8 * z)) & 255);
    }
    image
}

/// Word `word` of [`leaf_box`](super::leaf_box::leaf_box).
pub fn box_word(word: u32, x_bits: u32, y_bits: u32, z_bits: u32) -> u32 {
    // [5] a slice of the box has its rows, each with its columns
    let rows = spread_bits((y_bits >> (4 * (word & 1))) & 15);
    rows * z_bits * ((x_bits >> (word >> 1)) & 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::LeafMask;
    use crate::kernels::leaf_box::leaf_box;
    use crate::kernels::leaf_image::{AxisMap, leaf_image};

    fn random(state: &mut u32) -> u32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *state ^ (*state >> 15)
    }

    #[test]
    fn words_are_those_of_the_whole_image() {
        let mut state = 1;
        for _ in 0..200 {
            let mask: LeafMask = std::array::from_fn(|_| random(&mut state) & random(&mut state));
            let maps: [AxisMap; 3] =
                std::array::from_fn(|_| std::array::from_fn(|_| (random(&mut state) & random(&mut state)) as u8));
            let words = |k: usize| [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|i| maps[k][at + i])));
            let ([y0, y1], [z0, z1]) = (words(1), words(2));
            let whole = leaf_image(&mask, &maps[0], &maps[1], &maps[2]);
            for (at, expected) in whole.into_iter().enumerate() {
                let mut word = 0;
                for x in (0..8).filter(|&x| (maps[0][x] >> (at >> 1)) & 1 == 1) {
                    let slice = [mask[2 * x], mask[2 * x + 1]];
                    word |= columns_image(rows_image(slice, y0, y1, at as u32 & 1), z0, z1);
                }
                assert_eq!(word, expected);
            }
            let bits = std::array::from_fn::<u32, 3, _>(|_| random(&mut state) & 255);
            let inside = leaf_box(bits[0], bits[1], bits[2]);
            for x in 0..8 {
                let slice = [mask[2 * x], mask[2 * x + 1]];
                let expected = (0..8)
                    .filter(|y| (bits[1] >> y) & 1 == 1)
                    .fold(0, |columns, y| columns | ((slice[y >> 2] >> (8 * (y & 3))) & 255));
                assert_eq!(slice_columns(slice, bits[1]), expected);
                for half in 0..2 {
                    let word = 2 * x as u32 + half;
                    assert_eq!(box_word(word, bits[0], bits[1], bits[2]), inside[word as usize]);
                }
            }
            assert_eq!(map_byte(y0, y1, 5), u32::from(maps[1][5]));
        }
    }
}
