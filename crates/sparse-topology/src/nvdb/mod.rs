//! NanoVDB files of index grids (`ValueOnIndex`), version 32.
//!
//! ```
//! use sparse_topology::{GridBatch, Transform, nvdb};
//!
//! let grid = GridBatch::from_coordinates_cpu(&[&[[1, 2, 3], [-1, -2, -3]]], &[Transform::uniform(0.5, [1.0, 2.0, 3.0])])?;
//! let bytes = nvdb::write(&grid, &["two"], &nvdb::WriteOptions::default())?;
//! let file = nvdb::read(&bytes)?;
//! assert_eq!(file.batch, grid);
//! assert_eq!(file.names, ["two"]);
//! # Ok::<(), sparse_topology::Error>(())
//! ```
//!
//! The reader takes any number of segments and grids, uncompressed, ZIP, BLOSC (LZ4) or a raw grid without a file header. It trusts nothing: every size is
//! compared with the bytes at hand before memory is taken, and every count, offset, mask, bounding box (where the grid has them), prefix and checksum with the others. Other grid types, tiles with values and codecs of Blosc other than LZ4 are refused by name.
//!
//! Source: NanoVDB 32.9.2 (`NanoVDB.h`, `IO.h`).

mod blosc;
mod bytes;
mod checksum;
mod file_read;
mod file_write;
mod grid_check;
mod grid_read;
mod grid_write;
mod layout;

use std::io::Write;
use std::path::Path;

pub use file_read::{read, read_with};
pub use file_write::write;

use crate::{Error, GridBatch};

/// How the bytes of a grid are packed in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Codec {
    /// As they are.
    #[default]
    None,
    /// A zlib stream a grid.
    Zip,
    /// Blosc 1 frames with LZ4 and shuffled bytes, up to 2^30 bytes each.
    Blosc,
}

/// What a written grid's checksum covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Checksum {
    /// Nothing.
    None,
    /// The header.
    Half,
    /// Everything.
    #[default]
    Full,
}

/// How to write a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// Packing of every grid.
    pub codec: Codec,
    /// Checksum of every grid.
    pub checksum: Checksum,
}

/// How to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether checksums are compared. Without, a grid whose names or sizes were changed after its checksum was made is read as it is; everything else is checked as before.
    pub checksums: bool,
}

impl Default for ReadOptions {
    /// With checksums.
    fn default() -> Self {
        Self { checksums: true }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The grids of all segments, in the order of the file.
    pub batch: GridBatch,
    /// The name of every grid.
    pub names: Vec<String>,
    /// The packing of every grid.
    pub codecs: Vec<Codec>,
    /// What every grid's checksum covered.
    pub checksums: Vec<Checksum>,
}

/// The bytes of every grid of a file, unpacked.
#[cfg(feature = "corpus")]
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let mut grids = Vec::new();
    file_read::each_grid(bytes, &mut |grid, _| {
        grids.push(grid.bytes.to_vec());
        Ok(())
    })?;
    Ok(grids)
}

/// Reads a `.nvdb` file.
///
/// # Errors
/// [`Error::Io`], and those of [`read`].
pub fn read_file(path: &Path) -> Result<File, Error> {
    read_file_with(path, &ReadOptions::default())
}

/// [`read_file`] with options.
///
/// # Errors
/// As [`read_file`].
pub fn read_file_with(path: &Path, options: &ReadOptions) -> Result<File, Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.into(), source })?;
    read_with(&bytes, options)
}

/// Writes a `.nvdb` file, whole or not at all: under a temporary name beside it, which becomes the file's at last.
///
/// # Errors
/// [`Error::Io`], and those of [`write()`].
pub fn write_file(path: &Path, batch: &GridBatch, names: &[&str], options: &WriteOptions) -> Result<(), Error> {
    let bytes = write(batch, names, options)?;
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let result = std::fs::File::create_new(&temporary).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    });
    result.map_err(|source| {
        if source.kind() != std::io::ErrorKind::AlreadyExists {
            // The first error is the one to tell; a file that was never made cannot be removed either.
            let _ = std::fs::remove_file(&temporary);
        }
        Error::Io { path: path.into(), source }
    })
}
