//! MD1, the project's own meshlet format: small, symbol-parallel, keeps winding. `docs/formats/md1.md` is normative.

mod attributes;
mod read;
mod write;

pub use attributes::{Attribute, AttributeInfo};
pub(crate) use read::Md1File;
pub use write::{Md1Encoded, Md1Options, encode_md1, encode_md1_with};

use crate::kernels::md1_positions::Predictor;

/// Words of the header.
pub(crate) const HEADER_WORDS: usize = 18;
/// Words of a table entry.
pub(crate) const ENTRY_WORDS: usize = 2;
/// Chunk of boxes: six 16-bit codes a meshlet.
pub(crate) const BOXES: u32 = u32::from_le_bytes(*b"BOXS");
/// Chunk of source vertices: a word a vertex.
pub(crate) const VERTEX_SOURCES: u32 = u32::from_le_bytes(*b"VSRC");
/// Chunk of source triangles: a word a triangle, id << 2 | rotation.
pub(crate) const TRIANGLE_SOURCES: u32 = u32::from_le_bytes(*b"TSRC");

/// Chunk of attributes.
pub(crate) const ATTRIBUTES: u32 = u32::from_le_bytes(*b"ATTR");

/// How positions are coded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Md1Mode {
    /// Residuals of a predictor along the strips: smallest.
    #[default]
    Predicted = 0,
    /// Offsets from the meshlet's smallest codes: decoded without a chain.
    Offsets = 1,
    /// As predicted, but every field of a meshlet has a fixed width: larger, and decoded without looking for the ends of codes (version 2).
    Fixed = 2,
}

/// The header's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Md1Header {
    pub(crate) exponent: i32,
    pub(crate) origin: [i32; 3],
    pub(crate) mode: Md1Mode,
    pub(crate) predictor: Predictor,
}

/// The predictor a + b - c with these code widths.
pub(crate) fn parallelogram(bits: [u32; 3]) -> Predictor {
    Predictor { weights: [[1, 1, -1]; 3], shifts: [0; 3], bits }
}
