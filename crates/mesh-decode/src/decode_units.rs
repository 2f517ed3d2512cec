//! Decoding a selection of units into flat arrays: each unit gets its own slices, rayon runs over units.

use std::mem;

use rayon::prelude::*;

use crate::decoded::{Decoded, Outputs};
use crate::format::Format;
use crate::status::Fault;
use crate::units::UnitRange;

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

impl UnitSlices<'_> {
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
    /// Fills the slices of one unit, whose ranges are known to be right.
    fn decode_unit(&self, out: &mut UnitSlices<'_>) -> Result<(), Fault>;
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

/// Decodes the units of `ranges`, whose offsets must be prefix sums of their counts.
pub(crate) fn decode_units(
    decoder: &dyn UnitDecoder,
    format: Format,
    ranges: Vec<UnitRange>,
    outputs: Outputs,
) -> Decoded {
    let mut decoded = zeroed(format, ranges, outputs);
    let mut slices = split(&mut decoded);
    // Many small units: a task takes a run of them.
    let results: Vec<Option<Fault>> = slices
        .par_iter_mut()
        .with_min_len(16)
        .map(|slice| {
            let fault = decoder.decode_unit(slice).err();
            if fault.is_some() {
                slice.clear();
            }
            fault
        })
        .collect();
    drop(slices);
    decoded.statuses = results.iter().map(|fault| fault.map_or(0, |fault| fault.status as u32)).collect();
    let faults = decoded.units.iter().zip(&results).filter_map(|(range, fault)| fault.map(|f| (range.unit, f)));
    decoded.faults = faults.collect();
    decoded
}

fn zeroed(format: Format, units: Vec<UnitRange>, outputs: Outputs) -> Decoded {
    let (vertices, triangles) = units.last().map_or((0, 0), |last| {
        ((last.vertex_offset + last.vertex_count) as usize, (last.triangle_offset + last.triangle_count) as usize)
    });
    let has = Has::of(format);
    let count = |wanted: bool, number: usize| if wanted { number } else { 0 };
    let dgf = outputs.attributes && has.dgf;
    Decoded {
        format,
        statuses: Vec::new(),
        faults: Vec::new(),
        positions: vec![[0.0; 3]; count(outputs.positions && has.geometry, vertices)],
        grid: vec![[0; 3]; count(outputs.grid && has.geometry, vertices)],
        triangles: vec![[0; 3]; count(outputs.triangles, triangles)],
        vertex_references: vec![0; count(outputs.attributes && has.references, vertices)],
        geometry_ids: vec![0; count(dgf, triangles)],
        opaque: vec![0; count(dgf, triangles)],
        primitive_ids: vec![0; count(dgf, triangles)],
        user_words: vec![0; count(dgf, units.len())],
        units,
    }
}

fn split(decoded: &mut Decoded) -> Vec<UnitSlices<'_>> {
    let mut positions = &mut decoded.positions[..];
    let mut grid = &mut decoded.grid[..];
    let mut triangles = &mut decoded.triangles[..];
    let mut vertex_references = &mut decoded.vertex_references[..];
    let mut geometry_ids = &mut decoded.geometry_ids[..];
    let mut opaque = &mut decoded.opaque[..];
    let mut primitive_ids = &mut decoded.primitive_ids[..];
    let mut user_words = &mut decoded.user_words[..];
    let slices = decoded.units.iter().map(|&range| {
        let (v, t) = (range.vertex_count as usize, range.triangle_count as usize);
        UnitSlices {
            range,
            positions: take(&mut positions, v),
            grid: take(&mut grid, v),
            triangles: take(&mut triangles, t),
            vertex_references: take(&mut vertex_references, v),
            geometry_ids: take(&mut geometry_ids, t),
            opaque: take(&mut opaque, t),
            primitive_ids: take(&mut primitive_ids, t),
            user_words: take(&mut user_words, 1),
        }
    });
    slices.collect()
}

/// The next `count` entries, or none when the array is not wanted.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = mem::take(rest);
    let (head, tail) = all.split_at_mut(count.min(all.len()));
    *rest = tail;
    head
}
