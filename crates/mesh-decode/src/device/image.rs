//! What goes up to the device: table and body of some units, as words in one piece.

use crate::file::Payload;

/// Sections start at multiples of this many words: every device's alignment of bindings.
const ALIGN: usize = 64;

/// Words of a file's units, ready for one upload.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) words: Vec<u32>,
    /// First word and length of the table.
    pub(super) table: [usize; 2],
    /// First word and length of the body.
    pub(super) body: [usize; 2],
}

impl Image {
    /// Table and body of the units of `list`, renumbered from 0 in its order.
    pub(super) fn of(payload: &Payload, list: &[u32]) -> Image {
        let mut image = Image::default();
        let (mut table, mut body) = (Vec::new(), Vec::new());
        if let Payload::Dgf(file) = payload {
            file.image(list, &mut body);
        }
        image.table = image.append(&mut table);
        image.body = image.append(&mut body);
        image
    }

    /// Appends a section and returns its place.
    fn append(&mut self, section: &mut Vec<u32>) -> [usize; 2] {
        // An empty section is bound all the same, and the bodies of some formats are read a word or two past their end.
        let length = section.len() + 2;
        let first = self.words.len().next_multiple_of(ALIGN);
        self.words.resize(first, 0);
        self.words.append(section);
        self.words.resize((first + length).next_multiple_of(4), 0);
        [first, length.next_multiple_of(4)]
    }
}
