//! The leaves that a leaf is related to along an axis.
//!
//! Under a relation with step `s` the leaves n (coarse) and m (fine) are related for m - s n = d, where d runs over [first, first + entries): entry d - first of the
//! axis's table says how their voxels are related. Positions are counted from a tile that the host chooses so that none is negative; `offset` moves between the two
//! origins. Everything is modulo 2^32.

/// Leaf positions `first + i * stride` with table entries `entry + i * skip`, for i in `0..count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The first leaf.
    pub first: u32,
    /// 1 or -1.
    pub stride: u32,
    /// The first leaf's entry.
    pub entry: u32,
    /// From entry to entry.
    pub skip: u32,
    /// Number of leaves.
    pub count: u32,
}

/// From coarse to fine.
pub fn expand_walk(leaf: u32, offset: u32, step: u32, first: u32, entries: u32) -> Walk {
    // [1] y = step * leaf + d for all d, ascending
    let y = step.wrapping_mul(leaf).wrapping_add(offset).wrapping_add(first);
    Walk { first: y, stride: 1, entry: 0, skip: 1, count: entries }
}

/// From fine to coarse.
pub fn contract_walk(leaf: u32, offset: u32, step: u32, first: u32, entries: u32) -> Walk {
    // [2] all y with leaf - step * y = d, from the least d on
    let top = offset.wrapping_add(leaf).wrapping_sub(first);
    let y = top / step;
    let entry = top - step * y;
    let count = if entry < entries { (entries - entry).div_ceil(step) } else { 0 };
    Walk { first: y, stride: u32::MAX, entry, skip: step, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(walk: Walk) -> Vec<(u32, u32)> {
        let at = |i: u32| (walk.first.wrapping_add(walk.stride.wrapping_mul(i)), walk.entry + walk.skip * i);
        (0..walk.count).map(at).collect()
    }

    /// Both directions list exactly the related pairs.
    #[test]
    fn walks_are_the_relation() {
        for (step, first, entries) in [(1, -2, 5), (2, 0, 2), (3, -1, 4), (7, 0, 7), (5, -3, 1), (4, 2, 9)] {
            let related = |n: i64, m: i64| {
                let d = m - step * n;
                (first..first + entries).contains(&d).then(|| (d - first) as u32)
            };
            let (s, f, e) = (step as u32, first as u32, entries as u32);
            for leaf in 0..512_i64 {
                let up: Vec<(u32, u32)> =
                    (-600..6000).filter_map(|m| related(leaf, m).map(|e| ((m + 512) as u32, e))).collect();
                assert_eq!(pairs(expand_walk(leaf as u32, 512, s, f, e)), up);
                let mut down: Vec<(u32, u32)> =
                    (-600..6000).filter_map(|n| related(n, leaf + 100).map(|e| ((n + 512) as u32, e))).collect();
                down.reverse();
                assert_eq!(pairs(contract_walk(leaf as u32, 100 + 512 * s, s, f, e)), down);
            }
        }
    }
}
