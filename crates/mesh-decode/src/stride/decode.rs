//! Decoding single meshlets, and working out the table entry of one.

use super::StrideFile;
use crate::decode_units::{Scratch, UnitDecoder, UnitSlices};
use crate::kernels::stride_meshlet::{
    AxisResiduals, Connectivity, Entry, MAX_COUNT, predict_axis, read_connectivity, read_counts, read_residual_head,
    read_stream,
};
use crate::kernels::stride_position::position;
use crate::status::{Fault, Status};

const COUNT: usize = MAX_COUNT as usize;

fn empty_connectivity() -> Connectivity {
    Connectivity {
        triangles: [[0; 3]; COUNT],
        walk: [0; COUNT],
        contexts: [[0; 3]; COUNT],
        predicted: [0; 8],
        roots: 0,
        end: 0,
    }
}

/// The table entry of the meshlet at `start`, from its own bits.
pub(super) fn work_out_entry(words: &[u32], start: u32, end: u32, bits: [u32; 3]) -> Result<Entry, Fault> {
    let [vertices, triangles, strips] = read_counts(words, start, end)?;
    let mut entry = Entry { start, end, residuals: start, vertices, triangles, strips, ..Entry::default() };
    let mut connectivity = empty_connectivity();
    read_connectivity(words, &entry, &mut connectivity)?;
    entry.residuals = connectivity.end;
    entry.roots = connectivity.roots;
    let head = read_residual_head(words, &entry, bits)?;
    let mut at = head.end;
    let mut residuals = [0; COUNT];
    for stream in 0..6 {
        at = read_stream(words, &entry, at, head.coding[stream], stream_length(&entry, stream), &mut residuals)?;
        if let Some(place) = entry.streams.get_mut(stream) {
            *place = at - entry.residuals;
        }
    }
    Ok(entry)
}

/// Symbols of a stream: deltas of x, y, z, then residuals of x, y, z.
fn stream_length(entry: &Entry, stream: usize) -> u32 {
    if stream < 3 { entry.roots - 1 } else { entry.vertices - entry.roots }
}

/// Codes of every vertex of a meshlet, axis by axis; the connectivity is left in `connectivity`.
fn decode_codes(file: &StrideFile, entry: &Entry, connectivity: &mut Connectivity) -> Result<[[i32; COUNT]; 3], Fault> {
    let words = &file.body;
    let predictor = &file.header.predictor;
    read_connectivity(words, entry, connectivity)?;
    let fault = |status, bit: u32, value, allowed| Err(Fault::new(status, bit - entry.start, value, allowed));
    if connectivity.end != entry.residuals {
        let (found, expected) = (connectivity.end - entry.start, entry.residuals - entry.start);
        return fault(Status::StreamEnd, connectivity.end, found, expected);
    }
    if connectivity.roots != entry.roots {
        return fault(Status::Count, connectivity.end, connectivity.roots, entry.roots);
    }
    let head = read_residual_head(words, entry, predictor.bits)?;
    let mut streams = [[0; COUNT]; 6];
    for (stream, residuals) in streams.iter_mut().enumerate() {
        let begin = if stream == 0 { head.end } else { entry.residuals + entry.streams[stream - 1] };
        let end = read_stream(words, entry, begin, head.coding[stream], stream_length(entry, stream), residuals)?;
        if let Some(next) = entry.streams.get(stream).filter(|next| entry.residuals + **next != end) {
            return fault(Status::StreamEnd, end, end - entry.residuals, *next);
        }
    }
    let mut codes = [[0; COUNT]; 3];
    for (axis, codes) in codes.iter_mut().enumerate() {
        let input = AxisResiduals { anchor: head.anchor[axis], deltas: &streams[axis], residuals: &streams[axis + 3] };
        predict_axis(connectivity, entry.vertices, axis, predictor, input, codes)?;
    }
    Ok(codes)
}

impl UnitDecoder for StrideFile {
    fn decode_unit(&self, out: &mut UnitSlices<'_>, _: &mut Scratch) -> Result<(), Fault> {
        let entry = self.entries[out.range.unit as usize]?;
        let mut connectivity = empty_connectivity();
        let [x, y, z] = decode_codes(self, &entry, &mut connectivity)?;
        let base = out.range.vertex_offset;
        for (triangle, corners) in out.triangles.iter_mut().zip(&connectivity.triangles) {
            *triangle = corners.map(|id| base + u32::from(id));
        }
        let frame = self.header.frame();
        for vertex in 0..entry.vertices as usize {
            let codes = [x[vertex], y[vertex], z[vertex]];
            if let Some(place) = out.positions.get_mut(vertex) {
                *place = position(codes, &frame);
            }
            if let Some(place) = out.grid.get_mut(vertex) {
                *place = codes;
            }
        }
        Ok(())
    }
}
