//! Which format a file has, from its first bytes.

use std::fmt;

/// A format that this crate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// DGFB: DGF1 blocks with a header and offset tables.
    Dgfb,
    /// DGF1 blocks alone, 128 bytes each.
    DgfBlocks,
    /// STRIDE bench blob (DPRB), version 4.
    StrideBlob,
    /// STRIDE container (DPR4), version 3.
    StrideContainer,
    /// A set of meshlets of the meshoptimizer meshlet codec (MML).
    MeshoptMeshlets,
    /// Clusters with bit-packed positions and meshlet codec topology (MXC).
    MeshoptClusters,
    /// A vertex stream of meshoptimizer, version 0 or 1.
    MeshoptVertices,
    /// A triangle index stream of meshoptimizer, version 0 or 1.
    MeshoptIndices,
    /// An index sequence of meshoptimizer.
    MeshoptSequence,
    /// MD1, the project's own format.
    Md1,
}

/// Magic numbers as the first little-endian word of a file.
pub(crate) const DGFB_MAGIC: u32 = 0x4246_4744;
pub(crate) const DPRB_MAGIC: u32 = 0x4252_5044;
/// The container is one bit stream, most significant bit first: its magic is the big-endian word 0x44505234.
pub(crate) const DPR4_MAGIC_BYTES: [u8; 4] = *b"DPR4";
pub(crate) const MML_MAGIC: u32 = 0x544c_4d4d;
pub(crate) const MXC_MAGIC: u32 = 0x3143_584d;
pub(crate) const MD1_MAGIC: u32 = 0x0031_444d;

/// Bytes of a DGF1 block.
pub(crate) const DGF_BLOCK_BYTES: usize = 128;
/// First byte of a DGF1 block.
pub(crate) const DGF_BLOCK_MAGIC: u8 = 6;

impl Format {
    /// The format of a file by its content: a magic number, or for bare DGF1 blocks and meshoptimizer streams the first byte.
    ///
    /// `None` when nothing fits. Only the first bytes (and for bare blocks the length) are looked at.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let word = bytes.first_chunk().map(|first| u32::from_le_bytes(*first));
        match word {
            Some(DGFB_MAGIC) => return Some(Self::Dgfb),
            Some(DPRB_MAGIC) => return Some(Self::StrideBlob),
            Some(MML_MAGIC) => return Some(Self::MeshoptMeshlets),
            Some(MXC_MAGIC) => return Some(Self::MeshoptClusters),
            Some(MD1_MAGIC) => return Some(Self::Md1),
            _ if bytes.starts_with(&DPR4_MAGIC_BYTES) => return Some(Self::StrideContainer),
            _ => {}
        }
        match *bytes.first()? {
            DGF_BLOCK_MAGIC if bytes.len().is_multiple_of(DGF_BLOCK_BYTES) => Some(Self::DgfBlocks),
            0xa0..=0xaf => Some(Self::MeshoptVertices),
            0xe0..=0xef => Some(Self::MeshoptIndices),
            0xd0..=0xdf => Some(Self::MeshoptSequence),
            _ => None,
        }
    }

    /// Name in messages, in `inspect` and for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dgfb => "dgfb",
            Self::DgfBlocks => "dgf-blocks",
            Self::StrideBlob => "stride-dprb",
            Self::StrideContainer => "stride-dpr4",
            Self::MeshoptMeshlets => "meshopt-meshlets",
            Self::MeshoptClusters => "meshopt-clusters",
            Self::MeshoptVertices => "meshopt-vertices",
            Self::MeshoptIndices => "meshopt-indices",
            Self::MeshoptSequence => "meshopt-sequence",
            Self::Md1 => "md1",
        }
    }

    /// What a unit of the format is called.
    pub fn unit_name(self) -> &'static str {
        match self {
            Self::Dgfb | Self::DgfBlocks => "block",
            Self::StrideBlob | Self::StrideContainer | Self::MeshoptMeshlets | Self::Md1 => "meshlet",
            Self::MeshoptClusters => "cluster",
            Self::MeshoptVertices | Self::MeshoptIndices | Self::MeshoptSequence => "stream",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn content_decides() {
        assert_eq!(Format::detect(b"DGFB...."), Some(Format::Dgfb));
        assert_eq!(Format::detect(b"DPRB"), Some(Format::StrideBlob));
        assert_eq!(Format::detect(b"DPR4\x03"), Some(Format::StrideContainer));
        assert_eq!(Format::detect(b"MMLT"), Some(Format::MeshoptMeshlets));
        assert_eq!(Format::detect(b"MXC1"), Some(Format::MeshoptClusters));
        assert_eq!(Format::detect(b"MD1\0"), Some(Format::Md1));
        assert_eq!(Format::detect(&[0xa1, 0]), Some(Format::MeshoptVertices));
        assert_eq!(Format::detect(&[0xe1]), Some(Format::MeshoptIndices));
        assert_eq!(Format::detect(&[0xd1]), Some(Format::MeshoptSequence));
        assert_eq!(Format::detect(&[6; 128]), Some(Format::DgfBlocks));
        assert_eq!(Format::detect(&[6; 127]), None);
        assert_eq!(Format::detect(b""), None);
    }
}
