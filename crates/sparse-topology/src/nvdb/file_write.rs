//! Segments of grids.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::blosc;
use super::bytes::{put, put_f64, put_i32, put_u16, put_u32, put_u64};
use super::checksum::seal;
use super::grid_write::{counts, grid_bytes, measured_size, world_bounds};
use super::layout::*;
use super::{Codec, WriteOptions};
use crate::{Error, GridBatch, VoxelBox};

/// Grids that one segment can count.
const SEGMENT: usize = u16::MAX as usize;

/// A batch as the bytes of a `.nvdb` file, `names` one a grid.
///
/// One segment of up to 65,535 grids. The bytes are those of the reference's builder and writer; ZIP streams and BLOSC frames hold the same grids but may be packed otherwise. A batch of no items gives no bytes.
///
/// # Errors
/// [`Error::Length`] for another number of names; [`Error::Parameter`] for a name over 255 bytes or with a NUL, or a transform that is not finite and positive; [`Error::Memory`].
///
/// Cost: about 34 kB a lower node and 270 kB a tile: the format's tables.
pub fn write(batch: &GridBatch, names: &[&str], options: &WriteOptions) -> Result<Vec<u8>, Error> {
    if names.len() != batch.items() {
        return Err(Error::Length { what: "names", needed: batch.items() as u64, found: names.len() as u64 });
    }
    for (item, name) in names.iter().enumerate() {
        check(batch, item, name)?;
    }
    let mut out = Vec::new();
    for start in (0..names.len()).step_by(SEGMENT) {
        segment(&mut out, batch, names, start..names.len().min(start + SEGMENT), options)?;
    }
    Ok(out)
}

fn check(batch: &GridBatch, item: usize, name: &str) -> Result<(), Error> {
    let refuse = |what: &str, value: String, allowed: &str| {
        Err(Error::Parameter { what: format!("{what} of item {item}"), value, allowed: allowed.into() })
    };
    if name.len() >= NAME_SIZE || name.contains('\0') {
        return refuse("name", format!("{name:?} ({} bytes)", name.len()), "up to 255 bytes without NUL");
    }
    let transform = &batch.transforms()[item];
    if !transform.voxel_size.iter().all(|&s| s.is_finite() && s > 0.0) {
        return refuse("voxel size", format!("{:?}", transform.voxel_size), "finite numbers greater than 0");
    }
    if !transform.origin.iter().all(|o| o.is_finite()) {
        return refuse("origin", format!("{:?}", transform.origin), "finite numbers");
    }
    Ok(())
}

fn segment(
    out: &mut Vec<u8>,
    batch: &GridBatch,
    names: &[&str],
    items: std::ops::Range<usize>,
    options: &WriteOptions,
) -> Result<(), Error> {
    let codec = match options.codec {
        Codec::None => 0,
        Codec::Zip => 1,
        Codec::Blosc => 2,
    };
    let mut header = vec![0; FILE_HEADER as usize];
    put_u64(&mut header, 0, &[MAGIC_FILE]);
    put_u32(&mut header, 8, &[VERSION]);
    put_u16(&mut header, 12, &[items.len() as u16, codec]);
    let mut grids = Vec::new();
    for item in items.clone() {
        let place = ((item - items.start) as u32, items.len() as u32);
        let (mut grid, bounds) = grid_bytes(batch, item, names[item], place)?;
        seal(&mut grid, options.checksum);
        let size = grid.len() as u64;
        let packed = match options.codec {
            Codec::None => grid,
            Codec::Zip => zip(&grid),
            Codec::Blosc => blosc_frames(&grid),
        };
        header.extend(meta(batch, item, names[item], bounds, (size, packed.len() as u64), codec)?);
        grids.push(packed);
    }
    out.extend(header);
    out.extend(grids.concat());
    Ok(())
}

/// A length and a zlib stream.
fn zip(grid: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(vec![0; 8], Compression::default());
    // Writing into memory does not fail.
    let packed = encoder.write_all(grid).and_then(|()| encoder.finish()).unwrap_or_default();
    let mut packed = packed;
    let size = packed.len() as u64 - 8;
    put_u64(&mut packed, 0, &[size]);
    packed
}

/// Frames of up to 2^30 bytes, each behind its length.
fn blosc_frames(grid: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in grid.chunks(1 << 30) {
        let frame = blosc::pack(chunk);
        out.extend_from_slice(&(frame.len() as u64).to_le_bytes());
        out.extend(frame);
    }
    out
}

/// The entry of a grid in a segment's header, with the grid's name.
fn meta(
    batch: &GridBatch,
    item: usize,
    name: &str,
    bounds: VoxelBox,
    (size, file_size): (u64, u64),
    codec: u16,
) -> Result<Vec<u8>, Error> {
    let counts = counts(batch, item)?;
    let rows = batch.item_rows(item)?;
    let transform = &batch.transforms()[item];
    let mut out = vec![0; FILE_META as usize + name.len() + 1];
    put_u64(&mut out, 0, &[size, file_size, name_key(name.as_bytes()), rows.end - rows.start]);
    put_u32(&mut out, 32, &[TYPE_ON_INDEX, CLASS_INDEX]);
    put_f64(&mut out, 40, &world_bounds(transform, bounds));
    put_i32(&mut out, 88, &[bounds.0, bounds.1].concat());
    put_f64(&mut out, 112, &measured_size(transform));
    put_u32(&mut out, 136, &[name.len() as u32 + 1, counts.leaf, counts.lower, counts.upper, 1]);
    put_u16(&mut out, 168, &[codec, 0]);
    put_u32(&mut out, 172, &[VERSION]);
    put(&mut out, FILE_META, name.as_bytes());
    Ok(out)
}
