//! Writing DGF1 blocks and DGFB files from a mesh.

use rayon::prelude::*;

use super::block::{BLOCK_BITS, HEADER_BITS, MAX_COUNT, MAX_VERTEX_BITS, Plan, widths};
use crate::error::Error;
use crate::format::DGFB_MAGIC;
use crate::grid::{GridPoints, GridStep, grid_points, power_of_two};
use crate::mesh_input::{check_triangles, localise};
use crate::meshlets::{MeshletLimits, Shape, build_within};
use crate::strips::build_branched_strips;

/// What [`encode_dgf`] writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DgfOptions {
    /// The grid.
    pub step: GridStep,
    /// One geometry id for all triangles, below 2^24; one up to 511 takes no room.
    pub geometry_id: u32,
    /// Whether all triangles are opaque.
    pub opaque: bool,
    /// A user word for every block (4 bytes).
    pub user_word: Option<u32>,
}

/// What [`encode_dgf_with`] is told of each triangle of the mesh. An empty slice stands for the one value of [`DgfOptions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DgfAttributes<'a> {
    /// Geometry id of each triangle, below 2^24.
    pub geometry_ids: &'a [u32],
    /// Whether each triangle is opaque: 0 or 1.
    pub opaque: &'a [u8],
}

impl Default for DgfOptions {
    fn default() -> Self {
        Self { step: GridStep::Bits(12), geometry_id: 0, opaque: true, user_word: None }
    }
}

/// An encoded file with what it achieved.
#[derive(Clone, Debug, PartialEq)]
pub struct DgfEncoded {
    /// A DGFB file.
    pub bytes: Vec<u8>,
    /// Grid step in the mesh's unit, a power of two.
    pub step: f64,
    /// Largest distance of a coordinate from the mesh's; at most half a step.
    pub max_error: f64,
    /// The source vertex of each vertex.
    pub vertex_sources: Vec<u32>,
    /// The source of each triangle as id << 2 | rotation (corner 0 is this corner of the source).
    pub triangle_sources: Vec<u32>,
    /// Triangles that use a vertex twice: the format has no form for them, they are left out.
    pub degenerate: u32,
}

/// [`encode_dgf_with`] with one geometry id and one opacity for all triangles.
///
/// # Errors
/// As there.
pub fn encode_dgf(positions: &[[f32; 3]], triangles: &[[u32; 3]], options: &DgfOptions) -> Result<DgfEncoded, Error> {
    encode_dgf_with(positions, triangles, options, &DgfAttributes::default())
}

/// Encodes a mesh as DGF1 blocks in a DGFB file.
///
/// Winding is kept, all blocks share one exponent: |position - source| <= step / 2 on every axis and nothing cracks. Strips go on with BACKTRACK from the triangle before their last where
/// that saves a restart. Primitive ids count the triangles of the output. Geometry ids and opacity are one word of a block's header where its triangles agree and the id is
/// at most 511, else a palette of up to 32. Cost: about two microseconds a triangle and core.
///
/// # Errors
/// [`Error::Input`] for an index without a vertex, a coordinate that is not finite, attributes of another number than the triangles, a geometry id of 2^24 and more or an opacity
/// that is neither 0 nor 1; [`Error::TooLarge`] for a mesh that needs more than 16 bits on an axis.
pub fn encode_dgf_with(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    options: &DgfOptions,
    attributes: &DgfAttributes<'_>,
) -> Result<DgfEncoded, Error> {
    check_triangles(positions, triangles)?;
    check_attributes(triangles.len(), options, attributes)?;
    let grid = grid_points(positions, options.step)?;
    let whole: Vec<u32> = (0..triangles.len() as u32).filter(|t| !is_degenerate(triangles[*t as usize])).collect();
    let kept: Vec<[u32; 3]> = whole.iter().map(|t| triangles[*t as usize]).collect();
    let payload = |t: u32| {
        let of = whole[t as usize] as usize;
        let id = attributes.geometry_ids.get(of).copied().unwrap_or(options.geometry_id);
        let opaque = attributes.opaque.get(of).copied().unwrap_or(u8::from(options.opaque));
        id << 1 | u32::from(opaque)
    };
    let limits = MeshletLimits { vertices: MAX_COUNT, triangles: MAX_COUNT };
    let mixed = !attributes.geometry_ids.is_empty() || !attributes.opaque.is_empty();
    let lists = build_within(&grid.points, &kept, limits, if mixed { mixed_fits } else { likely_fits });
    let mesh = Source { triangles: &kept, grid: &grid, payload, user_word: options.user_word };
    let blocks: Vec<Block> = lists.par_iter().flat_map_iter(|list| mesh.encode_list(list)).collect();
    Ok(DgfEncoded {
        bytes: assemble(&blocks),
        step: power_of_two(grid.exponent),
        max_error: grid.max_error,
        vertex_sources: blocks.iter().flat_map(|block| block.vertices.iter().copied()).collect(),
        triangle_sources: blocks
            .iter()
            .flat_map(|block| block.triangles.iter().map(|word| whole[(word >> 2) as usize] << 2 | (word & 3)))
            .collect(),
        degenerate: (triangles.len() - kept.len()) as u32,
    })
}

/// Attributes have a value a triangle, each in its range.
fn check_attributes(triangles: usize, options: &DgfOptions, attributes: &DgfAttributes<'_>) -> Result<(), Error> {
    let lengths = [("geometry ids", attributes.geometry_ids.len()), ("opacities", attributes.opaque.len())];
    if let Some((what, length)) = lengths.into_iter().find(|(_, length)| *length != 0 && *length != triangles) {
        let (value, allowed) = (length.to_string(), format!("0 or one of each of {triangles} triangles"));
        return Err(Error::Input { what, index: 0, value, allowed });
    }
    let ids = attributes.geometry_ids.iter().chain([&options.geometry_id]);
    if let Some((index, id)) = ids.enumerate().find(|(_, id)| **id >= 1 << 24) {
        let (value, allowed) = (id.to_string(), "0 to 16777215".to_owned());
        return Err(Error::Input { what: "geometry id", index: index as u64, value, allowed });
    }
    match attributes.opaque.iter().position(|flag| *flag > 1) {
        Some(index) => {
            let (value, allowed) = (attributes.opaque[index].to_string(), "0 or 1".to_owned());
            Err(Error::Input { what: "opacity", index: index as u64, value, allowed })
        }
        None => Ok(()),
    }
}

fn is_degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// An estimate for the growth of meshlets: a strip of about 16 triangles, indices of 5 bits.
fn likely_fits(shape: &Shape) -> bool {
    fits(shape, 0)
}

/// The same with a palette of two payloads of a few bits.
fn mixed_fits(shape: &Shape) -> bool {
    fits(shape, 40 + shape.triangles)
}

fn fits(shape: &Shape, palette_bits: u32) -> bool {
    let ranges = [0, 1, 2].map(|k| i64::from(shape.high[k]) - i64::from(shape.low[k]));
    if ranges.iter().any(|range| *range > 0xffff) {
        return false;
    }
    let entries = shape.triangles + 2 * (1 + shape.triangles / 16);
    let repeats = entries.saturating_sub(shape.vertices);
    let vertex_bits = (shape.vertices * widths(shape.low, shape.high).iter().sum::<u32>() + 7) & !7;
    let bits = HEADER_BITS + vertex_bits + palette_bits + 5 * repeats + entries + 2 * shape.triangles;
    vertex_bits + palette_bits <= MAX_VERTEX_BITS && bits <= BLOCK_BITS
}

struct Block {
    words: Vec<u32>,
    vertices: Vec<u32>,
    /// Triangle of the kept ones << 2 | rotation.
    triangles: Vec<u32>,
}

/// What the blocks are made from.
struct Source<'a, P> {
    triangles: &'a [[u32; 3]],
    grid: &'a GridPoints,
    /// Geometry id << 1 | opaque of each of the triangles.
    payload: P,
    user_word: Option<u32>,
}

impl<P: Fn(u32) -> u32> Source<'_, P> {
    /// Encodes a meshlet as one block, or as several when the estimate was too good.
    fn encode_list(&self, list: &[u32]) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut rest = list.to_vec();
        while !rest.is_empty() {
            let (corners, used) = localise(&rest, self.triangles);
            let strips = build_branched_strips(&corners);
            let point_of = |vertex: u16| self.grid.points[used[usize::from(vertex)] as usize];
            let payloads: Vec<u32> = strips.iter().map(|s| (self.payload)(rest[usize::from(s.source)])).collect();
            // One triangle always fits: 3 * 48 bits, a palette of 32 and a user word.
            let lengths = (1..=strips.len()).rev();
            let plan = |length: usize| Plan::new(&strips[..length], point_of, &payloads[..length], self.user_word);
            let Some(plan) = lengths.filter_map(plan).next() else { break };
            let done = &strips[..plan.triangles as usize];
            blocks.push(Block {
                words: plan.write(done, point_of, self.grid.exponent, &payloads[..done.len()]),
                vertices: plan.entries.vertices.iter().map(|(vertex, _)| used[usize::from(*vertex)]).collect(),
                triangles: done.iter().map(|s| rest[usize::from(s.source)] << 2 | u32::from(s.rotation)).collect(),
            });
            rest = strips[done.len()..].iter().map(|s| rest[usize::from(s.source)]).collect();
        }
        blocks
    }
}

fn assemble(blocks: &[Block]) -> Vec<u8> {
    let count = blocks.len();
    let (mut vertices, mut triangles) = (0, 0);
    let mut offsets = [Vec::with_capacity(count), Vec::with_capacity(count)];
    let mut body = Vec::with_capacity(32 * count);
    for block in blocks {
        offsets[0].push(vertices);
        offsets[1].push(triangles);
        let first = body.len();
        body.extend(&block.words);
        body[first + 4] |= triangles & 0x1fff_ffff;
        vertices += block.vertices.len() as u32;
        triangles += block.triangles.len() as u32;
    }
    let mut words = vec![DGFB_MAGIC, 1, count as u32, vertices, triangles, 0, 0, 0];
    words.append(&mut body);
    offsets.iter_mut().for_each(|offsets| words.append(offsets));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}
