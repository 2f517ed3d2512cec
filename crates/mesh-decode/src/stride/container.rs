//! DPR4 version 3: one bit stream, most significant bit first; the side table is worked out.

use rayon::prelude::*;

use super::blob::{HeaderPlaces, check_header};
use super::decode::work_out_entry;
use super::{StrideFile, StrideHeader};
use crate::bytes::{Bytes, check_bit_addresses, words_be};
use crate::error::Error;
use crate::format::Format;
use crate::kernels::stride_meshlet::{Predictor, read_counts};
use crate::units::{UnitRange, check_totals, compact_ranges};

const FORMAT: Format = Format::StrideContainer;
const HEADER: usize = 86;

impl StrideFile {
    /// Reads a container. A meshlet whose counts cannot be read fails the file, because no range after it would be known; other damage is the
    /// meshlet's own.
    pub(crate) fn parse_container(data: &[u8]) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(FORMAT, data);
        let version = bytes.u8(4, "header")?;
        if version != 3 {
            let what = format!("container version {version}, supported is 3");
            return Err(Error::Unsupported { format: FORMAT, what });
        }
        bytes.slice(0, HEADER, "header")?;
        let header = read_header(&bytes)?;
        let word = |at: usize, what| bytes.u32(at, what).map(u32::swap_bytes);
        let count = word(82, "header")?;
        let first = HEADER as u64 + 4 * u64::from(count);
        if (data.len() as u64) < first {
            let found = data.len() as u64;
            return Err(Error::Length {
                format: FORMAT,
                what: "the table of this many meshlets",
                needed: first,
                found,
            });
        }
        let body = &data[first as usize..];
        let body_bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
        check_bit_addresses(body_bytes)?;
        let body_bytes = body.len() as u32;
        let base = 8 * first as u32;
        let words = words_be(body, 2);
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        for unit in 0..count {
            let at = HEADER + 4 * unit as usize;
            let offset = word(at, "table")?;
            let end = if unit + 1 < count { word(at + 4, "table")? } else { base + 8 * body_bytes };
            if offset < base || end < offset || end > base + 8 * body_bytes {
                let allowed = format!("{base} to {} and up to the next one", base + 8 * body_bytes);
                return Err(Error::entry(FORMAT, at, unit, "bit offset", offset, allowed));
            }
            let place = [offset - base, end - base];
            let [vertices, triangles, _] =
                read_counts(&words, place[0], place[1]).map_err(|fault| Error::Unit { unit, fault })?;
            places.push(place);
            counts.push((unit, vertices, triangles));
        }
        let units = compact_ranges(counts.into_iter())?;
        check_totals(FORMAT, &units, [74, 78], |at| Ok(bytes.u32(at, "header")?.swap_bytes()))?;
        let bits = header.predictor.bits;
        let entries = places.par_iter().map(|&[start, end]| work_out_entry(&words, start, end, bits)).collect();
        Ok((units, Self { header, body: words, body_bytes, entries }))
    }
}

fn read_header(bytes: &Bytes<'_>) -> Result<StrideHeader, Error> {
    let float = |at: usize| Ok::<_, Error>(f32::from_bits(bytes.u32(at, "header")?.swap_bytes()));
    let triple = |at: usize| Ok::<_, Error>([float(at)?, float(at + 4)?, float(at + 8)?]);
    let mut header = StrideHeader {
        centre: triple(6)?,
        scale: float(18)?,
        coordinate_error: float(22)?,
        low: triple(26)?,
        range: triple(38)?,
        predictor: Predictor::default(),
    };
    for axis in 0..3 {
        header.predictor.bits[axis] = u32::from(bytes.u8(50 + axis, "header")?);
        header.predictor.shifts[axis] = u32::from(bytes.u8(71 + axis, "header")?);
        for k in 0..3 {
            let weight = bytes.u16(53 + 2 * (3 * axis + k), "header")?.swap_bytes();
            header.predictor.weights[axis][k] = i32::from(weight as i16);
        }
    }
    let places = HeaderPlaces { floats: [6, 18, 26, 38], bits: [50, 51, 52], weights: 53, shifts: 71 };
    check_header(FORMAT, &header, &places)?;
    Ok(header)
}
