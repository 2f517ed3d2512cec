//! DPRB version 4: header, body, side tables.

use super::{StrideFile, StrideHeader};
use crate::bytes::{Bytes, check_bit_addresses, words_be};
use crate::error::Error;
use crate::format::{DPRB_MAGIC, Format};
use crate::kernels::stride_meshlet::{Entry, MAX_COUNT, Predictor};
use crate::units::{UnitRange, check_totals, compact_ranges, totals};

const FORMAT: Format = Format::StrideBlob;
const HEADER: usize = 112;
/// Bytes of all tables for one meshlet.
const ENTRY: u64 = 50;
/// Largest magnitude of a header's floats, so that no position overflows.
const MAX_FLOAT: f32 = (1u64 << 60) as f32;

/// Where the tables lie.
struct Tables {
    offsets: usize,
    columns: [usize; 5],
    residuals: usize,
    roots: usize,
    streams: usize,
}

impl Tables {
    fn new(first: usize, count: usize) -> Self {
        let column = |k: usize| first + (8 + 4 * k) * count;
        let residuals = column(5);
        let roots = residuals + 8 * count;
        let columns = [column(0), column(1), column(2), column(3), column(4)];
        Self { offsets: first, columns, residuals, roots, streams: roots + 4 * count }
    }
}

impl StrideFile {
    /// Reads a blob and checks header and tables completely.
    pub(crate) fn parse_blob(data: &[u8]) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(FORMAT, data);
        check_version(bytes.u32(4, "header")?)?;
        bytes.slice(0, HEADER, "header")?;
        let (count, body_bytes) = (bytes.u32(8, "header")?, bytes.u32(20, "header")?);
        let needed = HEADER as u64 + u64::from(body_bytes) + ENTRY * u64::from(count);
        bytes.exact_length(needed, "header, body and tables of this many meshlets")?;
        check_bit_addresses(body_bytes)?;
        let header = read_header(&bytes)?;
        let tables = Tables::new(HEADER + body_bytes as usize, count as usize);
        let entries = read_entries(&bytes, &tables, count, body_bytes, &header)?;
        let counts = entries.iter().zip(0..).map(|(entry, unit)| (unit, entry.vertices, entry.triangles));
        let units = compact_ranges(counts)?;
        check_sums(&bytes, &tables, &units)?;
        let body = words_be(bytes.slice(HEADER, body_bytes as usize, "body")?, 2);
        Ok((units, Self { header, body, body_bytes, entries: entries.into_iter().map(Ok).collect() }))
    }

    /// The file as a blob of version 4, with the side tables worked out.
    ///
    /// # Errors
    /// [`Error::Unit`] for a damaged meshlet, [`Error::TooLarge`] when a stream offset passes 65,535 bits.
    pub(crate) fn to_blob(&self) -> Result<Vec<u8>, Error> {
        let mut entries = Vec::with_capacity(self.entries.len());
        for (entry, unit) in self.entries.iter().zip(0..) {
            entries.push(entry.map_err(|fault| Error::Unit { unit, fault })?);
        }
        let counts = entries.iter().zip(0..).map(|(entry, unit)| (unit, entry.vertices, entry.triangles));
        let units = compact_ranges(counts)?;
        let [vertices, triangles] = totals(&units);
        let mut out = Vec::new();
        let words = [DPRB_MAGIC, 4, units.len() as u32, vertices];
        words.into_iter().for_each(|word| out.extend(word.to_le_bytes()));
        let words = [triangles, self.body_bytes, 0, 0];
        words.into_iter().for_each(|word| out.extend(word.to_le_bytes()));
        write_header(&self.header, &mut out);
        let body = self.body.iter().flat_map(|word| word.to_be_bytes());
        out.extend(body.take(self.body_bytes as usize));
        entries.iter().for_each(|entry| out.extend(u64::from(entry.start).to_le_bytes()));
        for column in [|e: &Entry| e.vertices, |e: &Entry| e.triangles, |e: &Entry| e.strips] {
            entries.iter().for_each(|entry| out.extend(column(entry).to_le_bytes()));
        }
        units.iter().for_each(|unit| out.extend(unit.vertex_offset.to_le_bytes()));
        units.iter().for_each(|unit| out.extend(unit.triangle_offset.to_le_bytes()));
        entries.iter().for_each(|entry| out.extend(u64::from(entry.residuals).to_le_bytes()));
        entries.iter().for_each(|entry| out.extend(entry.roots.to_le_bytes()));
        for stream in entries.iter().flat_map(|entry| entry.streams) {
            let narrow = u16::try_from(stream).map_err(|_| Error::TooLarge {
                what: "bits before a residual stream",
                needed: u64::from(stream),
                allowed: u64::from(u16::MAX),
            })?;
            out.extend(narrow.to_le_bytes());
        }
        Ok(out)
    }
}

fn check_version(version: u32) -> Result<(), Error> {
    let what = match version {
        4 => return Ok(()),
        16 | 17 | 20 => format!("blob version {version}: its layout has not been published; supported is 4"),
        _ => format!("blob version {version}, supported is 4"),
    };
    Err(Error::Unsupported { format: FORMAT, what })
}

fn read_header(bytes: &Bytes<'_>) -> Result<StrideHeader, Error> {
    let float = |at: usize| bytes.f32(at, "header");
    let triple = |at: usize| Ok::<_, Error>([float(at)?, float(at + 4)?, float(at + 8)?]);
    let mut header = StrideHeader {
        centre: triple(32)?,
        scale: float(44)?,
        coordinate_error: float(48)?,
        low: triple(52)?,
        range: triple(64)?,
        predictor: Predictor::default(),
    };
    for axis in 0..3 {
        header.predictor.bits[axis] = bytes.u32(76 + 4 * axis, "header")?;
        header.predictor.shifts[axis] = u32::from(bytes.u8(106 + axis, "header")?);
        for k in 0..3 {
            header.predictor.weights[axis][k] = i32::from(bytes.i16(88 + 2 * (3 * axis + k), "header")?);
        }
    }
    let places = HeaderPlaces { floats: [32, 44, 52, 64], bits: [76, 80, 84], weights: 88, shifts: 106 };
    check_header(FORMAT, &header, &places)?;
    Ok(header)
}

/// Byte offsets of the fields in either form, for messages.
pub(super) struct HeaderPlaces {
    /// Centre, scale, low, range.
    pub(super) floats: [usize; 4],
    pub(super) bits: [usize; 3],
    pub(super) weights: usize,
    pub(super) shifts: usize,
}

/// The limits that keep the integer chain and the positions inside 32 bits.
pub(super) fn check_header(format: Format, header: &StrideHeader, places: &HeaderPlaces) -> Result<(), Error> {
    let triples = [header.centre, [header.scale; 3], header.low, header.range];
    for (values, at) in triples.iter().zip(places.floats) {
        if let Some(bad) = values.iter().find(|x| !(x.is_finite() && x.abs() <= MAX_FLOAT)) {
            return Err(Error::field(
                format,
                at,
                "float of the frame (its bits)",
                bad.to_bits(),
                "finite, magnitude up to 2^60",
            ));
        }
    }
    let predictor = &header.predictor;
    for axis in 0..3 {
        let (bits, shift) = (predictor.bits[axis], predictor.shifts[axis]);
        if !(1..=16).contains(&bits) {
            return Err(Error::field(format, places.bits[axis], "bits of a code", bits, "1 to 16"));
        }
        if shift > 14 {
            return Err(Error::field(format, places.shifts + axis, "predictor shift", shift, "0 to 14"));
        }
        let sum: i64 = predictor.weights[axis].iter().map(|n| i64::from(n.abs())).sum();
        let largest = sum * ((1 << bits) - 1) + (1 << 13);
        if largest >= 1 << 31 {
            let at = places.weights + 6 * axis;
            return Err(Error::field(format, at, "largest weighted sum", largest, "below 2^31"));
        }
    }
    Ok(())
}

fn write_header(header: &StrideHeader, out: &mut Vec<u8>) {
    let StrideHeader { centre, scale, coordinate_error, low, range, predictor } = header;
    for x in centre.iter().chain([scale, coordinate_error]).chain(low).chain(range) {
        out.extend(x.to_le_bytes());
    }
    predictor.bits.iter().for_each(|bits| out.extend(bits.to_le_bytes()));
    predictor.weights.iter().flatten().for_each(|weight| out.extend((*weight as i16).to_le_bytes()));
    out.extend(predictor.shifts.map(|shift| shift as u8));
    out.extend([0; 3]);
}

/// Reads the entries and checks each against the body and its neighbours.
fn read_entries(
    bytes: &Bytes<'_>,
    tables: &Tables,
    count: u32,
    body_bytes: u32,
    header: &StrideHeader,
) -> Result<Vec<Entry>, Error> {
    let body_bits = 8 * body_bytes;
    let mut entries: Vec<Entry> = Vec::new();
    for unit in 0..count {
        let k = unit as usize;
        let bit = |at: usize, what| -> Result<u32, Error> {
            let place = bytes.u64(at, "tables")?;
            let narrow = u32::try_from(place).ok().filter(|place| *place <= body_bits);
            narrow.ok_or_else(|| Error::entry(FORMAT, at, unit, what, place as i64, format!("0 to {body_bits}")))
        };
        let start = bit(tables.offsets + 8 * k, "bit offset")?;
        let end = if unit + 1 < count { bit(tables.offsets + 8 * (k + 1), "next bit offset")? } else { body_bits };
        let column = |c: usize| bytes.u32(tables.columns[c] + 4 * k, "tables");
        let stream = |s: usize| Ok::<_, Error>(u32::from(bytes.u16(tables.streams + 10 * k + 2 * s, "tables")?));
        let entry = Entry {
            start,
            end,
            residuals: bit(tables.residuals + 8 * k, "bit offset of the residuals")?,
            vertices: column(0)?,
            triangles: column(1)?,
            strips: column(2)?,
            roots: bytes.u32(tables.roots + 4 * k, "tables")?,
            streams: [stream(0)?, stream(1)?, stream(2)?, stream(3)?, stream(4)?],
        };
        check_entry(tables, unit, &entry, header)?;
        entries.push(entry);
    }
    Ok(entries)
}

fn check_entry(tables: &Tables, unit: u32, entry: &Entry, header: &StrideHeader) -> Result<(), Error> {
    let k = unit as usize;
    let wrong =
        |at: usize, what, value: u32, allowed: String| Err(Error::entry(FORMAT, at, unit, what, value, allowed));
    if entry.start > entry.end {
        return wrong(tables.offsets + 8 * k, "bit offset", entry.start, format!("up to the next one, {}", entry.end));
    }
    if !(1..=MAX_COUNT).contains(&entry.vertices) {
        return wrong(tables.columns[0] + 4 * k, "vertices", entry.vertices, format!("1 to {MAX_COUNT}"));
    }
    if !(1..=MAX_COUNT).contains(&entry.triangles) {
        return wrong(tables.columns[1] + 4 * k, "triangles", entry.triangles, format!("1 to {MAX_COUNT}"));
    }
    if entry.strips == 0 || entry.strips > entry.triangles {
        return wrong(
            tables.columns[2] + 4 * k,
            "strips",
            entry.strips,
            format!("1 to {} (triangles)", entry.triangles),
        );
    }
    if entry.residuals < entry.start || entry.residuals > entry.end {
        let allowed = format!("{} to {}", entry.start, entry.end);
        return wrong(tables.residuals + 8 * k, "bit offset of the residuals", entry.residuals, allowed);
    }
    if entry.roots == 0 || entry.roots > entry.vertices {
        return wrong(tables.roots + 4 * k, "roots", entry.roots, format!("1 to {} (vertices)", entry.vertices));
    }
    let mut low = header.predictor.bits.iter().sum::<u32>() + 96;
    let room = entry.end - entry.residuals;
    for (s, stream) in entry.streams.into_iter().enumerate() {
        if stream < low || stream > room {
            return wrong(tables.streams + 10 * k + 2 * s, "stream offset", stream, format!("{low} to {room}"));
        }
        low = stream;
    }
    Ok(())
}

/// The offset columns and the totals must be the prefix sums of the counts.
fn check_sums(bytes: &Bytes<'_>, tables: &Tables, units: &[UnitRange]) -> Result<(), Error> {
    for (k, unit) in units.iter().enumerate() {
        let columns = [(3, "vertex offset", unit.vertex_offset), (4, "triangle offset", unit.triangle_offset)];
        for (column, what, expected) in columns {
            let at = tables.columns[column] + 4 * k;
            let found = bytes.u32(at, "tables")?;
            if found != expected {
                return Err(Error::entry(FORMAT, at, unit.unit, what, found, expected.to_string()));
            }
        }
    }
    check_totals(FORMAT, units, [12, 16], |at| bytes.u32(at, "header"))
}
