//! One item as the bytes of a grid.

use super::bytes::{put, put_f32, put_f64, put_i32, put_i64, put_u32, put_u64};
use super::layout::*;
use crate::kernels::leaf::{leaf_bounds, leaf_count, leaf_occupancy};
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform, VoxelBox};

/// The bounds of nothing.
pub(super) const EMPTY: VoxelBox = ([i32::MAX; 3], [i32::MIN; 3]);

/// The grid's bounds grown by a box.
pub(super) fn grow(bounds: &mut VoxelBox, by: VoxelBox) {
    for k in 0..3 {
        bounds.0[k] = bounds.0[k].min(by.0[k]);
        bounds.1[k] = bounds.1[k].max(by.1[k]);
    }
}

/// World bounds: of the corners between voxels, so the largest index counts plus one.
pub(super) fn world_bounds(transform: &Transform, (lo, hi): VoxelBox) -> [f64; 6] {
    if lo[0] > hi[0] {
        return [f64::MAX, f64::MAX, f64::MAX, f64::MIN, f64::MIN, f64::MIN];
    }
    let at = |k: usize, index: f64| index.mul_add(transform.voxel_size[k], transform.origin[k]);
    std::array::from_fn(|i| if i < 3 { at(i, f64::from(lo[i])) } else { at(i - 3, f64::from(hi[i - 3]) + 1.0) })
}

/// The voxel size beside the map, as the reference computes it: map(1) - map(0), which differs from the size by a rounding of the origin's digits.
pub(super) fn measured_size(transform: &Transform) -> [f64; 3] {
    std::array::from_fn(|k| (transform.voxel_size[k] + transform.origin[k]) - transform.origin[k])
}

/// `leaf.prefix`: the voxels before words 1 to 7 of 64 bits, 9 bits each.
pub(super) fn prefix(mask: &[u32; 16]) -> u64 {
    let (mut prefix, mut before) = (0, 0);
    for word in 0..7 {
        before += u64::from(mask[2 * word].count_ones() + mask[2 * word + 1].count_ones());
        prefix |= before << (9 * word);
    }
    prefix
}

/// Node counts of an item.
pub(super) fn counts(batch: &GridBatch, item: usize) -> Result<Counts, Error> {
    Ok(Counts {
        leaf: batch.item_leaves(item)?.len() as u32,
        lower: batch.item_lower_nodes(item)?.len() as u32,
        upper: batch.item_tiles(item)?.len() as u32,
    })
}

/// The bytes of an item, without its checksum. `place`: its index and the number of grids beside it.
pub(super) fn grid_bytes(
    batch: &GridBatch,
    item: usize,
    name: &str,
    place: (u32, u32),
) -> Result<(Vec<u8>, VoxelBox), Error> {
    let counts = counts(batch, item)?;
    Budget::new("the file").add(counts.size())?;
    let mut out = vec![0; counts.size() as usize];
    let bounds = nodes(&mut out, batch, item, &counts)?;
    grid_data(&mut out, batch, item, name, place, bounds)?;
    tree_and_root(&mut out, batch, item, &counts, bounds)?;
    Ok((out, bounds))
}

fn grid_data(
    out: &mut [u8],
    batch: &GridBatch,
    item: usize,
    name: &str,
    place: (u32, u32),
    bounds: VoxelBox,
) -> Result<(), Error> {
    let rows = batch.item_rows(item)?;
    let size = out.len() as u64;
    let transform = batch.transforms()[item];
    put_u64(out, 0, &[MAGIC_GRID]);
    let flags = if rows.is_empty() { 32 } else { 34 };
    put_u32(out, 16, &[VERSION, flags, place.0, place.1]);
    put_u64(out, 32, &[size]);
    put(out, 40, name.as_bytes());
    map(out, 296, &transform);
    put_f64(out, 560, &world_bounds(&transform, bounds));
    put_f64(out, 608, &measured_size(&transform));
    put_u32(out, 632, &[CLASS_INDEX, TYPE_ON_INDEX]);
    put_u64(out, 640, &[size]);
    put_u64(out, 656, &[rows.end - rows.start + 1]);
    Ok(())
}

fn map(out: &mut [u8], at: u64, transform: &Transform) {
    let diagonal = |d: [f64; 3]| -> [f64; 9] { std::array::from_fn(|i| if i % 4 == 0 { d[i / 4] } else { 0.0 }) };
    let matrix = diagonal(transform.voxel_size);
    let inverse = diagonal(transform.voxel_size.map(|s| 1.0 / s));
    put_f32(out, at, &matrix.map(|v| v as f32));
    put_f32(out, at + 36, &inverse.map(|v| v as f32));
    put_f32(out, at + 72, &transform.origin.map(|v| v as f32));
    put_f32(out, at + 84, &[1.0]);
    put_f64(out, at + 88, &matrix);
    put_f64(out, at + 160, &inverse);
    put_f64(out, at + 232, &transform.origin);
    put_f64(out, at + 256, &[1.0]);
}

fn tree_and_root(
    out: &mut [u8],
    batch: &GridBatch,
    item: usize,
    counts: &Counts,
    bounds: VoxelBox,
) -> Result<(), Error> {
    let rows = batch.item_rows(item)?;
    let offset = |at: u64| if rows.is_empty() { 0 } else { at - TREE_AT };
    put_u64(out, TREE_AT, &[offset(counts.leaf_at()), offset(counts.lower_at()), offset(counts.upper_at()), TREE_DATA]);
    put_u32(out, TREE_AT + 32, &[counts.leaf, counts.lower, counts.upper]);
    put_u64(out, TREE_AT + 56, &[rows.end - rows.start]);
    put_i32(out, ROOT_AT, &bounds.0);
    put_i32(out, ROOT_AT + 12, &bounds.1);
    put_u32(out, ROOT_AT + 24, &[counts.upper]);
    for (i, tile) in batch.item_tiles(item)?.enumerate() {
        let at = TILES_AT + TILE * i as u64;
        put_u64(out, at, &[tile_key(batch.tiles()[tile].position)]);
        put_u64(out, at + 8, &[counts.upper_at() + UPPER * i as u64 - ROOT_AT]);
    }
    Ok(())
}

/// Writes all nodes; the item's bounds.
fn nodes(out: &mut [u8], batch: &GridBatch, item: usize, counts: &Counts) -> Result<VoxelBox, Error> {
    let (tiles, lowers, leaves) = (batch.item_tiles(item)?, batch.item_lower_nodes(item)?, batch.item_leaves(item)?);
    let first_row = batch.item_rows(item)?.start;
    let mut bounds = EMPTY;
    for tile in tiles.clone() {
        let upper_at = counts.upper_at() + UPPER * (tile - tiles.start) as u64;
        let mut upper_box = EMPTY;
        for lower in batch.nodes.first_lower(tile)..batch.nodes.first_lower(tile + 1) {
            let lower_at = counts.lower_at() + LOWER * (lower - lowers.start) as u64;
            let mut lower_box = EMPTY;
            for leaf in batch.nodes.leaves(lower) {
                let leaf_at = counts.leaf_at() + LEAF * (leaf - leaves.start) as u64;
                grow(&mut lower_box, leaf_node(out, leaf_at, batch, leaf, first_row));
                child(out, lower_at, (544, 1088), batch.leaf_keys[leaf] as u32 & 4095, leaf_at);
            }
            put_i32(out, lower_at, &[lower_box.0, lower_box.1].concat());
            put_u64(out, lower_at + 24, &[2]);
            grow(&mut upper_box, lower_box);
            child(out, upper_at, (4128, 8256), batch.lower_key(lower).slot, lower_at);
        }
        put_i32(out, upper_at, &[upper_box.0, upper_box.1].concat());
        put_u64(out, upper_at + 24, &[2]);
        grow(&mut bounds, upper_box);
    }
    Ok(bounds)
}

/// Sets a child's bit and its offset in the node's table.
fn child(out: &mut [u8], node_at: u64, (mask_at, table_at): (u64, u64), slot: u32, child_at: u64) {
    out[(node_at + mask_at + u64::from(slot >> 3)) as usize] |= 1 << (slot & 7);
    put_i64(out, node_at + table_at + 8 * u64::from(slot), &[(child_at - node_at) as i64]);
}

/// Writes a leaf; its bounds.
fn leaf_node(out: &mut [u8], at: u64, batch: &GridBatch, leaf: usize, first_row: u64) -> VoxelBox {
    let mask = &batch.leaf_masks()[leaf];
    debug_assert!(leaf_count(mask) > 0);
    let origin = batch.leaf_position(leaf).map(|n| n << 3);
    let (lo, hi) = leaf_bounds(leaf_occupancy(mask));
    let corner = |p: [u32; 3]| std::array::from_fn(|k| origin[k] | p[k] as i32);
    put_i32(out, at, &corner(lo));
    put(out, at + 12, &[(hi[0] - lo[0]) as u8, (hi[1] - lo[1]) as u8, (hi[2] - lo[2]) as u8, 2]);
    put_u32(out, at + 16, mask);
    put_u64(out, at + 80, &[batch.first_rows[leaf] - first_row + 1, prefix(mask)]);
    (corner(lo), corner(hi))
}
