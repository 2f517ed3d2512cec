//! Whether a triangle touches a box: separating axes, in exact integers.

/// Units of a voxel's edge.
pub(super) const UNITS: i64 = 1 << 16;

/// A triangle in units of 2^-16 of a voxel.
pub(super) struct FixedTriangle {
    corners: [[i64; 3]; 3],
    edges: [[i64; 3]; 3],
    normal: [i128; 3],
    pub(super) low: [i64; 3],
    pub(super) high: [i64; 3],
}

impl FixedTriangle {
    pub(super) fn new(corners: [[i64; 3]; 3]) -> Self {
        let edge = |i: usize| -> [i64; 3] { std::array::from_fn(|k| corners[(i + 1) % 3][k] - corners[i][k]) };
        let edges = [edge(0), edge(1), edge(2)];
        let [a, b] = [edges[0], edges[1]].map(|e| e.map(i128::from));
        Self {
            corners,
            edges,
            normal: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
            low: std::array::from_fn(|k| corners.iter().map(|c| c[k]).min().unwrap_or(0)),
            high: std::array::from_fn(|k| corners.iter().map(|c| c[k]).max().unwrap_or(0)),
        }
    }
}

/// A closed box: twice its centre, and its edge lengths.
pub(super) struct FixedBox {
    centre: [i64; 3],
    size: [i64; 3],
}

impl FixedBox {
    /// The cubes of the voxels `first..=last`, grown by one unit on every side.
    pub(super) fn of_voxels(first: [i64; 3], last: [i64; 3]) -> Self {
        Self {
            centre: std::array::from_fn(|k| (first[k] + last[k]) * UNITS),
            size: std::array::from_fn(|k| (last[k] - first[k] + 1) * UNITS + 2),
        }
    }
}

/// Whether a triangle and a closed box share a point. The triangle's extent is at most 2^38 units.
pub(super) fn overlaps(triangle: &FixedTriangle, cube: &FixedBox) -> bool {
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
