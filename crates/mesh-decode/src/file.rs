//! An opened file: what it is, its units, and decoding them.

use crate::decode_units::{UnitDecoder, decode_units};
use crate::decoded::{Decoded, Outputs};
use crate::dgf::DgfFile;
use crate::error::Error;
use crate::format::Format;
use crate::md1::{AttributeInfo, Md1File};
use crate::meshopt::{ClusterFile, MeshletFile};
use crate::stride::{PredictorClass, StrideFile};
use crate::units::{UnitRange, check_units, compact_ranges, totals};

/// An opened file of independent units. Header and tables are checked; units are checked when they are decoded.
#[derive(Clone, Debug)]
pub struct File {
    format: Format,
    units: Vec<UnitRange>,
    payload: Payload,
    /// Bytes of the file.
    length: u64,
}

/// The format's own part, laid out as words for the device.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    Dgf(DgfFile),
    Md1(Md1File),
    Stride(StrideFile),
    Meshlets(MeshletFile),
    Clusters(ClusterFile),
}

/// Opens a file; the format is found from the content.
///
/// The header and the tables are checked completely: magic numbers, versions, lengths, prefix sums, offsets. Nothing is allocated
/// by a count that the file's length does not bear out. Cost: one pass over the bytes.
///
/// # Errors
/// [`Error::UnknownFormat`], [`Error::Unsupported`], [`Error::Length`], [`Error::Field`]; [`Error::NeedsCount`] for the meshoptimizer
/// streams that do not carry their counts (their functions are in [`crate::meshopt`]).
pub fn open(bytes: &[u8]) -> Result<File, Error> {
    let unknown = || Error::UnknownFormat { length: bytes.len() as u64, first: bytes[..bytes.len().min(8)].to_vec() };
    let format = Format::detect(bytes).ok_or_else(unknown)?;
    let (units, payload) = match format {
        Format::Dgfb | Format::DgfBlocks => {
            let (units, file) = DgfFile::parse(bytes, format)?;
            (units, Payload::Dgf(file))
        }
        Format::Md1 => {
            let (units, file) = Md1File::parse(bytes)?;
            (units, Payload::Md1(file))
        }
        Format::StrideBlob => {
            let (units, file) = StrideFile::parse_blob(bytes)?;
            (units, Payload::Stride(file))
        }
        Format::StrideContainer => {
            let (units, file) = StrideFile::parse_container(bytes)?;
            (units, Payload::Stride(file))
        }
        Format::MeshoptMeshlets => {
            let (units, file) = MeshletFile::parse(bytes)?;
            (units, Payload::Meshlets(file))
        }
        Format::MeshoptClusters => {
            let (units, file) = ClusterFile::parse(bytes)?;
            (units, Payload::Clusters(file))
        }
        Format::MeshoptVertices => return Err(Error::NeedsCount { format, stride: true }),
        Format::MeshoptIndices | Format::MeshoptSequence => return Err(Error::NeedsCount { format, stride: false }),
    };
    Ok(File { format, units, payload, length: bytes.len() as u64 })
}

impl File {
    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The ranges of all units in the output of a whole decode, in the order of the file.
    pub fn units(&self) -> &[UnitRange] {
        &self.units
    }

    /// Number of units.
    pub fn unit_count(&self) -> u32 {
        self.units.len() as u32
    }

    /// Vertices of a whole decode.
    pub fn vertex_count(&self) -> u32 {
        totals(&self.units)[0]
    }

    /// Triangles of a whole decode.
    pub fn triangle_count(&self) -> u32 {
        totals(&self.units)[1]
    }

    /// The parts of the file with their bytes, in order; they sum to its length.
    pub fn section_sizes(&self) -> Vec<(&'static str, u64)> {
        let units = self.units.len() as u64;
        let (header, table) = match self.format {
            Format::Dgfb => (32, 8 * units),
            Format::StrideBlob => (112, 50 * units),
            Format::StrideContainer => (86, 4 * units),
            Format::MeshoptMeshlets => (16, 20 * units),
            Format::MeshoptClusters => (32, 4 * units),
            Format::Md1 => (72, 8 * units),
            _ => (0, 0),
        };
        let chunks = match &self.payload {
            // The body is kept with one word of padding.
            Payload::Md1(file) => self.length - header - table - 4 * (file.body.len() as u64 - 1),
            _ => 0,
        };
        let body = self.length - header - table - chunks;
        vec![("header", header), ("table", table), ("body", body), ("chunks", chunks)]
    }

    /// Decodes every unit on the CPU (rayon over units).
    ///
    /// Shapes, order and what a damaged unit leaves: [`Decoded`]. Cost: linear in the output.
    pub fn decode_cpu(&self, outputs: Outputs) -> Decoded {
        let mut decoded = Decoded::default();
        self.decode_cpu_into(outputs, &mut decoded);
        decoded
    }

    /// As [`File::decode_cpu`], into the arrays of an earlier decode of any file: memory that is large enough is used again, and nothing of what it held is left.
    pub fn decode_cpu_into(&self, outputs: Outputs, decoded: &mut Decoded) {
        decode_units(self.decoder(), self.format, self.units.clone(), outputs, decoded);
    }

    /// Decodes the units of a list on the CPU, one after the other in the output (compact offsets).
    ///
    /// # Errors
    /// [`Error::UnitOrder`], [`Error::UnitRange`]: the list must be strictly increasing and in range. An empty list gives empty arrays.
    pub fn decode_units_cpu(&self, list: &[u32], outputs: Outputs) -> Result<Decoded, Error> {
        check_units(list, self.unit_count())?;
        let counts = list.iter().map(|&unit| {
            let range = self.units[unit as usize];
            (unit, range.vertex_count, range.triangle_count)
        });
        let mut decoded = Decoded::default();
        decode_units(self.decoder(), self.format, compact_ranges(counts)?, outputs, &mut decoded);
        Ok(decoded)
    }

    /// STRIDE: the file as a blob of version 4, whichever form it was read from; `None` for other formats.
    ///
    /// # Errors
    /// [`Error::Unit`] for a meshlet whose table entry cannot be worked out, [`Error::TooLarge`] for a residual section over 65,535 bits.
    pub fn stride_blob(&self) -> Option<Result<Vec<u8>, Error>> {
        match &self.payload {
            Payload::Stride(file) => Some(file.to_blob()),
            _ => None,
        }
    }

    /// STRIDE: the class of the file's predictor; `None` for other formats.
    pub fn predictor_class(&self) -> Option<PredictorClass> {
        match &self.payload {
            Payload::Stride(file) => Some(file.header.class()),
            _ => None,
        }
    }

    /// MD1: smallest and largest grid point of each meshlet, if the file has boxes.
    pub fn grid_boxes(&self) -> Option<Vec<[[i32; 3]; 2]>> {
        let Payload::Md1(file) = &self.payload else { return None };
        let origin = file.header.origin;
        let corner = |codes: [u16; 3]| [0, 1, 2].map(|axis| origin[axis] + i32::from(codes[axis]));
        let boxes = file.boxes.as_ref()?.iter();
        Some(boxes.map(|&[a, b, c, d, e, f]| [corner([a, b, c]), corner([d, e, f])]).collect())
    }

    /// MD1: the source vertex of each vertex of a whole decode, if the file has the map.
    pub fn vertex_sources(&self) -> Option<&[u32]> {
        let Payload::Md1(file) = &self.payload else { return None };
        file.vertex_sources.as_deref()
    }

    /// MD1: the source of each triangle of a whole decode as id << 2 | rotation (corner 0 is this corner of the source), if the file has the map.
    pub fn triangle_sources(&self) -> Option<&[u32]> {
        let Payload::Md1(file) = &self.payload else { return None };
        file.triangle_sources.as_deref()
    }

    /// MD1: the attributes of the file, in order; none for other formats.
    pub fn attributes(&self) -> &[AttributeInfo] {
        match &self.payload {
            Payload::Md1(file) => file.attributes.as_ref().map_or(&[], |chunk| &chunk.infos[..]),
            _ => &[],
        }
    }

    /// MD1: the values of attribute `index` at the vertices of the units of a list, in the order of [`File::decode_units_cpu`].
    ///
    /// # Errors
    /// The list's errors; [`Error::Input`] for an attribute that does not exist; [`Error::Unit`] for damage.
    pub fn decode_attribute_cpu(&self, index: usize, list: &[u32]) -> Result<Vec<i32>, Error> {
        check_units(list, self.unit_count())?;
        let chunk = match &self.payload {
            Payload::Md1(file) => file.attributes.as_ref().filter(|chunk| index < chunk.infos.len()),
            _ => None,
        };
        let chunk = chunk.ok_or_else(|| Error::Input {
            what: "attribute",
            index: index as u64,
            value: "missing".to_owned(),
            allowed: format!("indices below {}", self.attributes().len()),
        })?;
        chunk.decode(index, list, &self.units)
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The format's own part.
    pub(crate) fn payload(&self) -> &Payload {
        &self.payload
    }

    /// A file of the same format made of these parts; `length` is that of the file on disk that they stand for.
    pub(crate) fn from_parts(format: Format, units: Vec<UnitRange>, payload: Payload, length: u64) -> Self {
        Self { format, units, payload, length }
    }

    fn decoder(&self) -> &dyn UnitDecoder {
        match &self.payload {
            Payload::Dgf(file) => file,
            Payload::Md1(file) => file,
            Payload::Stride(file) => file,
            Payload::Meshlets(file) => file,
            Payload::Clusters(file) => file,
        }
    }
}
