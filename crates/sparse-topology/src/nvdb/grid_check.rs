//! The checks of a grid's headers, before its nodes are read.

use super::Checksum;
use super::bytes::{View, expect, fault};
use super::checksum::{NOTHING, head, tail};
use super::file_read::check_type;
use super::layout::*;
use crate::{Error, Transform};

/// Checks magic, version, type, sizes and offsets of a grid; its node counts, which fit the bytes.
pub(super) fn check_head(grid: &View<'_>) -> Result<Counts, Error> {
    grid.slice(0, TILES_AT, "a grid")?;
    let magic = grid.u64(0)?;
    if magic != MAGIC_GRID && magic != MAGIC_OLD {
        return Err(fault(0, format!("the grid's magic number is {magic:#018x}, must be NanoVDB1 or NanoVDB0")));
    }
    expect(16, "the grid's major version", grid.u32(16)? >> 21, 32)?;
    check_type(grid.u32(636)?)?;
    let class = grid.u32(632)?;
    if class != CLASS_INDEX && class != CLASS_TENSOR {
        return Err(fault(632, format!("the grid's class is {class}, allowed are 8 and 9")));
    }
    let (index, count) = (grid.u32(24)?, grid.u32(28)?);
    if index >= count {
        return Err(fault(24, format!("the grid has the index {index} of {count}")));
    }
    grid.expect_u64(32, "the grid's size", grid.len())?;
    if !grid.slice(40, NAME_SIZE as u64, "the name")?.contains(&0) {
        return Err(fault(40, "the name has no NUL in its 256 bytes".into()));
    }
    let counts =
        Counts { leaf: grid.u32(TREE_AT + 32)?, lower: grid.u32(TREE_AT + 36)?, upper: grid.u32(TREE_AT + 40)? };
    check_blind(grid, &counts)?;
    let offset = |at: u64| if counts.leaf == 0 { 0 } else { at - TREE_AT };
    for (i, (what, at)) in
        [("leaf", counts.leaf_at()), ("lower", counts.lower_at()), ("upper", counts.upper_at())].into_iter().enumerate()
    {
        // An empty grid may have offsets behind its root instead of 0.
        let field = TREE_AT + 8 * i as u64;
        let found = grid.u64(field)?;
        if !(counts.leaf == 0 && found == at - TREE_AT) {
            expect(field, &format!("the offset of the first {what} node"), found, offset(at))?;
        }
    }
    grid.expect_u64(TREE_AT + 24, "the offset of the root", TREE_DATA)?;
    for (i, level) in ["lower", "upper", "root"].into_iter().enumerate() {
        let tiles = grid.u32(TREE_AT + 44 + 4 * i as u64)?;
        if tiles != 0 {
            return Err(active_tiles(level));
        }
    }
    grid.expect_u32(ROOT_AT + 24, "the number of tiles", counts.upper)?;
    Ok(counts)
}

/// The nodes end where the blind data begin, or the grid.
fn check_blind(grid: &View<'_>, counts: &Counts) -> Result<(), Error> {
    let (at, count) = (grid.u64(640)?, grid.u32(648)?);
    if count == 0 {
        expect(32, "the size for the node counts", grid.len(), counts.size())?;
    }
    if counts.size() > grid.len() || (count != 0 && !(counts.size()..=grid.len()).contains(&at)) {
        return Err(fault(
            640,
            format!("{count} blind data at {at}, the nodes end at {}, the grid at {}", counts.size(), grid.len()),
        ));
    }
    Ok(())
}

/// A value above the leaves.
pub(super) fn active_tiles(level: &str) -> Error {
    Error::Unsupported { what: format!("a grid with active tiles at the {level} level"), allowed: "voxels in leaves" }
}

/// The checksums that are there; compared, when `compare` says so.
pub(super) fn check_sums(grid: &View<'_>, compare: bool) -> Result<Checksum, Error> {
    let (head_sum, tail_sum) = (grid.u32(8)?, grid.u32(12)?);
    if head_sum == NOTHING && tail_sum == NOTHING {
        return Ok(Checksum::None);
    }
    if compare && grid.u32(16)? > OLD_CHECKSUM {
        compare_sum(8, "header", head_sum, head(grid.bytes))?;
        if tail_sum != NOTHING {
            compare_sum(12, "nodes", tail_sum, tail(grid.bytes))?;
        }
    }
    Ok(if tail_sum == NOTHING { Checksum::Half } else { Checksum::Full })
}

fn compare_sum(at: u64, what: &str, found: u32, computed: u32) -> Result<(), Error> {
    if found != computed {
        // fVDB puts names and voxel sizes into grids whose checksum is made.
        let hint = "the grid is damaged, or was changed when its checksum was made: read it without checksums to have it as it is";
        return Err(fault(
            at,
            format!("the checksum of the {what} is {found:#010x}, that of the bytes {computed:#010x}; {hint}"),
        ));
    }
    Ok(())
}

/// Whether the bounds of nodes mean something: builders may leave them out, and say so.
pub(super) fn has_bounds(grid: &View<'_>) -> Result<bool, Error> {
    Ok(grid.u32(20)? & 2 != 0)
}

/// The transform of the map, which must be a scale and a translation.
///
/// The size beside the map is that of the map, or what is left of it behind the digits of the origin (the reference). fVDB writes grids of three sizes with a map of the first
/// alone, and reads the sizes beside it: so does this.
pub(super) fn read_transform(grid: &View<'_>) -> Result<Transform, Error> {
    let matrix: [f64; 9] = grid.f64s(296 + 88)?;
    let mut transform = Transform { voxel_size: [matrix[0], matrix[4], matrix[8]], origin: grid.f64s(296 + 232)? };
    if (0..9).any(|i| i % 4 != 0 && matrix[i] != 0.0) {
        return Err(Error::Unsupported {
            what: format!("a map with the matrix {matrix:?}"),
            allowed: "scales and translations",
        });
    }
    if !transform.voxel_size.iter().all(|&s| s.is_finite() && s > 0.0) {
        return Err(fault(
            384,
            format!("the voxel size is {:?}, allowed are finite numbers greater than 0", transform.voxel_size),
        ));
    }
    if !transform.origin.iter().all(|o| o.is_finite()) {
        return Err(fault(528, format!("the origin is {:?}, allowed are finite numbers", transform.origin)));
    }
    let beside: [f64; 3] = grid.f64s(608)?;
    let agrees = |k: usize| {
        let (size, origin) = (transform.voxel_size[k], transform.origin[k]);
        (beside[k] - size).abs() <= (size + origin.abs()) * f64::EPSILON
    };
    if !(0..3).all(agrees) {
        let first_alone = transform.voxel_size == [beside[0]; 3] && beside.iter().all(|&s| s.is_finite() && s > 0.0);
        if !first_alone {
            expect(608, "the voxel size beside the map", beside, transform.voxel_size)?;
        }
        transform.voxel_size = beside;
    }
    Ok(transform)
}
