//! Decoding on a device: the words of the CPU references.
//!
//! [`DeviceFile::upload`] copies a file's compressed words to the device in one piece; a [`Selection`] says which units are decoded
//! and where each lands (exact offsets: prefix sums of the checked counts); [`DeviceFile::decode`] runs one dispatch and leaves
//! positions, triangles and status words in a [`DeviceMesh`]. [`DeviceFile::record`] adds the dispatch to a caller's recording.

mod attributes;
mod box_filter;
mod box_query;
mod file;
mod filters;
mod image;
mod mesh;
mod program;
mod selection;
mod streamed_query;
mod streams;

pub use attributes::DeviceAttributes;
pub use box_filter::{DeviceAnswer, QueryTimes};
pub use box_query::DeviceQuery;
pub use file::DeviceFile;
pub use filters::record_filter;
pub use mesh::{DeviceMesh, VertexOutput};
pub use program::kernels as device_kernels;
pub use selection::{NO_UNIT, Selection};
pub use streamed_query::StreamedQuery;
pub use streams::{DeviceStreams, Stream, decode_streams};
