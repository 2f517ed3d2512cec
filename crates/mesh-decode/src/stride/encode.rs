//! Writing STRIDE blobs of version 4 from a mesh.

use rayon::prelude::*;

use super::decode::work_out_entry;
use super::{StrideFile, StrideHeader};
use crate::error::Error;
use crate::kernels::stride_meshlet::Predictor;
use crate::mesh_input::{Entries, check_triangles, collect_entries, localise};
use crate::meshlets::{MeshletLimits, build_meshlets};
use crate::strips::{StripTriangle, build_strips};

/// What [`encode_stride`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrideOptions {
    /// The longest side of the mesh's box has 2^bits grid steps (3 to 15); the published "12-bit" blobs have 12. Its codes take one bit more.
    pub bits: u32,
    /// Largest meshlet.
    pub limits: MeshletLimits,
}

impl Default for StrideOptions {
    fn default() -> Self {
        Self { bits: 12, limits: MeshletLimits { vertices: 256, triangles: 256 } }
    }
}

/// An encoded file with what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrideEncoded {
    /// A DPRB file, version 4.
    pub bytes: Vec<u8>,
    /// The source vertex of each vertex.
    pub vertex_sources: Vec<u32>,
    /// The source of each triangle. The format does not keep winding.
    pub triangle_sources: Vec<u32>,
}

/// Encodes a mesh as a STRIDE blob of version 4 with the canonical predictor.
///
/// The grid follows the reference: centre and radius of the vertices, a step of the longest side / 2^bits, codes rounded half to even on 2^b - 1 levels an axis.
/// Connectivity is kept but for winding, which the format loses. Cost: about two microseconds a triangle and core.
///
/// # Errors
/// [`Error::Input`] for an index without a vertex, a coordinate that is not finite or an option out of range; [`Error::TooLarge`] for a residual section over
/// 65,535 bits.
pub fn encode_stride(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    options: &StrideOptions,
) -> Result<StrideEncoded, Error> {
    check_triangles(positions, triangles)?;
    check_options(positions, options)?;
    let used: Vec<[f64; 3]> = triangles.iter().flatten().map(|v| positions[*v as usize].map(f64::from)).collect();
    let (header, levels) = fit_header(&used, options.bits);
    let codes: Vec<[i32; 3]> = positions.par_iter().map(|p| levels.code(p.map(f64::from))).collect();
    let meshlets: Vec<(BitStream, Vec<u32>, Vec<u32>)> = build_meshlets(&codes, triangles, options.limits)
        .par_iter()
        .map(|list| encode_meshlet(list, triangles, &codes, header.predictor.bits))
        .collect();
    let mut body = BitStream::default();
    let mut places = Vec::new();
    for (stream, ..) in &meshlets {
        let start = body.length;
        body.append(stream);
        places.push([start, body.length]);
    }
    let bits = header.predictor.bits;
    let words = body.words();
    let entries = places.par_iter().map(|&[start, end]| work_out_entry(&words, start, end, bits)).collect();
    let file = StrideFile { header, body: words, body_bytes: body.length.div_ceil(8), entries };
    Ok(StrideEncoded {
        bytes: file.to_blob()?,
        vertex_sources: meshlets.iter().flat_map(|(_, vertices, _)| vertices.iter().copied()).collect(),
        triangle_sources: meshlets.iter().flat_map(|(.., triangles)| triangles.iter().copied()).collect(),
    })
}

fn check_options(positions: &[[f32; 3]], options: &StrideOptions) -> Result<(), Error> {
    let input = |what, index: usize, value: String, allowed: &str| {
        Err(Error::Input { what, index: index as u64, value, allowed: allowed.to_owned() })
    };
    if let Some(index) = positions.iter().position(|p| p.iter().any(|x| !(x.is_finite() && x.abs() < 1e15))) {
        return input("coordinates of vertex", index, format!("{:?}", positions[index]), "magnitudes below 1e15");
    }
    let MeshletLimits { vertices, triangles } = options.limits;
    if !(3..=256).contains(&vertices) || !(1..=256).contains(&triangles) {
        let value = format!("{vertices} and {triangles}");
        return input("meshlet limits", 0, value, "3 to 256 vertices and 1 to 256 triangles");
    }
    if !(3..=15).contains(&options.bits) {
        return input("grid bits", 0, options.bits.to_string(), "3 to 15");
    }
    Ok(())
}

/// The quantiser: normalised coordinates to codes.
struct Levels {
    centre: [f64; 3],
    scale: f64,
    low: [f64; 3],
    range: [f64; 3],
    bits: [u32; 3],
}

impl Levels {
    fn code(&self, position: [f64; 3]) -> [i32; 3] {
        [0, 1, 2].map(|k| {
            let largest = f64::from((1_u32 << self.bits[k]) - 1);
            if self.range[k] <= 0.0 {
                return 0;
            }
            let normalised = (position[k] - self.centre[k]) / self.scale;
            ((normalised - self.low[k]) / self.range[k] * largest).round_ties_even().clamp(0.0, largest) as i32
        })
    }
}

fn fit_header(used: &[[f64; 3]], bits: u32) -> (StrideHeader, Levels) {
    let count = used.len().max(1) as f64;
    let mean = [0, 1, 2].map(|k| used.iter().map(|p| p[k]).sum::<f64>() / count);
    let centre = mean.map(|x| x as f32);
    let wide = centre.map(f64::from);
    let square = |p: &[f64; 3]| (0..3).map(|k| (p[k] - wide[k]) * (p[k] - wide[k])).sum::<f64>();
    let radius = used.iter().map(square).fold(0.0, f64::max).sqrt();
    let scale = if radius > 0.0 { radius as f32 } else { 1.0 };
    let normal = |p: &[f64; 3]| [0, 1, 2].map(|k| (p[k] - wide[k]) / f64::from(scale));
    let first = used.first().map_or([0.0; 3], normal);
    let low = used.iter().map(normal).fold(first, |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let high = used.iter().map(normal).fold(first, |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
    let (low, range) = (low.map(|x| x as f32), [0, 1, 2].map(|k| (high[k] - low[k]) as f32));
    let longest = range.iter().copied().fold(0.0, f32::max);
    let step = f64::from(longest) / f64::from(1_u32 << bits);
    let widths = range.map(|range| {
        let levels = if step > 0.0 { f64::from(range) / step + 1.0 } else { 1.0 };
        (1..=16).find(|width| f64::from(1_u32 << width) >= levels).unwrap_or(16)
    });
    let predictor = Predictor { weights: [[1, 1, -1]; 3], shifts: [0; 3], bits: widths };
    let coordinate_error = (step / 2.0) as f32;
    let header = StrideHeader { centre, scale, coordinate_error, low, range, predictor };
    let levels = Levels {
        centre: wide,
        scale: scale.into(),
        low: low.map(f64::from),
        range: range.map(f64::from),
        bits: widths,
    };
    (header, levels)
}

/// Bits, most significant first.
#[derive(Clone, Debug, Default)]
struct BitStream {
    words: Vec<u32>,
    length: u32,
}

impl BitStream {
    fn push(&mut self, value: u32, n: u32) {
        for k in (0..n).rev() {
            if self.length.is_multiple_of(32) {
                self.words.push(0);
            }
            if let Some(last) = self.words.last_mut() {
                *last |= ((value >> k) & 1) << (31 - self.length % 32);
            }
            self.length += 1;
        }
    }

    fn append(&mut self, other: &Self) {
        let mut left = other.length;
        for word in &other.words {
            let n = left.min(32);
            self.push(if n == 32 { *word } else { word >> (32 - n) }, n);
            left -= n;
        }
    }

    /// The words with two zero words behind.
    fn words(&self) -> Vec<u32> {
        let mut words = self.words.clone();
        words.extend([0, 0]);
        words
    }
}

/// The stream of a meshlet, its source vertices and its source triangles.
fn encode_meshlet(
    list: &[u32],
    triangles: &[[u32; 3]],
    codes: &[[i32; 3]],
    bits: [u32; 3],
) -> (BitStream, Vec<u32>, Vec<u32>) {
    let (corners, used) = localise(list, triangles);
    let strips = build_strips(&corners);
    let entries = collect_entries(&strips);
    let mut out = BitStream::default();
    write_connectivity(&mut out, &strips, &entries);
    let code_of = |vertex: u16| codes[used[usize::from(vertex)] as usize];
    write_residuals(&mut out, &entries, code_of, bits);
    let vertices = entries.vertices.iter().map(|(vertex, _)| used[usize::from(*vertex)]).collect();
    (out, vertices, strips.iter().map(|strip| list[usize::from(strip.source)]).collect())
}

fn write_connectivity(out: &mut BitStream, strips: &[StripTriangle], entries: &Entries) {
    let vertices = entries.vertices.len() as u32;
    let starts: Vec<usize> = (0..strips.len()).filter(|k| strips[*k].restart).collect();
    out.push(vertices, 16);
    out.push(strips.len() as u32, 16);
    out.push(starts.len() as u32, 16);
    let mut number = [0_u32; 256];
    for (k, (vertex, _)) in (0..).zip(&entries.vertices) {
        number[usize::from(*vertex)] = k;
    }
    let id_bits = 32 - vertices.leading_zeros();
    let mut recent = Vec::with_capacity(17);
    let mut token = |out: &mut BitStream, id: u32| {
        if let Some(place) = recent.iter().position(|other| *other == id) {
            out.push(place as u32, 6);
            recent.remove(place);
        } else {
            out.push(1, 1);
            out.push(id, id_bits);
        }
        recent.push(id);
        if recent.len() > 16 {
            recent.remove(0);
        }
    };
    let ends = starts.iter().skip(1).copied().chain([strips.len()]);
    for (start, end) in starts.iter().copied().zip(ends) {
        out.push((end - start) as u32, 16);
        let mut current = strips[start].corners;
        current.iter().for_each(|vertex| token(out, number[usize::from(*vertex)]));
        for strip in &strips[start + 1..end] {
            // The edge is the newest vertex and one of the two before it; the format's triangle is (other, newest, new).
            let [p0, p1, p2] = current;
            let other = if strip.edge { strip.corners[0] } else { strip.corners[1] };
            let on_second = p1 == other;
            out.push(u32::from(!on_second), 1);
            token(out, number[usize::from(strip.corners[2])]);
            current = [if on_second { p1 } else { p0 }, p2, strip.corners[2]];
        }
    }
}

fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// Tag, parameter and bits of the cheaper coding, Rice on ties.
fn best_coding(values: &[u32]) -> (u32, u32) {
    if values.is_empty() {
        return (1, 0);
    }
    let rice = |k: u32| values.iter().map(|value| u64::from(value >> k) + 1 + u64::from(k)).sum::<u64>();
    let golomb = |k: u32| values.iter().map(|value| u64::from(2 * ((value >> k) + 1).ilog2() + 1 + k)).sum::<u64>();
    let rices = (0..12).map(|k| (rice(k), 1, k));
    let golombs = (0..8).map(|k| (golomb(k), 2, k));
    rices.chain(golombs).min().map_or((1, 0), |(_, tag, k)| (tag, k))
}

fn push_zeros(out: &mut BitStream, count: u32) {
    (0..count).for_each(|_| out.push(0, 1));
}

fn write_residuals(out: &mut BitStream, entries: &Entries, code_of: impl Fn(u16) -> [i32; 3], bits: [u32; 3]) {
    let mut streams: [Vec<u32>; 6] = Default::default();
    let mut anchor = [0; 3];
    let mut previous = None;
    for (vertex, context) in &entries.vertices {
        let code = code_of(*vertex);
        for axis in 0..3 {
            match (context, previous) {
                (Some(context), _) => {
                    let [a, b, c] = context.map(|v| code_of(v)[axis]);
                    streams[axis + 3].push(zigzag(code[axis] - (a + b - c)));
                }
                (None, Some(before)) => {
                    let before: [i32; 3] = before;
                    streams[axis].push(zigzag(code[axis] - before[axis]));
                }
                (None, None) => anchor = code,
            }
        }
        previous = Some(code);
    }
    (0..3).for_each(|axis| out.push(anchor[axis] as u32, bits[axis]));
    let codings = [0, 1, 2, 3, 4, 5].map(|k: usize| best_coding(&streams[k]));
    for (tag, k) in codings {
        out.push(tag, 8);
        out.push(k, 8);
    }
    for (values, (tag, k)) in streams.iter().zip(codings) {
        for value in values {
            let high = value >> k;
            if tag == 1 {
                push_zeros(out, high);
                out.push(1, 1);
            } else {
                let length = (high + 1).ilog2();
                push_zeros(out, length);
                out.push(1, 1);
                out.push(high + 1 - (1 << length), length);
            }
            out.push(value & ((1 << k) - 1), k);
        }
    }
}
