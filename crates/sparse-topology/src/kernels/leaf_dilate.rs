//! Dilation of a leaf by its 6, 18 or 26 neighbours, from the masks of the leaf and the 26 leaves around it.

use super::LeafMask;

/// Which neighbours of a voxel count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// The 6 that share a face.
    Face,
    /// The 18 that share a face or an edge.
    Edge,
    /// The 26 that share a face, an edge or a corner.
    Vertex,
}

/// The dilated mask of the leaf in the middle.
///
/// `leaves[(dx + 1) * 9 + (dy + 1) * 3 + (dz + 1)]` are the leaf and its neighbours, all zero where there is no leaf. Every word read is XORed with `flip`
/// (0, or all ones: then the dilation of the complement, whose complement is the erosion).
pub fn leaf_dilate(leaves: &[&LeafMask; 27], neighbours: Neighbours, flip: u32) -> LeafMask {
    // [1] the shapes of the eight slices of the leaf, and of the slices x = -1 and x = 8
    let inner = shapes::<16>(leaves, 9, 0, flip);
    let before = shapes::<2>(leaves, 0, 14, flip);
    let after = shapes::<2>(leaves, 18, 0, flip);
    // [2] the middle slice's shape, and the smaller shape of the slices beside it
    match neighbours {
        Neighbours::Face => join(&inner.plus, &inner.own, &before.own, &after.own),
        Neighbours::Edge => join(&inner.square, &inner.plus, &before.plus, &after.plus),
        Neighbours::Vertex => join(&inner.square, &inner.square, &before.square, &after.square),
    }
}

/// Some slices: themselves, with their neighbours along y or z (a plus), with their neighbours along y and z (a square).
struct Shapes<const N: usize> {
    own: [u32; N],
    plus: [u32; N],
    square: [u32; N],
}

/// The shapes of the `N / 2` slices that begin at word `start` of the nine leaves from `first`.
#[inline]
fn shapes<const N: usize>(leaves: &[&LeafMask; 27], first: usize, start: usize, flip: u32) -> Shapes<N> {
    let words = |i: usize| -> [u32; N] {
        let mask = leaves[first + i];
        let mut out = [0; N];
        for w in 0..N {
            out[w] = mask[start + w] ^ flip;
        }
        out
    };
    let own = words(4);
    let (low, high) = (words(1), words(7));
    let row = z_dilate(&own, &words(3), &words(5));
    let low_row = z_dilate(&low, &words(0), &words(2));
    let high_row = z_dilate(&high, &words(6), &words(8));
    let mut plus = y_dilate(&own, &low, &high);
    for w in 0..N {
        plus[w] |= row[w];
    }
    Shapes { own, plus, square: y_dilate(&row, &low_row, &high_row) }
}

/// Words and their shifts by one along z; `before` and `after` are the same words of the leaves at z - 1 and z + 1.
#[inline]
fn z_dilate<const N: usize>(own: &[u32; N], before: &[u32; N], after: &[u32; N]) -> [u32; N] {
    let mut out = [0; N];
    for w in 0..N {
        out[w] = own[w]
            | ((own[w] << 1) & 0xfefe_fefe)
            | ((own[w] >> 1) & 0x7f7f_7f7f)
            | ((before[w] >> 7) & 0x0101_0101)
            | ((after[w] << 7) & 0x8080_8080);
    }
    out
}

/// Slices (two words each) and their shifts by one along y; `before` and `after` are the same slices of the leaves at y - 1 and y + 1.
#[inline]
fn y_dilate<const N: usize>(own: &[u32; N], before: &[u32; N], after: &[u32; N]) -> [u32; N] {
    let mut out = [0; N];
    let mut w = 0;
    while w < N {
        let (low, high) = (own[w], own[w + 1]);
        out[w] = low | (low << 8) | (before[w + 1] >> 24) | (low >> 8) | (high << 24);
        out[w + 1] = high | (high << 8) | (low >> 24) | (high >> 8) | (after[w] << 24);
        w += 2;
    }
    out
}

/// Every slice with the slices beside it along x.
fn join(middle: &LeafMask, side: &LeafMask, before: &[u32; 2], after: &[u32; 2]) -> LeafMask {
    let mut out = *middle;
    for w in 0..2 {
        out[w] |= before[w];
        out[w + 14] |= after[w];
    }
    for w in 0..14 {
        out[w] |= side[w + 2];
        out[w + 2] |= side[w];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::leaf::{leaf_slots, leaf_test, voxel_position, voxel_slot};

    /// One voxel anywhere in the 27 leaves gives exactly its neighbourhood inside the middle leaf.
    #[test]
    fn every_voxel_of_27_leaves_gives_its_neighbourhood() {
        for (neighbours, reach) in [(Neighbours::Face, 1), (Neighbours::Edge, 2), (Neighbours::Vertex, 3)] {
            for block in 0..27 {
                for slot in 0..512 {
                    let mut leaves = [[0; 16]; 27];
                    leaves[block][(slot >> 5) as usize] = 1 << (slot & 31);
                    let offset = [block / 9, (block / 3) % 3, block % 3].map(|d| d as i32 * 8 - 8);
                    let at: [i32; 3] = std::array::from_fn(|k| offset[k] + voxel_position(slot)[k] as i32);
                    let out = leaf_dilate(&leaves.each_ref(), neighbours, 0);
                    let mut expected = 0;
                    for step in 0..27 {
                        let d = [step / 9 - 1, (step / 3) % 3 - 1, step % 3 - 1];
                        let to: [i32; 3] = std::array::from_fn(|k| at[k] + d[k]);
                        if d.iter().map(|v| v.abs()).sum::<i32>() <= reach && to.iter().all(|c| (0..8).contains(c)) {
                            expected += 1;
                            assert!(leaf_test(&out, voxel_slot(to)), "{neighbours:?} {at:?} -> {to:?}");
                        }
                    }
                    assert_eq!(leaf_slots(&out).count(), expected, "{neighbours:?} {at:?}");
                }
            }
        }
    }
}
