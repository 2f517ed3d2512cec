//! Minkowski sums: boxes and arbitrary stencils.

use super::image::image;
use super::{AxisRelation, Relation};
use crate::{Error, GridBatch};

impl GridBatch {
    /// `S + [min, max]`, the sum with a box of offsets (inclusive; it need not contain 0).
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::Parameter`] when `min > max` on an axis; [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: a source leaf is visited once for every destination leaf it reaches. Source: fVDB `padded_grid`, which asks for `min <= 0 <= max`.
    pub fn pad_cpu(&self, min: [i32; 3], max: [i32; 3]) -> Result<Self, Error> {
        check_box(min, max)?;
        Self::assemble(self.transforms.clone(), image(self, &[pad(min, max)])?)
    }

    /// The corners of all voxels: `S + {0, 1}^3`, where dual voxel `d` is the low corner of voxel `d`.
    ///
    /// Transform: [`dual`](crate::Transform::dual).
    ///
    /// # Errors
    /// [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Source: fVDB `dual_grid`.
    pub fn dual_cpu(&self) -> Result<Self, Error> {
        let parts = image(self, &[pad([0; 3], [1; 3])])?;
        Self::assemble(self.transforms_by(|t| t.dual()), parts)
    }

    /// The corners all of whose eight voxels are active: `{ p : p - {0, 1}^3 within S }`.
    ///
    /// Transform: [`dual`](crate::Transform::dual). fVDB's `exclude_border` gives these corners moved by -1: [`dual_without_border_fvdb_cpu`](Self::dual_without_border_fvdb_cpu).
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn dual_without_border_cpu(&self) -> Result<Self, Error> {
        let mut out = self.erode_box_cpu([-1; 3], [0; 3])?;
        out.transforms = self.transforms_by(|t| t.dual());
        Ok(out)
    }

    /// fVDB's own variant: `{ c : c + {0, 1}^3 within S }`, with the transform of the dual.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// Source: fVDB `dual_grid(exclude_border=True)`.
    pub fn dual_without_border_fvdb_cpu(&self) -> Result<Self, Error> {
        let mut out = self.erode_box_cpu([0; 3], [1; 3])?;
        out.transforms = self.transforms_by(|t| t.dual());
        Ok(out)
    }

    /// `S + B` for any list of offsets `B` (which need not contain 0); an empty list gives empty items.
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: the offsets are joined to boxes; a source leaf is visited once for every box and destination leaf it reaches.
    pub fn dilate_stencil_cpu(&self, offsets: &[[i32; 3]]) -> Result<Self, Error> {
        Self::assemble(self.transforms.clone(), image(self, &boxes(offsets))?)
    }
}

/// The relation of a sum with a box.
pub(crate) fn pad(min: [i32; 3], max: [i32; 3]) -> Relation {
    std::array::from_fn(|k| AxisRelation::pad(i64::from(min[k]), i64::from(max[k])))
}

/// A box of offsets needs `min <= max` on every axis.
pub(crate) fn check_box(min: [i32; 3], max: [i32; 3]) -> Result<(), Error> {
    for (k, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
        if min[k] > max[k] {
            return Err(Error::Parameter {
                what: format!("min along {axis}"),
                value: min[k].to_string(),
                allowed: format!("numbers up to max, {}", max[k]),
            });
        }
    }
    Ok(())
}

/// Disjoint boxes whose union is a list of offsets: runs along z, then equal runs of neighbouring y, then equal faces of neighbouring x.
pub(crate) fn boxes(offsets: &[[i32; 3]]) -> Vec<Relation> {
    let mut columns: Vec<([i32; 3], [i32; 3])> = offsets.iter().map(|&o| (o, o)).collect();
    for axis in [2, 1, 0] {
        columns.sort_unstable_by_key(|&(lo, hi)| {
            let other = |v: [i32; 3]| [v[(axis + 1) % 3], v[(axis + 2) % 3]];
            (other(lo), other(hi), lo[axis])
        });
        let mut joined: Vec<([i32; 3], [i32; 3])> = Vec::with_capacity(columns.len());
        for (lo, hi) in columns {
            match joined.last_mut() {
                Some(last)
                    if (0..3).all(|k| k == axis || (last.0[k] == lo[k] && last.1[k] == hi[k]))
                        && i64::from(lo[axis]) <= i64::from(last.1[axis]) + 1 =>
                {
                    last.1[axis] = last.1[axis].max(hi[axis]);
                }
                _ => joined.push((lo, hi)),
            }
        }
        columns = joined;
    }
    columns.into_iter().map(|(lo, hi)| pad(lo, hi)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_join_to_few_boxes() {
        let cube: Vec<[i32; 3]> = (0..27).map(|i| [i / 9 - 1, (i / 3) % 3 - 1, i % 3 - 1]).collect();
        assert_eq!(boxes(&cube), [pad([-1; 3], [1; 3])]);
        let face: Vec<[i32; 3]> =
            cube.iter().copied().filter(|o| o.iter().map(|v| v.abs()).sum::<i32>() <= 1).collect();
        assert_eq!(boxes(&face).len(), 5);
        assert_eq!(boxes(&[[i32::MAX; 3], [i32::MIN; 3], [i32::MAX; 3]]).len(), 2);
    }
}
