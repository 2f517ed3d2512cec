//! One cluster: a header of four words, bit-packed positions, a topology stream of the meshlet codec.
//!
//! Source: meshoptimizer's cluster example; the position header is DXR2's COMPRESSED1.

use gpu_shaders::WgslModule;

use crate::kernels::bits::field;
use crate::kernels::meshlet_codec::byte;
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const CLUSTER: WgslModule = WgslModule { name: "cluster", source: include_str!("cluster.wgsl") };

/// Bytes of a header.
pub const HEADER_BYTES: u32 = 16;

/// The header of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Vertices, 1 to 256.
    pub vertices: u32,
    /// Triangles, 1 to 256.
    pub triangles: u32,
    /// Bytes of the topology stream.
    pub topology_bytes: u32,
    /// Biased exponent of the grid step, 1 to 232.
    pub exponent: u32,
    /// Anchor in grid steps.
    pub anchor: [i32; 3],
    /// Bits of an offset on each axis, 1 to 16.
    pub widths: [u32; 3],
    /// First byte of the positions.
    pub positions: u32,
    /// First byte of the topology stream.
    pub topology: u32,
}

/// A word at any byte.
fn word(words: &[u32], at: u32) -> u32 {
    byte(words, at) | byte(words, at + 1) << 8 | byte(words, at + 2) << 16 | byte(words, at + 3) << 24
}

/// Vertices and triangles from the first word.
pub fn counts(word0: u32) -> (u32, u32) {
    ((word0 & 255) + 1, ((word0 >> 8) & 255) + 1)
}

/// Reads the header of the cluster at byte `start`, which has `size` bytes (at least 16).
///
/// # Errors
/// `Exponent`, `StreamEnd` when header, positions and topology are not exactly `size` bytes, in this order.
pub fn read_header(words: &[u32], start: u32, size: u32) -> Result<Header, Fault> {
    // [1]
    let head = [0, 4, 8, 12].map(|at| word(words, start + at));
    let (vertices, triangles) = counts(head[0]);
    let exponent = head[1] & 255;
    if exponent.wrapping_sub(1) >= 232 {
        return Err(Fault::new(Status::Exponent, 32, exponent, 232));
    }
    let widths = [(head[2] & 15) + 1, ((head[2] >> 4) & 15) + 1, (head[3] & 15) + 1];
    let position_bytes = (vertices * (widths[0] + widths[1] + widths[2]) + 7) >> 3;
    let topology_bytes = head[0] >> 16;
    let needed = HEADER_BYTES + position_bytes + topology_bytes;
    if needed != size {
        return Err(Fault::new(Status::StreamEnd, 0, 8 * needed, 8 * size));
    }
    Ok(Header {
        vertices,
        triangles,
        topology_bytes,
        exponent,
        anchor: [head[1] as i32 >> 8, head[2] as i32 >> 8, head[3] as i32 >> 8],
        widths,
        positions: start + HEADER_BYTES,
        topology: start + HEADER_BYTES + position_bytes,
    })
}

/// Grid position of a vertex: anchor + offset.
pub fn grid_position(words: &[u32], header: &Header, vertex: u32) -> [i32; 3] {
    // [2]
    let [x, y, z] = header.widths;
    let at = 8 * header.positions + vertex * (x + y + z);
    let offsets = [field(words, at, x), field(words, at + x, y), field(words, at + x + y, z)];
    [0, 1, 2].map(|axis| header.anchor[axis] + offsets[axis] as i32)
}
