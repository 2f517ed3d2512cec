//! The separating axis test of a triangle and a box, in integers.

use super::frame::{FRACTION_BITS, GridBox};

/// Whether a triangle of grid points and a closed box have a point in common; touching counts. Degenerate triangles are segments and points.
///
/// Exact: the box is cut to the triangle's own box first, which changes nothing and bounds every number. With sides below 2^18 steps (units have 16-bit
/// offsets) edges have 18 bits, the box's corners 25, a face normal 37, and the largest sum 64 bits with its sign.
///
/// Akenine-Möller, "Fast 3D triangle-box overlap testing", 2001, with the box's corners in place of its half size.
pub fn triangle_meets_box(corners: [[i32; 3]; 3], closed_box: &GridBox) -> bool {
    let one = 1_i64 << FRACTION_BITS;
    let [p, q, r] = corners.map(|corner| corner.map(i64::from));
    // [1] the box, cut to the triangle's box, counted from p
    let (mut low, mut high) = ([0; 3], [0; 3]);
    let mut inside = true;
    for k in 0..3 {
        let (least, most) = (p[k].min(q[k]).min(r[k]) * one, p[k].max(q[k]).max(r[k]) * one);
        let (begin, end) = (i64::from(closed_box.low[k]), i64::from(closed_box.high[k]));
        if begin > end || most < begin || end < least {
            return false;
        }
        inside &= begin <= least && most <= end;
        low[k] = begin.max(least) - p[k] * one;
        high[k] = end.min(most) - p[k] * one;
    }
    if inside {
        return true;
    }
    let [e, f] = [q, r].map(|corner| [0, 1, 2].map(|k| corner[k] - p[k]));
    let g = [0, 1, 2].map(|k| f[k] - e[k]);
    // [2] the face normal: the triangle's points give 0
    let normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    let (begin, end) = extent(normal, low, high);
    if begin > 0 || end < 0 {
        return false;
    }
    // [3] an edge and a side of the box
    [e, f, g].iter().all(|edge| (0..3).all(|axis| meets_on(*edge, axis, [e, f], low, high)))
}

/// Smallest and largest value of n . x over the box.
fn extent(n: [i64; 3], low: [i64; 3], high: [i64; 3]) -> (i64, i64) {
    let term = |k: usize| if n[k] >= 0 { (n[k] * low[k], n[k] * high[k]) } else { (n[k] * high[k], n[k] * low[k]) };
    let (x, y, z) = (term(0), term(1), term(2));
    (x.0 + y.0 + z.0, x.1 + y.1 + z.1)
}

/// Whether the projections on the cross product of an edge and an axis overlap; the triangle's first corner is the origin.
fn meets_on(edge: [i64; 3], axis: usize, others: [[i64; 3]; 2], low: [i64; 3], high: [i64; 3]) -> bool {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut n = [0; 3];
    (n[u], n[v]) = (-edge[v], edge[u]);
    let at = |point: [i64; 3]| (n[u] * point[u] + n[v] * point[v]) << FRACTION_BITS;
    let [a, b] = others.map(at);
    let (begin, end) = extent(n, low, high);
    begin <= a.max(b).max(0) && a.min(b).min(0) <= end
}

#[cfg(test)]
mod tests {
    use super::triangle_meets_box;
    use crate::query::GridBox;

    /// Exact rational clipping of the triangle by the six sides, in i128 with a common denominator a vertex: an independent answer.
    fn clipped(corners: [[i32; 3]; 3], closed_box: &GridBox) -> bool {
        // Homogeneous points: x / w, w > 0.
        let mut polygon: Vec<[i128; 4]> = corners
            .iter()
            .map(|c| [i128::from(c[0]) * 128, i128::from(c[1]) * 128, i128::from(c[2]) * 128, 1])
            .collect();
        for axis in 0..3 {
            for (side, sign) in [(closed_box.low[axis], 1), (closed_box.high[axis], -1)] {
                let height = |p: &[i128; 4]| sign * (p[axis] - i128::from(side) * p[3]);
                let mut next = Vec::new();
                for (k, p) in polygon.iter().enumerate() {
                    let q = &polygon[(k + 1) % polygon.len()];
                    let (a, b) = (height(p), height(q));
                    if a >= 0 {
                        next.push(*p);
                    }
                    if (a > 0 && b < 0) || (a < 0 && b > 0) {
                        // (a q - b p) / (a - b), divided by common factors so that the numbers stay small.
                        let flip = if a > b { 1 } else { -1 };
                        let mut cut = [0, 1, 2, 3].map(|k| flip * (a * q[k] - b * p[k]));
                        let common = cut.iter().fold(0, |g, x| gcd(g, x.abs())).max(1);
                        cut.iter_mut().for_each(|x| *x /= common);
                        next.push(cut);
                    }
                }
                polygon = next;
            }
        }
        !polygon.is_empty()
    }

    fn gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    #[test]
    fn the_answer_is_that_of_exact_clipping() {
        let mut state = 11_u64;
        let mut next = |range: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % (2 * range as u64 + 1)) as i32 - range
        };
        let mut seen = [0; 2];
        for round in 0..60_000 {
            // Small grids touch often; large ones use every bit.
            let size = [2, 5, 40, 30_000][round % 4];
            let corners = [0, 1, 2].map(|_| [0, 1, 2].map(|_| next(size)));
            let unit = if round % 3 == 0 { 1 } else { 128 };
            let a = [0, 1, 2].map(|_| next(size * 100 / unit) * unit);
            let b = [0, 1, 2].map(|_| next(size * 128 / unit) * unit);
            let closed_box = GridBox { low: a, high: [0, 1, 2].map(|k| a[k] + b[k].abs()) };
            let expected = clipped(corners, &closed_box);
            assert_eq!(triangle_meets_box(corners, &closed_box), expected, "{corners:?}, {closed_box:?}");
            seen[usize::from(expected)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
    }

    #[test]
    fn touching_counts_and_sizes_do_not_overflow() {
        let unit = GridBox { low: [0; 3], high: [128; 3] };
        assert!(triangle_meets_box([[1, 1, 1], [2, 1, 1], [1, 2, 1]], &unit), "a corner");
        assert!(!triangle_meets_box([[2, 1, 1], [3, 1, 1], [2, 2, 1]], &unit));
        assert!(triangle_meets_box([[2, 0, 0], [0, 2, 0], [0, 0, 2]], &unit), "cuts a corner off");
        assert!(!triangle_meets_box([[4, 0, 0], [0, 4, 0], [0, 0, 4]], &unit), "passes the corner");
        let all = GridBox { low: [i32::MIN; 3], high: [i32::MAX; 3] };
        let far = (1 << 24) - 1;
        assert!(triangle_meets_box([[far; 3], [-far; 3], [far, -far, far]], &all));
        assert!(!triangle_meets_box([[0; 3]; 3], &GridBox::EMPTY));
        let large = [[0, 0, 0], [131_071, 0, 65_535], [0, 131_071, 65_535]];
        let below = GridBox { low: [0, 0, -1], high: [i32::MAX, i32::MAX, 0] };
        assert!(triangle_meets_box(large, &below), "in one point");
    }
}
