//! Filters over decoded vertices, in place.

use crate::error::Error;
use crate::format::Format;
use crate::kernels::vertex_filters;

/// A filter of `EXT_meshopt_compression` or `KHR_meshopt_compression`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Filter {
    /// Octahedral normals; stride 4 (i8) or 8 (i16). The fourth component is kept.
    Octahedral,
    /// Quaternions without their largest component; stride 8 (i16).
    Quaternion,
    /// 24-bit mantissa and 8-bit exponent to f32; any stride that is a multiple of 4.
    Exponential,
    /// Luma and chroma with a scale in alpha; stride 4 (u8) or 8 (u16).
    Colour,
}

impl Filter {
    pub(crate) fn check_stride(self, stride: usize) -> Result<(), Error> {
        let (fits, allowed) = match self {
            Filter::Octahedral | Filter::Colour => (matches!(stride, 4 | 8), "4 and 8"),
            Filter::Quaternion => (stride == 8, "8"),
            Filter::Exponential => (stride > 0 && stride.is_multiple_of(4), "multiples of 4"),
        };
        if !fits {
            return Err(Error::stream(Format::MeshoptVertices, 0, "stride of the filter", stride as u64, allowed));
        }
        Ok(())
    }
}

/// Applies a filter to vertices of `stride` bytes, in place.
///
/// The result is that of the formulas in [`vertex_filters`], the same bits on every device; the reference's paths differ from it and from each other by at most 1.
///
/// # Errors
/// [`Error::Stream`] when the stride does not fit the filter or the bytes are no whole number of vertices.
pub fn apply_filter(filter: Filter, vertices: &mut [u8], stride: usize) -> Result<(), Error> {
    filter.check_stride(stride)?;
    if !vertices.len().is_multiple_of(stride) {
        let length = vertices.len() as u64;
        return Err(Error::stream(Format::MeshoptVertices, 0, "length", length, format!("multiples of {stride}")));
    }
    match (filter, stride) {
        (Filter::Exponential, _) => vertices.as_chunks_mut::<4>().0.iter_mut().for_each(exponential),
        (Filter::Octahedral, 4) => vertices.as_chunks_mut::<4>().0.iter_mut().for_each(octahedral_8),
        (Filter::Octahedral, _) => vertices.as_chunks_mut::<8>().0.iter_mut().for_each(octahedral_16),
        (Filter::Colour, 4) => vertices.as_chunks_mut::<4>().0.iter_mut().for_each(colour_8),
        (Filter::Colour, _) => vertices.as_chunks_mut::<8>().0.iter_mut().for_each(colour_16),
        (Filter::Quaternion, _) => vertices.as_chunks_mut::<8>().0.iter_mut().for_each(quaternion),
    }
    Ok(())
}

fn exponential(bytes: &mut [u8; 4]) {
    *bytes = vertex_filters::exponential(u32::from_le_bytes(*bytes)).to_le_bytes();
}

fn signed(byte: u8) -> i32 {
    i32::from(byte as i8)
}

fn octahedral_8(v: &mut [u8; 4]) {
    let unit = vertex_filters::octahedral(signed(v[0]), signed(v[1]), signed(v[2]), 127.0);
    v[..3].copy_from_slice(&unit.map(|c| c as u8));
}

/// Four little-endian halves.
fn halves(bytes: &[u8; 8]) -> [u16; 4] {
    [0, 2, 4, 6].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn put_halves(bytes: &mut [u8; 8], halves: [u16; 4]) {
    for (chunk, half) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(halves) {
        *chunk = half.to_le_bytes();
    }
}

fn octahedral_16(v: &mut [u8; 8]) {
    let [x, y, one, fourth] = halves(v);
    let [a, b, c] = [x, y, one].map(|half| i32::from(half as i16));
    let [a, b, c] = vertex_filters::octahedral(a, b, c, 32767.0).map(|c| c as u16);
    put_halves(v, [a, b, c, fourth]);
}

fn quaternion(v: &mut [u8; 8]) {
    let [x, y, z, w] = halves(v).map(|half| i32::from(half as i16));
    put_halves(v, vertex_filters::quaternion(x, y, z, w).map(|c| c as u16));
}

fn colour_8(v: &mut [u8; 4]) {
    let colour = vertex_filters::colour(i32::from(v[0]), signed(v[1]), signed(v[2]), u32::from(v[3]), 255.0);
    *v = colour.map(|c| c as u8);
}

fn colour_16(v: &mut [u8; 8]) {
    let [y, o, g, alpha] = halves(v);
    let chroma = [o, g].map(|half| i32::from(half as i16));
    let colour = vertex_filters::colour(i32::from(y), chroma[0], chroma[1], u32::from(alpha), 65535.0);
    put_halves(v, colour.map(|c| c as u16));
}
