//! Closed-box queries: which units and which triangles of a file meet an axis-aligned box, without decoding the rest.
//!
//! Everything is decided in integers on the file's grid, so there is one answer: the box is taken to 1/128 of a grid step (outwards), units are found
//! by a tree over their boxes ([`UnitBvh`]), and triangles by the separating axis test in 64-bit integers. Touching counts.

mod frame;
mod sidecar;
mod triangle_box;
mod unit_bvh;

pub use frame::{GridBox, GridFrame};
pub use triangle_box::triangle_meets_box;
pub use unit_bvh::UnitBvh;

use rayon::prelude::*;

use crate::decoded::{Decoded, Outputs};
use crate::error::Error;
use crate::file::File;
use crate::units::UnitRange;

/// What a box query gives.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxAnswer {
    /// The units whose box meets the box, decoded with positions, grid and triangles.
    pub decoded: Decoded,
    /// Places in `decoded.triangles` of those that meet the box, increasing.
    pub places: Vec<u32>,
    /// The same triangles by their numbers in a whole decode of the file, increasing.
    pub triangles: Vec<u32>,
}

impl File {
    /// Decodes the units that meet a box on the CPU and finds their triangles that do.
    ///
    /// A damaged unit has no triangles here; its status is in `decoded`. Cost: logarithmic in the units, linear in those that meet the box.
    ///
    /// # Errors
    /// [`Error::Input`] when the tree has not as many units as the file.
    pub fn query_box_cpu(&self, bvh: &UnitBvh, closed_box: &GridBox) -> Result<BoxAnswer, Error> {
        bvh.check_units(self.unit_count())?;
        let list = bvh.units_in(closed_box);
        let decoded = self.decode_units_cpu(&list, Outputs { grid: true, ..Outputs::MESH })?;
        let places = triangles_in_box(&decoded, closed_box);
        let triangles = self.triangle_numbers(&decoded.units, &places);
        Ok(BoxAnswer { decoded, places, triangles })
    }

    /// Numbers in a whole decode of triangles at places of a decode of some units; both increase.
    pub fn triangle_numbers(&self, units: &[UnitRange], places: &[u32]) -> Vec<u32> {
        let mut at = 0;
        let number = |place: &u32| {
            while units[at].triangle_offset + units[at].triangle_count <= *place {
                at += 1;
            }
            self.units()[units[at].unit as usize].triangle_offset + (place - units[at].triangle_offset)
        };
        places.iter().map(number).collect()
    }
}

/// Places of the triangles of a decode that meet a box, increasing. The decode must have `grid`; damaged units are left out.
pub fn triangles_in_box(decoded: &Decoded, closed_box: &GridBox) -> Vec<u32> {
    let units = decoded.units.par_iter().zip(&decoded.statuses).filter(|(_, status)| **status == 0);
    let lists: Vec<Vec<u32>> = units
        .map(|(range, _)| {
            let places = range.triangle_offset..range.triangle_offset + range.triangle_count;
            let corners = |place: &u32| decoded.triangles[*place as usize].map(|v| decoded.grid[v as usize]);
            places.filter(|place| triangle_meets_box(corners(place), closed_box)).collect()
        })
        .collect();
    lists.concat()
}
