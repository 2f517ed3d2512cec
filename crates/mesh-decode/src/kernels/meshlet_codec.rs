//! One meshlet of meshoptimizer's meshlet codec: vertex references and 4-bit connectivity.
//!
//! Layout, located from the end: vertex data, extra bytes of triangles, a gap of zeros, a control byte for each four vertices, a 4-bit code for each
//! triangle. Source: meshoptimizer 1.2.

use gpu_shaders::WgslModule;

use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const MESHLET_CODEC: WgslModule = WgslModule { name: "meshlet_codec", source: include_str!("meshlet_codec.wgsl") };

/// Vertices and triangles of the largest meshlet.
pub const MAX_COUNT: u32 = 256;

/// A byte of a stream of little-endian words; 0 past the end.
pub fn byte(words: &[u32], at: u32) -> u32 {
    let word = words.get((at >> 2) as usize).copied().unwrap_or(0);
    (word >> (8 * (at & 3))) & 255
}

/// Where the parts of a meshlet lie (bytes in the stream).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// First byte of the meshlet.
    pub start: u32,
    /// End of the data: first byte of the gap.
    pub bound: u32,
    /// First control byte.
    pub controls: u32,
    /// First byte of the triangle codes.
    pub codes: u32,
    /// Vertices.
    pub vertices: u32,
    /// Triangles.
    pub triangles: u32,
}

/// Finds the parts of a meshlet of `size` bytes at `start`; `vertices` and `triangles` are at most 256.
///
/// # Errors
/// `Truncated` when control bytes, codes and gap do not fit.
pub fn read_layout(start: u32, size: u32, vertices: u32, triangles: u32) -> Result<Layout, Fault> {
    // [1]
    let controls = (vertices + 3) >> 2;
    let codes = (triangles + 1) >> 1;
    let gap = 16 - (controls + codes).min(16);
    let needed = controls + codes + gap;
    if size < needed {
        return Err(Fault::new(Status::Truncated, 0, 8 * needed, 8 * size));
    }
    let end = start + size;
    Ok(Layout { start, bound: end - needed, controls: end - controls - codes, codes: end - codes, vertices, triangles })
}

/// Bytes of the value `k` of a group with this control byte.
fn value_length(control: u32, k: u32) -> u32 {
    // [2]
    let coded = ((control >> k) & 1) + 2 * ((control >> (k + 4)) & 1);
    if control == 0xff { 4 } else { coded }
}

/// What a value adds to the reference before it: zigzag + 1.
pub fn reference_step(value: u32) -> u32 {
    // [3]
    ((value >> 1) ^ 0u32.wrapping_sub(value & 1)).wrapping_add(1)
}

/// Extra bytes of a triangle with this code; the other new corners count on.
pub fn extra_length(code: u32) -> u32 {
    // [4]
    if code < 12 { code & 1 } else { code - 12 }
}

/// Reads the vertex references into `out` and returns the first byte of the triangles' extra bytes.
///
/// A reference is the one before it + zigzag + 1 (modulo 2^32), the first one after 2^32 - 1.
///
/// # Errors
/// `Truncated` when a value passes the bound.
pub fn read_references(words: &[u32], layout: &Layout, mut out: impl FnMut(u32)) -> Result<u32, Fault> {
    let mut at = layout.start;
    let mut last = u32::MAX;
    for vertex in 0..4 * ((layout.vertices + 3) >> 2) {
        let control = byte(words, layout.controls + (vertex >> 2));
        let length = value_length(control, vertex & 3);
        if length > layout.bound - at {
            return Err(truncated(layout, at + length));
        }
        let mut value = 0;
        for k in 0..length {
            value |= byte(words, at + k) << (8 * k);
        }
        at += length;
        if vertex < layout.vertices {
            last = last.wrapping_add(reference_step(value));
            out(last);
        }
    }
    Ok(at)
}

/// Reads the triangles from the extra byte `at` on; local indices must be below `limit`.
///
/// # Errors
/// `Truncated`, `StreamEnd` when the extra bytes do not end at the bound, `Index`.
pub fn read_triangles(
    words: &[u32],
    layout: &Layout,
    at: u32,
    limit: u32,
    mut out: impl FnMut(u32, [u32; 3]),
) -> Result<(), Fault> {
    let mut at = at;
    let mut next = 0;
    let mut history = [[0u32; 3]; 3];
    for triangle in 0..layout.triangles {
        // A code below 12 names an edge of one of the last three triangles
        let code = (byte(words, layout.codes + (triangle >> 1)) >> (4 * (triangle & 1))) & 15;
        let extra = extra_length(code);
        if extra > layout.bound - at {
            return Err(truncated(layout, at + extra));
        }
        let corners = if code < 12 {
            let [a, b, c] = history[(code >> 2) as usize];
            let third = if extra == 1 { byte(words, at) } else { next & 255 };
            next += 1 - extra;
            if code & 2 == 0 { [a, c, third] } else { [c, b, third] }
        } else {
            let mut corners = [0; 3];
            for k in 0..3 {
                corners[k as usize] = if k < extra { byte(words, at + k) } else { next & 255 };
                next += u32::from(k >= extra);
            }
            corners
        };
        at += extra;
        let largest = corners[0].max(corners[1]).max(corners[2]);
        if largest >= limit {
            return Err(Fault::new(Status::Index, 8 * (at - layout.start), largest, limit));
        }
        history = [corners, history[0], history[1]];
        out(triangle, corners);
    }
    if at != layout.bound {
        let (end, bound) = (8 * (at - layout.start), 8 * (layout.bound - layout.start));
        return Err(Fault::new(Status::StreamEnd, end, end, bound));
    }
    Ok(())
}

fn truncated(layout: &Layout, end: u32) -> Fault {
    let (needed, allowed) = (8 * (end - layout.start), 8 * (layout.bound - layout.start));
    Fault::new(Status::Truncated, allowed, needed, allowed)
}
