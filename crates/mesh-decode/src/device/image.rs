//! What goes up to the device: tables and bodies as words in one piece.

use crate::file::Payload;
use crate::kernels::stride_meshlet::Entry;
use crate::status::Fault;
use crate::units::UnitRange;

/// Sections start at multiples of this many words: every device's alignment of bindings.
const ALIGN: usize = 64;

/// Words of a file, ready for one upload.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) words: Vec<u32>,
    /// First word and length of the table.
    pub(super) table: [usize; 2],
    /// First word and length of the body.
    pub(super) body: [usize; 2],
}

impl Image {
    /// Table and body of all units, `copies` times over.
    pub(super) fn of(payload: &Payload, units: &[UnitRange], copies: usize) -> Image {
        let mut image = Image::default();
        let (mut table, mut body) = (Vec::new(), Vec::new());
        for _ in 0..copies {
            match payload {
                Payload::Dgf(file) => body.extend_from_slice(&file.blocks),
                Payload::Md1(file) => {
                    let first = body.len() as u32;
                    // A word of padding behind each copy.
                    body.extend_from_slice(&file.body);
                    table.extend(file.entries.iter().flat_map(|e| {
                        let counts = (e.vertices - 1) | (e.triangles - 1) << 8 | (e.restarts - 1) << 16;
                        [first + e.start, first + e.end, counts, 0]
                    }));
                }
                Payload::Stride(file) => {
                    let first = 32 * body.len() as u32;
                    body.extend_from_slice(&file.body);
                    let entries = file.entries.iter().zip(units);
                    table.extend(entries.flat_map(|(entry, range)| stride_words(entry, range, first)));
                }
                Payload::Meshlets(file) => {
                    let first = 4 * body.len() as u32;
                    body.extend_from_slice(&file.data);
                    let places = file.places.iter().zip(units);
                    table.extend(places.flat_map(|(place, range)| place_words(place, range, first)));
                }
                Payload::Clusters(file) => {
                    let first = 4 * body.len() as u32;
                    body.extend_from_slice(&file.body);
                    let places = file.places.iter().zip(units);
                    table.extend(places.flat_map(|(place, range)| place_words(place, range, first)));
                }
            }
        }
        image.table = image.append(&mut table);
        image.body = image.append(&mut body);
        image
    }

    /// Appends a section and returns its place.
    fn append(&mut self, section: &mut Vec<u32>) -> [usize; 2] {
        // A section is never empty, and some bodies are read a word or two past their end.
        let length = (section.len() + 4).next_multiple_of(4);
        let first = self.words.len().next_multiple_of(ALIGN);
        self.words.resize(first, 0);
        self.words.append(section);
        self.words.resize(first + length, 0);
        [first, length]
    }
}

/// Offset, size, vertices and triangles; `first`: the byte at which the copy begins.
fn place_words(&[offset, size]: &[u32; 2], range: &UnitRange, first: u32) -> [u32; 4] {
    [first + offset, size, range.vertex_count, range.triangle_count]
}

/// Three quads: `load_entry` of stride_state.wgsl. A meshlet whose entry could not be worked out has its status alone.
fn stride_words(entry: &Result<Entry, Fault>, range: &UnitRange, first: u32) -> [u32; 12] {
    let counts = range.vertex_count | range.triangle_count << 16;
    match entry {
        Ok(e) => {
            let [s0, s1, s2, s3, s4] = e.streams;
            let strips = e.strips | e.roots << 16;
            [first + e.start, first + e.end, first + e.residuals, 0, counts, strips, s0, s1, s2, s3, s4, 0]
        }
        Err(fault) => [0, 0, 0, fault.status as u32, counts, 0, 0, 0, 0, 0, 0, 0],
    }
}
