//! Iso-lines of a field on a rectangular lattice by marching squares, linear along the edges.

/// A field at the crossings of columns `xs` and rows `ys`, row by row.
pub(crate) struct Lattice {
    /// Ascending column positions, at least 2.
    pub(crate) xs: Vec<f64>,
    /// Ascending row positions, at least 2.
    pub(crate) ys: Vec<f64>,
    /// `ys.len()` rows of `xs.len()` values.
    pub(crate) values: Vec<f64>,
}

impl Lattice {
    /// Spreads a plane of `width` x `height` cells over the rectangle `[0, width] x [0, height]`: values at the cell centres,
    /// and a rim at the outer edges that repeats the outermost ones, so that lines reach the frame and nothing is shown that is no value.
    pub(crate) fn with_rim(width: usize, height: usize, plane: &[f64]) -> Self {
        let column = |row: usize, x: usize| rim(width, x, |i| plane[row * width + i]);
        let rows: Vec<Vec<f64>> = (0..height).map(|row| (0..width + 2).map(|x| column(row, x)).collect()).collect();
        let mut values = Vec::with_capacity((width + 2) * (height + 2));
        for y in 0..height + 2 {
            values.extend((0..width + 2).map(|x| rim(height, y, |j| rows[j][x])));
        }
        Self { xs: places(width), ys: places(height), values }
    }

    fn at(&self, column: usize, row: usize) -> f64 {
        self.values[row * self.xs.len() + column]
    }

    /// The bilinear value at a position inside the lattice.
    pub(crate) fn sample(&self, x: f64, y: f64) -> f64 {
        let (i, s) = locate(&self.xs, x);
        let (j, t) = locate(&self.ys, y);
        let low = mix(self.at(i, j), self.at(i + 1, j), s);
        let high = mix(self.at(i, j + 1), self.at(i + 1, j + 1), s);
        mix(low, high, t)
    }

    /// Segments (x0, y0, x1, y1) of the line where the field equals `level`; cells with a value that is not finite are left out.
    pub(crate) fn iso_line(&self, level: f64) -> Vec<[f64; 4]> {
        let mut segments = Vec::new();
        for j in 0..self.ys.len() - 1 {
            for i in 0..self.xs.len() - 1 {
                self.cell_segments(i, j, level, &mut segments);
            }
        }
        segments
    }

    fn cell_segments(&self, i: usize, j: usize, level: f64, segments: &mut Vec<[f64; 4]>) {
        // Corners in the order of a walk round the cell.
        let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        let heights = corners.map(|(x, y)| self.at(x, y) - level);
        let above = heights.map(|h| h >= 0.0);
        if heights.iter().any(|h| !h.is_finite()) || above == [above[0]; 4] {
            return;
        }
        let mut crossings = [[0.0; 2]; 4];
        let mut count = 0;
        for a in 0..4 {
            let b = (a + 1) % 4;
            if above[a] != above[b] {
                let t = heights[a] / (heights[a] - heights[b]);
                let ((xa, ya), (xb, yb)) = (corners[a], corners[b]);
                crossings[count] = [mix(self.xs[xa], self.xs[xb], t), mix(self.ys[ya], self.ys[yb], t)];
                count += 1;
            }
        }
        let mut join = |p: [f64; 2], q: [f64; 2]| segments.push([p[0], p[1], q[0], q[1]]);
        if count == 2 {
            join(crossings[0], crossings[1]);
        } else if above[0] == (heights.iter().sum::<f64>() >= 0.0) {
            // A saddle whose middle is on the side of corner 0: corners 1 and 3 are cut off.
            join(crossings[0], crossings[1]);
            join(crossings[2], crossings[3]);
        } else {
            join(crossings[3], crossings[0]);
            join(crossings[1], crossings[2]);
        }
    }
}

/// Positions of the rim, the centres and the other rim of `count` cells.
fn places(count: usize) -> Vec<f64> {
    let centres = (0..count).map(|i| i as f64 + 0.5);
    std::iter::once(0.0).chain(centres).chain(std::iter::once(count as f64)).collect()
}

/// Value number `place` of a line of `count` centres with its two rims.
fn rim(count: usize, place: usize, value: impl Fn(usize) -> f64) -> f64 {
    value(place.clamp(1, count) - 1)
}

fn locate(places: &[f64], x: f64) -> (usize, f64) {
    let low = places.partition_point(|&p| p <= x).clamp(1, places.len() - 1) - 1;
    let t = (x - places[low]) / (places[low + 1] - places[low]);
    (low, t.clamp(0.0, 1.0))
}

fn mix(a: f64, b: f64, t: f64) -> f64 {
    // The ends exactly, also when the other end is not finite.
    if t <= 0.0 {
        a
    } else if t >= 1.0 {
        b
    } else {
        a + (b - a) * t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_iso_line_of_a_ramp_is_straight_and_reaches_the_frame() {
        let plane: Vec<f64> = (0..12).map(|i| f64::from(i % 4)).collect();
        let lattice = Lattice::with_rim(4, 3, &plane);
        assert_eq!(lattice.sample(0.0, 0.0), 0.0, "the outermost value, not one beyond");
        assert_eq!(lattice.sample(4.0, 3.0), 3.0);
        let line = lattice.iso_line(1.25);
        assert_eq!(line.len(), 4, "one segment a row of cells, rims included");
        assert!(line.iter().all(|s| (s[0] - 1.75).abs() < 1e-12 && (s[2] - 1.75).abs() < 1e-12), "{line:?}");
        assert!(line.iter().any(|s| s[1].min(s[3]) == 0.0) && line.iter().any(|s| s[1].max(s[3]) == 3.0));
    }

    #[test]
    fn one_cell_constants_and_missing_values_give_no_line() {
        assert!(Lattice::with_rim(1, 1, &[2.0]).iso_line(2.0).is_empty());
        assert!(Lattice::with_rim(2, 2, &[1.0; 4]).iso_line(0.0).is_empty());
        assert!(Lattice::with_rim(2, 2, &[f64::NAN, 1.0, -1.0, f64::INFINITY]).iso_line(0.0).len() < 9);
        assert!(Lattice::with_rim(1, 1, &[f64::NAN]).sample(0.5, 0.5).is_nan());
    }

    #[test]
    fn a_saddle_has_two_segments() {
        let lattice = Lattice { xs: vec![0.0, 1.0], ys: vec![0.0, 1.0], values: vec![1.0, -1.0, -1.0, 1.0] };
        assert_eq!(lattice.iso_line(0.0).len(), 2);
    }
}
