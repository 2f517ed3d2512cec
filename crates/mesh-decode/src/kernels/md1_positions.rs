//! Positions of an MD1 meshlet: fixed or Rice coded residuals, the predictor chain, exact scaling. `docs/formats/md1.md` is normative.

use gpu_shaders::WgslModule;

use super::md1_meshlet::{Block, ENTRY_ROOM, Entry, Head, MAX_COUNT, read_rice};
use super::md1_walk::CONTEXT_ROOM;
use super::predictor::{predict_code, unzigzag};
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const MD1_POSITIONS: WgslModule = WgslModule { name: "md1_positions", source: include_str!("md1_positions.wgsl") };

const COUNT: usize = MAX_COUNT as usize;

/// Three values of a vertex, and a fourth that makes a vector of them.
pub type Triple = [i32; 4];

/// What the meshlets of a task share.
pub struct Scratch {
    /// Distance of each repeat.
    pub distances: [u16; ENTRY_ROOM],
    /// Vertex of each index entry.
    pub entries: [u8; ENTRY_ROOM],
    /// Context of each vertex, as [`walk_triangles`](super::md1_walk::walk_triangles) gives it.
    pub contexts: [u32; CONTEXT_ROOM],
    /// Differences of the vertices without a context, but the first, then residuals of the others.
    pub residuals: [[Triple; COUNT]; 2],
    /// Code of each vertex.
    pub codes: [Triple; COUNT],
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            distances: [0; ENTRY_ROOM],
            entries: [0; ENTRY_ROOM],
            contexts: [0; CONTEXT_ROOM],
            residuals: [[[0; 4]; COUNT]; 2],
            codes: [[0; 4]; COUNT],
        }
    }
}

/// Reads `count` fields of `width` bits, zigzag.
fn read_fixed(block: &Block<'_>, at: u32, width: u32, axis: usize, out: &mut [Triple]) -> Result<u32, Fault> {
    let end = at + width * out.len() as u32;
    block.need(at, end)?;
    for (value, rank) in out.iter_mut().zip(0..) {
        value[axis] = unzigzag(block.field(at + width * rank, width));
    }
    Ok(end)
}

/// Reads differences (vertices without a context) and residuals of the three axes. Returns the first bit behind.
///
/// # Errors
/// `Truncated`, `Count`.
pub fn read_residuals(
    words: &[u32],
    entry: &Entry,
    head: &Head,
    at: u32,
    roots: u32,
    [deltas, residuals]: &mut [[Triple; COUNT]; 2],
) -> Result<u32, Fault> {
    let block = Block::new(words, entry);
    let mut at = at;
    for axis in 0..3 {
        at = read_fixed(&block, at, head.axes[axis].delta_width, axis, &mut deltas[..roots as usize - 1])?;
    }
    let count = entry.vertices - roots;
    for (axis, coding) in head.axes.iter().enumerate() {
        if coding.fixed {
            at = read_fixed(&block, at, coding.parameter, axis, &mut residuals[..count as usize])?;
        } else {
            at = read_rice(&block, at, coding.unary, coding.parameter, count, |rank, value| {
                residuals[rank as usize & (COUNT - 1)][axis] = unzigzag(value);
            })?;
        }
    }
    Ok(at)
}

/// Reads the codes of every vertex as anchor + offset (mode `offsets`). Returns the first bit behind.
///
/// # Errors
/// `Truncated`, `Range`.
pub fn read_offsets(
    words: &[u32],
    entry: &Entry,
    head: &Head,
    at: u32,
    bits: [u32; 3],
    codes: &mut [Triple; COUNT],
) -> Result<u32, Fault> {
    let block = Block::new(words, entry);
    let mut at = at;
    for axis in 0..3 {
        let width = head.axes[axis].parameter;
        let end = at + width * entry.vertices;
        block.need(at, end)?;
        let (anchor, largest) = (head.anchor[axis], (1 << bits[axis]) - 1);
        // A code out of range is looked for once, behind the loop
        let mut worst = 0;
        for (place, vertex) in codes[..entry.vertices as usize].iter_mut().zip(0..) {
            let code = anchor + block.field(at + width * vertex, width);
            worst = worst.max(code);
            place[axis] = code as i32;
        }
        if worst > largest {
            let here = codes[..entry.vertices as usize].iter();
            let first = here.map(|code| code[axis] as u32).find(|code| *code > largest);
            return Err(Fault::new(Status::Range, at, first.unwrap_or(worst), largest));
        }
        at = end;
    }
    Ok(at)
}

/// Weights and shifts of the predictor, and bits of a code, by axis.
pub type Predictor = crate::kernels::stride_meshlet::Predictor;

/// Runs the predictor chain over the vertices, all axes: a + b - c as vectors, other predictors axis by axis.
///
/// # Errors
/// `Range` for a code outside 0 to 2^bits - 1.
pub fn predict(vertices: u32, anchor: [u32; 3], predictor: &Predictor, scratch: &mut Scratch) -> Result<(), Fault> {
    if predictor.weights == [[1, 1, -1]; 3] && predictor.shifts == [0; 3] {
        let all = run_parallelogram(vertices, anchor, scratch);
        if (0..3).all(|axis| all[axis] as u32 >> predictor.bits[axis] == 0) {
            return Ok(());
        }
    }
    let Scratch { contexts, residuals: [deltas, residuals], codes, .. } = scratch;
    let (mut roots, mut predicted) = (0, 0);
    let mut previous = [0; 4];
    for vertex in 0..vertices as usize {
        let [a, b, c, none] = contexts[vertex].to_le_bytes().map(usize::from);
        let mut code = [0; 4];
        for axis in 0..3 {
            code[axis] = if none == 0 {
                let context = [codes[a][axis], codes[b][axis], codes[c][axis]];
                predict_code(predictor.weights[axis], predictor.shifts[axis], context, residuals[predicted][axis])
            } else if roots == 0 {
                anchor[axis] as i32
            } else {
                previous[axis] + deltas[roots - 1][axis]
            };
            let largest = (1i32 << predictor.bits[axis]) - 1;
            if code[axis] < 0 || code[axis] > largest {
                return Err(Fault::new(Status::Range, 0, code[axis] as u32, largest as u32));
            }
        }
        predicted += 1 - none;
        roots += none;
        codes[vertex] = code;
        previous = code;
    }
    Ok(())
}

/// The chain of a + b - c; returns all bits that were set in a code. Codes out of range may go round.
fn run_parallelogram(vertices: u32, anchor: [u32; 3], scratch: &mut Scratch) -> Triple {
    let Scratch { contexts, residuals: [deltas, residuals], codes, .. } = scratch;
    let [x, y, z] = anchor.map(|code| code as i32);
    let mut previous = [x, y, z, 0];
    let mut all = previous;
    let (mut roots, mut predicted) = (0, 0);
    codes[0] = previous;
    for (vertex, context) in contexts.iter().enumerate().take(vertices as usize).skip(1) {
        let [a, b, c, none] = context.to_le_bytes().map(usize::from);
        previous = if none == 0 {
            let (a, b, c) = (codes[a], codes[b], codes[c]);
            let residual = residuals[predicted & (COUNT - 1)];
            predicted += 1;
            each(|k| a[k].wrapping_add(b[k]).wrapping_sub(c[k]).wrapping_add(residual[k]))
        } else {
            let delta = deltas[roots & (COUNT - 1)];
            roots += 1;
            each(|k| previous[k].wrapping_add(delta[k]))
        };
        codes[vertex] = previous;
        all = each(|k| all[k] | previous[k]);
    }
    all
}

#[inline]
fn each(of: impl Fn(usize) -> i32) -> Triple {
    [of(0), of(1), of(2), of(3)]
}

/// A coordinate of a grid point: grid * 2^exponent, exact; `biased` is exponent + 127.
pub fn coordinate(grid: i32, biased: u32) -> f32 {
    // [1]
    grid as f32 * f32::from_bits(biased << 23)
}

/// Position of a code: f32(origin + code) * 2^exponent, exact; `biased` is exponent + 127.
pub fn position(origin: [i32; 3], code: [i32; 3], biased: u32) -> [f32; 3] {
    // [2]
    [0, 1, 2].map(|axis| coordinate(origin[axis] + code[axis], biased))
}
