//! Writing DGF1 blocks and DGFB files from a mesh.

use rayon::prelude::*;

use crate::bit_writer::BitWriter;
use crate::error::Error;
use crate::format::{DGF_BLOCK_MAGIC, DGFB_MAGIC};
use crate::grid::{GridStep, grid_points, power_of_two};
use crate::mesh_input::{Entries, check_triangles, collect_entries, localise};
use crate::meshlets::{MeshletLimits, Shape, build_within};
use crate::strips::{StripTriangle, build_strips};

/// What [`encode_dgf`] writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DgfOptions {
    /// The grid.
    pub step: GridStep,
    /// One geometry id for all triangles, at most 511.
    pub geometry_id: u32,
    /// Whether all triangles are opaque.
    pub opaque: bool,
}

impl Default for DgfOptions {
    fn default() -> Self {
        Self { step: GridStep::Bits(12), geometry_id: 0, opaque: true }
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

const BLOCK_BITS: u32 = 1024;
const HEADER_BITS: u32 = 160;
const MAX_VERTEX_BITS: u32 = 96 * 8;
const MAX_INDEX_BITS: u32 = 24 * 8;
const MAX_COUNT: u32 = 64;

/// Encodes a mesh as DGF1 blocks in a DGFB file.
///
/// Winding is kept, BACKTRACK is not used, all blocks share one exponent: |position - source| <= step / 2 on every axis and nothing cracks. Primitive ids count the
/// triangles of the output. Cost: about two microseconds a triangle and core.
///
/// # Errors
/// [`Error::Input`] for an index without a vertex, a coordinate that is not finite or a geometry id over 511; [`Error::TooLarge`] for
/// a mesh that needs more than 16 bits on an axis.
pub fn encode_dgf(positions: &[[f32; 3]], triangles: &[[u32; 3]], options: &DgfOptions) -> Result<DgfEncoded, Error> {
    check_triangles(positions, triangles)?;
    if options.geometry_id > 511 {
        let (what, allowed) = ("geometry id", "0 to 511".to_owned());
        return Err(Error::Input { what, index: 0, value: options.geometry_id.to_string(), allowed });
    }
    let grid = grid_points(positions, options.step)?;
    let whole: Vec<u32> = (0..triangles.len() as u32).filter(|t| !is_degenerate(triangles[*t as usize])).collect();
    let kept: Vec<[u32; 3]> = whole.iter().map(|t| triangles[*t as usize]).collect();
    let limits = MeshletLimits { vertices: MAX_COUNT, triangles: MAX_COUNT };
    let lists = build_within(&grid.points, &kept, limits, likely_fits);
    let encode = |list: &Vec<u32>| encode_list(list, &kept, &grid.points, grid.exponent, options);
    let blocks: Vec<Block> = lists.par_iter().flat_map_iter(encode).collect();
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

fn is_degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// Widths of the axes, padded so that their sum is a multiple of 4. Ranges are below 2^16.
fn widths(low: [i32; 3], high: [i32; 3]) -> [u32; 3] {
    let mut widths = [0, 1, 2].map(|k| (32 - ((high[k] - low[k]) as u32).leading_zeros()).max(1));
    while widths.iter().sum::<u32>() % 4 != 0 {
        let narrow = (0..3).min_by_key(|k| widths[*k]).unwrap_or(0);
        widths[narrow] += 1;
    }
    widths
}

/// An estimate for the growth of meshlets: a strip of about 12 triangles, indices of 5 bits.
fn likely_fits(shape: &Shape) -> bool {
    let ranges = [0, 1, 2].map(|k| i64::from(shape.high[k]) - i64::from(shape.low[k]));
    if ranges.iter().any(|range| *range > 0xffff) {
        return false;
    }
    let entries = shape.triangles + 2 * (1 + shape.triangles / 12);
    let repeats = entries.saturating_sub(shape.vertices);
    let vertex_bits = (shape.vertices * widths(shape.low, shape.high).iter().sum::<u32>() + 7) & !7;
    let bits = HEADER_BITS + vertex_bits + 5 * repeats + entries + 2 * shape.triangles;
    vertex_bits <= MAX_VERTEX_BITS && bits <= BLOCK_BITS
}

struct Block {
    words: Vec<u32>,
    vertices: Vec<u32>,
    /// Triangle of the kept ones << 2 | rotation.
    triangles: Vec<u32>,
}

/// Encodes a meshlet as one block, or as several when the estimate was too good.
fn encode_list(
    list: &[u32],
    triangles: &[[u32; 3]],
    points: &[[i32; 3]],
    exponent: i32,
    options: &DgfOptions,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = list.to_vec();
    while !rest.is_empty() {
        let (corners, used) = localise(&rest, triangles);
        let strips = build_strips(&corners);
        let point_of = |vertex: u16| points[used[usize::from(vertex)] as usize];
        // One triangle always fits: 3 * 48 bits.
        let lengths = (1..=strips.len()).rev();
        let plan = lengths.filter_map(|length| Plan::new(&strips[..length], point_of)).next();
        let Some(plan) = plan else { break };
        let done = &strips[..plan.triangles as usize];
        blocks.push(Block {
            words: plan.write(done, point_of, exponent, options),
            vertices: plan.entries.vertices.iter().map(|(vertex, _)| used[usize::from(*vertex)]).collect(),
            triangles: done.iter().map(|s| rest[usize::from(s.source)] << 2 | u32::from(s.rotation)).collect(),
        });
        rest = strips[done.len()..].iter().map(|s| rest[usize::from(s.source)]).collect();
    }
    blocks
}

/// A block that fits.
struct Plan {
    entries: Entries,
    triangles: u32,
    anchor: [i32; 3],
    widths: [u32; 3],
    index_bits: u32,
}

impl Plan {
    /// The plan of a block with exactly these triangles, if they fit.
    fn new(strips: &[StripTriangle], point_of: impl Fn(u16) -> [i32; 3]) -> Option<Self> {
        let entries = collect_entries(strips);
        let (vertices, triangles) = (entries.vertices.len() as u32, strips.len() as u32);
        let points = || entries.vertices.iter().map(|(vertex, _)| point_of(*vertex));
        let low = points().fold([i32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
        let high = points().fold([i32::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
        let widths = widths(low, high);
        let largest = entries.repeats.iter().map(|(number, _)| *number).max().unwrap_or(0);
        let index_bits = (32 - largest.leading_zeros()).max(3);
        let vertex_bits = (vertices * widths.iter().sum::<u32>() + 7) & !7;
        let all_indices = index_bits * entries.repeats.len() as u32;
        let back = 2 * (triangles - 1) + entries.first_use.len() as u32 - 3;
        let fits = vertices <= MAX_COUNT
            && triangles <= MAX_COUNT
            && vertex_bits <= MAX_VERTEX_BITS
            && all_indices <= MAX_INDEX_BITS
            && HEADER_BITS + vertex_bits + ((all_indices + 7) & !7) + back <= BLOCK_BITS;
        fits.then_some(Self { entries, triangles, anchor: low, widths, index_bits })
    }

    fn write(
        &self,
        strips: &[StripTriangle],
        point_of: impl Fn(u16) -> [i32; 3],
        exponent: i32,
        options: &DgfOptions,
    ) -> Vec<u32> {
        let mut out = BitWriter::default();
        let [x, y, z] = self.widths;
        let vertices = self.entries.vertices.len() as u32;
        let anchor = self.anchor.map(|a| a as u32 & 0xff_ffff);
        out.push(u32::from(DGF_BLOCK_MAGIC), 8);
        out.push(self.index_bits - 3, 2);
        out.push(vertices - 1, 6);
        out.push(self.triangles - 1, 6);
        out.push(options.geometry_id << 1 | u32::from(options.opaque), 10);
        out.push((exponent + 127) as u32, 8);
        out.push(anchor[0], 24);
        out.push(x - 1, 4);
        out.push(y - 1, 4);
        out.push(anchor[1], 24);
        out.push(z - 1, 4);
        // No micromaps, a constant geometry id.
        out.push(0, 4);
        out.push(anchor[2], 24);
        // The primitive id base is known when all blocks are.
        out.push(0, 32);
        for (vertex, _) in &self.entries.vertices {
            let point = point_of(*vertex);
            (0..3).for_each(|k| out.push((point[k] - self.anchor[k]) as u32, self.widths[k]));
        }
        out.push(0, (vertices * (x + y + z)).wrapping_neg() & 7);
        self.entries.repeats.iter().for_each(|(number, _)| out.push(*number, self.index_bits));
        let mut words = out.finish();
        words.resize(BLOCK_BITS as usize / 32, 0);
        self.write_back(strips, &mut words);
        words
    }

    /// Control codes and first-use bits, from the end of the block downwards.
    fn write_back(&self, strips: &[StripTriangle], words: &mut [u32]) {
        let mut set = |at: u32, value: u32| words[(at >> 5) as usize] |= value << (at & 31);
        for (triangle, strip) in (0..).zip(strips).skip(1) {
            // 0 RESTART, 1 EDGE1 (on p2 p1), 2 EDGE2 (on p0 p2).
            let code = if strip.restart { 0 } else { 1 + u32::from(strip.edge) };
            set(BLOCK_BITS - 2 * triangle, code);
        }
        let first = BLOCK_BITS - 2 * (self.triangles - 1) - 1;
        for (k, used) in (0..).zip(&self.entries.first_use[3..]) {
            set(first - k, u32::from(*used));
        }
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
        body[first + 4] = triangles & 0x1fff_ffff;
        vertices += block.vertices.len() as u32;
        triangles += block.triangles.len() as u32;
    }
    let mut words = vec![DGFB_MAGIC, 1, count as u32, vertices, triangles, 0, 0, 0];
    words.append(&mut body);
    offsets.iter_mut().for_each(|offsets| words.append(offsets));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}
