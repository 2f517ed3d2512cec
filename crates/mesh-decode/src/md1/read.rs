//! Reading MD1: header, table, chunks, and single meshlets.

use super::attributes::AttributeChunk;
use super::{
    ATTRIBUTES, BOXES, ENTRY_WORDS, HEADER_WORDS, Md1Header, Md1Mode, TRIANGLE_SOURCES, VERTEX_SOURCES, parallelogram,
};
use crate::bytes::{Bytes, words_le};
use crate::decode_units::{self, UnitDecoder, UnitSlices};
use crate::error::Error;
use crate::format::Format;
use crate::kernels::md1_fixed;
use crate::kernels::md1_meshlet::{self as kernel, Entry};
use crate::kernels::md1_positions::{self, Predictor, Scratch};
use crate::kernels::md1_walk::walk_triangles;
use crate::layout::Parts;
use crate::status::{Fault, Status};
use crate::units::{UnitRange, check_totals, compact_ranges, totals};

const FORMAT: Format = Format::Md1;

/// A file: header, table, body, optional chunks.
#[derive(Clone, Debug)]
pub(crate) struct Md1File {
    pub(crate) header: Md1Header,
    pub(crate) entries: Vec<Entry>,
    pub(crate) body: Vec<u32>,
    /// Six codes a meshlet: smallest x, y, z, largest x, y, z.
    pub(crate) boxes: Option<Vec<[u16; 6]>>,
    pub(crate) vertex_sources: Option<Vec<u32>>,
    pub(crate) triangle_sources: Option<Vec<u32>>,
    pub(crate) attributes: Option<AttributeChunk>,
}

impl Md1File {
    pub(crate) fn parse(data: &[u8]) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(FORMAT, data);
        let version = bytes.u32(4, "header")?;
        if !(1..=2).contains(&version) {
            return Err(Error::Unsupported {
                format: FORMAT,
                what: format!("version {version}, supported are 1 and 2"),
            });
        }
        bytes.slice(0, 4 * HEADER_WORDS, "header")?;
        let (count, body_words) = (bytes.u32(8, "header")?, bytes.u32(20, "header")?);
        if body_words > (1 << 27) - 64 {
            return Err(Error::field(FORMAT, 20, "body words", body_words, format!("up to {}", (1 << 27) - 64)));
        }
        let body_at = 4 * (HEADER_WORDS as u64 + ENTRY_WORDS as u64 * u64::from(count));
        let chunks_at = body_at + 4 * u64::from(body_words);
        if (data.len() as u64) < chunks_at {
            let found = data.len() as u64;
            return Err(Error::Length { format: FORMAT, what: "header, table and body", needed: chunks_at, found });
        }
        let header = read_header(&bytes, version)?;
        let entries = read_table(&bytes, count, body_words)?;
        let units =
            compact_ranges(entries.iter().zip(0..).map(|(entry, unit)| (unit, entry.vertices, entry.triangles)))?;
        check_totals(FORMAT, &units, [12, 16], |at| bytes.u32(at, "header"))?;
        let body = words_le(&data[body_at as usize..chunks_at as usize], 1);
        let mut file =
            Self { header, entries, body, boxes: None, vertex_sources: None, triangle_sources: None, attributes: None };
        file.read_chunks(&bytes, chunks_at as usize, &units)?;
        Ok((units, file))
    }

    /// Chunks: tag, words, data. An unknown tag is skipped.
    fn read_chunks(&mut self, bytes: &Bytes<'_>, mut at: usize, units: &[UnitRange]) -> Result<(), Error> {
        let chunks = bytes.u32(68, "header")?;
        let [vertices, triangles] = totals(units);
        for _ in 0..chunks {
            let (tag, words) = (bytes.u32(at, "chunk head")?, bytes.u32(at + 4, "chunk head")?);
            let length = usize::try_from(4 * u64::from(words)).unwrap_or(usize::MAX);
            let data = bytes.slice(at + 8, length, "chunk")?;
            let expected = match tag {
                BOXES => 3 * units.len() as u32,
                VERTEX_SOURCES => vertices,
                TRIANGLE_SOURCES => triangles,
                _ => words,
            };
            if words != expected {
                return Err(Error::field(FORMAT, at + 4, "words of the chunk", words, expected.to_string()));
            }
            match tag {
                BOXES => {
                    let boxes = data.as_chunks::<12>().0.iter();
                    self.boxes = Some(
                        boxes.map(|b| [0, 2, 4, 6, 8, 10].map(|k| u16::from_le_bytes([b[k], b[k + 1]]))).collect(),
                    );
                }
                VERTEX_SOURCES => self.vertex_sources = Some(words_le(data, 0)),
                ATTRIBUTES => self.attributes = Some(AttributeChunk::parse(data, at + 8, units)?),
                TRIANGLE_SOURCES => self.triangle_sources = Some(words_le(data, 0)),
                _ => {}
            }
            at += 8 + length;
        }
        bytes.exact_length(at as u64, "header, table, body and chunks")
    }
}

fn read_header(bytes: &Bytes<'_>, version: u32) -> Result<Md1Header, Error> {
    let wrong = |at, what, value: i32, allowed: &str| Err(Error::field(FORMAT, at, what, value, allowed));
    let word = |at: usize| bytes.u32(at, "header");
    let exponent = word(24)? as i32;
    if !(-126..=103).contains(&exponent) {
        return wrong(24, "exponent", exponent, "-126 to 103");
    }
    let origin = [word(28)? as i32, word(32)? as i32, word(36)? as i32];
    for (axis, value) in origin.into_iter().enumerate() {
        if value.unsigned_abs() >= (1 << 24) - (1 << 16) {
            return wrong(28 + 4 * axis, "origin", value, "magnitude below 2^24 - 2^16");
        }
    }
    let mut predictor = Predictor::default();
    for axis in 0..3 {
        predictor.bits[axis] = u32::from(bytes.u8(40 + axis, "header")?);
        if !(1..=16).contains(&predictor.bits[axis]) {
            return wrong(40 + axis, "bits of a code", predictor.bits[axis] as i32, "1 to 16");
        }
        predictor.shifts[axis] = u32::from(bytes.u8(62 + axis, "header")?);
        if predictor.shifts[axis] > 14 {
            return wrong(62 + axis, "predictor shift", predictor.shifts[axis] as i32, "0 to 14");
        }
        for k in 0..3 {
            predictor.weights[axis][k] = i32::from(bytes.i16(44 + 2 * (3 * axis + k), "header")?);
        }
        let sum: i64 = predictor.weights[axis].iter().map(|n| i64::from(n.abs())).sum();
        let largest = sum * ((1 << predictor.bits[axis]) - 1) + (1 << 13);
        if largest >= 1 << 31 {
            return Err(Error::field(FORMAT, 44 + 6 * axis, "largest weighted sum", largest, "below 2^31"));
        }
    }
    for at in 65..68 {
        if bytes.u8(at, "header")? != 0 {
            return wrong(at, "reserved byte", i32::from(bytes.u8(at, "header")?), "0");
        }
    }
    let mode = match bytes.u8(43, "header")? {
        0 if version == 1 => Md1Mode::Predicted,
        1 if version == 1 => Md1Mode::Offsets,
        2 if version == 2 => Md1Mode::Fixed,
        other if version == 1 => return wrong(43, "mode", i32::from(other), "0 and 1"),
        other => return wrong(43, "mode", i32::from(other), "2"),
    };
    let expected = parallelogram(predictor.bits);
    if mode == Md1Mode::Fixed && predictor != expected {
        let found = predictor.weights.as_flattened().iter().zip(expected.weights.as_flattened());
        let (k, weight) = (0..).zip(found).find(|(_, (n, m))| n != m).map_or((9, 0), |(k, (n, _))| (k, *n));
        return wrong(44 + 2 * k, "predictor in mode 2", weight, "weights 1, 1, -1 by axis and shifts 0");
    }
    Ok(Md1Header { exponent, origin, mode, predictor })
}

fn read_table(bytes: &Bytes<'_>, count: u32, body_words: u32) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for unit in 0..count {
        let at = 4 * (HEADER_WORDS + ENTRY_WORDS * unit as usize);
        let start = bytes.u32(at, "table")?;
        let end = if unit + 1 < count { bytes.u32(at + 4 * ENTRY_WORDS, "table")? } else { body_words };
        let counts = bytes.u32(at + 4, "table")?;
        if (unit == 0 && start != 0) || start > end || end > body_words {
            let allowed = format!("0 for the first, and in order up to {body_words}");
            return Err(Error::entry(FORMAT, at, unit, "first word", start, allowed));
        }
        let field = |shift: u32| ((counts >> shift) & 255) + 1;
        let entry = Entry { start, end, vertices: field(0), triangles: field(8), restarts: field(16) };
        if counts >> 24 != 0 {
            return Err(Error::entry(FORMAT, at + 7, unit, "reserved byte", counts >> 24, "0"));
        }
        if entry.restarts > entry.triangles {
            let allowed = format!("up to {} (triangles)", entry.triangles);
            return Err(Error::entry(FORMAT, at + 6, unit, "restarts", entry.restarts, allowed));
        }
        entries.push(entry);
    }
    Ok(entries)
}

impl Md1File {
    /// Bits of a meshlet by use; `None` when it is damaged.
    pub(crate) fn parts(&self, unit: u32) -> Option<Parts> {
        let entry = self.entries[unit as usize];
        if self.header.mode == Md1Mode::Fixed {
            return md1_fixed::parts(&self.body, &entry, self.header.predictor.bits);
        }
        let head = kernel::read_head(&self.body, &entry, self.header.predictor.bits).ok()?;
        let topology = kernel::read_topology(&self.body, &entry, head.end).ok()?;
        let repeats = topology.entries - entry.vertices;
        let distances = head.distance_unary + repeats * head.distance_rice;
        let predicted = self.header.mode == Md1Mode::Predicted;
        let roots = if predicted { topology.roots.max(1) } else { 0 };
        let deltas = if predicted { head.axes.iter().map(|axis| axis.delta_width * (roots - 1)).sum() } else { 0 };
        let residuals = head.axes.iter().map(|axis| axis.unary + axis.parameter * (entry.vertices - roots)).sum();
        let all = 32 * (entry.end - entry.start);
        let parts = [
            ("heads and anchors", head.end),
            ("restarts, edges, first uses", topology.end - head.end),
            ("distances", distances),
            ("differences of restarts", deltas),
            (if predicted { "residuals" } else { "offsets" }, residuals),
        ];
        let used: u32 = parts.iter().map(|(_, bits)| bits).sum();
        let parts = parts.into_iter().chain([("unused", all.checked_sub(used)?)]);
        Some(parts.map(|(name, bits)| (name, u64::from(bits))).collect())
    }

    /// The codes of the vertices of a meshlet, in `scratch.codes`; its triangles go to `corners`, a place for each, their vertices behind `base`.
    fn decode_meshlet(
        &self,
        entry: &Entry,
        scratch: &mut Scratch,
        base: u32,
        corners: &mut [[u32; 3]],
    ) -> Result<(), Fault> {
        let predictor = &self.header.predictor;
        if self.header.mode == Md1Mode::Fixed {
            return md1_fixed::decode_meshlet(&self.body, entry, predictor, scratch, base, corners);
        }
        let head = kernel::read_head(&self.body, entry, predictor.bits)?;
        let topology = kernel::read_topology(&self.body, entry, head.end)?;
        let Scratch { distances, entries, contexts, residuals, codes } = scratch;
        let at = kernel::read_entries(&self.body, entry, &head, &topology, distances, entries)?;
        let end = if self.header.mode == Md1Mode::Offsets {
            walk_triangles::<false>(&topology, entries, base, corners, contexts);
            md1_positions::read_offsets(&self.body, entry, &head, at, predictor.bits, codes)?
        } else {
            walk_triangles::<true>(&topology, entries, base, corners, contexts);
            if topology.roots == 0 {
                return Err(Fault::new(Status::Count, topology.end, 0, 1));
            }
            let end = md1_positions::read_residuals(&self.body, entry, &head, at, topology.roots, residuals)?;
            md1_positions::predict(entry.vertices, head.anchor, predictor, scratch)?;
            end
        };
        let words = (end + 31) >> 5;
        if words != entry.end - entry.start {
            return Err(Fault::new(Status::StreamEnd, end, 32 * words, 32 * (entry.end - entry.start)));
        }
        Ok(())
    }
}

impl UnitDecoder for Md1File {
    fn decode_unit(&self, out: &mut UnitSlices<'_>, scratch: &mut decode_units::Scratch) -> Result<(), Fault> {
        let entry = self.entries[out.range.unit as usize];
        let base = out.range.vertex_offset;
        let mut unwanted = Vec::new();
        let corners = if out.triangles.is_empty() {
            unwanted.resize(out.range.triangle_count as usize, [0; 3]);
            &mut unwanted[..]
        } else {
            &mut *out.triangles
        };
        self.decode_meshlet(&entry, &mut scratch.md1, base, corners)?;
        let codes = &scratch.md1.codes;
        let (origin, biased) = (self.header.origin, (self.header.exponent + 127) as u32);
        for (place, &[x, y, z, _]) in out.positions.iter_mut().zip(codes) {
            *place = md1_positions::position(origin, [x, y, z], biased);
        }
        for (place, &[x, y, z, _]) in out.grid.iter_mut().zip(codes) {
            *place = [origin[0] + x, origin[1] + y, origin[2] + z];
        }
        Ok(())
    }
}
