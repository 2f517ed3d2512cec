//! Cluster files (MXC): bit-packed positions and meshlet codec connectivity.

use crate::bytes::{Bytes, check_bit_addresses, words_le};
use crate::decode_units::{Scratch, UnitDecoder, UnitSlices};
use crate::error::Error;
use crate::format::Format;
use crate::kernels::{cluster, dgf_block, meshlet_codec};
use crate::layout::Parts;
use crate::status::Fault;
use crate::units::{UnitRange, check_totals, compact_ranges};

const FORMAT: Format = Format::MeshoptClusters;
const HEADER: usize = 32;

/// The body and the places of the clusters in it.
#[derive(Clone, Debug)]
pub(crate) struct ClusterFile {
    pub(crate) body: Vec<u32>,
    /// Offset and size in bytes of each cluster.
    pub(crate) places: Vec<[u32; 2]>,
}

impl ClusterFile {
    pub(crate) fn parse(data: &[u8]) -> Result<(Vec<UnitRange>, Self), Error> {
        let bytes = Bytes::new(FORMAT, data);
        let version = bytes.u32(4, "header")?;
        if version != 1 {
            return Err(Error::Unsupported { format: FORMAT, what: format!("version {version}, supported is 1") });
        }
        let count = bytes.u32(8, "header")?;
        let length = bytes.u32(20, "header")?;
        let first = HEADER as u64 + 4 * u64::from(count);
        bytes.exact_length(first + u64::from(length), "a file of this many clusters and body bytes")?;
        check_bit_addresses(length)?;
        let exponent = bytes.u32(24, "header")? as i32;
        if !(-126..=105).contains(&exponent) {
            return Err(Error::field(FORMAT, 24, "exponent", exponent, "-126 to 105"));
        }
        let body = &data[first as usize..];
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        for unit in 0..count {
            let at = HEADER + 4 * unit as usize;
            let offset = bytes.u32(at, "table")?;
            let end = if unit + 1 < count { bytes.u32(at + 4, "table")? } else { length };
            if unit == 0 && offset != 0 {
                return Err(Error::entry(FORMAT, at, unit, "offset", offset, "0"));
            }
            if end > length || end < offset || end - offset < cluster::HEADER_BYTES {
                let allowed = format!("{} to {length}", u64::from(offset) + u64::from(cluster::HEADER_BYTES));
                return Err(Error::entry(FORMAT, at, unit, "end", end, allowed));
            }
            let word = Bytes::new(FORMAT, body).u32(offset as usize, "cluster header")?;
            let (vertices, triangles) = cluster::counts(word);
            places.push([offset, end - offset]);
            counts.push((unit, vertices, triangles));
        }
        let units = compact_ranges(counts.into_iter())?;
        check_totals(FORMAT, &units, [12, 16], |at| bytes.u32(at, "header"))?;
        Ok((units, Self { body: words_le(body, 2), places }))
    }
}

impl ClusterFile {
    /// The exponents of the steps of the good clusters, at most two of them.
    pub(crate) fn exponents(&self) -> Vec<i32> {
        let mut all: Vec<i32> = Vec::new();
        for [offset, size] in &self.places {
            let Ok(header) = cluster::read_header(&self.body, *offset, *size) else { continue };
            let exponent = header.exponent as i32 - 127;
            if all.len() < 2 && !all.contains(&exponent) {
                all.push(exponent);
            }
        }
        all
    }

    /// Bits of a cluster by use; `None` when it is damaged.
    pub(crate) fn parts(&self, unit: u32) -> Option<Parts> {
        let [offset, size] = self.places[unit as usize];
        let header = cluster::read_header(&self.body, offset, size).ok()?;
        let parts = [
            ("cluster headers", cluster::HEADER_BYTES),
            ("positions", header.topology - header.positions),
            ("triangles", header.topology_bytes),
        ];
        Some(parts.map(|(name, bytes)| (name, 8 * u64::from(bytes))).to_vec())
    }
}

impl UnitDecoder for ClusterFile {
    fn decode_unit(&self, out: &mut UnitSlices<'_>, _: &mut Scratch) -> Result<(), Fault> {
        let [offset, size] = self.places[out.range.unit as usize];
        let header = cluster::read_header(&self.body, offset, size)?;
        let layout = meshlet_codec::read_layout(header.topology, header.topology_bytes, 0, header.triangles)
            .map_err(|fault| shifted(fault, header.topology - offset))?;
        let base = out.range.vertex_offset;
        let triangles =
            meshlet_codec::read_triangles(&self.body, &layout, layout.start, header.vertices, |k, corners| {
                if let Some(place) = out.triangles.get_mut(k as usize) {
                    *place = corners.map(|corner| base + corner);
                }
            });
        triangles.map_err(|fault| shifted(fault, header.topology - offset))?;
        for vertex in 0..header.vertices {
            let grid = cluster::grid_position(&self.body, &header, vertex);
            if let Some(position) = out.positions.get_mut(vertex as usize) {
                *position = dgf_block::position(grid, header.exponent);
            }
            if let Some(place) = out.grid.get_mut(vertex as usize) {
                *place = grid;
            }
        }
        Ok(())
    }
}

/// A fault of the topology stream, counted from the beginning of the cluster.
fn shifted(fault: Fault, bytes: u32) -> Fault {
    Fault { bit: fault.bit + 8 * bytes, ..fault }
}
