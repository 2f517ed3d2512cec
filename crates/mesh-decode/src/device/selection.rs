//! Which units a decode takes and where each lands.

use gpu_runtime::{Context, DeviceVec};

use crate::error::Error;
use crate::units::UnitRange;

/// The first word of a job that is left out: a selection made on the device fills the rest of its jobs with it.
pub const NO_UNIT: u32 = u32::MAX;

/// Units to decode, on the device: a job of four words each.
///
/// Job: the unit; its first vertex in the outputs; its first triangle; what is added to its local vertices to give the indices of triangles.
#[derive(Debug)]
pub struct Selection {
    pub(super) jobs: DeviceVec<[u32; 4]>,
    pub(super) units: Vec<UnitRange>,
    pub(super) vertices: u32,
    pub(super) triangles: u32,
    /// Job k is unit k.
    pub(super) in_order: bool,
}

impl Selection {
    /// Uploads the jobs of these ranges. `first`: the numbers of jobs at which a new list begins, whose triangles count vertices from 0 again.
    pub(super) fn new(context: &Context, units: Vec<UnitRange>, first: &[usize]) -> Result<Selection, Error> {
        let mut base = 0;
        let mut starts = first.iter().copied().peekable();
        let jobs = units.iter().enumerate().map(|(k, range)| {
            while starts.next_if(|start| *start == k).is_some() {
                base = range.vertex_offset;
            }
            [range.unit, range.vertex_offset, range.triangle_offset, range.vertex_offset - base]
        });
        let jobs: Vec<[u32; 4]> = jobs.collect();
        let last = units.last().copied().unwrap_or_default();
        let (vertices, triangles) =
            (last.vertex_offset + last.vertex_count, last.triangle_offset + last.triangle_count);
        let in_order = units.iter().zip(0..).all(|(range, k)| range.unit == k);
        Ok(Selection { jobs: context.upload("jobs", &jobs)?, units, vertices, triangles, in_order })
    }

    /// Jobs that were made on the device, of which at most `vertices` and `triangles` come out.
    ///
    /// The caller vouches for them: units of the file, ranges that do not overlap and stay below both numbers, [`NO_UNIT`] where there is none. The
    /// host does not know the ranges, so [`Selection::units`] is empty.
    pub fn from_device(jobs: DeviceVec<[u32; 4]>, vertices: u32, triangles: u32) -> Selection {
        Selection { jobs, units: Vec::new(), vertices, triangles, in_order: false }
    }

    /// The jobs on the device.
    pub fn jobs(&self) -> &DeviceVec<[u32; 4]> {
        &self.jobs
    }

    /// The range of each unit in the outputs, in order.
    pub fn units(&self) -> &[UnitRange] {
        &self.units
    }

    /// Vertices that come out.
    pub fn vertex_count(&self) -> u32 {
        self.vertices
    }

    /// Triangles that come out.
    pub fn triangle_count(&self) -> u32 {
        self.triangles
    }
}
