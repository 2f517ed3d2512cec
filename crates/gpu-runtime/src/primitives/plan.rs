//! Plans: how an array is cut into pieces that fit a binding, and a piece into spans, one a workgroup. Pure.

use std::ops::Range;

use crate::Error;

/// Words that one dispatch sees: a range of the array that fits one binding, cut into spans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Position among the pieces.
    pub(super) index: usize,
    /// Words of the array.
    pub(super) words: Range<usize>,
    /// Words a workgroup takes, a multiple of the tile; the last one takes what is left.
    pub(super) span: u32,
    /// Workgroups of the dispatch.
    pub(super) groups: u32,
    /// Workgroups of all pieces before.
    pub(super) first_group: u32,
    /// Whether no piece follows.
    pub(super) last: bool,
}

impl Piece {
    /// Number of words.
    pub(super) fn len(&self) -> u32 {
        self.words.len() as u32
    }
}

/// An array of `len` words in equal pieces (the last one may be shorter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    len: usize,
    piece: usize,
    tile: usize,
    /// Most workgroups of a piece.
    groups: usize,
}

/// Words of a binding are counted in `u32` with room for one tile more.
const MAX_PIECE_WORDS: u64 = 1 << 30;

impl Cut {
    /// Cuts `len` words into pieces of at most `binding_bytes` and at most `groups` spans each.
    ///
    /// Pieces begin at multiples of `tile` words (a multiple of 64, so of every device's binding alignment).
    ///
    /// # Errors
    /// [`Error::Limit`] when positions do not fit `u32`, or an array above the binding limit has a limit below a tile.
    pub(super) fn new(what: &str, len: usize, tile: u32, groups: u32, binding_bytes: u64) -> Result<Self, Error> {
        let limit = |needed, allowed, unit| Err(Error::Limit { what: what.to_owned(), needed, allowed, unit });
        if len as u64 >= u64::from(u32::MAX) {
            return limit(len as u64, u64::from(u32::MAX) - 1, "words");
        }
        let tile = tile as usize;
        let piece = (binding_bytes / 4).min(MAX_PIECE_WORDS) as usize / tile * tile;
        if piece == 0 && len as u64 * 4 > binding_bytes {
            return limit(4 * tile as u64, binding_bytes, "bytes a binding");
        }
        Ok(Cut { len, piece: piece.max(tile), tile, groups: groups.max(1) as usize })
    }

    /// The same pieces, cut into so few spans that all pieces together have at most `groups`, if one each allows that.
    pub(super) fn sharing(self, groups: u32) -> Self {
        Cut { groups: (groups as usize / self.count().max(1)).max(1), ..self }
    }

    /// Number of pieces.
    pub(super) fn count(&self) -> usize {
        self.len.div_ceil(self.piece)
    }

    /// Words and workgroups of a piece of `len` words.
    fn spans(&self, len: usize) -> (usize, usize) {
        let span = len.div_ceil(self.tile).div_ceil(self.groups).max(1) * self.tile;
        (span, len.div_ceil(span))
    }

    /// Workgroups of all pieces.
    pub(super) fn all_groups(&self) -> usize {
        let full = self.len / self.piece;
        full * self.spans(self.piece).1 + self.spans(self.len % self.piece).1
    }

    /// Enough for the workgroups of any piece of an array of this length or a shorter one.
    pub(super) fn most_groups(&self) -> usize {
        self.piece.min(self.len).div_ceil(self.tile).min(self.groups)
    }

    /// Enough for the workgroups of all pieces, when cuts [share](Cut::sharing) `groups`, at this length or a shorter
    /// one.
    pub(super) fn most_shared(&self, groups: u32) -> usize {
        self.len.div_ceil(self.tile).min(self.count().max(groups as usize))
    }

    /// The pieces in order.
    pub(super) fn pieces(self) -> impl Iterator<Item = Piece> {
        let before = self.spans(self.piece).1;
        (0..self.count()).map(move |index| {
            let words = index * self.piece..self.len.min((index + 1) * self.piece);
            let (span, groups) = self.spans(words.len());
            let last = words.end == self.len;
            let (span, groups, first_group) = (span as u32, groups as u32, (index * before) as u32);
            Piece { index, words, span, groups, first_group, last }
        })
    }

    /// The ranges of the pieces, as windows of an output.
    pub(super) fn windows(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count()).map(move |i| i * self.piece..self.len.min((i + 1) * self.piece))
    }
}

/// Words of the array that carries a total from piece to piece: 0 the total of all, 1 and 2 the carries, 3 always 0.
pub(super) const TOTAL_WORDS: usize = 4;

/// Where a piece finds its carry and where it leaves the next, or the total.
pub(super) fn slots(piece: &Piece) -> (u32, u32) {
    let carry = |index: usize| 1 + (index % 2) as u32;
    let read = if piece.index == 0 { 3 } else { carry(piece.index) };
    let write = if piece.last { 0 } else { carry(piece.index + 1) };
    (read, write)
}

/// Checks that each of the named lengths holds `needed` values.
pub(super) fn check(what: &str, needed: usize, given: &[(&str, usize)]) -> Result<(), Error> {
    match given.iter().find(|(_, given)| *given < needed) {
        Some((name, given)) => Err(Error::Length { what: format!("{what}, {name}"), needed, given: *given }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_and_spans_cover_the_array_once(
            len in 0usize..300_000, tiles in 1u32..5, groups in 1u32..40, bytes in 4096u64..200_000, share: bool,
        ) {
            let tile = 256 * tiles;
            prop_assume!(bytes >= u64::from(tile) * 4);
            let mut cut = Cut::new("x", len, tile, groups, bytes).unwrap();
            if share {
                cut = cut.sharing(groups);
                prop_assert!(cut.all_groups() <= cut.count().max(groups as usize));
            }
            let (mut end, mut groups_before) = (0, 0);
            for piece in cut.pieces() {
                prop_assert_eq!(piece.words.start, end);
                prop_assert!(!piece.words.is_empty() && 4 * piece.words.len() as u64 <= bytes);
                prop_assert!(piece.words.start % 64 == 0 && piece.span % tile == 0);
                prop_assert!(piece.groups * piece.span >= piece.len() && (piece.groups - 1) * piece.span < piece.len());
                prop_assert!(piece.groups <= groups && piece.groups as usize <= cut.most_groups());
                prop_assert_eq!(piece.first_group, groups_before);
                prop_assert_eq!(piece.last, piece.words.end == len);
                (end, groups_before) = (piece.words.end, groups_before + piece.groups);
            }
            prop_assert_eq!((end, groups_before as usize), (len, cut.all_groups()));
            prop_assert!(cut.windows().eq(cut.pieces().map(|p| p.words)));
        }
    }

    proptest! {
        #[test]
        fn scratch_for_a_capacity_is_enough_for_shorter_arrays(
            capacity in 0usize..300_000, part in 0.0..1.0f64, groups in 1u32..40, bytes in 4096u64..200_000,
        ) {
            let cut = |len| Cut::new("x", len, 256, groups, bytes).unwrap();
            let len = (capacity as f64 * part) as usize;
            let used = cut(len).pieces().map(|p| p.groups).max().unwrap_or(0);
            prop_assert!(cut(capacity).most_groups() >= used as usize);
            prop_assert!(cut(capacity).most_shared(groups) >= cut(len).sharing(groups).all_groups());
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error_with_numbers() {
        let text = |e: Error| e.to_string();
        let small = text(Cut::new("scan", 3000, 1024, 8, 4000).unwrap_err());
        assert!(small.contains("4096") && small.contains("4000"), "{small}");
        assert_eq!(Cut::new("scan", 1000, 1024, 8, 4000).unwrap().count(), 1);
        let long = text(Cut::new("scan", u32::MAX as usize, 1024, 8, 1 << 31).unwrap_err());
        assert!(long.contains("4294967295"), "{long}");
        let short = text(check("scan", 7, &[("input", 7), ("output", 6)]).unwrap_err());
        assert!(short.contains("output") && short.contains('7') && short.contains('6'), "{short}");
    }

    #[test]
    fn carries_alternate_and_the_total_comes_last() {
        let cut = Cut::new("x", 5000, 1024, 8, 4096).unwrap();
        let all: Vec<_> = cut.pieces().map(|p| slots(&p)).collect();
        assert_eq!(all, [(3, 2), (2, 1), (1, 2), (2, 1), (1, 0)]);
    }
}
