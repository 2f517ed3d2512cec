//! Sizes and numbers of the format.

/// `NanoVDB0`: older files, and older grids.
pub(super) const MAGIC_OLD: u64 = u64::from_le_bytes(*b"NanoVDB0");
/// `NanoVDB1`: a grid.
pub(super) const MAGIC_GRID: u64 = u64::from_le_bytes(*b"NanoVDB1");
/// `NanoVDB2`: a segment of a file.
pub(super) const MAGIC_FILE: u64 = u64::from_le_bytes(*b"NanoVDB2");

/// Version 32.9.2, which is written.
pub(super) const VERSION: u32 = version(32, 9, 2);
/// Checksums of versions up to this one have another rule and are not compared.
pub(super) const OLD_CHECKSUM: u32 = version(32, 6, 0);

pub(super) const GRID_DATA: u64 = 672;
pub(super) const TREE_DATA: u64 = 64;
pub(super) const ROOT_DATA: u64 = 96;
pub(super) const TILE: u64 = 32;
pub(super) const UPPER: u64 = 270_400;
pub(super) const LOWER: u64 = 33_856;
pub(super) const LEAF: u64 = 96;
/// Start of the tree, of the root and of the tiles in a grid.
pub(super) const TREE_AT: u64 = GRID_DATA;
pub(super) const ROOT_AT: u64 = GRID_DATA + TREE_DATA;
pub(super) const TILES_AT: u64 = ROOT_AT + ROOT_DATA;

/// Size of a segment's header and of a grid's entry in it.
pub(super) const FILE_HEADER: u64 = 16;
pub(super) const FILE_META: u64 = 176;
/// Size of the name in a grid, with its NUL.
pub(super) const NAME_SIZE: usize = 256;

/// Grid type `OnIndex`.
pub(super) const TYPE_ON_INDEX: u32 = 20;
/// Grid classes `IndexGrid` and `TensorGrid`.
pub(super) const CLASS_INDEX: u32 = 8;
pub(super) const CLASS_TENSOR: u32 = 9;

/// Names of the grid types.
const TYPES: [&str; 27] = [
    "Unknown",
    "Float",
    "Double",
    "Int16",
    "Int32",
    "Int64",
    "Vec3f",
    "Vec3d",
    "Mask",
    "Half",
    "UInt32",
    "Boolean",
    "RGBA8",
    "Fp4",
    "Fp8",
    "Fp16",
    "FpN",
    "Vec4f",
    "Vec4d",
    "Index",
    "OnIndex",
    "IndexMask",
    "OnIndexMask",
    "PointIndex",
    "Vec3u8",
    "Vec3u16",
    "UInt8",
];

const fn version(major: u32, minor: u32, patch: u32) -> u32 {
    (major << 21) | (minor << 10) | patch
}

/// The name of a grid type.
pub(super) fn type_name(number: u32) -> String {
    TYPES.get(number as usize).map_or_else(|| format!("number {number}"), |name| (*name).to_string())
}

/// Numbers of nodes of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) leaf: u32,
    pub(super) lower: u32,
    pub(super) upper: u32,
}

impl Counts {
    /// Start of the upper nodes in a grid.
    pub(super) fn upper_at(&self) -> u64 {
        TILES_AT + TILE * u64::from(self.upper)
    }

    /// Start of the lower nodes in a grid.
    pub(super) fn lower_at(&self) -> u64 {
        self.upper_at() + UPPER * u64::from(self.upper)
    }

    /// Start of the leaves in a grid.
    pub(super) fn leaf_at(&self) -> u64 {
        self.lower_at() + LOWER * u64::from(self.lower)
    }

    /// Size of a grid without blind data.
    pub(super) fn size(&self) -> u64 {
        self.leaf_at() + LEAF * u64::from(self.leaf)
    }
}

/// The stored key of a tile.
pub(super) fn tile_key(position: [i32; 3]) -> u64 {
    let [x, y, z] = position.map(|p| u64::from(p as u32 & 0xf_ffff));
    z | (y << 21) | (x << 42)
}

/// The tile of a stored key; `None` for a key with other bits set.
pub(super) fn tile_of_key(key: u64) -> Option<[i32; 3]> {
    let field = |shift: u32| ((key >> shift) as u32 & 0xf_ffff) << 12;
    let position = [field(42), field(21), field(0)].map(|v| v as i32 >> 12);
    (tile_key(position) == key).then_some(position)
}

/// The hash of a grid's name in a file.
pub(super) fn name_key(name: &[u8]) -> u64 {
    name.iter().fold(0, |hash: u64, &byte| {
        let over = hash >> 56;
        hash.wrapping_mul(67).wrapping_add(u64::from(byte)).wrapping_add(over)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_worked_example() {
        assert_eq!(VERSION, 67_118_082);
        assert_eq!(tile_key([-1; 3]), 4_611_683_819_403_083_775);
        assert_eq!(tile_of_key(tile_key([-1, 5, -(1 << 19)])), Some([-1, 5, -(1 << 19)]));
        assert_eq!(tile_of_key(1 << 20), None);
        assert_eq!(name_key(b"two"), 528_808);
        let counts = Counts { leaf: 2, lower: 2, upper: 2 };
        assert_eq!(counts.size(), 609_600);
        assert_eq!(counts.leaf_at() - TREE_AT, 608_736);
    }
}
