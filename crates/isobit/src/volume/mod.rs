//! A scalar on a regular 3-D grid, x fastest: what `sdf` writes and `view` reads.

pub(crate) mod npy;
pub(crate) mod vti;
mod vti_data;
pub(crate) mod vti_read;

/// Values in index order `(k * ny + j) * nx + i`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
    /// Marks.
    U8(Vec<u8>),
}

impl Values {
    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// The value at a linear index, widened; NaN past the end.
    pub(crate) fn get(&self, index: usize) -> f64 {
        match self {
            Self::F32(v) => v.get(index).map_or(f64::NAN, |&x| f64::from(x)),
            Self::F64(v) => v.get(index).copied().unwrap_or(f64::NAN),
            Self::U8(v) => v.get(index).map_or(f64::NAN, |&x| f64::from(x)),
        }
    }
}

/// A regular grid of values with its place in space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Volume {
    /// Cells along x, y, z.
    pub(crate) cells: [usize; 3],
    /// Centre of cell (0, 0, 0).
    pub(crate) first: [f64; 3],
    /// Distance of neighbouring centres along x, y, z.
    pub(crate) spacing: [f64; 3],
    /// The values.
    pub(crate) values: Values,
}

impl Volume {
    /// The plane `index` across `axis` as rows: width, height and values, the lower of the two other axes along the row.
    pub(crate) fn plane(&self, axis: usize, index: usize) -> (usize, usize, Vec<f64>) {
        let [u, v] = other_axes(axis);
        let stride = [1, self.cells[0], self.cells[0] * self.cells[1]];
        let mut values = Vec::with_capacity(self.cells[u] * self.cells[v]);
        for row in 0..self.cells[v] {
            let start = index * stride[axis] + row * stride[v];
            values.extend((0..self.cells[u]).map(|column| self.values.get(start + column * stride[u])));
        }
        (self.cells[u], self.cells[v], values)
    }
}

/// The two axes of a plane across `axis`, in order.
pub(crate) fn other_axes(axis: usize) -> [usize; 2] {
    match axis {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_pick_the_right_cells() {
        let values = (0..24).map(|i| i as f32).collect();
        let volume = Volume { cells: [2, 3, 4], first: [0.0; 3], spacing: [1.0; 3], values: Values::F32(values) };
        assert_eq!(volume.plane(2, 1), (2, 3, vec![6.0, 7.0, 8.0, 9.0, 10.0, 11.0]));
        assert_eq!(volume.plane(1, 2).2, [4.0, 5.0, 10.0, 11.0, 16.0, 17.0, 22.0, 23.0]);
        assert_eq!(volume.plane(0, 1), (3, 4, (0..12).map(|i| f64::from(2 * i + 1)).collect()));
    }
}
