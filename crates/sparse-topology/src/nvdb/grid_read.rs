//! The nodes of a grid.

use super::Checksum;
use super::bytes::{View, expect, fault};
use super::grid_check::{active_tiles, check_sums, has_bounds, read_transform};
use super::grid_write::{EMPTY, grow, prefix};
use super::layout::*;
use crate::grid::{LowerKey, Part, Tile};
use crate::kernels::leaf::{leaf_bounds, leaf_count, leaf_occupancy};
use crate::kernels::node_key::leaf_of_slots;
use crate::{Error, Transform, VoxelBox};

/// A grid that was read and checked.
pub(super) struct Grid {
    pub(super) parts: Vec<Part>,
    pub(super) transform: Transform,
    pub(super) checksum: Checksum,
    pub(super) voxels: u64,
    /// `None` where the grid says that its bounds mean nothing.
    pub(super) bounds: Option<VoxelBox>,
}

/// Where the next node of each level must be: nodes lie in canonical order, breadth first.
struct Cursor {
    lower: u64,
    leaf: u64,
    voxels: u64,
    /// Whether the boxes of nodes are their voxels'.
    bounded: bool,
}

/// Reads a grid whose head was checked, as item `item`.
pub(super) fn read_grid(grid: &View<'_>, counts: &Counts, item: u32, checksums: bool) -> Result<Grid, Error> {
    let checksum = check_sums(grid, checksums)?;
    let transform = read_transform(grid)?;
    let mut parts = Vec::new();
    let mut bounds = EMPTY;
    let bounded = has_bounds(grid)?;
    let mut cursor = Cursor { lower: counts.lower_at(), leaf: counts.leaf_at(), voxels: 0, bounded };
    let mut last = None;
    for i in 0..u64::from(counts.upper) {
        let tile_at = TILES_AT + TILE * i;
        let position = read_tile(grid, tile_at, counts.upper_at() + UPPER * i)?;
        if last.is_some_and(|last| last >= position) {
            return Err(fault(
                tile_at,
                format!("tile {position:?} comes after {last:?}: not in canonical order, or twice"),
            ));
        }
        last = Some(position);
        let tile = Tile { item, position };
        grow(&mut bounds, read_upper(grid, counts, counts.upper_at() + UPPER * i, tile, &mut cursor, &mut parts)?);
    }
    expect(TREE_AT + 36, "the number of lower nodes that are children", cursor.lower, counts.leaf_at())?;
    expect(TREE_AT + 32, "the number of leaves that are children", cursor.leaf, counts.size())?;
    grid.expect_u64(TREE_AT + 56, "the number of voxels", cursor.voxels)?;
    grid.expect_u64(656, "the number of values", cursor.voxels + 1)?;
    // An empty grid has no bounds to be wrong.
    let bounds = (bounded && counts.leaf > 0).then_some(bounds);
    if let Some(bounds) = bounds {
        check_bounds(grid, ROOT_AT, "the root's bounds", bounds)?;
    }
    Ok(Grid { parts, transform, checksum, voxels: cursor.voxels, bounds })
}

fn read_tile(grid: &View<'_>, at: u64, child: u64) -> Result<[i32; 3], Error> {
    let key = grid.u64(at)?;
    let offset = grid.u64(at + 8)?;
    if offset == 0 || grid.u32(at + 16)? != 0 {
        return Err(active_tiles("root"));
    }
    expect(at + 8, "the offset of the tile's child", offset, child - ROOT_AT)?;
    tile_of_key(key).ok_or_else(|| fault(at, format!("the tile's key is {key:#018x}, which names no tile")))
}

/// The set bits of a child mask, ascending, each with its offset compared with the place of the next child.
fn children(
    grid: &View<'_>,
    node: u64,
    (mask_at, table_at): (u64, u64),
    bytes: u64,
    level: &str,
) -> Result<Vec<(u32, u64)>, Error> {
    if grid.slice(node + 32, bytes, "a value mask")?.iter().any(|&byte| byte != 0) {
        return Err(active_tiles(level));
    }
    let mut out = Vec::new();
    for (i, &byte) in grid.slice(node + mask_at, bytes, "a child mask")?.iter().enumerate() {
        let mut rest = byte;
        while rest != 0 {
            let slot = i as u32 * 8 + rest.trailing_zeros();
            rest &= rest - 1;
            out.push((slot, grid.u64(node + table_at + 8 * u64::from(slot))?));
        }
    }
    if out.is_empty() {
        return Err(fault(node + mask_at, format!("the {level} node has no children")));
    }
    Ok(out)
}

fn read_upper(
    grid: &View<'_>,
    counts: &Counts,
    at: u64,
    tile: Tile,
    cursor: &mut Cursor,
    parts: &mut Vec<Part>,
) -> Result<VoxelBox, Error> {
    let mut bounds = EMPTY;
    for (slot, offset) in children(grid, at, (4128, 8256), 4096, "upper")? {
        if cursor.lower >= counts.leaf_at() {
            return Err(fault(at + 4128, format!("child masks name more than the {} lower nodes", counts.lower)));
        }
        expect(at + 8256 + 8 * u64::from(slot), "the offset of a lower node", offset, cursor.lower - at)?;
        let lower_at = cursor.lower;
        cursor.lower += LOWER;
        grow(&mut bounds, read_lower(grid, counts, lower_at, LowerKey { tile, slot }, cursor, parts)?);
    }
    if cursor.bounded {
        check_bounds(grid, at, "an upper node's bounds", bounds)?;
    } else {
        check_origin(grid, at, "an upper node", tile.position.map(|p| p << 12), 4095)?;
    }
    Ok(bounds)
}

fn read_lower(
    grid: &View<'_>,
    counts: &Counts,
    at: u64,
    key: LowerKey,
    cursor: &mut Cursor,
    parts: &mut Vec<Part>,
) -> Result<VoxelBox, Error> {
    let mut bounds = EMPTY;
    let mut part = Part { key, slots: Vec::new(), masks: Vec::new() };
    for (slot, offset) in children(grid, at, (544, 1088), 512, "lower")? {
        if cursor.leaf >= counts.size() {
            return Err(fault(at + 544, format!("child masks name more than the {} leaves", counts.leaf)));
        }
        expect(at + 1088 + 8 * u64::from(slot), "the offset of a leaf", offset, cursor.leaf - at)?;
        let position = leaf_of_slots(key.tile.position, (key.slot << 12) | slot);
        let (mask, leaf_box) = read_leaf(grid, cursor, position)?;
        cursor.leaf += LEAF;
        cursor.voxels += u64::from(leaf_count(&mask));
        grow(&mut bounds, leaf_box);
        part.slots.push(slot as u16);
        part.masks.push(mask);
    }
    if cursor.bounded {
        check_bounds(grid, at, "a lower node's bounds", bounds)?;
    } else {
        let origin = leaf_of_slots(key.tile.position, key.slot << 12).map(|p| p << 3);
        check_origin(grid, at, "a lower node", origin, 127)?;
    }
    parts.push(part);
    Ok(bounds)
}

/// Compares a node's box with that of its voxels.
fn check_bounds(grid: &View<'_>, at: u64, what: &str, bounds: VoxelBox) -> Result<(), Error> {
    expect(at, what, [grid.i32x3(at)?, grid.i32x3(at + 12)?], [bounds.0, bounds.1])
}

/// Compares the origin of a node, which its least coordinate gives, with that of its slot.
fn check_origin(grid: &View<'_>, at: u64, what: &str, origin: [i32; 3], inside: i32) -> Result<(), Error> {
    expect(at, &format!("the origin of {what}"), grid.i32x3(at)?.map(|v| v & !inside), origin)
}

fn read_leaf(grid: &View<'_>, cursor: &Cursor, position: [i32; 3]) -> Result<([u32; 16], VoxelBox), Error> {
    let (at, before) = (cursor.leaf, cursor.voxels);
    let mut mask = [0; 16];
    for (i, word) in mask.iter_mut().enumerate() {
        *word = grid.u32(at + 16 + 4 * i as u64)?;
    }
    if mask == [0; 16] {
        return Err(fault(at + 16, "the leaf has no active voxel".into()));
    }
    grid.expect_u64(at + 80, "the leaf's first index", before + 1)?;
    grid.expect_u64(at + 88, "the leaf's prefix", prefix(&mask))?;
    let (lo, hi) = leaf_bounds(leaf_occupancy(&mask));
    let corner = |p: [u32; 3]| std::array::from_fn(|k| (position[k] << 3) | p[k] as i32);
    if !cursor.bounded {
        check_origin(grid, at, "the leaf", position.map(|p| p << 3), 7)?;
        return Ok((mask, (corner(lo), corner(hi))));
    }
    expect(at, "the leaf's lowest voxel", grid.i32x3(at)?, corner(lo))?;
    let size: [u8; 3] = std::array::from_fn(|k| (hi[k] - lo[k]) as u8);
    expect(at + 12, "the leaf's extent", grid.slice(at + 12, 3, "an extent")?, &size[..])?;
    Ok((mask, (corner(lo), corner(hi))))
}
