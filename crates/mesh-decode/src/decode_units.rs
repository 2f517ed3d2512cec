//! Decoding a selection of units into flat arrays: each unit gets its own slices, rayon runs over units.

use std::mem;

use rayon::prelude::*;

use crate::decoded::{Decoded, Outputs};
use crate::format::Format;
use crate::kernels::md1_positions;
use crate::status::Fault;
use crate::units::{UnitRange, totals};

/// The parts of the output arrays that belong to one unit. A slice is empty when its array is not wanted.
pub(crate) struct UnitSlices<'a> {
    pub(crate) range: UnitRange,
    pub(crate) positions: &'a mut [[f32; 3]],
    pub(crate) grid: &'a mut [[i32; 3]],
    pub(crate) triangles: &'a mut [[u32; 3]],
    pub(crate) vertex_references: &'a mut [u32],
    pub(crate) geometry_ids: &'a mut [u32],
    pub(crate) opaque: &'a mut [u8],
    pub(crate) primitive_ids: &'a mut [u32],
    pub(crate) user_words: &'a mut [u32],
}

impl<'a> UnitSlices<'a> {
    /// Cuts the entries of `units` units with together the counts of `range` off the front.
    fn take(&mut self, range: UnitRange, units: usize) -> UnitSlices<'a> {
        let (v, t) = (range.vertex_count as usize, range.triangle_count as usize);
        UnitSlices {
            range,
            positions: take(&mut self.positions, v),
            grid: take(&mut self.grid, v),
            triangles: take(&mut self.triangles, t),
            vertex_references: take(&mut self.vertex_references, v),
            geometry_ids: take(&mut self.geometry_ids, t),
            opaque: take(&mut self.opaque, t),
            primitive_ids: take(&mut self.primitive_ids, t),
            user_words: take(&mut self.user_words, units),
        }
    }

    fn clear(&mut self) {
        self.positions.fill([0.0; 3]);
        self.grid.fill([0; 3]);
        self.triangles.fill([0; 3]);
        self.vertex_references.fill(0);
        self.geometry_ids.fill(0);
        self.opaque.fill(0);
        self.primitive_ids.fill(0);
        self.user_words.fill(0);
    }
}

/// A format's decoder of single units.
pub(crate) trait UnitDecoder: Sync {
    /// Fills the slices of one unit, whose ranges are known to be right: every entry, whatever was there.
    fn decode_unit(&self, out: &mut UnitSlices<'_>, scratch: &mut Scratch) -> Result<(), Fault>;
}

/// What the units of a task share, so that it is not made anew for each.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) md1: Box<md1_positions::Scratch>,
}

/// Which arrays a format has.
struct Has {
    geometry: bool,
    references: bool,
    dgf: bool,
}

impl Has {
    fn of(format: Format) -> Self {
        let references = format == Format::MeshoptMeshlets;
        Self { geometry: !references, references, dgf: matches!(format, Format::Dgfb | Format::DgfBlocks) }
    }
}

/// Units of a task: many are small.
const RUN: usize = 32;

/// Decodes the units of `ranges`, whose offsets must be prefix sums of their counts, into arrays that may have been used before.
pub(crate) fn decode_units(
    decoder: &dyn UnitDecoder,
    format: Format,
    ranges: Vec<UnitRange>,
    outputs: Outputs,
    decoded: &mut Decoded,
) {
    resize(decoded, format, ranges, outputs);
    let mut runs = split(decoded);
    let decode = |scratch: &mut Scratch, run: &mut Run<'_>| run.decode(decoder, scratch);
    let faults: Vec<Vec<(u32, Fault)>> = runs.par_iter_mut().map_init(Scratch::default, decode).collect();
    drop(runs);
    decoded.faults = faults.concat();
}

/// Neighbouring units with the parts of the output arrays that belong to them.
struct Run<'a> {
    units: &'a [UnitRange],
    statuses: &'a mut [u32],
    rest: UnitSlices<'a>,
}

impl Run<'_> {
    /// Decodes every unit; the damaged ones come back.
    fn decode(&mut self, decoder: &dyn UnitDecoder, scratch: &mut Scratch) -> Vec<(u32, Fault)> {
        let mut faults = Vec::new();
        for (range, status) in self.units.iter().zip(&mut *self.statuses) {
            let mut slices = self.rest.take(*range, 1);
            *status = 0;
            if let Err(fault) = decoder.decode_unit(&mut slices, scratch) {
                slices.clear();
                *status = fault.status as u32;
                faults.push((range.unit, fault));
            }
        }
        faults
    }
}

/// Gives every array its length; what it held before is not wiped.
fn resize(decoded: &mut Decoded, format: Format, units: Vec<UnitRange>, outputs: Outputs) {
    let [vertices, triangles] = totals(&units).map(|count| count as usize);
    let has = Has::of(format);
    let count = |wanted: bool, number: usize| if wanted { number } else { 0 };
    let dgf = outputs.attributes && has.dgf;
    decoded.format = format;
    fit(&mut decoded.statuses, units.len());
    fit(&mut decoded.positions, count(outputs.positions && has.geometry, vertices));
    fit(&mut decoded.grid, count(outputs.grid && has.geometry, vertices));
    fit(&mut decoded.triangles, count(outputs.triangles, triangles));
    fit(&mut decoded.vertex_references, count(outputs.attributes && has.references, vertices));
    fit(&mut decoded.geometry_ids, count(dgf, triangles));
    fit(&mut decoded.opaque, count(dgf, triangles));
    fit(&mut decoded.primitive_ids, count(dgf, triangles));
    fit(&mut decoded.user_words, count(dgf, units.len()));
    decoded.units = units;
}

/// Memory that has to be larger comes zeroed from the system, which is cheaper than to fill it.
fn fit<T: Default + Clone>(values: &mut Vec<T>, length: usize) {
    if length > values.capacity() {
        *values = vec![T::default(); length];
    } else {
        values.resize(length, T::default());
    }
}

fn split(decoded: &mut Decoded) -> Vec<Run<'_>> {
    let mut statuses = &mut decoded.statuses[..];
    let mut rest = UnitSlices {
        range: UnitRange::default(),
        positions: &mut decoded.positions[..],
        grid: &mut decoded.grid[..],
        triangles: &mut decoded.triangles[..],
        vertex_references: &mut decoded.vertex_references[..],
        geometry_ids: &mut decoded.geometry_ids[..],
        opaque: &mut decoded.opaque[..],
        primitive_ids: &mut decoded.primitive_ids[..],
        user_words: &mut decoded.user_words[..],
    };
    let runs = decoded.units.chunks(RUN).map(|units| {
        let counts = units.iter().map(|range| (range.vertex_count, range.triangle_count));
        let (vertex_count, triangle_count) = counts.fold((0, 0), |(v, t), (dv, dt)| (v + dv, t + dt));
        let whole = UnitRange { vertex_count, triangle_count, ..UnitRange::default() };
        Run { units, statuses: take(&mut statuses, units.len()), rest: rest.take(whole, units.len()) }
    });
    runs.collect()
}

/// The next `count` entries, or none when the array is not wanted.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = mem::take(rest);
    let (head, tail) = all.split_at_mut(count.min(all.len()));
    *rest = tail;
    head
}
