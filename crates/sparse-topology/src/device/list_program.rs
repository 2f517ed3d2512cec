//! The kernels that read lists: of coordinates, of points, of a batch's voxels.

use gpu_runtime::{Constant, KernelEntry, WgslModule};
use gpu_shaders::STRICT_FLOAT;

macro_rules! module {
    ($name:ident, $path:literal, $file:literal) => {
        const $name: WgslModule =
            WgslModule { name: $file, source: include_str!(concat!($path, "kernels/", $file, ".wgsl")) };
    };
}
module!(NODE_KEY, "../", "node_key");
module!(VOXEL_OF_POINT, "../", "voxel_of_point");
module!(CURVE_CODE, "../", "curve_code");
module!(FIND_LEAF, "", "find_leaf");
module!(TILE_SEARCH, "", "tile_search");
module!(VOXEL_LIST, "", "voxel_list");
module!(VOXEL_MARK, "", "voxel_mark");
module!(VOXEL_TILES, "", "voxel_tiles");
module!(VOXEL_UPPER, "", "voxel_upper");
module!(VOXEL_LOWER, "", "voxel_lower");
module!(VOXEL_MASKS, "", "voxel_masks");
module!(TRIANGLE_WINDOW, "../", "triangle_window");
module!(MESH_TASKS, "", "mesh_tasks");
module!(MESH_BLOCK, "", "mesh_block");
module!(MESH_UPPER, "", "mesh_upper");
module!(MESH_LOWER, "", "mesh_lower");
module!(MESH_MASKS, "", "mesh_masks");
module!(COUNT_LEAVES, "", "count_leaves");
module!(POINT_VOXELS, "", "point_voxels");
module!(ROW_OF, "", "row_of");
module!(FIND_ROWS, "", "find_rows");
module!(INVERT_ROWS, "", "invert_rows");
module!(ROW_VALUES, "", "row_values");
module!(VOXEL_CODES, "", "voxel_codes");
module!(TAP_PAIRS, "", "tap_pairs");
module!(COUNT_PAIRS, "", "count_pairs");
module!(WRITE_PAIRS, "", "write_pairs");
module!(PAIR_ROWS, "", "pair_rows");

/// A kernel by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ListProgram {
    VoxelTiles,
    VoxelUpper,
    VoxelLower,
    VoxelMasks,
    MeshUpper,
    MeshLower,
    MeshMasks,
    CountLeaves,
    /// `status`: a bit a point that has no voxel, else the first of them.
    PointVoxels {
        status: bool,
    },
    FindRows,
    InvertRows,
    RowValues,
    VoxelCodes {
        hilbert: bool,
        zyx: bool,
    },
    /// `divide`: the tree is the coarse side. `write`: pairs, else their numbers.
    TapPairs {
        divide: bool,
        write: bool,
    },
    PairRows,
}

impl ListProgram {
    fn entry(self) -> KernelEntry {
        let flag = |name, value| (name, Constant::Bool(value));
        let (name, constants, modules) = match self {
            Self::VoxelTiles => ("voxel_tiles", vec![], vec![NODE_KEY, VOXEL_LIST, VOXEL_TILES]),
            Self::VoxelUpper => {
                ("voxel_upper", vec![], vec![NODE_KEY, VOXEL_LIST, VOXEL_MARK, VOXEL_UPPER, TILE_SEARCH])
            }
            Self::VoxelLower => {
                ("voxel_lower", vec![], vec![NODE_KEY, VOXEL_LIST, VOXEL_MARK, VOXEL_LOWER, TILE_SEARCH])
            }
            Self::VoxelMasks => {
                ("voxel_masks", vec![], vec![NODE_KEY, VOXEL_LIST, VOXEL_MARK, VOXEL_MASKS, TILE_SEARCH, FIND_LEAF])
            }
            Self::MeshUpper => ("mesh_upper", vec![], vec![NODE_KEY, MESH_TASKS, VOXEL_MARK, MESH_UPPER]),
            Self::MeshLower => {
                let modules = vec![NODE_KEY, TRIANGLE_WINDOW, MESH_TASKS, VOXEL_MARK, MESH_BLOCK, MESH_LOWER];
                ("mesh_lower", vec![], modules)
            }
            Self::MeshMasks => {
                let modules =
                    vec![NODE_KEY, TRIANGLE_WINDOW, MESH_TASKS, VOXEL_MARK, MESH_BLOCK, FIND_LEAF, MESH_MASKS];
                ("mesh_masks", vec![], modules)
            }
            Self::CountLeaves => ("count_leaves", vec![], vec![NODE_KEY, COUNT_LEAVES]),
            Self::PointVoxels { status } => {
                ("point_voxels", vec![flag("STATUS", status)], vec![STRICT_FLOAT, VOXEL_OF_POINT, POINT_VOXELS])
            }
            Self::FindRows => ("find_rows", vec![], vec![NODE_KEY, FIND_ROWS, TILE_SEARCH, FIND_LEAF, ROW_OF]),
            Self::InvertRows => ("invert_rows", vec![], vec![INVERT_ROWS]),
            Self::RowValues => ("gather_row_values", vec![], vec![ROW_VALUES]),
            Self::VoxelCodes { hilbert, zyx } => (
                "voxel_codes",
                vec![flag("HILBERT", hilbert), flag("ZYX", zyx)],
                vec![NODE_KEY, CURVE_CODE, VOXEL_CODES],
            ),
            Self::TapPairs { divide, write } => {
                let last = if write { WRITE_PAIRS } else { COUNT_PAIRS };
                let modules = vec![NODE_KEY, TAP_PAIRS, last, TILE_SEARCH, FIND_LEAF, ROW_OF];
                ("tap_pairs", vec![flag("DIVIDE", divide)], modules)
            }
            Self::PairRows => ("pair_rows", vec![], vec![PAIR_ROWS]),
        };
        KernelEntry { name, constants, modules, trusted: self.is_trusted() }
    }

    /// Kernels whose every index is in range by construction: positions below the count, ranks of tiles that were found, leaves below the capacity.
    fn is_trusted(self) -> bool {
        use ListProgram as P;
        let lists = matches!(self, P::VoxelUpper | P::VoxelLower | P::VoxelMasks | P::CountLeaves);
        lists || matches!(self, P::MeshUpper | P::MeshLower | P::MeshMasks)
    }
}

impl From<ListProgram> for KernelEntry {
    fn from(program: ListProgram) -> KernelEntry {
        program.entry()
    }
}

/// Every list of modules once.
pub(crate) fn list_kernels() -> Vec<KernelEntry> {
    use ListProgram as P;
    let all = [
        P::VoxelTiles,
        P::VoxelUpper,
        P::VoxelLower,
        P::VoxelMasks,
        P::MeshUpper,
        P::MeshLower,
        P::MeshMasks,
        P::CountLeaves,
        P::PointVoxels { status: false },
        P::FindRows,
        P::InvertRows,
        P::RowValues,
        P::VoxelCodes { hilbert: true, zyx: false },
        P::TapPairs { divide: false, write: false },
        P::TapPairs { divide: true, write: true },
        P::PairRows,
    ];
    all.into_iter().map(ListProgram::entry).collect()
}
