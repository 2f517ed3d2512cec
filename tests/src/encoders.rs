//! The encoders of mesh-decode, with one set of options for sweeps, soak tests and benches.

use mesh_decode::meshopt::encode_meshlets;
use mesh_decode::{
    DgfOptions, GridStep, Md1Mode, Md1Options, MeshletLimits, StrideOptions, encode_dgf, encode_md1, encode_stride,
};

/// A file of positions and triangles.
pub type Encoder = fn(&[[f32; 3]], &[[u32; 3]]) -> Result<Vec<u8>, mesh_decode::Error>;

/// Every format that is decoded unit by unit on a device: grids of 12 bits, meshlets of 256 where a format has a choice.
pub const ENCODERS: [(&str, Encoder); 6] = [
    ("DGF, 12 bit", |p, t| Ok(encode_dgf(p, t, &DgfOptions::default())?.bytes)),
    ("MD1 fixed", |p, t| Ok(encode_md1(p, t, &md1(Md1Mode::Fixed))?.bytes)),
    ("MD1 offsets", |p, t| Ok(encode_md1(p, t, &md1(Md1Mode::Offsets))?.bytes)),
    ("MD1 predicted", |p, t| Ok(encode_md1(p, t, &md1(Md1Mode::Predicted))?.bytes)),
    ("meshopt meshlets", |p, t| Ok(encode_meshlets(p, t, MeshletLimits { vertices: 256, triangles: 256 })?.bytes)),
    ("STRIDE v4", |p, t| Ok(encode_stride(p, t, &StrideOptions::default())?.bytes)),
];

fn md1(mode: Md1Mode) -> Md1Options {
    Md1Options { step: GridStep::Bits(12), mode, boxes: false, ..Md1Options::default() }
}
