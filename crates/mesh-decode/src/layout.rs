//! Where a file's bytes are: the bytes of a unit, the fields of the header, and what the bits of the units are used for.

use std::ops::Range;

use rayon::prelude::*;

use crate::dgf::DgfFile;
use crate::file::{File, Payload};
use crate::format::{DGF_BLOCK_BYTES, Format};
use crate::md1::Md1File;
use crate::meshopt::{ClusterFile, MeshletFile};
use crate::stride::StrideFile;

/// Bits by use: the name of a part and its bits. One list a unit; the same names in the same order for all units of a format.
pub(crate) type Parts = Vec<(&'static str, u64)>;

impl File {
    /// The bytes of a unit in the file. STRIDE's units begin at any bit: their first and last byte may belong to a neighbour too.
    ///
    /// Empty for a number that is no unit, and for a unit of a STRIDE container whose place could not be worked out.
    pub fn unit_bytes(&self, unit: u32) -> Range<u64> {
        let k = unit as usize;
        if k >= self.units().len() {
            return 0..0;
        }
        let first = self.body_start();
        let at = |offset: u64, size: u64| first + offset..first + offset + size;
        match self.payload() {
            Payload::Dgf(_) => at((DGF_BLOCK_BYTES * k) as u64, DGF_BLOCK_BYTES as u64),
            Payload::Md1(file) => {
                let entry = file.entries[k];
                at(4 * u64::from(entry.start), 4 * u64::from(entry.end - entry.start))
            }
            Payload::Stride(file) => file.entries[k].map_or(0..0, |entry| {
                let (start, end) = (u64::from(entry.start) / 8, u64::from(entry.end).div_ceil(8));
                at(start, end - start)
            }),
            Payload::Meshlets(MeshletFile { places, .. }) | Payload::Clusters(ClusterFile { places, .. }) => {
                let [offset, size] = places[k];
                at(u64::from(offset), u64::from(size))
            }
        }
    }

    /// The first byte of the body.
    fn body_start(&self) -> u64 {
        let sizes = self.section_sizes();
        let before = |names: &[&str]| sizes.iter().filter(|(name, _)| names.contains(name)).map(|(_, size)| size).sum();
        match self.format() {
            // Their tables stand behind the body.
            Format::Dgfb | Format::DgfBlocks | Format::StrideBlob => before(&["header"]),
            _ => before(&["header", "table"]),
        }
    }

    /// The fields of the header that a person asks for, by name; counts and sizes are not repeated.
    pub fn header_fields(&self) -> Vec<(&'static str, String)> {
        match self.payload() {
            Payload::Dgf(_) => Vec::new(),
            Payload::Md1(file) => {
                let header = &file.header;
                vec![
                    ("version", if header.mode == crate::Md1Mode::Fixed { "2" } else { "1" }.to_owned()),
                    ("grid step", format!("2^{}", header.exponent)),
                    ("origin", format!("{:?}", header.origin)),
                    ("bits a code", format!("{:?}", header.predictor.bits)),
                    ("mode", format!("{:?}", header.mode).to_lowercase()),
                    ("boxes", file.boxes.is_some().to_string()),
                    ("source maps", file.vertex_sources.is_some().to_string()),
                    ("attributes", self.attributes().len().to_string()),
                ]
            }
            Payload::Stride(file) => {
                let header = &file.header;
                vec![
                    ("version", if self.format() == Format::StrideBlob { "4" } else { "3" }.to_owned()),
                    ("centre", format!("{:?}", header.centre)),
                    ("scale", header.scale.to_string()),
                    ("low", format!("{:?}", header.low)),
                    ("range", format!("{:?}", header.range)),
                    ("bits a code", format!("{:?}", header.predictor.bits)),
                    ("predictor", format!("{:?}", header.class()).to_lowercase()),
                ]
            }
            Payload::Meshlets(_) | Payload::Clusters(_) => vec![("version", "1".to_owned())],
        }
    }

    /// Bits of the body by use, summed over the units that decode; damaged units are left out.
    pub fn body_parts(&self) -> Vec<(&'static str, u64)> {
        let units = 0..self.unit_count();
        let sum = |mut all: Parts, parts: Parts| {
            if all.is_empty() {
                return parts;
            }
            all.iter_mut().zip(parts).for_each(|(total, (_, bits))| total.1 += bits);
            all
        };
        let parts = |unit: u32| match self.payload() {
            Payload::Dgf(file) => DgfFile::parts(file, unit),
            Payload::Md1(file) => Md1File::parts(file, unit),
            Payload::Stride(file) => StrideFile::parts(file, unit),
            Payload::Meshlets(file) => MeshletFile::parts(file, unit, self.units()[unit as usize]),
            Payload::Clusters(file) => ClusterFile::parts(file, unit),
        };
        units.into_par_iter().filter_map(parts).reduce(Vec::new, |a, b| if b.is_empty() { a } else { sum(a, b) })
    }
}
