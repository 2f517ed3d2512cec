//! Status words of units, and what they say.

use std::fmt;

/// Why a unit could not be decoded: the word of `.status.u32`, the same on every device.
///
/// A unit (block, meshlet, cluster) is checked in stages; the word is the code of the first stage that fails, so it
/// does not depend on the order in which the lanes of a device look at the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum Status {
    /// Decoded.
    Good = 0,
    /// The unit does not begin with its magic number.
    Magic = 1,
    /// Bits that must be 0 are set.
    Reserved = 2,
    /// The exponent is outside its range.
    Exponent = 3,
    /// Field widths are illegal.
    Widths = 4,
    /// A section that this version refuses by name (DGF: opacity micromaps).
    Unsupported = 5,
    /// Sections are longer than allowed or overlap.
    Sections = 6,
    /// A connectivity code that is illegal at its place.
    Control = 7,
    /// Counts disagree: first uses, strips, triangles, or the unit's header and the file's table.
    Count = 8,
    /// A vertex or palette index names something that does not exist (yet).
    Index = 9,
    /// A stream runs past the end of its unit.
    Truncated = 10,
    /// A stream does not end where the next one begins.
    StreamEnd = 11,
    /// A coding parameter (tag, width) is illegal.
    Parameter = 12,
    /// A decoded grid code is outside its range.
    Range = 13,
    /// A vertex token is not canonical: beyond the recent list, or a raw id that is on it.
    Token = 14,
}

/// Every status but [`Status::Good`], in the order of their words.
pub const ALL_STATUSES: [Status; 14] = [
    Status::Magic,
    Status::Reserved,
    Status::Exponent,
    Status::Widths,
    Status::Unsupported,
    Status::Sections,
    Status::Control,
    Status::Count,
    Status::Index,
    Status::Truncated,
    Status::StreamEnd,
    Status::Parameter,
    Status::Range,
    Status::Token,
];

impl Status {
    /// The status of a word; `None` for a word that is no status.
    pub fn from_word(word: u32) -> Option<Self> {
        if word == 0 { Some(Self::Good) } else { ALL_STATUSES.into_iter().find(|status| *status as u32 == word) }
    }
}

/// In place of the value allowed: a vertex that is on the list of recent ones may not be written out.
pub(crate) const ON_LIST: u32 = u32::MAX;

/// What is wrong in a unit and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The unit's status word.
    pub status: Status,
    /// Place in bits, counted from the beginning of the unit's own bytes.
    pub bit: u32,
    /// The value found there.
    pub value: u32,
    /// The value allowed: exactly this, at most this or below this, as the message says.
    pub allowed: u32,
}

impl Fault {
    pub(crate) fn new(status: Status, bit: u32, value: u32, allowed: u32) -> Self {
        Self { status, bit, value, allowed }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, bit, value, allowed } = *self;
        write!(f, "bit {bit}: ")?;
        match status {
            Status::Good => write!(f, "good"),
            Status::Magic => write!(f, "magic number {value:#x}, expected {allowed:#x}"),
            Status::Reserved => write!(f, "reserved bits {value:#x}, expected {allowed:#x}"),
            Status::Exponent => write!(f, "exponent {value}, allowed are 1 to {allowed}"),
            Status::Widths => write!(f, "field widths sum to {value}, expected a multiple of {allowed}"),
            Status::Unsupported => write!(f, "{value} opacity micromap descriptors, supported are {allowed}"),
            Status::Sections => write!(f, "a section ends at or takes {value} bits, allowed are {allowed}"),
            Status::Control => {
                write!(f, "connectivity code {value} is illegal here, allowed are codes below {allowed}")
            }
            Status::Count => write!(f, "a count is {value}, expected {allowed}"),
            Status::Index => write!(f, "index {value}, allowed are indices below {allowed}"),
            Status::Truncated => write!(f, "{value} bits are needed, the unit has {allowed}"),
            Status::StreamEnd => write!(f, "a stream ends at bit {value}, expected {allowed}"),
            Status::Parameter => write!(f, "coding parameter {value}, allowed are values up to {allowed}"),
            Status::Range => write!(f, "grid code {}, allowed are 0 to {allowed}", value as i32),
            Status::Token if allowed == ON_LIST => {
                write!(f, "vertex {value} is written out although it is on the list of recent vertices")
            }
            Status::Token if allowed == 0 => {
                write!(f, "place {value} of the list of recent vertices, which is empty here")
            }
            Status::Token => {
                write!(f, "place {value} of the list of recent vertices, allowed are places below {allowed}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL_STATUSES, Status};

    #[test]
    fn words_and_statuses_are_one_to_one() {
        for (index, status) in ALL_STATUSES.into_iter().enumerate() {
            assert_eq!(status as u32, index as u32 + 1);
            assert_eq!(Status::from_word(status as u32), Some(status));
        }
        assert_eq!(Status::from_word(0), Some(Status::Good));
        assert_eq!(Status::from_word(ALL_STATUSES.len() as u32 + 1), None);
    }
}
