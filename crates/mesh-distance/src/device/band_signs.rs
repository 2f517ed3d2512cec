//! Robust signs of the cells of a narrow band.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::DeviceVec;

use super::band::KeptBlocks;
use super::params::split;
use super::program::{self, Source};
use super::signs::{self, Piece, Place, SignQuery};
use super::surface::DeviceSurface;
use crate::band::BandGrid;
use crate::double::Precision;
use crate::{Error, Sign};

/// Cells of one submission to a hardware device.
const MOST_CELLS: u64 = 1 << 22;
/// Most workgroups that make the points; further cells take further rounds.
const MOST_GROUPS: u32 = 65_535;

/// `Params` of band_points.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Params {
    lo: [u32; 3],
    zero: u32,
    h: [u32; 3],
    count: u32,
    counts: [u32; 2],
    groups: u32,
    first: u32,
    lo_high: [u32; 3],
    pad: u32,
    h_high: [u32; 3],
    pad2: u32,
}

/// Gives the distances of cells the signs that are made after them; others are there already.
pub(super) fn record<R: Precision>(
    surface: &DeviceSurface<R>,
    band: &BandGrid<R>,
    kept: &KeptBlocks,
    sign: Sign,
) -> Result<(), Error> {
    if !signs::is_robust(sign) {
        return Ok(());
    }
    let hardware = surface.context().adapter().is_hardware();
    let most = signs::most_queries::<R>(sign, surface.triangles(), hardware).min(MOST_CELLS) as usize;
    for first in (0..kept.marks.len()).step_by(most) {
        let count = most.min(kept.marks.len() - first);
        part(surface, band, kept, first, count, sign)?;
    }
    Ok(())
}

/// Signs of `count` cells from the one at `first`.
fn part<R: Precision>(
    surface: &DeviceSurface<R>,
    band: &BandGrid<R>,
    kept: &KeptBlocks,
    first: usize,
    count: usize,
    sign: Sign,
) -> Result<(), Error> {
    let context = surface.context();
    // Cells have 32-bit indices, so their number does too.
    let total = count as u32;
    let Some(query) = SignQuery::new(surface, sign, Source::Points, [total, 1, 1])? else { return Ok(()) };
    let (points, order): (DeviceVec<R>, _) = (context.zeroed("points", 3 * count)?, context.zeroed("order", count)?);
    let distances: DeviceVec<u32> = context.zeroed("band distances", count)?;
    let grid = &band.grid;
    let ([lo, lo_high], [h, h_high]) = (split(grid.lo), split(grid.h));
    let params = Params {
        lo,
        lo_high,
        h,
        h_high,
        count: total,
        counts: [grid.counts[0], grid.counts[1]],
        groups: total.div_ceil(64).min(MOST_GROUPS),
        first: first as u32,
        ..Params::default()
    };
    let bindings = [("marks", kept.marks.bind()), ("points", points.bind()), ("order", order.bind())];
    let kernel = context.kernel(&program::band_points_entry::<R>().source())?;
    let mut recording = context.record("band_signs");
    recording.dispatch(&kernel, &bindings, &params, [params.groups, 1, 1])?;
    // The word that holds the sign.
    let signed = kept.upper.as_ref().unwrap_or(&kept.values);
    recording.copy(signed, first..first + count, &distances, 0)?;
    let place = Place { grid: None, points: points.bind(), order: Some(&order) };
    let piece = Piece { place, results: distances.bind(), stride: 1, upper: 0, squared: false };
    query.record(surface, &mut recording, &piece)?;
    recording.copy(&distances, 0..count, signed, first)?;
    recording.submit()?;
    Ok(())
}
