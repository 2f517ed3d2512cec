//! The errors of this crate.

use crate::format::Format;
use crate::grid::power_of_two;
use crate::status::Fault;

/// What went wrong, with the numbers that show it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No format begins with these bytes.
    #[error("no known format: {length} bytes, the first are {first:02x?}")]
    UnknownFormat {
        /// Length of the file in bytes.
        length: u64,
        /// Its first bytes, at most 8.
        first: Vec<u8>,
    },
    /// The format is known and refused: a version whose layout is not public, or another kind of content.
    #[error("{format}: {what}")]
    Unsupported {
        /// The format.
        format: Format,
        /// What is refused and what is supported.
        what: String,
    },
    /// A file is shorter or longer than its header says.
    #[error("{format}: {what} needs {needed} bytes, the file has {found}")]
    Length {
        /// The format.
        format: Format,
        /// The part that is measured.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes found.
        found: u64,
    },
    /// A field of the file's header or tables is wrong.
    #[error("{format}: byte {offset}{}: {what} is {value}, allowed: {allowed}", unit.map(|u| format!(" (unit {u})")).unwrap_or_default())]
    Field {
        /// The format.
        format: Format,
        /// Place of the field in bytes.
        offset: u64,
        /// The unit that the field belongs to, if it is a table entry.
        unit: Option<u32>,
        /// Name of the field.
        what: &'static str,
        /// Value found.
        value: i64,
        /// Values allowed.
        allowed: String,
    },
    /// A unit is damaged; its ranges are filled with zeros.
    #[error("unit {unit}: {fault}")]
    Unit {
        /// Number of the unit.
        unit: u32,
        /// What is wrong, and where in the unit.
        fault: Fault,
    },
    /// A device could not decode a unit; the CPU reference gives the same word, and the place.
    #[error("unit {unit}: status word {status}")]
    UnitStatus {
        /// Number of the unit.
        unit: u32,
        /// Its status word: a [`crate::Status`].
        status: u32,
    },
    /// A list of units is not strictly increasing.
    #[error("unit list: entry {index} is {unit} after {previous}, allowed are strictly increasing ids")]
    UnitOrder {
        /// Place in the list.
        index: usize,
        /// Unit at that place.
        unit: u32,
        /// Unit before it.
        previous: u32,
    },
    /// A list of units names a unit that does not exist.
    #[error("unit list: entry {index} is {unit}, allowed are ids below {units}")]
    UnitRange {
        /// Place in the list.
        index: usize,
        /// Unit at that place.
        unit: u32,
        /// Units of the file.
        units: u32,
    },
    /// A file of unit ids is not a whole number of u32 words.
    #[error("unit list: {length} bytes, allowed are multiples of 4")]
    UnitListLength {
        /// Length in bytes.
        length: usize,
    },
    /// A file of several unit lists ends inside a record.
    #[error("unit lists: record {record} has {count} ids, {left} words are left")]
    UnitBatch {
        /// Number of the record.
        record: usize,
        /// Ids that it announces.
        count: u32,
        /// Words behind its count.
        left: usize,
    },
    /// A stream that does not carry its own counts is damaged, or the counts given do not fit it.
    #[error("{format}: byte {offset}: {what} is {value}, allowed: {allowed}")]
    Stream {
        /// The format.
        format: Format,
        /// Place in bytes.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
        /// Value found.
        value: u64,
        /// Values allowed.
        allowed: String,
    },
    /// An index of a stream names a vertex that does not exist.
    #[error("{format}: index {place} is {index}, allowed are indices below {vertices}")]
    Index {
        /// The format.
        format: Format,
        /// Place of the index in the output.
        place: usize,
        /// Index found.
        index: u32,
        /// Number of vertices.
        vertices: u32,
    },
    /// A stream that needs a count (and for vertices a stride) from outside was opened without.
    #[error("{format} does not carry its counts: give count{}", if *stride { " and stride" } else { "" })]
    NeedsCount {
        /// The format.
        format: Format,
        /// Whether a stride is needed too.
        stride: bool,
    },
    /// More vertices, triangles or bits than 32-bit references can address.
    #[error("{needed} {what}, allowed are {allowed}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// Number needed.
        needed: u64,
        /// Number allowed.
        allowed: u64,
    },
    /// A grid step with which a mesh needs more bits than a code or an anchor has.
    #[error("grid step 2^{exponent}: {needed} grid steps {along}, allowed are {allowed}: use 2^{finest} = {} or longer", power_of_two(*finest))]
    TooFine {
        /// The step is 2^exponent.
        exponent: i32,
        /// Steps needed, which can be more than an integer holds.
        needed: String,
        /// Where.
        along: &'static str,
        /// Steps allowed.
        allowed: u32,
        /// 2^finest is the shortest step that fits the mesh.
        finest: i32,
    },
    /// A sidecar is damaged, or belongs to another file.
    #[error("sidecar: byte {offset}: {what} is {value}, allowed: {allowed}")]
    Sidecar {
        /// Place in bytes.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
        /// Value found.
        value: u64,
        /// Values allowed.
        allowed: String,
    },
    /// A glTF document is wrong, or has what is not read.
    #[error("gltf: {place}: {what}")]
    Gltf {
        /// Place in the document.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// A folder of test vectors is not laid out as it must be, or a file of it cannot be read.
    #[error("{path}: {what}")]
    Corpus {
        /// The folder or file.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A mesh or an option given to an encoder is not usable.
    #[error("{what} {index}: {value}, allowed: {allowed}")]
    Input {
        /// What is wrong.
        what: &'static str,
        /// Index of the vertex, triangle or option.
        index: u64,
        /// Value found.
        value: String,
        /// Values allowed.
        allowed: String,
    },
    /// The device: limits, memory, loss, time-out, with its numbers.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] DeviceFault),
}

/// An error of gpu-runtime; two are equal when they say the same.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct DeviceFault(pub gpu_runtime::Error);

#[cfg(feature = "gpu")]
impl PartialEq for DeviceFault {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

#[cfg(feature = "gpu")]
impl Eq for DeviceFault {}

#[cfg(feature = "gpu")]
impl From<gpu_runtime::Error> for Error {
    fn from(error: gpu_runtime::Error) -> Self {
        Error::Device(DeviceFault(error))
    }
}

impl Error {
    /// A [`Error::Field`] of the file's header.
    pub(crate) fn field(
        format: Format,
        offset: usize,
        what: &'static str,
        value: impl Into<i64>,
        allowed: impl Into<String>,
    ) -> Self {
        Self::Field { format, offset: offset as u64, unit: None, what, value: value.into(), allowed: allowed.into() }
    }

    /// A [`Error::Field`] of the table entry of a unit.
    pub(crate) fn entry(
        format: Format,
        offset: usize,
        unit: u32,
        what: &'static str,
        value: impl Into<i64>,
        allowed: impl Into<String>,
    ) -> Self {
        let (offset, value) = (offset as u64, value.into());
        Self::Field { format, offset, unit: Some(unit), what, value, allowed: allowed.into() }
    }

    /// A [`Error::Stream`].
    pub(crate) fn stream(
        format: Format,
        offset: usize,
        what: &'static str,
        value: u64,
        allowed: impl Into<String>,
    ) -> Self {
        Self::Stream { format, offset: offset as u64, what, value, allowed: allowed.into() }
    }
}
