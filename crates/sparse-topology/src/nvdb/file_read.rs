//! Segments and raw grids.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::blosc;
use super::bytes::{View, expect, fault};
use super::grid_check::check_head;
use super::grid_read::read_grid;
use super::layout::*;
use super::{Codec, File, ReadOptions};
use crate::memory::Budget;
use crate::{Error, GridBatch};

/// The grids of the bytes of a `.nvdb` file, or of raw grids one behind the other.
///
/// # Errors
/// [`Error::Nvdb`] with the byte and the value for anything that the format does not allow; [`Error::Unsupported`] for other grid types, active tiles, codecs and maps with a rotation;
/// [`Error::Memory`].
///
/// Cost: one pass over the nodes. Memory: the file, one unpacked grid and the result; nothing is taken on the word of a header alone.
pub fn read(bytes: &[u8]) -> Result<File, Error> {
    read_with(bytes, &ReadOptions::default())
}

/// [`read`] with options.
///
/// # Errors
/// As [`read`].
pub fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<File, Error> {
    let mut file = File { batch: GridBatch::empty(&[]), names: Vec::new(), codecs: Vec::new(), checksums: Vec::new() };
    let (mut parts, mut transforms) = (Vec::new(), Vec::new());
    each_grid(bytes, &mut |grid, meta| {
        let counts = check_head(&grid)?;
        let read = read_grid(&grid, &counts, transforms.len() as u32, options.checksums)?;
        let (name, codec) = match meta {
            Some(meta) => {
                expect(meta.at + 140, "the entry's node counts", meta.counts, counts)?;
                expect(meta.at + 24, "the entry's voxel count", meta.voxels, read.voxels)?;
                if let Some((low, high)) = read.bounds {
                    expect(meta.at + 88, "the entry's bounds", meta.bounds, [low, high])?;
                }
                (meta.name.clone(), meta.codec)
            }
            None => (grid_name(&grid)?, Codec::None),
        };
        parts.extend(read.parts);
        transforms.push(read.transform);
        file.checksums.push(read.checksum);
        file.names.push(name);
        file.codecs.push(codec);
        Ok(())
    })?;
    file.batch = GridBatch::assemble(transforms, parts)?;
    Ok(file)
}

/// What happens with the bytes of a grid and its entry.
type Visit<'a> = dyn FnMut(View<'_>, Option<&Meta>) -> Result<(), Error> + 'a;

/// Hands the unpacked bytes of every grid to `visit`, with the grid's entry in its segment if it has one.
pub(crate) fn each_grid(bytes: &[u8], visit: &mut Visit<'_>) -> Result<(), Error> {
    let view = View { bytes };
    if bytes.is_empty() {
        return Err(fault(0, "the file is empty, it needs at least 16 bytes".into()));
    }
    let mut at = 0;
    while at < view.len() {
        at = match view.u64(at)? {
            MAGIC_FILE => read_segment(&view, at, visit)?,
            MAGIC_OLD if is_segment(&view, at)? => read_segment(&view, at, visit)?,
            MAGIC_OLD | MAGIC_GRID => {
                let size = view.u64(at + 32)?;
                visit(View { bytes: view.slice(at, size, "the grid")? }, None)?;
                at + size.max(1)
            }
            other => {
                let what = format!("the magic number is {other:#018x}, must be NanoVDB0, NanoVDB1 or NanoVDB2");
                return Err(fault(at, what));
            }
        };
    }
    Ok(())
}

/// Old segments and old raw grids begin with the same magic number; a segment has its version next.
fn is_segment(view: &View<'_>, at: u64) -> Result<bool, Error> {
    Ok(view.u32(at + 8)? >> 21 == 32 && view.u16(at + 12)? >= 1 && view.u16(at + 14)? <= 2)
}

/// A segment; the end of it.
fn read_segment(view: &View<'_>, at: u64, visit: &mut Visit<'_>) -> Result<u64, Error> {
    let version = view.u32(at + 8)?;
    expect(at + 8, "the major version", version >> 21, 32)?;
    let count = view.u16(at + 12)?;
    if count == 0 {
        return Err(fault(at + 12, "the segment has 0 grids, at least 1 is needed".into()));
    }
    let codec = view.u16(at + 14)?;
    let mut metas = Vec::new();
    let mut next = at + FILE_HEADER;
    for _ in 0..count {
        let meta = read_meta(view, next, codec)?;
        next = meta.end;
        metas.push(meta);
    }
    for meta in metas {
        let bytes = view.slice(next, meta.file_size, "the grid")?;
        let unpacked = match meta.codec {
            Codec::None => None,
            Codec::Zip => Some(unzip(bytes, next, &meta)?),
            Codec::Blosc => Some(unblosc(bytes, next, &meta)?),
        };
        let grid = View { bytes: unpacked.as_deref().unwrap_or(bytes) };
        expect(meta.at, "the grid's size", grid.len(), meta.size)?;
        visit(grid, Some(&meta))?;
        next += meta.file_size;
    }
    Ok(next)
}

/// The entry of a grid in a segment's header.
pub(crate) struct Meta {
    at: u64,
    end: u64,
    size: u64,
    file_size: u64,
    voxels: u64,
    bounds: [[i32; 3]; 2],
    counts: Counts,
    codec: Codec,
    name: String,
}

fn read_meta(view: &View<'_>, at: u64, segment_codec: u16) -> Result<Meta, Error> {
    view.slice(at, FILE_META, "the grid's entry")?;
    check_type(view.u32(at + 32)?)?;
    let codec = view.u16(at + 168)?;
    expect(at + 168, "the entry's codec", codec, segment_codec)?;
    let codec = match codec {
        0 => Codec::None,
        1 => Codec::Zip,
        2 => Codec::Blosc,
        other => return Err(fault(at + 168, format!("the codec is {other}, allowed are 0 to 2"))),
    };
    let counts = Counts { leaf: view.u32(at + 140)?, lower: view.u32(at + 144)?, upper: view.u32(at + 148)? };
    let (size, file_size) = (view.u64(at)?, view.u64(at + 8)?);
    if size < counts.size() {
        return Err(fault(at, format!("the grid's size is {size}, its nodes need {}", counts.size())));
    }
    if codec == Codec::None {
        expect(at + 8, "the size in the file", file_size, size)?;
    }
    let name_size = u64::from(view.u32(at + 136)?);
    let name = view.slice(at + FILE_META, name_size, "the grid's name")?;
    let Some((0, name)) = name.split_last() else {
        return Err(fault(at + 136, format!("the name of {name_size} bytes does not end with NUL")));
    };
    expect(at + 16, "the hash of the name", view.u64(at + 16)?, name_key(name))?;
    Ok(Meta {
        at,
        end: at + FILE_META + name_size,
        size,
        file_size,
        voxels: view.u64(at + 24)?,
        bounds: [view.i32x3(at + 88)?, view.i32x3(at + 100)?],
        counts,
        codec,
        name: text(name, at + FILE_META)?,
    })
}

/// Only index grids of active values.
pub(super) fn check_type(number: u32) -> Result<(), Error> {
    if number != TYPE_ON_INDEX {
        return Err(Error::Unsupported {
            what: format!("grid type {}", type_name(number)),
            allowed: "OnIndex (ValueOnIndex)",
        });
    }
    Ok(())
}

fn grid_name(grid: &View<'_>) -> Result<String, Error> {
    let field = grid.slice(40, NAME_SIZE as u64, "the name")?;
    let end = field.iter().position(|&byte| byte == 0);
    text(&field[..end.unwrap_or(NAME_SIZE)], 40)
}

fn text(name: &[u8], at: u64) -> Result<String, Error> {
    match std::str::from_utf8(name) {
        Ok(name) if !name.contains('\0') => Ok(name.to_string()),
        _ => Err(fault(at, format!("the name {name:?} is not UTF-8 without NUL"))),
    }
}

/// Unpacks a ZIP grid: its length, then a zlib stream of exactly the grid's size.
fn unzip(bytes: &[u8], at: u64, meta: &Meta) -> Result<Vec<u8>, Error> {
    let packed = View { bytes };
    expect(at, "the length of the packed grid", packed.u64(0)?, meta.file_size.wrapping_sub(8))?;
    // A zlib stream of n bytes unpacks to less than 1,032 n.
    let mut out = room(meta, packed.len() - 8, 1032)?;
    let mut decoder = ZlibDecoder::new(&bytes[8..]).take(meta.size + 1);
    decoder.read_to_end(&mut out).map_err(|error| fault(at + 8, format!("the zlib stream is broken: {error}")))?;
    Ok(out)
}

/// Unpacks a BLOSC grid: lengths, each with a frame.
fn unblosc(bytes: &[u8], at: u64, meta: &Meta) -> Result<Vec<u8>, Error> {
    let packed = View { bytes };
    let mut out = room(meta, packed.len(), blosc::MOST)?;
    let mut next = 0;
    while next < packed.len() {
        let size = packed.u64(next)?;
        let frame = packed.slice(next + 8, size, "a Blosc frame")?;
        blosc::unpack(frame, at + next + 8, meta.size - out.len() as u64, &mut out)?;
        next += 8 + size;
    }
    Ok(out)
}

/// Room for the unpacked grid, unless its size is more than so many packed bytes can give: a lie takes no memory.
fn room(meta: &Meta, packed: u64, most_a_byte: u64) -> Result<Vec<u8>, Error> {
    let most = packed.saturating_mul(most_a_byte).saturating_add(1024);
    if meta.size > most {
        return Err(fault(
            meta.at,
            format!("the grid's size is {}, {packed} packed bytes give at most {most}", meta.size),
        ));
    }
    Budget::new("the unpacked grid").add(meta.size)?;
    Ok(Vec::with_capacity(meta.size as usize))
}
