//! Decoders and encoders of compressed meshlet formats, on CPU and GPU, bit for bit.
//!
//! [`open`] finds the format from the content and checks the file; [`File::decode_cpu`] decodes all units (blocks, meshlets,
//! clusters), [`File::decode_units_cpu`] a list of them. A damaged unit leaves its ranges zero, its [`Status`] set and its neighbours whole.
//! `docs/mesh-decode.md` has the table of formats.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bit_writer;
mod bytes;
#[cfg(feature = "corpus")]
pub mod corpus;
mod decode_units;
mod decoded;
#[cfg(feature = "gpu")]
mod device;
mod dgf;
mod error;
mod file;
mod format;
#[cfg(feature = "gltf")]
pub mod gltf;
mod grid;
pub mod kernels;
mod layout;
mod md1;
mod mesh_input;
mod meshlets;
pub mod meshopt;
mod query;
mod status;
mod stride;
mod strips;
mod subset;
mod units;

pub use decoded::{Decoded, Outputs};
#[cfg(feature = "gpu")]
#[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
pub use device::{
    DeviceAnswer, DeviceAttributes, DeviceFile, DeviceMesh, DeviceQuery, DeviceStreams, NO_UNIT, QueryTimes, Selection,
    Stream, StreamedQuery, VertexOutput, decode_streams, device_kernels, record_filter,
};
pub use dgf::{DgfAttributes, DgfEncoded, DgfOptions, encode_dgf, encode_dgf_with};
#[cfg(feature = "gpu")]
pub use error::DeviceFault;
pub use error::Error;
pub use file::{File, open};
pub use format::Format;
pub use grid::{GridPoints, GridStep, grid_points};
pub use md1::{Attribute, AttributeInfo, Md1Encoded, Md1Mode, Md1Options, encode_md1, encode_md1_with};
pub use meshlets::{MeshletLimits, build_meshlets};
pub use query::{BoxAnswer, GridBox, GridFrame, UnitBvh, triangle_meets_box, triangles_in_box};
pub use status::{ALL_STATUSES, Fault, Status};
pub use stride::{PredictorClass, StrideEncoded, StrideOptions, encode_stride};
pub use units::{UnitRange, check_units, read_unit_batch, read_unit_list};
