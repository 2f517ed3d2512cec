//! A narrow band that stays on the device, as lists that other crates' kernels take.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec};

use super::band::KeptBlocks;
use super::program;
use crate::{Error, Grid};

/// Invocations of a workgroup.
const GROUP: u32 = 64;
/// Most workgroups of a dispatch; further cells take further rounds.
const MOST_GROUPS: u32 = 65_535;

/// `Params` of band_coordinates.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Params {
    zero: u32,
    count: u32,
    counts: [u32; 2],
    groups: u32,
    pad: [u32; 3],
}

/// The cells of [`crate::Band`] on a device, block by block: another order than its, the same on every device.
#[derive(Debug)]
pub struct DeviceBand {
    /// Three words a cell: its place (i, j, k) in the grid.
    pub coordinates: DeviceVec<i32>,
    /// The bits of the distance of each cell's centre.
    pub distance: DeviceVec<u32>,
}

impl DeviceBand {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.distance.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.distance.is_empty()
    }

    /// One list of the parts.
    pub(super) fn joined(context: &Context, grid: &Grid, parts: &[KeptBlocks]) -> Result<DeviceBand, Error> {
        let count = parts.iter().map(|part| part.marks.len()).sum();
        let marks = context.zeroed::<u32>("band marks", count)?;
        let distance = context.zeroed::<u32>("band distance", count)?;
        let coordinates = context.zeroed::<i32>("band coordinates", 3 * count)?;
        if count == 0 {
            return Ok(DeviceBand { coordinates, distance });
        }
        let mut recording = context.record("band_coordinates");
        let mut at = 0;
        for part in parts {
            recording.copy(&part.marks, 0..part.marks.len(), &marks, at)?;
            recording.copy(&part.values, 0..part.values.len(), &distance, at)?;
            at += part.marks.len();
        }
        // Cells have 32-bit indices, so their number does too.
        let groups = (count as u32).div_ceil(GROUP).min(MOST_GROUPS);
        let params =
            Params { count: count as u32, counts: [grid.counts[0], grid.counts[1]], groups, ..Params::default() };
        let bindings = [("marks", marks.bind()), ("coordinates", coordinates.bind())];
        let kernel = context.kernel(&program::coordinates_entry().source())?;
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        recording.submit()?;
        Ok(DeviceBand { coordinates, distance })
    }
}
