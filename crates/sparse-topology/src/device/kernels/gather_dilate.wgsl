// Schedule: the words of a list's leaves with the neighbours of the tree's voxels.
// Constants: MOST is how many coordinates of a neighbour may differ: 1, 2 or 3 (6, 18 or 26 neighbours).

// Leaves at a time.
const BATCH: u32 = 32u;

fn step_of() -> vec3<u32> {
    return vec3<u32>(1u);
}

fn fill_batch(base: u32, end: u32, local: u32) {
    for (var i = local; i < BATCH * 27u; i += 256u) {
        let slot = i / 27u;
        let leaf = base + slot;
        if (leaf < end) {
            let c = i % 27u;
            let at = vec3<u32>(c / 9u, (c / 3u) % 3u, c % 3u);
            // The walk goes from the leaf after to the leaf before.
            related[slot * 27u + 26u - c] = related_leaf(related_of(list_keys[leaf]), at);
        }
    }
}

// A word of slice `x` (-1 to 8, counted from 0) of the leaves in row `y` and column `z` of the 27.
fn slice_word(slot: u32, x: u32, y: u32, z: u32, half: u32) -> u32 {
    let fine = x + 7u;
    let index = related[slot * 27u + ((fine >> 3u) * 3u + y) * 3u + z];
    let pair = tree_masks[8u * index + (fine & 7u)];
    return select(pair.x, pair.y, half != 0u) ^ FLIP;
}

// The same, for 26 neighbours with the slices beside it.
fn near_word(slot: u32, x: u32, y: u32, z: u32, half: u32) -> u32 {
    let own = slice_word(slot, x, y, z, half);
    if (MOST < 3u) {
        return own;
    }
    return own | slice_word(slot, x - 1u, y, z, half) | slice_word(slot, x + 1u, y, z, half);
}

// Four rows with those beside them: the other half of the leaf, and a half of the leaf before or after.
fn near_rows(slot: u32, x: u32, z: u32, half: u32, own: u32) -> u32 {
    let other = near_word(slot, x, 1u, z, 1u - half);
    let outside = near_word(slot, x, 2u * half, z, 1u - half);
    return rows_dilate(own, select(outside, other, half != 0u), select(other, outside, half != 0u));
}

// The neighbours in the slice itself: with one coordinate that differs, or with up to two.
fn plus(slot: u32, x: u32, half: u32) -> u32 {
    let own = near_word(slot, x, 1u, 1u, half);
    let columns = columns_dilate(own, near_word(slot, x, 1u, 0u, half), near_word(slot, x, 1u, 2u, half));
    return columns | near_rows(slot, x, 1u, half, own);
}

fn square(slot: u32, x: u32, half: u32) -> u32 {
    let before = near_rows(slot, x, 0u, half, near_word(slot, x, 1u, 0u, half));
    let own = near_rows(slot, x, 1u, half, near_word(slot, x, 1u, 1u, half));
    let after = near_rows(slot, x, 2u, half, near_word(slot, x, 1u, 2u, half));
    return columns_dilate(own, before, after);
}

// Word `lane` of the image in leaf `base + slot`.
fn gather_word(base: u32, end: u32, slot: u32, lane: u32) -> u32 {
    if (base + slot >= end) {
        return 0u;
    }
    let half = lane & 1u;
    let x = (lane >> 1u) + 1u;
    if (MOST == 1u) {
        return plus(slot, x, half) | near_word(slot, x - 1u, 1u, 1u, half) | near_word(slot, x + 1u, 1u, 1u, half);
    }
    if (MOST == 2u) {
        return square(slot, x, half) | plus(slot, x - 1u, half) | plus(slot, x + 1u, half);
    }
    return square(slot, x, half);
}
