//! The chunk of attributes: integer channels of the vertices, fixed width above the smallest value of each meshlet.

use rayon::prelude::*;

use crate::bit_writer::BitWriter;
use crate::bytes::words_le;
use crate::error::Error;
use crate::format::Format;
use crate::kernels::bits::field;
use crate::status::{Fault, Status};
use crate::units::UnitRange;

const FORMAT: Format = Format::Md1;
const MAX_ATTRIBUTES: usize = 64;
/// Words of a descriptor.
const INFO_WORDS: usize = 2;
/// Bits of a meshlet's head for one attribute: smallest value and width.
const HEAD_BITS: u32 = 38;

/// An integer attribute of a mesh's vertices; one component of a normal, a texture coordinate, a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Name, four bytes: for example `NRMX`.
    pub name: [u8; 4],
    /// The value meant is the integer * 2^exponent.
    pub exponent: i32,
    /// A value a vertex of the source mesh.
    pub values: Vec<i32>,
}

/// What a file says of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeInfo {
    /// Name, four bytes.
    pub name: [u8; 4],
    /// The value meant is the integer * 2^exponent.
    pub exponent: i32,
}

/// The chunk: count, descriptors, a data word offset a meshlet, data.
#[derive(Clone, Debug)]
pub(crate) struct AttributeChunk {
    pub(crate) infos: Vec<AttributeInfo>,
    offsets: Vec<u32>,
    data: Vec<u32>,
}

pub(super) fn check_attributes(attributes: &[Attribute], vertices: usize) -> Result<(), Error> {
    if attributes.len() > MAX_ATTRIBUTES {
        let (needed, allowed) = (attributes.len() as u64, MAX_ATTRIBUTES as u64);
        return Err(Error::TooLarge { what: "attributes", needed, allowed });
    }
    match attributes.iter().position(|attribute| attribute.values.len() != vertices) {
        Some(index) => Err(Error::Input {
            what: "values of attribute",
            index: index as u64,
            value: attributes[index].values.len().to_string(),
            allowed: format!("{vertices}, one a vertex"),
        }),
        None => Ok(()),
    }
}

/// The words of the chunk; `meshlets` are the source vertices of each meshlet.
pub(super) fn write_attributes(attributes: &[Attribute], meshlets: &[&[u32]]) -> Vec<u32> {
    let data: Vec<Vec<u32>> = meshlets.par_iter().map(|vertices| write_meshlet(attributes, vertices)).collect();
    let mut words = vec![attributes.len() as u32];
    for attribute in attributes {
        words.extend([u32::from_le_bytes(attribute.name), attribute.exponent as u32]);
    }
    let mut offset = 0;
    for meshlet in &data {
        words.push(offset);
        offset += meshlet.len() as u32;
    }
    data.iter().for_each(|meshlet| words.extend(meshlet));
    words
}

fn write_meshlet(attributes: &[Attribute], vertices: &[u32]) -> Vec<u32> {
    let mut out = BitWriter::default();
    for attribute in attributes {
        let values = || vertices.iter().map(|v| attribute.values[*v as usize]);
        let (low, high) = values().fold((i32::MAX, i32::MIN), |(low, high), x| (low.min(x), high.max(x)));
        let width = 32 - (high.wrapping_sub(low) as u32).leading_zeros();
        out.push(low as u32, 32);
        out.push(width, 6);
        values().for_each(|x| out.push(x.wrapping_sub(low) as u32, width));
    }
    out.finish()
}

impl AttributeChunk {
    /// Reads the chunk's data, which begins at byte `at` of the file.
    pub(super) fn parse(data: &[u8], at: usize, units: &[UnitRange]) -> Result<Self, Error> {
        let words = words_le(data, 0);
        let count = words.first().copied().unwrap_or(0);
        if count == 0 || count as usize > MAX_ATTRIBUTES {
            return Err(Error::field(FORMAT, at, "attributes", count, format!("1 to {MAX_ATTRIBUTES}")));
        }
        let offsets_at = 1 + INFO_WORDS * count as usize;
        let data_at = offsets_at + units.len();
        let Some(offsets) = words.get(offsets_at..data_at) else {
            let (needed, found) = (4 * data_at as u64, data.len() as u64);
            return Err(Error::Length { format: FORMAT, what: "tables of the attributes", needed, found });
        };
        let data_words = (words.len() - data_at) as u32;
        let mut before = 0;
        for (unit, offset) in (0..).zip(offsets) {
            let expected = if unit == 0 { 0 } else { before };
            if *offset < expected || *offset > data_words || (unit == 0 && *offset != 0) {
                let place = at + 4 * (offsets_at + unit as usize);
                let allowed = format!("0 for the first, and in order up to {data_words}");
                return Err(Error::entry(FORMAT, place, unit, "first word of the attributes", *offset, allowed));
            }
            before = *offset;
        }
        let infos = words[1..offsets_at].chunks(INFO_WORDS);
        Ok(Self {
            infos: infos.map(|w| AttributeInfo { name: w[0].to_le_bytes(), exponent: w[1] as i32 }).collect(),
            offsets: offsets.to_vec(),
            data: words[data_at..].to_vec(),
        })
    }

    /// Values of one attribute at the vertices of units, one unit after the other.
    pub(crate) fn decode(&self, index: usize, list: &[u32], units: &[UnitRange]) -> Result<Vec<i32>, Error> {
        let decode = |unit: &u32| {
            let values = self.decode_unit(index, *unit, units[*unit as usize].vertex_count);
            values.map_err(|fault| Error::Unit { unit: *unit, fault })
        };
        let parts: Result<Vec<Vec<i32>>, Error> = list.par_iter().map(decode).collect();
        Ok(parts?.concat())
    }

    fn decode_unit(&self, index: usize, unit: u32, vertices: u32) -> Result<Vec<i32>, Fault> {
        let start = self.offsets[unit as usize] as usize;
        let end = self.offsets.get(unit as usize + 1).map_or(self.data.len(), |end| *end as usize);
        let words = &self.data[start..end];
        let bits = u32::try_from(32 * words.len() as u64).unwrap_or(u32::MAX);
        let mut at = 0;
        // The attributes of a meshlet follow each other; each head has the width that leads to the next one.
        for attribute in 0..=index {
            let width = field(words, at + 32, 6);
            let next = at + HEAD_BITS + vertices * width.min(32);
            if width > 32 {
                return Err(Fault::new(Status::Parameter, at + 32, width, 32));
            }
            if next > bits {
                return Err(Fault::new(Status::Truncated, at, next, bits));
            }
            if attribute == index {
                let low = field(words, at, 32) as i32;
                let value = |k: u32| low.wrapping_add(field(words, at + HEAD_BITS + k * width, width) as i32);
                return Ok((0..vertices).map(value).collect());
            }
            at = next;
        }
        Ok(Vec::new())
    }
}
