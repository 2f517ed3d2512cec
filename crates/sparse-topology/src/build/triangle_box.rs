//! Which boxes a triangle touches: separating axes, in exact integers.

use crate::Error;

/// Units of a voxel's edge.
pub(crate) const UNITS: i64 = 1 << 16;

/// A triangle in units of 2^-16 of a voxel.
#[derive(Debug)]
pub(crate) struct FixedTriangle {
    pub(crate) corners: [[i64; 3]; 3],
    edges: [[i64; 3]; 3],
    normal: [i128; 3],
    low: [i64; 3],
    high: [i64; 3],
    /// The voxels whose grown cubes its box can touch, first and last.
    voxels: [[i64; 3]; 2],
}

impl FixedTriangle {
    pub(crate) fn new(corners: [[i64; 3]; 3]) -> Self {
        let edge = |i: usize| -> [i64; 3] { std::array::from_fn(|k| corners[(i + 1) % 3][k] - corners[i][k]) };
        let edges = [edge(0), edge(1), edge(2)];
        let [a, b] = [edges[0], edges[1]].map(|e| e.map(i128::from));
        let low: [i64; 3] = std::array::from_fn(|k| corners[0][k].min(corners[1][k]).min(corners[2][k]));
        let high: [i64; 3] = std::array::from_fn(|k| corners[0][k].max(corners[1][k]).max(corners[2][k]));
        let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
        let voxel = |at: i64| at.div_euclid(UNITS).clamp(*range.start(), *range.end());
        Self {
            corners,
            edges,
            normal: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
            low,
            high,
            voxels: [low.map(|at| voxel(at - 1 - UNITS / 2)), high.map(|at| voxel(at + 1 + UNITS / 2))],
        }
    }

    /// Largest extent along an axis, in units.
    pub(crate) fn extent(&self) -> i64 {
        (0..3).map(|k| self.high[k] - self.low[k]).max().unwrap_or(0)
    }

    /// The voxel that holds the least coordinates of the corners.
    #[cfg(feature = "gpu")]
    pub(crate) fn base(&self) -> [i64; 3] {
        self.low.map(|at| at.div_euclid(UNITS))
    }

    /// A number of voxels that it touches at least: those along its best axis that its shadow covers.
    pub(crate) fn shadow(&self) -> u64 {
        let twice = self.normal.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
        u64::try_from(twice >> 33).unwrap_or(u64::MAX)
    }

    /// Calls `found` for every block of `2^target` voxels of which the triangle touches a voxel: positions in blocks.
    ///
    /// Larger blocks are tested first, so the cost goes with the number found.
    pub(crate) fn blocks(
        &self,
        target: u32,
        found: &mut impl FnMut([i64; 3]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let [low, high] = self.voxels;
        let mut shift = target;
        while (0..3).any(|k| (high[k] >> shift) - (low[k] >> shift) > 1) {
            shift += 3;
        }
        self.descend([shift, target], low, high, found)
    }

    /// The blocks of `2^shift` voxels in a box of voxels, and those of `2^target` in them.
    fn descend(
        &self,
        [shift, target]: [u32; 2],
        low: [i64; 3],
        high: [i64; 3],
        found: &mut impl FnMut([i64; 3]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for x in low[0] >> shift..=high[0] >> shift {
            for y in low[1] >> shift..=high[1] >> shift {
                for z in low[2] >> shift..=high[2] >> shift {
                    let first = [x, y, z].map(|n| n << shift);
                    let last = first.map(|v| v + (1 << shift) - 1);
                    let whole = (0..3).all(|k| first[k] <= self.voxels[0][k] && self.voxels[1][k] <= last[k]);
                    if !whole && !overlaps(self, &FixedBox::of_voxels(first, last)) {
                        continue;
                    }
                    if shift == target {
                        found([x, y, z])?;
                        continue;
                    }
                    let (first, last) =
                        (std::array::from_fn(|k| first[k].max(low[k])), std::array::from_fn(|k| last[k].min(high[k])));
                    self.descend([shift - 3, target], first, last, found)?;
                }
            }
        }
        Ok(())
    }
}

/// A closed box: twice its centre, and its edge lengths.
struct FixedBox {
    centre: [i64; 3],
    size: [i64; 3],
}

impl FixedBox {
    /// The cubes of the voxels `first..=last`, grown by one unit on every side.
    fn of_voxels(first: [i64; 3], last: [i64; 3]) -> Self {
        Self {
            centre: std::array::from_fn(|k| (first[k] + last[k]) * UNITS),
            size: std::array::from_fn(|k| (last[k] - first[k] + 1) * UNITS + 2),
        }
    }
}

/// Whether a triangle and a closed box share a point. The triangle's extent is at most 2^38 units.
fn overlaps(triangle: &FixedTriangle, cube: &FixedBox) -> bool {
    // [1] the axes of the box
    for k in 0..3 {
        if 2 * triangle.low[k] > cube.centre[k] + cube.size[k] || 2 * triangle.high[k] < cube.centre[k] - cube.size[k] {
            return false;
        }
    }
    // [2] the triangle's plane; all lengths are doubled
    let from_centre = |corner: &[i64; 3]| -> [i64; 3] { std::array::from_fn(|k| 2 * corner[k] - cube.centre[k]) };
    let corners = [0, 1, 2].map(|i| from_centre(&triangle.corners[i]));
    let (mut distance, mut reach) = (0_i128, 0_i128);
    for ((normal, corner), size) in triangle.normal.iter().zip(corners[0]).zip(cube.size) {
        distance += normal * i128::from(corner);
        reach += normal.abs() * i128::from(size);
    }
    if distance.abs() > reach {
        return false;
    }
    // [3] the nine products of an edge of the triangle and an axis of the box
    triangle.edges.iter().all(|edge| (0..3).all(|k| meets(&corners, edge, k, &cube.size)))
}

/// Whether the projections on `edge x axis k` overlap.
fn meets(corners: &[[i64; 3]; 3], edge: &[i64; 3], k: usize, size: &[i64; 3]) -> bool {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let (a, b) = (i128::from(edge[i]), i128::from(edge[j]));
    let at = |corner: &[i64; 3]| b * i128::from(corner[i]) - a * i128::from(corner[j]);
    let projections = [at(&corners[0]), at(&corners[1]), at(&corners[2])];
    let reach = b.abs() * i128::from(size[i]) + a.abs() * i128::from(size[j]);
    let (low, high) = projections.iter().fold((i128::MAX, i128::MIN), |(lo, hi), &p| (lo.min(p), hi.max(p)));
    low <= reach && high >= -reach
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::triangle_window::{
        WINDOWS, Wide, Window, window_column, window_holds_cell, window_meets_leaf, window_of, window_start,
    };

    fn wide(at: i64) -> Wide {
        [at as u32, (at >> 32) as u32, (at >> 63) as u32, (at >> 63) as u32]
    }

    fn windows_of(triangle: &FixedTriangle) -> [Window; WINDOWS] {
        let base = triangle.base();
        let corners = std::array::from_fn(|i| wide(triangle.corners[i / 3][i % 3] - base[i % 3] * UNITS));
        std::array::from_fn(|index| window_of(corners, index))
    }

    /// Compares the windows with the boxes, for the leaf that holds a voxel and for all of its voxels.
    fn compare(triangle: &FixedTriangle, near: [i64; 3]) -> Result<(), TestCaseError> {
        let (windows, base) = (windows_of(triangle), triangle.base());
        let first = near.map(|v| v >> 3 << 3);
        let position = std::array::from_fn(|k| (first[k] - base[k]) as i32);
        let starts = windows.map(|window| window_start(window, position));
        let meets = windows.iter().zip(starts).all(|(window, start)| window_meets_leaf(*window, start));
        prop_assert_eq!(meets, overlaps(triangle, &FixedBox::of_voxels(first, first.map(|v| v + 7))));
        let cell = |across: usize, i: u32, j: u32| {
            (0..4).all(|e| window_holds_cell(windows[3 * e + across], starts[3 * e + across], across, i, j))
        };
        for (x, y) in (0..64_u32).map(|i| (i >> 3, i & 7)) {
            let column = window_column(windows[12], starts[12], x, y);
            for z in 0..8_u32 {
                let found = column >> z & 1 == 1 && cell(0, y, z) && cell(1, x, z) && cell(2, x, y);
                let voxel = std::array::from_fn(|k| first[k] + i64::from([x, y, z][k]));
                prop_assert_eq!(found, overlaps(triangle, &FixedBox::of_voxels(voxel, voxel)), "{:?}", voxel);
            }
        }
        Ok(())
    }

    /// Corners near each other and far apart, at the ends of the coordinates, on the faces of voxels, flat and pointed.
    fn any_triangle() -> impl Strategy<Value = FixedTriangle> {
        let size = prop::sample::select(vec![1_i64 << 17, 1 << 21, 1 << 27, 1 << 37]);
        let origin = prop::sample::select(vec![0_i64, -(1 << 47) + (1 << 38), (1 << 47) - (1 << 38), 77 << 16]);
        let grid = prop::sample::select(vec![1_i64, 1 << 15, 1 << 16]);
        let unit = prop::array::uniform9(-1.0..1.0_f64);
        (size, origin, grid, unit, 0..8_u8).prop_map(|(size, origin, grid, unit, flat)| {
            let at = |i: usize| ((unit[i] * size as f64) as i64).div_euclid(grid) * grid + origin;
            let mut corners: [[i64; 3]; 3] = std::array::from_fn(|c| std::array::from_fn(|k| at(3 * c + k)));
            if flat & 1 == 1 {
                corners[2] = corners[1];
            }
            if flat & 2 == 2 {
                corners.iter_mut().for_each(|c| c[usize::from(flat >> 2)] = origin);
            }
            FixedTriangle::new(corners)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        /// The words of the device's twin decide as integers of 128 bits do.
        #[test]
        fn windows_and_boxes_agree(triangle in any_triangle(), u in 0.0..1.0_f64, v in 0.0..1.0_f64, off in prop::array::uniform3(-9..9_i64)) {
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let c = triangle.corners;
            let point = |k: usize| c[0][k] + (u * (c[1][k] - c[0][k]) as f64) as i64 + (v * (c[2][k] - c[0][k]) as f64) as i64;
            compare(&triangle, std::array::from_fn(|k| point(k).div_euclid(UNITS) + off[k]))?;
        }

        /// A block is found when one of its voxels is.
        #[test]
        fn blocks_are_those_of_the_voxels(corners in prop::array::uniform3(prop::array::uniform3(-(50_i64 << 16)..50 << 16))) {
            let triangle = FixedTriangle::new(corners);
            let list = |target: u32| {
                let mut list = Vec::new();
                triangle.blocks(target, &mut |at| { list.push(at); Ok(()) }).map(|()| list)
            };
            let mut expected: Vec<[i64; 3]> = list(0).unwrap().iter().map(|v| v.map(|n| n >> 5)).collect();
            let mut found = list(5).unwrap();
            expected.sort_unstable();
            expected.dedup();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
            let range = |k: usize| triangle.voxels[0][k]..=triangle.voxels[1][k];
            let all = range(0).flat_map(|x| range(1).flat_map(move |y| range(2).map(move |z| [x, y, z])));
            let near = |v: &[i64; 3]| overlaps(&triangle, &FixedBox::of_voxels(*v, *v));
            // Every voxel of the box, one by one; only for boxes of a bearable size.
            if (0..3).map(|k| range(k).count()).product::<usize>() < 40_000 {
                let mut found = list(0).unwrap();
                found.sort_unstable();
                prop_assert_eq!(found, all.filter(near).collect::<Vec<_>>());
            }
        }
    }
}
