//! A file of some of the units alone: the bytes that a streamed decode copies.

use crate::dgf::DgfFile;
use crate::error::Error;
use crate::file::{File, Payload};
use crate::md1::Md1File;
use crate::meshopt::{ClusterFile, MeshletFile};
use crate::stride::StrideFile;
use crate::units::{check_units, compact_ranges};

/// Zero words behind a body, so that a field may be read with the words after it.
const PADDING: usize = 2;

impl File {
    /// A file that holds only the units of a list: their bytes and their table entries, rebased. Unit k of the new file is unit `list[k]` of this
    /// one, and its whole decode is that of [`File::decode_units_cpu`] but for the numbers in `units`.
    ///
    /// This is what a streamed decode sends to a device: the rest of the file stays where it is. Chunks of MD1 files (boxes, source maps,
    /// attributes) are left behind. Cost: linear in the bytes of the chosen units.
    ///
    /// # Errors
    /// The list's errors: [`Error::UnitOrder`], [`Error::UnitRange`].
    pub fn subset(&self, list: &[u32]) -> Result<File, Error> {
        check_units(list, self.unit_count())?;
        let counts = (0..).zip(list).map(|(k, unit)| {
            let range = self.units()[*unit as usize];
            (k, range.vertex_count, range.triangle_count)
        });
        let ranges = compact_ranges(counts)?;
        let length: u64 = list.iter().map(|unit| self.unit_bytes(*unit)).map(|bytes| bytes.end - bytes.start).sum();
        // A hostile table may let its units overlap; their copies must not outgrow the file.
        let allowed = self.length() + 2 * list.len() as u64;
        if length > allowed {
            return Err(Error::TooLarge { what: "bytes of units that overlap", needed: length, allowed });
        }
        let payload = match self.payload() {
            Payload::Dgf(file) => Payload::Dgf(DgfFile::subset(file, list)),
            Payload::Md1(file) => Payload::Md1(md1(file, list)),
            Payload::Stride(file) => Payload::Stride(stride(file, list)),
            Payload::Meshlets(file) => {
                let (data, places) = bytes_of(&file.data, &file.places, list);
                Payload::Meshlets(MeshletFile { data, places })
            }
            Payload::Clusters(file) => {
                let (body, places) = bytes_of(&file.body, &file.places, list);
                Payload::Clusters(ClusterFile { body, places })
            }
        };
        Ok(File::from_parts(self.format(), ranges, payload, length))
    }
}

fn md1(file: &Md1File, list: &[u32]) -> Md1File {
    let mut body = Vec::new();
    let mut entries = Vec::with_capacity(list.len());
    for unit in list {
        let mut entry = file.entries[*unit as usize];
        let start = body.len() as u32;
        body.extend(&file.body[entry.start as usize..entry.end as usize]);
        (entry.start, entry.end) = (start, body.len() as u32);
        entries.push(entry);
    }
    body.resize(body.len() + PADDING, 0);
    Md1File {
        header: file.header,
        entries,
        body,
        boxes: None,
        vertex_sources: None,
        triangle_sources: None,
        attributes: None,
    }
}

/// Units keep their place inside a word; whole words are copied, so a first or last word may be there twice.
fn stride(file: &StrideFile, list: &[u32]) -> StrideFile {
    let mut body = Vec::new();
    let mut entries = Vec::with_capacity(list.len());
    for unit in list {
        entries.push(file.entries[*unit as usize].map(|mut entry| {
            let (first, end) = (entry.start / 32, entry.end.div_ceil(32));
            // The first word may move to a lower or a higher place.
            let moved = (32 * body.len() as u32).wrapping_sub(32 * first);
            body.extend(&file.body[first as usize..end as usize]);
            for place in [&mut entry.start, &mut entry.end, &mut entry.residuals] {
                *place = place.wrapping_add(moved);
            }
            entry
        }));
    }
    let body_bytes = 4 * body.len() as u32;
    body.resize(body.len() + PADDING, 0);
    StrideFile { header: file.header, body, body_bytes, entries }
}

/// The same for units of bytes.
fn bytes_of(data: &[u32], places: &[[u32; 2]], list: &[u32]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut body = Vec::new();
    let mut moved = Vec::with_capacity(list.len());
    for unit in list {
        let [offset, size] = places[*unit as usize];
        moved.push([4 * body.len() as u32 + offset % 4, size]);
        body.extend(&data[(offset / 4) as usize..((offset + size).div_ceil(4)) as usize]);
    }
    body.resize(body.len() + PADDING, 0);
    (body, moved)
}
