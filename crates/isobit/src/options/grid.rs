//! Where the cells of a dense grid lie.

use std::path::Path;

use clap::Args;
use mesh_distance::Grid;

use super::{Bounds, Cells};
use crate::failure::Failure;

/// Options of every verb that looks at the cells of a dense grid round a mesh.
#[derive(Debug, Args)]
pub(crate) struct GridPlace {
    /// Cells along x, y, z; one number for all three
    #[arg(long = "grid", value_name = "N|NX,NY,NZ", allow_hyphen_values = true)]
    pub(crate) cells: Cells,
    /// The grid covers the mesh's box grown by this part of its size on every side
    #[arg(long, default_value_t = 0.25, value_parser = super::margin, allow_negative_numbers = true)]
    margin: f64,
    /// The grid covers exactly this box
    #[arg(long, value_name = "x0,y0,z0,x1,y1,z1", allow_hyphen_values = true, conflicts_with = "margin")]
    bounds: Option<Bounds>,
}

impl GridPlace {
    /// The grid of a mesh with these bounds.
    pub(crate) fn around(&self, file: &Path, mesh: Option<mesh_distance::Bounds>) -> Result<Grid, Failure> {
        let (bounds, margin) = match self.bounds {
            Some(b) => (mesh_distance::Bounds { lo: b.low, hi: b.high }, 0.0),
            None => {
                let nothing = || Failure::file(file, "no triangles (0, allowed: 1 or more)");
                (mesh.ok_or_else(nothing)?, self.margin)
            }
        };
        Grid::around(&bounds, self.cells.0, margin).map_err(|e| Failure::of_mesh(file, e))
    }

    /// An error unless this many bytes a cell fit into memory.
    pub(crate) fn require(&self, bytes_per_cell: usize) -> Result<(), Failure> {
        let [x, y, z] = self.cells.0;
        let bytes = [x, y, z].iter().try_fold(bytes_per_cell as u64, |bytes, &n| bytes.checked_mul(u64::from(n)));
        crate::memory::require(&format!("grid {x} x {y} x {z}"), bytes)
    }
}
