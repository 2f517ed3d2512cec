//! Writing meshlet sets (MML) and cluster files (MXC) with the meshlet codec.

use rayon::prelude::*;

use crate::bit_writer::BitWriter;
use crate::error::Error;
use crate::format::{MML_MAGIC, MXC_MAGIC};
use crate::grid::{GridStep, grid_points, power_of_two};
use crate::mesh_input::{check_triangles, localise};
use crate::meshlets::{MeshletLimits, build_meshlets};
use crate::strips::build_strips;

/// An encoded file with what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshoptEncoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// The source vertex of each vertex.
    pub vertex_sources: Vec<u32>,
    /// The source of each triangle as id << 2 | rotation (corner 0 is this corner of the source).
    pub triangle_sources: Vec<u32>,
    /// Triangles that use a vertex twice are left out.
    pub degenerate: u32,
    /// Clusters: grid step in the mesh's unit, a power of two; 0 for meshlet sets.
    pub step: f64,
    /// Clusters: largest distance of a coordinate from the mesh's; at most half a step.
    pub max_error: f64,
}

/// The connectivity of a meshlet in the codec's order.
struct Topology {
    codes: Vec<u8>,
    extra: Vec<u8>,
    /// Local vertices in the order of their numbers.
    vertices: Vec<u16>,
    /// Meshlet triangle and rotation.
    triangles: Vec<(u16, u8)>,
}

/// Numbers of local vertices by first use.
struct Numbers {
    of: [u16; 256],
    vertices: Vec<u16>,
}

impl Numbers {
    fn known(&self, vertex: u16) -> bool {
        self.of[usize::from(vertex)] != u16::MAX
    }

    fn number(&mut self, vertex: u16) -> u8 {
        if !self.known(vertex) {
            self.of[usize::from(vertex)] = self.vertices.len() as u16;
            self.vertices.push(vertex);
        }
        self.of[usize::from(vertex)] as u8
    }
}

/// Codes triangles in strip order: on an edge of one of the last three where there is one, else with the known vertices first.
fn encode_topology(corners: &[[u16; 3]]) -> Topology {
    let mut out = Topology { codes: Vec::new(), extra: Vec::new(), vertices: Vec::new(), triangles: Vec::new() };
    let mut numbers = Numbers { of: [u16::MAX; 256], vertices: Vec::new() };
    let mut history = [[u16::MAX; 3]; 3];
    for strip in build_strips(corners) {
        let source = corners[usize::from(strip.source)];
        let turned = |rotation: usize| [0, 1, 2].map(|k| source[(k + rotation) % 3]);
        let on_edge = |rotation: usize| {
            let [a, b, _] = turned(rotation);
            (0..3).flat_map(|h| [(h, 0), (h, 1)]).find(|&(h, side): &(usize, u8)| {
                let [p, q, r] = history[h];
                [a, b] == if side == 0 { [p, r] } else { [r, q] }
            })
        };
        let found = (0..3).filter_map(|rotation| on_edge(rotation).map(|edge| (rotation, edge)));
        // A new third vertex costs no byte.
        let best = found.min_by_key(|(rotation, _)| numbers.known(turned(*rotation)[2]));
        let (rotation, code) = match best {
            Some((rotation, (h, side))) => {
                let third = turned(rotation)[2];
                let known = numbers.known(third);
                let number = numbers.number(third);
                out.extra.extend(known.then_some(number));
                (rotation, (h as u8) << 2 | side << 1 | u8::from(known))
            }
            None => {
                let known = |rotation: usize| turned(rotation).map(|v| numbers.known(v));
                let ordered = |rotation: &usize| known(*rotation).is_sorted_by(|a, b| a >= b);
                let rotation = (0..3).find(ordered).unwrap_or(0);
                let explicit = known(rotation).iter().filter(|known| **known).count();
                let numbered = turned(rotation).map(|v| numbers.number(v));
                out.extra.extend(&numbered[..explicit]);
                (rotation, 12 + explicit as u8)
            }
        };
        out.codes.push(code);
        out.triangles.push((strip.source, rotation as u8));
        history = [turned(rotation), history[0], history[1]];
    }
    out.vertices = numbers.vertices;
    out
}

/// The bytes of a meshlet; `references` are the vertices of the mesh, or none for connectivity alone.
fn write_meshlet(topology: &Topology, references: &[u32]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut controls = Vec::new();
    let mut last = u32::MAX;
    for group in references.chunks(4) {
        let mut values = [0; 4];
        for (value, reference) in values.iter_mut().zip(group) {
            let delta = reference.wrapping_sub(last).wrapping_sub(1) as i32;
            *value = ((delta << 1) ^ (delta >> 31)) as u32;
            last = *reference;
        }
        let lengths = values.map(|value| (32 - value.leading_zeros()).div_ceil(8));
        let wide = lengths.contains(&4) || lengths == [3; 4];
        let coded = (0..4).fold(0, |c, k| c | (lengths[k] & 1) << k | (lengths[k] >> 1) << (k + 4));
        controls.push(if wide { 0xff } else { coded as u8 });
        for (value, length) in values.iter().zip(lengths) {
            let length = if wide { 4 } else { length as usize };
            data.extend(&value.to_le_bytes()[..length]);
        }
    }
    data.extend(&topology.extra);
    let codes = topology.codes.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |code| code << 4));
    let codes: Vec<u8> = codes.collect();
    data.resize(data.len() + 16_usize.saturating_sub(controls.len() + codes.len()), 0);
    data.extend(controls);
    data.extend(codes);
    data
}

/// A mesh cut into meshlets with their connectivity.
struct Cut {
    lists: Vec<Vec<u32>>,
    parts: Vec<(Topology, Vec<u32>)>,
    kept: Vec<u32>,
}

impl Cut {
    fn new(points: &[[i32; 3]], triangles: &[[u32; 3]], limits: MeshletLimits) -> Result<Self, Error> {
        let MeshletLimits { vertices, triangles: most } = limits;
        if !(3..=256).contains(&vertices) || !(1..=256).contains(&most) {
            let (what, allowed) = ("meshlet limits", "3 to 256 vertices and 1 to 256 triangles".to_owned());
            return Err(Error::Input { what, index: 0, value: format!("{vertices} and {most}"), allowed });
        }
        let whole = |t: &u32| {
            let [a, b, c] = triangles[*t as usize];
            a != b && b != c && c != a
        };
        let kept: Vec<u32> = (0..triangles.len() as u32).filter(whole).collect();
        let chosen: Vec<[u32; 3]> = kept.iter().map(|t| triangles[*t as usize]).collect();
        let lists = build_meshlets(points, &chosen, limits);
        let parts = lists.par_iter().map(|list| {
            let (corners, used) = localise(list, &chosen);
            let topology = encode_topology(&corners);
            let references = topology.vertices.iter().map(|vertex| used[usize::from(*vertex)]).collect();
            (topology, references)
        });
        let parts = parts.collect();
        Ok(Self { lists, parts, kept })
    }

    fn finish(self, bytes: Vec<u8>, triangles: usize, step: f64, max_error: f64) -> MeshoptEncoded {
        let sources = self.lists.iter().zip(&self.parts).flat_map(|(list, (topology, _))| {
            let word = |&(t, rotation): &(u16, u8)| self.kept[list[usize::from(t)] as usize] << 2 | u32::from(rotation);
            topology.triangles.iter().map(word).collect::<Vec<u32>>()
        });
        MeshoptEncoded {
            bytes,
            triangle_sources: sources.collect(),
            vertex_sources: self.parts.iter().flat_map(|(_, references)| references.iter().copied()).collect(),
            degenerate: (triangles - self.kept.len()) as u32,
            step,
            max_error,
        }
    }
}

/// Encodes the connectivity of a mesh as a meshlet set: vertex references and triangles, winding kept.
///
/// `positions` only guide the shape of the meshlets.
///
/// # Errors
/// [`Error::Input`] for an index without a vertex, a coordinate that is not finite or limits out of range; [`Error::TooLarge`].
pub fn encode_meshlets(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    limits: MeshletLimits,
) -> Result<MeshoptEncoded, Error> {
    check_triangles(positions, triangles)?;
    let cut = Cut::new(&near_points(positions)?, triangles, limits)?;
    let meshlets: Vec<Vec<u8>> =
        cut.parts.par_iter().map(|(topology, references)| write_meshlet(topology, references)).collect();
    let length: u64 = meshlets.iter().map(|meshlet| meshlet.len() as u64).sum();
    let mut out = words(&[MML_MAGIC, 1, meshlets.len() as u32, body_length(length)?]);
    let (mut offset, mut output) = (0, 0);
    for (meshlet, (topology, _)) in meshlets.iter().zip(&cut.parts) {
        let (size, v, t) = (meshlet.len() as u32, topology.vertices.len() as u32, topology.codes.len() as u32);
        out.extend(words(&[offset, size, v, t, output]));
        offset += size;
        output += v + t;
    }
    meshlets.iter().for_each(|meshlet| out.extend(meshlet));
    Ok(cut.finish(out, triangles.len(), 0.0, 0.0))
}

/// Points that say which triangles are near to each other. Sizes beyond those of grids are made smaller, since only their order counts.
fn near_points(positions: &[[f32; 3]]) -> Result<Vec<[i32; 3]>, Error> {
    let most = positions.iter().flatten().fold(0.0_f32, |most, x| most.max(x.abs()));
    let huge = most >= f32::MAX / 65536.0 && most.is_finite();
    let smaller: Vec<[f32; 3]> =
        if huge { positions.iter().map(|p| p.map(|x| x / 16_777_216.0)).collect() } else { Vec::new() };
    Ok(grid_points(if huge { &smaller } else { positions }, GridStep::Bits(16))?.points)
}

/// Encodes a mesh as clusters: bit-packed positions on one power-of-two grid, connectivity of the meshlet codec, winding kept.
///
/// |position - source| <= step / 2 on every axis; nothing cracks.
///
/// # Errors
/// As [`encode_meshlets`]; [`Error::TooLarge`] for a mesh that needs more than 16 bits on an axis.
pub fn encode_clusters(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    step: GridStep,
    limits: MeshletLimits,
) -> Result<MeshoptEncoded, Error> {
    check_triangles(positions, triangles)?;
    let grid = grid_points(positions, step)?;
    let cut = Cut::new(&grid.points, triangles, limits)?;
    let encode = |(topology, references): &(Topology, Vec<u32>)| {
        write_cluster(topology, references, &grid.points, grid.exponent)
    };
    let clusters: Vec<Vec<u8>> = cut.parts.par_iter().map(encode).collect();
    let length: u64 = clusters.iter().map(|cluster| cluster.len() as u64).sum();
    let vertices = cut.parts.iter().map(|(topology, _)| topology.vertices.len() as u32).sum();
    let count = cut.parts.iter().map(|(topology, _)| topology.codes.len() as u32).sum();
    let exponent = grid.exponent as u32;
    let mut out = words(&[MXC_MAGIC, 1, clusters.len() as u32, vertices, count, body_length(length)?, exponent, 0]);
    let mut offset = 0;
    for cluster in &clusters {
        out.extend(words(&[offset]));
        offset += cluster.len() as u32;
    }
    clusters.iter().for_each(|cluster| out.extend(cluster));
    Ok(cut.finish(out, triangles.len(), power_of_two(grid.exponent), grid.max_error))
}

fn write_cluster(topology: &Topology, references: &[u32], points: &[[i32; 3]], exponent: i32) -> Vec<u8> {
    let point = |v: &u32| points[*v as usize];
    let low = references.iter().map(point).fold([i32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let high = references.iter().map(point).fold([i32::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
    let widths = [0, 1, 2].map(|k| (32 - ((high[k] - low[k]) as u32).leading_zeros()).max(1));
    let mut packed = BitWriter::default();
    for p in references.iter().map(point) {
        (0..3).for_each(|k| packed.push((p[k] - low[k]) as u32, widths[k]));
    }
    let mut packed = words(&packed.finish());
    packed.truncate((references.len() * widths.iter().sum::<u32>() as usize).div_ceil(8));
    let stream = write_meshlet(topology, &[]);
    let (v, t) = (references.len() as u32, topology.codes.len() as u32);
    let anchor = low.map(|a| (a as u32) << 8);
    let mut out = words(&[
        (v - 1) | (t - 1) << 8 | (stream.len() as u32) << 16,
        anchor[0] | (exponent + 127) as u32,
        anchor[1] | (widths[1] - 1) << 4 | (widths[0] - 1),
        anchor[2] | (widths[2] - 1),
    ]);
    out.extend(packed);
    out.extend(stream);
    out
}

fn body_length(length: u64) -> Result<u32, Error> {
    let allowed = (1 << 29) - 64;
    if length <= allowed {
        return Ok(length as u32);
    }
    Err(Error::TooLarge { what: "body bytes", needed: length, allowed })
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Topology, write_meshlet};
    use crate::bytes::words_le;
    use crate::kernels::meshlet_codec::{read_layout, read_references, read_triangles};

    #[test]
    fn references_of_every_length_come_back() {
        let triples = vec![0, 1 << 21, 2 << 21, 3 << 21, 4 << 21, 4 << 21, (4 << 21) + 5000, 3];
        for references in [vec![], vec![0, 1, 2, 3, 4], vec![7, 7, 300, 70_000, 5, u32::MAX, 0], triples] {
            let empty = Topology { codes: vec![], extra: vec![], vertices: vec![], triangles: vec![] };
            let bytes = write_meshlet(&empty, &references);
            let layout = read_layout(0, bytes.len() as u32, references.len() as u32, 0).expect("long enough");
            let mut found = Vec::new();
            let words = words_le(&bytes, 1);
            let end = read_references(&words, &layout, |reference| found.push(reference)).expect("a good stream");
            assert_eq!(found, references);
            read_triangles(&words, &layout, end, 256, |_, _| ()).expect("no triangle, all bytes read");
        }
    }
}
