//! Writing MD1 from a mesh.

use rayon::prelude::*;

use super::attributes::{Attribute, check_attributes, write_attributes};
use super::{ATTRIBUTES, BOXES, HEADER_WORDS, Md1Header, Md1Mode, TRIANGLE_SOURCES, VERTEX_SOURCES, parallelogram};
use crate::bit_writer::BitWriter;
use crate::error::Error;
use crate::format::MD1_MAGIC;
use crate::grid::{GridStep, grid_points, power_of_two};
use crate::kernels::md1_meshlet::{MAX_RICE, restarts_are_listed};
use crate::mesh_input::{Entries, check_triangles, collect_entries, localise};
use crate::meshlets::{MeshletLimits, build_meshlets};
use crate::strips::{StripTriangle, build_strips};

/// What [`encode_md1`] writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Md1Options {
    /// The grid.
    pub step: GridStep,
    /// How positions are coded.
    pub mode: Md1Mode,
    /// A box for each meshlet (12 bytes), for culling and box queries.
    pub boxes: bool,
    /// Which source vertex and triangle each output came from (4 bytes each).
    pub sources: bool,
    /// Largest meshlet.
    pub limits: MeshletLimits,
}

impl Default for Md1Options {
    fn default() -> Self {
        Self {
            step: GridStep::Bits(12),
            mode: Md1Mode::Predicted,
            boxes: true,
            sources: false,
            limits: MeshletLimits { vertices: 256, triangles: 256 },
        }
    }
}

/// An encoded file with what it achieved.
#[derive(Clone, Debug, PartialEq)]
pub struct Md1Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Grid step in the mesh's unit, a power of two.
    pub step: f64,
    /// Largest distance of a coordinate from the mesh's; at most half a step.
    pub max_error: f64,
    /// Meshlets.
    pub meshlets: u32,
    /// Vertices with the duplicates on the borders of meshlets.
    pub vertices: u32,
    /// Strips.
    pub strips: u32,
    /// The source vertex of each vertex.
    pub vertex_sources: Vec<u32>,
    /// The source of each triangle as id << 2 | rotation (corner 0 is this corner of the source).
    pub triangle_sources: Vec<u32>,
}

/// Encodes a mesh as MD1.
///
/// Every triangle is kept with its winding; vertices that no triangle uses are left out. All meshlets share one grid, so a vertex has
/// the same position in each: |position - source| <= step / 2 on every axis. Cost: about two microseconds a triangle and core.
///
/// # Errors
/// [`Error::Input`] for an index without a vertex, a coordinate that is not finite or a bad option; [`Error::TooLarge`] for a mesh that needs
/// more than 16 bits on an axis.
pub fn encode_md1(positions: &[[f32; 3]], triangles: &[[u32; 3]], options: &Md1Options) -> Result<Md1Encoded, Error> {
    encode_md1_with(positions, triangles, &[], options)
}

/// [`encode_md1`] with integer attributes of the vertices, kept exactly.
///
/// # Errors
/// As [`encode_md1`]; [`Error::Input`] for more than 64 attributes or one that has not a value a vertex.
pub fn encode_md1_with(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    attributes: &[Attribute],
    options: &Md1Options,
) -> Result<Md1Encoded, Error> {
    check_input(positions, triangles, options)?;
    check_attributes(attributes, positions.len())?;
    let grid = grid_points(positions, options.step)?;
    let used = triangles.iter().flatten().map(|v| grid.points[*v as usize]);
    let low = used.clone().fold([i32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let high = used.fold([i32::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
    let origin = if triangles.is_empty() { [0; 3] } else { low };
    let range = [0, 1, 2].map(|k| if triangles.is_empty() { 0 } else { (high[k] - low[k]) as u32 });
    let bits = range.map(|range| (32 - range.leading_zeros()).max(1));
    let header = Md1Header { exponent: grid.exponent, origin, mode: options.mode, predictor: parallelogram(bits) };
    let codes: Vec<[i32; 3]> =
        grid.points.par_iter().map(|p| [0, 1, 2].map(|k| p[k].wrapping_sub(origin[k]))).collect();
    let lists = build_meshlets(&grid.points, triangles, options.limits);
    let meshlets: Vec<Meshlet> =
        lists.par_iter().map(|list| encode_meshlet(list, triangles, &codes, bits, options.mode)).collect();
    let bytes = assemble(&header, &meshlets, attributes, options)?;
    Ok(Md1Encoded {
        bytes,
        step: power_of_two(grid.exponent),
        max_error: grid.max_error,
        meshlets: meshlets.len() as u32,
        vertices: meshlets.iter().map(|m| m.vertices.len() as u32).sum(),
        strips: meshlets.iter().map(|m| m.restarts).sum(),
        vertex_sources: meshlets.iter().flat_map(|m| m.vertices.iter().copied()).collect(),
        triangle_sources: meshlets.iter().flat_map(|m| m.triangles.iter().copied()).collect(),
    })
}

fn check_input(positions: &[[f32; 3]], triangles: &[[u32; 3]], options: &Md1Options) -> Result<(), Error> {
    let MeshletLimits { vertices, triangles: most } = options.limits;
    if !(3..=256).contains(&vertices) || !(1..=256).contains(&most) {
        let (what, allowed) = ("meshlet limits", "3 to 256 vertices and 1 to 256 triangles".to_owned());
        return Err(Error::Input { what, index: 0, value: format!("{vertices} and {most}"), allowed });
    }
    check_triangles(positions, triangles)
}

/// An encoded meshlet.
struct Meshlet {
    words: Vec<u32>,
    /// Source vertex of each vertex.
    vertices: Vec<u32>,
    /// Source triangle << 2 | rotation.
    triangles: Vec<u32>,
    restarts: u32,
    smallest: [i32; 3],
    largest: [i32; 3],
}

fn encode_meshlet(list: &[u32], triangles: &[[u32; 3]], codes: &[[i32; 3]], bits: [u32; 3], mode: Md1Mode) -> Meshlet {
    let (corners, used) = localise(list, triangles);
    let strips = build_strips(&corners);
    let entries = collect_entries(&strips);
    let code_of = |vertex: u16| codes[used[usize::from(vertex)] as usize];
    let all = entries.vertices.iter().map(|(vertex, _)| code_of(*vertex));
    let smallest = all.clone().fold([i32::MAX; 3], |low, c| [0, 1, 2].map(|k| low[k].min(c[k])));
    let largest = all.fold([i32::MIN; 3], |high, c| [0, 1, 2].map(|k| high[k].max(c[k])));
    let restarts = strips.iter().filter(|strip| strip.restart).count() as u32;
    let positions = match mode {
        Md1Mode::Predicted | Md1Mode::Fixed => Positions::predicted(&entries, code_of),
        Md1Mode::Offsets => Positions::offsets(&entries, code_of, smallest, largest),
    };
    Meshlet {
        words: match mode {
            Md1Mode::Fixed => write_fixed(&strips, &entries, &positions, restarts, bits),
            _ => write_meshlet(&strips, &entries, &positions, restarts, bits),
        },
        vertices: entries.vertices.iter().map(|(vertex, _)| used[usize::from(*vertex)]).collect(),
        triangles: strips.iter().map(|s| list[usize::from(s.source)] << 2 | u32::from(s.rotation)).collect(),
        restarts,
        smallest,
        largest,
    }
}

/// What is written for the positions of a meshlet.
#[derive(Default)]
struct Positions {
    anchor: [i32; 3],
    /// Zigzag differences of vertices without a context.
    deltas: [Vec<u32>; 3],
    /// Zigzag residuals, or offsets.
    residuals: [Vec<u32>; 3],
    /// Fixed widths instead of the cheaper coding.
    fixed: Option<[u32; 3]>,
}

fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

impl Positions {
    fn predicted(entries: &Entries, code_of: impl Fn(u16) -> [i32; 3]) -> Self {
        let mut out = Self::default();
        let mut previous = None;
        for (vertex, context) in &entries.vertices {
            let code = code_of(*vertex);
            match (context, previous) {
                (Some(context), _) => {
                    let [a, b, c] = context.map(&code_of);
                    (0..3).for_each(|k| out.residuals[k].push(zigzag(code[k] - (a[k] + b[k] - c[k]))));
                }
                (None, Some(before)) => {
                    let before: [i32; 3] = before;
                    (0..3).for_each(|k| out.deltas[k].push(zigzag(code[k] - before[k])));
                }
                (None, None) => out.anchor = code,
            }
            previous = Some(code);
        }
        out
    }

    fn offsets(entries: &Entries, code_of: impl Fn(u16) -> [i32; 3], smallest: [i32; 3], largest: [i32; 3]) -> Self {
        let widths = [0, 1, 2].map(|k| 32 - (largest[k] - smallest[k]).leading_zeros());
        let mut out = Self { anchor: smallest, fixed: Some(widths), ..Self::default() };
        for (vertex, _) in &entries.vertices {
            let code = code_of(*vertex);
            (0..3).for_each(|k| out.residuals[k].push((code[k] - smallest[k]) as u32));
        }
        out
    }
}

fn width_of(values: &[u32]) -> u32 {
    32 - values.iter().fold(0, |all, value| all | value).leading_zeros()
}

/// The Rice parameter with the fewest bits, those bits, and the bits of the unary plane.
fn best_rice(values: &[u32]) -> (u32, u32, u32) {
    let unary = |k: u32| values.iter().map(|value| u64::from(value >> k) + 1).sum::<u64>();
    let sizes = (0..=MAX_RICE).map(|k| (unary(k) + u64::from(k) * values.len() as u64, k));
    // The length of the unary plane has 14 bits; with the largest parameter any plane is short enough.
    let best = sizes.filter(|(_, k)| unary(*k) < 1 << 14).min().unwrap_or((0, MAX_RICE));
    (best.1, best.0 as u32, unary(best.1) as u32)
}

fn write_rice(out: &mut BitWriter, values: &[u32], k: u32) {
    for value in values {
        let mut zeros = value >> k;
        while zeros >= 32 {
            out.push(0, 32);
            zeros -= 32;
        }
        out.push(0, zeros);
        out.push(1, 1);
    }
    values.iter().for_each(|value| out.push(value & ((1 << k) - 1), k));
}

fn write_meshlet(
    strips: &[StripTriangle],
    entries: &Entries,
    positions: &Positions,
    restarts: u32,
    bits: [u32; 3],
) -> Vec<u32> {
    let mut out = BitWriter::default();
    let distances: Vec<u32> = entries.repeats.iter().map(|(number, used)| used - 1 - number).collect();
    let (distance_rice, _, distance_unary) = best_rice(&distances);
    out.push(distance_unary, 14);
    out.push(distance_rice, 4);
    // Rice parameter of each axis, or none where the width is fixed.
    let mut codings = [None; 3];
    for axis in 0..3 {
        let residuals = &positions.residuals[axis];
        let (k, rice_bits, unary) = best_rice(residuals);
        let width = positions.fixed.map_or(width_of(residuals), |widths| widths[axis]);
        let fixed = positions.fixed.is_some() || width * residuals.len() as u32 <= rice_bits;
        codings[axis] = if fixed { None } else { Some(k) };
        out.push(width_of(&positions.deltas[axis]), 5);
        out.push(u32::from(fixed), 1);
        out.push(if fixed { width } else { k }, 5);
        out.push(if fixed { 0 } else { unary }, 14);
        out.push(0, 1);
    }
    write_planes(&mut out, strips, entries, positions, restarts, bits);
    write_rice(&mut out, &distances, distance_rice);
    for deltas in &positions.deltas {
        let width = width_of(deltas);
        deltas.iter().for_each(|delta| out.push(*delta, width));
    }
    for (axis, residuals) in positions.residuals.iter().enumerate() {
        match codings[axis] {
            Some(k) => write_rice(&mut out, residuals, k),
            None => {
                let width = positions.fixed.map_or(width_of(residuals), |widths| widths[axis]);
                residuals.iter().for_each(|residual| out.push(*residual, width));
            }
        }
    }
    out.finish()
}

/// Anchor, restarts, edges and first uses.
fn write_planes(
    out: &mut BitWriter,
    strips: &[StripTriangle],
    entries: &Entries,
    positions: &Positions,
    restarts: u32,
    bits: [u32; 3],
) {
    (0..3).for_each(|axis| out.push(positions.anchor[axis] as u32, bits[axis]));
    if restarts_are_listed(strips.len() as u32, restarts) {
        let listed = (0..).zip(strips).skip(1).filter(|(_, strip)| strip.restart);
        listed.for_each(|(triangle, _)| out.push(triangle, 8));
    } else {
        strips.iter().for_each(|strip| out.push(u32::from(strip.restart), 1));
    }
    strips.iter().for_each(|strip| out.push(u32::from(strip.edge), 1));
    entries.first_use.iter().for_each(|first| out.push(u32::from(*first), 1));
}

/// A meshlet of mode 2.
fn write_fixed(
    strips: &[StripTriangle],
    entries: &Entries,
    positions: &Positions,
    restarts: u32,
    bits: [u32; 3],
) -> Vec<u32> {
    let mut out = BitWriter::default();
    let distances: Vec<u32> = entries.repeats.iter().map(|(number, used)| used - 1 - number).collect();
    let distance_width = width_of(&distances);
    out.push(distance_width, 4);
    let records = [&positions.deltas, &positions.residuals];
    let widths = records.map(|axes| [0, 1, 2].map(|axis| width_of(&axes[axis])));
    widths.as_flattened().iter().for_each(|width| out.push(*width, 5));
    write_planes(&mut out, strips, entries, positions, restarts, bits);
    distances.iter().for_each(|distance| out.push(*distance, distance_width));
    for (axes, widths) in records.into_iter().zip(widths) {
        let [x, y, z] = axes;
        for ((x, y), z) in x.iter().zip(y).zip(z) {
            [*x, *y, *z].into_iter().zip(widths).for_each(|(value, width)| out.push(value, width));
        }
    }
    out.finish()
}

fn assemble(
    header: &Md1Header,
    meshlets: &[Meshlet],
    attributes: &[Attribute],
    options: &Md1Options,
) -> Result<Vec<u8>, Error> {
    let body: u64 = meshlets.iter().map(|m| m.words.len() as u64).sum();
    let allowed = (1 << 27) - 64;
    if body > allowed {
        return Err(Error::TooLarge { what: "body words", needed: body, allowed });
    }
    let vertices = meshlets.iter().map(|m| m.vertices.len() as u32).sum();
    let triangles = meshlets.iter().map(|m| m.triangles.len() as u32).sum();
    let chunks = u32::from(options.boxes) + 2 * u32::from(options.sources) + u32::from(!attributes.is_empty());
    let [x, y, z] = header.predictor.bits;
    let version = if header.mode == Md1Mode::Fixed { 2 } else { 1 };
    let mut words =
        vec![MD1_MAGIC, version, meshlets.len() as u32, vertices, triangles, body as u32, header.exponent as u32];
    words.extend(header.origin.map(|x| x as u32));
    words.push(x | y << 8 | z << 16 | (header.mode as u32) << 24);
    let weights: Vec<u32> = header.predictor.weights.iter().flatten().map(|n| *n as u32 & 0xffff).collect();
    words.extend(weights.chunks(2).take(4).map(|pair| pair[0] | pair[1] << 16));
    let [a, b, c] = header.predictor.shifts;
    words.extend([weights[8] | a << 16 | b << 24, c, chunks]);
    debug_assert_eq!(words.len(), HEADER_WORDS);
    let mut start = 0;
    for meshlet in meshlets {
        let (v, t) = (meshlet.vertices.len() as u32, meshlet.triangles.len() as u32);
        words.extend([start, (v - 1) | (t - 1) << 8 | (meshlet.restarts - 1) << 16]);
        start += meshlet.words.len() as u32;
    }
    meshlets.iter().for_each(|meshlet| words.extend(&meshlet.words));
    append_chunks(&mut words, meshlets, attributes, options);
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn append_chunks(words: &mut Vec<u32>, meshlets: &[Meshlet], attributes: &[Attribute], options: &Md1Options) {
    if options.boxes {
        words.extend([BOXES, 3 * meshlets.len() as u32]);
        for meshlet in meshlets {
            let [a, b, c] = meshlet.smallest.map(|code| code as u32);
            let [d, e, f] = meshlet.largest.map(|code| code as u32);
            words.extend([a | b << 16, c | d << 16, e | f << 16]);
        }
    }
    if options.sources {
        words.extend([VERTEX_SOURCES, meshlets.iter().map(|m| m.vertices.len() as u32).sum()]);
        meshlets.iter().for_each(|meshlet| words.extend(&meshlet.vertices));
        words.extend([TRIANGLE_SOURCES, meshlets.iter().map(|m| m.triangles.len() as u32).sum()]);
        meshlets.iter().for_each(|meshlet| words.extend(&meshlet.triangles));
    }
    if !attributes.is_empty() {
        let lists: Vec<&[u32]> = meshlets.iter().map(|meshlet| &meshlet.vertices[..]).collect();
        let chunk = write_attributes(attributes, &lists);
        words.extend([ATTRIBUTES, chunk.len() as u32]);
        words.extend(chunk);
    }
}
