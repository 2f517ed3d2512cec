//! Meshlet sets (MML): meshlets of the meshlet codec with a table in front.

use crate::bytes::{Bytes, check_bit_addresses, words_le};
use crate::decode_units::{Scratch, UnitDecoder, UnitSlices};
use crate::error::Error;
use crate::format::Format;
use crate::kernels::meshlet_codec::{self, MAX_COUNT};
use crate::layout::Parts;
use crate::status::Fault;
use crate::units::{UnitRange, compact_ranges};

const FORMAT: Format = Format::MeshoptMeshlets;
const HEADER: usize = 16;
const ENTRY: usize = 20;

/// The table and the data of a set.
#[derive(Clone, Debug)]
pub(crate) struct MeshletFile {
    pub(crate) data: Vec<u32>,
    /// Offset and size in bytes of each meshlet.
    pub(crate) places: Vec<[u32; 2]>,
}

impl MeshletFile {
    pub(crate) fn parse(data: &[u8]) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(FORMAT, data);
        let version = bytes.u32(4, "header")?;
        if version != 1 {
            return Err(Error::Unsupported { format: FORMAT, what: format!("version {version}, supported is 1") });
        }
        let count = bytes.u32(8, "header")?;
        let length = bytes.u32(12, "header")?;
        let first = HEADER as u64 + ENTRY as u64 * u64::from(count);
        bytes.exact_length(first + u64::from(length), "a file of this many meshlets and data bytes")?;
        check_bit_addresses(length)?;
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        let mut output = 0_u64;
        for unit in 0..count {
            let at = HEADER + ENTRY * unit as usize;
            let entry = |k: usize| bytes.u32(at + 4 * k, "table");
            let (offset, size, vertices, triangles) = (entry(0)?, entry(1)?, entry(2)?, entry(3)?);
            let wrong = |k: usize, what, value: u32, allowed: String| {
                Err(Error::entry(FORMAT, at + 4 * k, unit, what, value, allowed))
            };
            if u64::from(offset) + u64::from(size) > u64::from(length) {
                return wrong(0, "offset", offset, format!("offset + size ({size}) up to {length}"));
            }
            if vertices > MAX_COUNT {
                return wrong(2, "vertices", vertices, format!("up to {MAX_COUNT}"));
            }
            if triangles > MAX_COUNT {
                return wrong(3, "triangles", triangles, format!("up to {MAX_COUNT}"));
            }
            if u64::from(entry(4)?) != output {
                return wrong(4, "output offset", entry(4)?, output.to_string());
            }
            output += u64::from(vertices + triangles);
            places.push([offset, size]);
            counts.push((unit, vertices, triangles));
        }
        let words = words_le(&data[first as usize..], 1);
        Ok((compact_ranges(counts.into_iter())?, Self { data: words, places }))
    }
}

impl MeshletFile {
    /// Bits of a meshlet by use; `None` when it is damaged.
    pub(crate) fn parts(&self, unit: u32, range: UnitRange) -> Option<Parts> {
        let [offset, size] = self.places[unit as usize];
        let layout = meshlet_codec::read_layout(offset, size, range.vertex_count, range.triangle_count).ok()?;
        let extra = meshlet_codec::read_references(&self.data, &layout, |_| {}).ok()?;
        let parts = [
            ("vertex references", extra - layout.start),
            ("triangle bytes", layout.bound - extra),
            ("gaps", layout.controls - layout.bound),
            ("control bytes", layout.codes - layout.controls),
            ("triangle codes", offset + size - layout.codes),
        ];
        Some(parts.map(|(name, bytes)| (name, 8 * u64::from(bytes))).to_vec())
    }
}

impl UnitDecoder for MeshletFile {
    fn decode_unit(&self, out: &mut UnitSlices<'_>, _: &mut Scratch) -> Result<(), Fault> {
        let [offset, size] = self.places[out.range.unit as usize];
        let (vertices, triangles) = (out.range.vertex_count, out.range.triangle_count);
        let layout = meshlet_codec::read_layout(offset, size, vertices, triangles)?;
        let mut references = out.vertex_references.iter_mut();
        let extra = meshlet_codec::read_references(&self.data, &layout, |reference| {
            if let Some(place) = references.next() {
                *place = reference;
            }
        })?;
        // Without vertices the set holds connectivity alone, and the ids are the caller's.
        let limit = if vertices == 0 { MAX_COUNT } else { vertices };
        let base = out.range.vertex_offset;
        meshlet_codec::read_triangles(&self.data, &layout, extra, limit, |triangle, corners| {
            if let Some(place) = out.triangles.get_mut(triangle as usize) {
                *place = corners.map(|corner| base + corner);
            }
        })
    }
}
