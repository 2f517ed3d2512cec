//! Units of a file, their ranges in the outputs, and lists of units.

use crate::error::Error;
use crate::format::Format;

/// The ranges of one unit in the output arrays: the record of `units.bin`, five little-endian words in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitRange {
    /// Number of the unit in the file.
    pub unit: u32,
    /// Its first vertex in the output.
    pub vertex_offset: u32,
    /// Its vertices.
    pub vertex_count: u32,
    /// Its first triangle in the output.
    pub triangle_offset: u32,
    /// Its triangles.
    pub triangle_count: u32,
}

impl UnitRange {
    /// The record as it stands in `units.bin`.
    pub fn words(&self) -> [u32; 5] {
        [self.unit, self.vertex_offset, self.vertex_count, self.triangle_offset, self.triangle_count]
    }
}

/// Unit ids from the bytes of a list file: little-endian u32 words, nothing else. An empty file is an empty list.
///
/// # Errors
/// [`Error::UnitListLength`] when the bytes are no whole number of words. [`check_units`] checks the ids.
pub fn read_unit_list(bytes: &[u8]) -> Result<Vec<u32>, Error> {
    match bytes.as_chunks::<4>() {
        (words, []) => Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect()),
        _ => Err(Error::UnitListLength { length: bytes.len() }),
    }
}

/// Several lists from the bytes of one file: records of a little-endian u32 count and that many u32 ids, nothing else.
///
/// # Errors
/// [`Error::UnitListLength`] when the bytes are no whole number of words, [`Error::UnitBatch`] for a record that passes the end.
pub fn read_unit_batch(bytes: &[u8]) -> Result<Vec<Vec<u32>>, Error> {
    let words = read_unit_list(bytes)?;
    let mut rest = &words[..];
    let mut lists = Vec::new();
    while let [count, ids @ ..] = rest {
        let Some((list, next)) = ids.split_at_checked(*count as usize) else {
            return Err(Error::UnitBatch { record: lists.len(), count: *count, left: ids.len() });
        };
        lists.push(list.to_vec());
        rest = next;
    }
    Ok(lists)
}

/// Checks that a list of unit ids is strictly increasing and below `units`. An empty list is good.
///
/// # Errors
/// [`Error::UnitOrder`] or [`Error::UnitRange`] for the first entry that is not.
pub fn check_units(list: &[u32], units: u32) -> Result<(), Error> {
    for (index, &unit) in list.iter().enumerate() {
        if unit >= units {
            return Err(Error::UnitRange { index, unit, units });
        }
        if let Some(previous) = index.checked_sub(1).map(|before| list[before]).filter(|previous| *previous >= unit) {
            return Err(Error::UnitOrder { index, unit, previous });
        }
    }
    Ok(())
}

/// Ranges of units one after the other: exclusive prefix sums of (vertex count, triangle count).
///
/// # Errors
/// [`Error::TooLarge`] when a sum passes `u32::MAX`.
pub(crate) fn compact_ranges(counts: impl Iterator<Item = (u32, u32, u32)>) -> Result<Vec<UnitRange>, Error> {
    let (mut vertices, mut triangles) = (0_u32, 0_u32);
    let mut ranges = Vec::with_capacity(counts.size_hint().0);
    for (unit, vertex_count, triangle_count) in counts {
        let range =
            UnitRange { unit, vertex_offset: vertices, vertex_count, triangle_offset: triangles, triangle_count };
        ranges.push(range);
        vertices = add(vertices, vertex_count, "vertices")?;
        triangles = add(triangles, triangle_count, "triangles")?;
    }
    Ok(ranges)
}

/// Vertices and triangles of all units.
pub(crate) fn totals(units: &[UnitRange]) -> [u32; 2] {
    units
        .last()
        .map_or([0; 2], |last| [last.vertex_offset + last.vertex_count, last.triangle_offset + last.triangle_count])
}

/// Compares the totals in a header, at these two offsets as `word` reads them, with those of the units.
pub(crate) fn check_totals(
    format: Format,
    units: &[UnitRange],
    offsets: [usize; 2],
    word: impl Fn(usize) -> Result<u32, Error>,
) -> Result<(), Error> {
    let names = ["total of vertices", "total of triangles"];
    for ((offset, name), expected) in offsets.into_iter().zip(names).zip(totals(units)) {
        let found = word(offset)?;
        if found != expected {
            return Err(Error::field(format, offset, name, found, expected.to_string()));
        }
    }
    Ok(())
}

fn add(sum: u32, count: u32, what: &'static str) -> Result<u32, Error> {
    let needed = u64::from(sum) + u64::from(count);
    u32::try_from(needed).map_err(|_| Error::TooLarge { what, needed, allowed: u64::from(u32::MAX) })
}

#[cfg(test)]
mod tests {
    use super::{UnitRange, check_units, compact_ranges, read_unit_batch, read_unit_list};
    use crate::error::Error;

    #[test]
    fn lists_must_increase_strictly() {
        assert_eq!(check_units(&[], 0), Ok(()));
        assert_eq!(check_units(&[0, 2, 6], 7), Ok(()));
        assert_eq!(check_units(&[0, 2, 7], 7), Err(Error::UnitRange { index: 2, unit: 7, units: 7 }));
        assert_eq!(check_units(&[3, 3], 7), Err(Error::UnitOrder { index: 1, unit: 3, previous: 3 }));
        assert_eq!(check_units(&[3, 1], 7), Err(Error::UnitOrder { index: 1, unit: 1, previous: 3 }));
    }

    #[test]
    fn list_files_are_whole_words() {
        assert_eq!(read_unit_list(&[]), Ok(vec![]));
        assert_eq!(read_unit_list(&[1, 0, 0, 0, 2, 1, 0, 0]), Ok(vec![1, 258]));
        assert_eq!(read_unit_list(&[1, 0, 0]), Err(Error::UnitListLength { length: 3 }));
    }

    #[test]
    fn batches_are_counted_records() {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(read_unit_batch(&[]), Ok(vec![]));
        assert_eq!(read_unit_batch(&bytes(&[2, 7, 9, 0, 1, 3])), Ok(vec![vec![7, 9], vec![], vec![3]]));
        assert_eq!(read_unit_batch(&bytes(&[0, 2, 7])), Err(Error::UnitBatch { record: 1, count: 2, left: 1 }));
        assert_eq!(read_unit_batch(&[0; 5]), Err(Error::UnitListLength { length: 5 }));
    }

    #[test]
    fn ranges_are_prefix_sums() {
        let ranges = compact_ranges([(4, 3, 1), (9, 5, 2)].into_iter()).expect("small");
        assert_eq!(
            ranges[1],
            UnitRange { unit: 9, vertex_offset: 3, vertex_count: 5, triangle_offset: 1, triangle_count: 2 }
        );
        assert!(compact_ranges([(0, u32::MAX, 1), (1, 1, 1)].into_iter()).is_err());
    }
}
