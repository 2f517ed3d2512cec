//! Questions about coordinates and points.

use rayon::prelude::*;

use crate::build::Coordinate;
use crate::{Error, GridBatch};

/// Queries a thread takes at a time.
const CHUNK: usize = 4096;

/// Rows of coordinates; neighbours in the list mostly share their leaf, so the last one found is kept.
fn rows_of<'a>(grid: &'a GridBatch, item: usize, queries: &'a [[i32; 3]]) -> impl Iterator<Item = Option<u64>> + 'a {
    let mut last = ([i32::MAX; 3], None);
    queries.iter().map(move |&q| {
        let at = q.map(|c| c >> 3);
        if at != last.0 {
            last = (at, grid.find_leaf(item, at));
        }
        grid.row_in_leaf(last.1?, q)
    })
}

impl GridBatch {
    /// Row in the item of every coordinate, -1 where it is not active.
    ///
    /// # Errors
    /// [`Error::Index`] for the item.
    ///
    /// Cost: a search among the item's tiles and four popcounts a query. Source: fVDB `ijk_to_index`.
    pub fn coordinates_to_index_cpu(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        let first = self.item_rows(item)?.start;
        let index = |row: Option<u64>| row.map_or(-1, |row| (row - first) as i64);
        Ok(queries.par_chunks(CHUNK).flat_map_iter(|chunk| rows_of(self, item, chunk).map(index)).collect())
    }

    /// For every voxel of the item, by row: the position of its coordinate in `queries` (the last one if it occurs twice), -1 if it does not occur.
    ///
    /// # Errors
    /// [`Error::Index`] for the item.
    ///
    /// Source: fVDB `ijk_to_inv_index`.
    pub fn inverse_index_cpu(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        let rows = self.item_rows(item)?;
        let mut out = vec![-1; (rows.end - rows.start) as usize];
        for (q, row) in self.coordinates_to_index_cpu(item, queries)?.into_iter().enumerate() {
            if row >= 0 {
                out[row as usize] = q as i64;
            }
        }
        Ok(out)
    }

    /// Values of listed coordinates, by row of the item: `values[i]` belongs to `coordinates[i]`, the last one counts if a coordinate occurs twice, `missing` where none occurs.
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Length`] for lists of different lengths.
    ///
    /// Cost: that of [`coordinates_to_index_cpu`](Self::coordinates_to_index_cpu).
    pub fn values_by_row_cpu<T: Copy>(
        &self,
        item: usize,
        coordinates: &[[i32; 3]],
        values: &[T],
        missing: T,
    ) -> Result<Vec<T>, Error> {
        if coordinates.len() != values.len() {
            let (needed, found) = (coordinates.len() as u64, values.len() as u64);
            return Err(Error::Length { what: "values", needed, found });
        }
        let inverse = self.inverse_index_cpu(item, coordinates)?;
        Ok(inverse.into_iter().map(|at| if at < 0 { missing } else { values[at as usize] }).collect())
    }

    /// Rows in the item of the `(2 * extent + 1)^3` coordinates around each query scaled by `2^shift`: `(q << shift) + [-extent, extent]^3`, x slowest, -1 where not active.
    ///
    /// Coordinates outside `i32` are not active. No queries give an empty list.
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Parameter`] for `extent > 512` or `shift > 31`.
    ///
    /// Source: fVDB `neighbor_indexes`.
    pub fn neighbour_indices_cpu(
        &self,
        item: usize,
        queries: &[[i32; 3]],
        extent: u32,
        shift: u32,
    ) -> Result<Vec<i64>, Error> {
        let first = self.item_rows(item)?.start;
        for (what, value, most) in [("extent", extent, 512), ("shift", shift, 31)] {
            if value > most {
                return Err(Error::Parameter {
                    what: what.into(),
                    value: value.to_string(),
                    allowed: format!("0 to {most}"),
                });
            }
        }
        let side = i64::from(2 * extent + 1);
        let around = |&q: &[i32; 3]| {
            (0..side * side * side).map(move |i| {
                let offset = [i / (side * side), i / side % side, i % side];
                let mut at = [0; 3];
                for k in 0..3 {
                    at[k] = i32::try_from((i64::from(q[k]) << shift) + offset[k] - i64::from(extent)).ok()?;
                }
                self.row(item, at)
            })
        };
        Ok(queries
            .par_iter()
            .with_min_len(64)
            .flat_map_iter(|q| around(q).map(|row| row.map_or(-1, |row| (row - first) as i64)))
            .collect())
    }

    /// Whether every coordinate is active.
    ///
    /// # Errors
    /// [`Error::Index`] for the item.
    ///
    /// Source: fVDB `coords_in_grid`.
    pub fn coordinates_in_grid_cpu(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<bool>, Error> {
        self.check_item(item)?;
        Ok(queries
            .par_chunks(CHUNK)
            .flat_map_iter(|chunk| rows_of(self, item, chunk).map(|row| row.is_some()))
            .collect())
    }

    /// Whether the voxel that holds each world point, `floor((p - origin) / voxel size + 0.5)`, is active.
    ///
    /// Points that are not finite or have no voxel in `i32` are in no voxel.
    ///
    /// # Errors
    /// [`Error::Index`] for the item.
    ///
    /// Source: fVDB `points_in_grid`.
    pub fn points_in_grid_cpu(&self, item: usize, points: &[[f32; 3]]) -> Result<Vec<bool>, Error> {
        self.check_item(item)?;
        let transform = self.transforms[item];
        let inside = |p: &[f32; 3]| f32::voxel(&transform, p, 0.5).is_ok_and(|v| self.row(item, v).is_some());
        Ok(points.par_iter().with_min_len(CHUNK).map(inside).collect())
    }

    /// Whether all eight voxels `c + {0, 1}^3` are active: the cells between voxel centres.
    ///
    /// # Errors
    /// [`Error::Index`] for the item.
    ///
    /// Source: fVDB `cubes_in_grid`.
    pub fn cubes_in_grid_cpu(&self, item: usize, corners: &[[i32; 3]]) -> Result<Vec<bool>, Error> {
        self.check_item(item)?;
        let full = |&c: &[i32; 3]| {
            (0..8).all(|i| {
                let offset = [i >> 2, (i >> 1) & 1, i & 1];
                let mut at = [0; 3];
                for k in 0..3 {
                    let Some(v) = c[k].checked_add(offset[k]) else { return false };
                    at[k] = v;
                }
                self.row(item, at).is_some()
            })
        };
        Ok(corners.par_iter().with_min_len(CHUNK).map(full).collect())
    }
}
