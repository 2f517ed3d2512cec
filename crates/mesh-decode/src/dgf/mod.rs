//! DGF1 blocks, bare or in a DGFB file.

mod block;
mod encode;
mod palette;

pub use encode::{DgfAttributes, DgfEncoded, DgfOptions, encode_dgf, encode_dgf_with};

use crate::bytes::{Bytes, words_le};
use crate::decode_units::{Scratch, UnitDecoder, UnitSlices};
use crate::error::Error;
use crate::format::{DGF_BLOCK_BYTES, Format};
use crate::kernels::dgf_block::{self, Offsets, ROW_WORDS, Row};
use crate::kernels::dgf_topology;
use crate::kernels::dgf_walk;
use crate::layout::Parts;
use crate::status::Fault;
use crate::units::{UnitRange, check_totals, compact_ranges};

const HEADER_BYTES: usize = 32;
const BLOCK_WORDS: usize = DGF_BLOCK_BYTES / 4;

/// The blocks of a file, 32 words each.
#[derive(Clone, Debug)]
pub(crate) struct DgfFile {
    pub(crate) blocks: Vec<u32>,
}

impl DgfFile {
    /// Reads either form. The offset tables of a DGFB file must be the prefix sums of the blocks' counts.
    pub(crate) fn parse(data: &[u8], format: Format) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(format, data);
        if format == Format::DgfBlocks {
            let file = Self { blocks: words_le(data, 0) };
            return Ok((file.ranges()?, file));
        }
        let version = bytes.u32(4, "header")?;
        if version != 1 {
            let what = format!("version {version}, supported is 1");
            return Err(Error::Unsupported { format, what });
        }
        let count = bytes.u32(8, "header")? as usize;
        bytes.slice(0, HEADER_BYTES, "header")?;
        bytes.exact_length(HEADER_BYTES as u64 + 136 * count as u64, "a file of this many blocks")?;
        for offset in [20, 24, 28] {
            let reserved = bytes.u32(offset, "header")?;
            if reserved != 0 {
                return Err(Error::field(format, offset, "reserved word", reserved, "0"));
            }
        }
        let blocks = words_le(bytes.slice(HEADER_BYTES, DGF_BLOCK_BYTES * count, "blocks")?, 0);
        let file = Self { blocks };
        let ranges = file.ranges()?;
        check_tables(&bytes, &ranges)?;
        Ok((ranges, file))
    }

    fn ranges(&self) -> Result<Vec<UnitRange>, Error> {
        let blocks = self.blocks.chunks_exact(BLOCK_WORDS).enumerate();
        compact_ranges(blocks.map(|(unit, block)| {
            let (vertices, triangles) = dgf_block::counts(block[0]);
            (unit as u32, vertices, triangles)
        }))
    }

    /// Bits of a block by use; `None` when it is damaged.
    pub(crate) fn parts(&self, unit: u32) -> Option<Parts> {
        let row = self.row(unit);
        let header = dgf_block::read_header(&row).ok()?;
        let topology = dgf_topology::read_topology(&row, &header).ok()?;
        let used = topology.first_use.iter().map(|word| word.count_ones()).sum::<u32>();
        let indices = (topology.entries - used) * header.index_bits;
        let (controls, first_uses) = (2 * (header.triangles - 1), topology.entries - 3);
        let parts = [
            ("block headers", header.vertex_start),
            ("vertices", header.palette_start - header.vertex_start),
            ("palettes", header.index_start - header.palette_start),
            ("indices", indices),
            ("control codes", controls),
            ("first uses", first_uses),
            ("unused", 8 * DGF_BLOCK_BYTES as u32 - header.index_start - indices - controls - first_uses),
        ];
        Some(parts.map(|(name, bits)| (name, u64::from(bits))).to_vec())
    }

    /// The exponents of the steps of the good blocks, at most two of them.
    pub(crate) fn exponents(&self) -> Vec<i32> {
        let blocks = self.blocks.chunks_exact(BLOCK_WORDS).filter(|block| block[0] & 255 == 6);
        let mut all: Vec<i32> = Vec::new();
        for exponent in blocks.map(|block| (block[1] & 255) as i32 - 127) {
            if all.len() < 2 && !all.contains(&exponent) && (-126..=105).contains(&exponent) {
                all.push(exponent);
            }
        }
        all
    }

    /// The blocks of a list.
    pub(crate) fn subset(&self, list: &[u32]) -> Self {
        let block = |unit: &u32| &self.blocks[*unit as usize * BLOCK_WORDS..][..BLOCK_WORDS];
        Self { blocks: list.iter().flat_map(block).copied().collect() }
    }

    fn row(&self, unit: u32) -> Row {
        let mut row = [0; ROW_WORDS];
        let first = unit as usize * BLOCK_WORDS;
        row[..BLOCK_WORDS].copy_from_slice(&self.blocks[first..first + BLOCK_WORDS]);
        row
    }
}

/// Compares the totals and the two offset tables with the prefix sums of the blocks' own counts.
fn check_tables(bytes: &Bytes<'_>, ranges: &[UnitRange]) -> Result<(), Error> {
    let format = bytes.format;
    check_totals(format, ranges, [12, 16], |at| bytes.u32(at, "header"))?;
    let vertices = HEADER_BYTES + DGF_BLOCK_BYTES * ranges.len();
    let triangles = vertices + 4 * ranges.len();
    for (index, range) in ranges.iter().enumerate() {
        let entries = [
            (vertices + 4 * index, "vertex offset", range.vertex_offset),
            (triangles + 4 * index, "triangle offset", range.triangle_offset),
        ];
        for (offset, what, expected) in entries {
            let found = bytes.u32(offset, "offset tables")?;
            if found != expected {
                return Err(Error::entry(format, offset, range.unit, what, found, expected.to_string()));
            }
        }
    }
    Ok(())
}

impl UnitDecoder for DgfFile {
    fn decode_unit(&self, out: &mut UnitSlices<'_>, _: &mut Scratch) -> Result<(), Fault> {
        let row = self.row(out.range.unit);
        let header = dgf_block::read_header(&row)?;
        let topology = dgf_topology::read_topology(&row, &header)?;
        let bytes = dgf_block::row_bytes(&row);
        let entries = dgf_walk::read_entries(&row, &bytes, &header, &topology)?;
        // The palette's indices are part of what is checked, wanted or not.
        let payloads = header.palette || !out.geometry_ids.is_empty();
        for triangle in (0..header.triangles).filter(|_| payloads) {
            let payload = dgf_block::payload(&row, &header, triangle)?;
            if let Some(id) = out.geometry_ids.get_mut(triangle as usize) {
                *id = payload >> 1;
                out.opaque[triangle as usize] = (payload & 1) as u8;
                out.primitive_ids[triangle as usize] = dgf_block::primitive_id(&row, triangle);
            }
        }
        out.user_words.fill(dgf_block::user_word(&row));
        let base = out.range.vertex_offset;
        let triangles = out.triangles.len() as u32;
        let mut corners_of = out.triangles.iter_mut();
        let vertex = |entry: u32| base + u32::from(entries[entry as usize & 127]);
        dgf_walk::walk_corners(&topology, triangles, vertex, |_, corners| {
            if let Some(place) = corners_of.next() {
                *place = corners;
            }
        });
        let (anchor, offsets) = (header.anchor, Offsets::new(&header));
        for (position, vertex) in out.positions.iter_mut().zip(0..) {
            *position =
                dgf_block::position(dgf_block::grid_position(&bytes, anchor, &offsets, vertex), header.exponent);
        }
        for (place, vertex) in out.grid.iter_mut().zip(0..) {
            *place = dgf_block::grid_position(&bytes, anchor, &offsets, vertex);
        }
        Ok(())
    }
}
