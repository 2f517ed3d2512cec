//! Dilation of a leaf by its 6, 18 or 26 neighbours, from the masks of the leaf and the 26 leaves around it.

use super::LeafMask;

/// Two words: one slice of a leaf.
type Slice = [u32; 2];

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
/// `leaf(i)` gives the mask of the neighbour `i = (dx + 1) * 9 + (dy + 1) * 3 + (dz + 1)`, all zero where there is no leaf. Every word read is XORed with `flip`
/// (0, or all ones: then the dilation of the complement, whose complement is the erosion).
pub fn leaf_dilate<'a>(leaf: impl Fn(usize) -> &'a LeafMask, neighbours: Neighbours, flip: u32) -> LeafMask {
    // [1] ten slices x = -1..=8: the slice itself, its plus shape (y or z moved by one), its 3 x 3 box
    let mut own = [[0; 2]; 10];
    let mut plus = [[0; 2]; 10];
    let mut square = [[0; 2]; 10];
    for i in 0..10 {
        let (block, x) = if i == 0 {
            (0, 7)
        } else if i == 9 {
            (2, 0)
        } else {
            (1, i - 1)
        };
        let slice = |dy: usize, dz: usize| {
            let mask = leaf(block * 9 + dy * 3 + dz);
            [mask[2 * x] ^ flip, mask[2 * x + 1] ^ flip]
        };
        let moved_z = z_dilate(slice(1, 1), slice(1, 0), slice(1, 2));
        own[i] = slice(1, 1);
        plus[i] = or(moved_z, y_dilate(own[i], slice(0, 1), slice(2, 1)));
        if neighbours != Neighbours::Face {
            let below = z_dilate(slice(0, 1), slice(0, 0), slice(0, 2));
            let above = z_dilate(slice(2, 1), slice(2, 0), slice(2, 2));
            square[i] = y_dilate(moved_z, below, above);
        }
    }
    // [2] the middle slice's shape, and the smaller shape of the slices beside it
    let (middle, side) = match neighbours {
        Neighbours::Face => (&plus, &own),
        Neighbours::Edge => (&square, &plus),
        Neighbours::Vertex => (&square, &square),
    };
    let mut out = [0; 16];
    for x in 0..8 {
        let slice = or(middle[x + 1], or(side[x], side[x + 2]));
        out[2 * x] = slice[0];
        out[2 * x + 1] = slice[1];
    }
    out
}

fn or(a: Slice, b: Slice) -> Slice {
    [a[0] | b[0], a[1] | b[1]]
}

/// A slice and its shifts by one along z; `before` and `after` are the slices of the leaves at z - 1 and z + 1.
fn z_dilate(own: Slice, before: Slice, after: Slice) -> Slice {
    std::array::from_fn(|i| {
        own[i]
            | ((own[i] << 1) & 0xfefe_fefe)
            | ((own[i] >> 1) & 0x7f7f_7f7f)
            | ((before[i] >> 7) & 0x0101_0101)
            | ((after[i] << 7) & 0x8080_8080)
    })
}

/// A slice and its shifts by one along y; `before` and `after` are the slices of the leaves at y - 1 and y + 1.
fn y_dilate(own: Slice, before: Slice, after: Slice) -> Slice {
    [
        own[0] | (own[0] << 8) | (before[1] >> 24) | (own[0] >> 8) | (own[1] << 24),
        own[1] | (own[1] << 8) | (own[0] >> 24) | (own[1] >> 8) | (after[0] << 24),
    ]
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
                    let out = leaf_dilate(|i| &leaves[i], neighbours, 0);
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
