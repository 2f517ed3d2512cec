//! Marks of the cells of a grid on a device.

use std::ops::ControlFlow;

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{DeviceVec, Kernel};
use gpu_shaders::folded_grid;

use super::grid;
use super::params::split;
use super::program::{self, Output};
use super::surface::DeviceSurface;
use crate::answers::require_sign;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::mark::{Cut, half_diagonal, surface_limit};
use crate::query::Progress;
use crate::{Error, Grid, Sign};

/// Cells of a submission to a hardware and to a software device.
const PIECE: u64 = 1 << 26;
const SOFTWARE_PIECE: u64 = 1 << 15;

/// `Params` of mark_cells.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    lo: [u32; 3],
    zero: u32,
    h: [u32; 3],
    limit: u32,
    counts: [u32; 3],
    groups_x: u32,
    first: [u32; 3],
    count: u32,
    lo_high: [u32; 3],
    limit_high: u32,
    h_high: [u32; 3],
    pad: u32,
}

/// Kernels and buffers of pieces of one size.
struct Piece<R: Precision> {
    counts: [u32; 3],
    kernels: grid::Kernels,
    buffers: grid::Buffers<R>,
    kernel: Kernel,
    marks: DeviceVec<u32>,
}

impl<R: Precision> Piece<R> {
    fn new(surface: &DeviceSurface<R>, counts: [u32; 3], sign: Sign, cut: Cut) -> Result<Piece<R>, Error> {
        let context = surface.context();
        let cells: usize = counts.iter().map(|&n| n as usize).product();
        Ok(Piece {
            counts,
            kernels: grid::Kernels::new(surface, counts, Some(Output::Distance { sign, squared: false }))?,
            buffers: grid::Buffers::new(surface, counts)?,
            kernel: context.kernel(&program::mark_entry::<R>(cut).source())?,
            marks: context.zeroed("marks", cells.div_ceil(4))?,
        })
    }

    fn run(
        &self,
        surface: &DeviceSurface<R>,
        grid: &FrameGrid<R>,
        first: [u32; 3],
        limit: R,
    ) -> Result<Vec<u8>, Error> {
        let count: u32 = self.counts.iter().product();
        let most = surface.context().adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(count.div_ceil(256), most);
        let (counts, groups_x) = (self.counts, groups[0]);
        let ([lo, lo_high], [h, h_high], [limit, limit_high]) = (split(grid.lo), split(grid.h), limit.words());
        let params =
            Params { lo, lo_high, h, h_high, limit, limit_high, counts, groups_x, first, count, zero: 0, pad: 0 };
        let mut recording = surface.context().record("mark");
        grid::record(surface, grid, first, &self.kernels, &self.buffers, &mut recording)?;
        let bindings = [
            ("boxes", surface.boxes.bind()),
            ("records", surface.records()),
            ("distances", self.buffers.results.bind()),
            ("marks", self.marks.bind()),
        ];
        recording.dispatch(&self.kernel, &bindings, &params, groups)?;
        let read = recording.download(&self.marks);
        let words = recording.submit()?.take(read)?;
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).take(count as usize).collect())
    }
}

impl<R: Precision> DeviceSurface<R> {
    /// The mark of each cell, x fastest: what [`crate::Surface::mark_cpu`] gives. A byte a cell comes back.
    ///
    /// # Errors
    /// As [`crate::Surface::mark_cpu`], and [`Error::Device`].
    pub fn mark(&self, grid: &Grid, sign: Sign, cut: Cut, progress: &Progress<'_>) -> Result<Vec<u8>, Error> {
        require_sign(sign)?;
        let frame_grid = FrameGrid::<R>::new(grid, &self.frame)?;
        let total = grid.cells()?;
        grid.check_memory(host_memory::available().saturating_mul(4))?;
        let limit = match cut {
            Cut::Diagonal => half_diagonal(grid),
            Cut::Surface => R::from_f64(f64::from(surface_limit(grid, &self.frame))),
        };
        let adapter = self.context().adapter();
        let most = (adapter.limits.max_binding_bytes / size_of::<R>() as u64)
            .min(if adapter.is_hardware() { PIECE } else { SOFTWARE_PIECE })
            .min(super::signs::most_queries::<R>(sign, self.triangles(), adapter.is_hardware()));
        let piece = grid::piece_counts(grid.counts, most);
        let mut marks = vec![0u8; total];
        let (mut first, mut done) = ([0; 3], 0);
        let mut prepared: Option<Piece<R>> = None;
        while first[2] < grid.counts[2] {
            if progress(done, total).is_break() {
                return Err(Error::Interrupted { done, total });
            }
            let counts: [u32; 3] = std::array::from_fn(|k| piece[k].min(grid.counts[k] - first[k]));
            let ready = match prepared.take() {
                Some(ready) if ready.counts == counts => ready,
                _ => Piece::new(self, counts, sign, cut)?,
            };
            let own = ready.run(self, &frame_grid, first, limit)?;
            grid::scatter(&own, 1, counts, first, grid.counts, &mut marks);
            done += own.len();
            first = grid::next_piece(first, piece, grid.counts);
            prepared = Some(ready);
        }
        let _: ControlFlow<()> = progress(done, total);
        Ok(marks)
    }
}
