//! Single words of a dilation, for devices on which 16 invocations share a leaf.
//!
//! [`leaf_dilate`](super::leaf_dilate::leaf_dilate) makes its shapes of the same two functions; the tests say so.

/// Four rows of a slice with the rows beside them along y; `before` and `after` are the words before and after.
pub fn rows_dilate(own: u32, before: u32, after: u32) -> u32 {
    // [1] four rows and the rows beside them: the last of the word before, the first of the word after
    own | (own << 8) | (own >> 8) | (before >> 24) | (after << 24)
}

/// Four rows with the columns beside each along z; `before` and `after` are the same words of the leaves at z - 1 and z + 1.
pub fn columns_dilate(own: u32, before: u32, after: u32) -> u32 {
    // [2] every column and the columns beside it, over the borders of the leaf
    let inside = own | ((own << 1) & 0xfefe_fefe) | ((own >> 1) & 0x7f7f_7f7f);
    inside | ((before >> 7) & 0x0101_0101) | ((after << 7) & 0x8080_8080)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::LeafMask;
    use crate::kernels::leaf_dilate::{Neighbours, leaf_dilate};

    /// Word `at` of the dilation by 26 neighbours, from words.
    fn vertex_word(leaves: &[LeafMask; 27], at: usize) -> u32 {
        let word = |x: i32, y: i32, z: usize| {
            // y in words: -1 is the last word of the leaf before, 2 the first of the leaf after.
            let (block, slice) = ((x + 8) / 8, (x & 7) as usize);
            let (row, half) = ((y + 2) / 2, (y & 1) as usize);
            leaves[block as usize * 9 + row as usize * 3 + z][2 * slice + half]
        };
        let (x, half) = ((at >> 1) as i32, (at & 1) as i32);
        let joined = |y: i32, z: usize| (x - 1..=x + 1).fold(0, |w, x| w | word(x, y, z));
        let rows: [u32; 3] =
            std::array::from_fn(|z| rows_dilate(joined(half, z), joined(half - 1, z), joined(half + 1, z)));
        columns_dilate(rows[1], rows[0], rows[2])
    }

    #[test]
    fn words_are_those_of_the_whole_dilation() {
        let mut state = 9_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state ^ (state >> 13)
        };
        for _ in 0..100 {
            let leaves: [LeafMask; 27] =
                std::array::from_fn(|_| std::array::from_fn(|_| random() & random() & random()));
            let whole = leaf_dilate(&leaves.each_ref(), Neighbours::Vertex, 0);
            for (at, expected) in whole.into_iter().enumerate() {
                assert_eq!(vertex_word(&leaves, at), expected);
            }
        }
    }
}
