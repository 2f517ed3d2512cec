//! Positions of an MD1 meshlet: fixed or Rice coded residuals, the predictor chain, exact scaling. `docs/formats/md1.md` is normative.

use gpu_shaders::WgslModule;

use super::md1_meshlet::{Block, Entry, Head, MAX_COUNT, read_rice};
use super::predictor::{predict_code, unzigzag};
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const MD1_POSITIONS: WgslModule = WgslModule { name: "md1_positions", source: include_str!("md1_positions.wgsl") };

/// Reads `count` fields of `width` bits.
fn read_fixed(block: &Block<'_>, at: u32, width: u32, count: u32, out: &mut [u32]) -> Result<u32, Fault> {
    let end = at + width * count;
    block.need(at, end)?;
    for (k, value) in (0..count).zip(out) {
        *value = block.field(at + width * k, width);
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
    deltas: &mut [[i32; MAX_COUNT as usize]; 3],
    residuals: &mut [[i32; MAX_COUNT as usize]; 3],
) -> Result<u32, Fault> {
    let block = Block::new(words, entry);
    let mut at = at;
    let mut values = [0; MAX_COUNT as usize];
    for (axis, deltas) in deltas.iter_mut().enumerate() {
        at = read_fixed(&block, at, head.axes[axis].delta_width, roots - 1, &mut values)?;
        for (delta, value) in deltas.iter_mut().zip(&values[..roots as usize - 1]) {
            *delta = unzigzag(*value);
        }
    }
    let count = entry.vertices - roots;
    for (coding, residuals) in head.axes.iter().zip(residuals) {
        if coding.fixed {
            at = read_fixed(&block, at, coding.parameter, count, &mut values)?;
            for (residual, value) in residuals.iter_mut().zip(&values[..count as usize]) {
                *residual = unzigzag(*value);
            }
        } else {
            at = read_rice(&block, at, coding.unary, coding.parameter, count, |rank, value| {
                residuals[rank as usize] = unzigzag(value);
                Ok(())
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
    codes: &mut [[i32; 3]; MAX_COUNT as usize],
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
            let first = codes.iter().map(|code| code[axis] as u32).find(|code| *code > largest);
            return Err(Fault::new(Status::Range, at, first.unwrap_or(worst), largest));
        }
        at = end;
    }
    Ok(at)
}

/// Weights and shifts of the predictor, and bits of a code, by axis.
pub type Predictor = crate::kernels::stride_meshlet::Predictor;

/// Runs the predictor chain over the vertices, all axes.
///
/// # Errors
/// `Range` for a code outside 0 to 2^bits - 1.
pub fn predict(
    vertices: u32,
    anchor: [u32; 3],
    predictor: &Predictor,
    contexts: &[[u16; 3]; MAX_COUNT as usize],
    deltas: &[[i32; MAX_COUNT as usize]; 3],
    residuals: &[[i32; MAX_COUNT as usize]; 3],
    codes: &mut [[i32; 3]; MAX_COUNT as usize],
) -> Result<(), Fault> {
    let (mut roots, mut predicted) = (0, 0);
    let mut previous = [0; 3];
    for vertex in 0..vertices as usize {
        let [a, b, c] = contexts[vertex].map(usize::from);
        let mut code = [0; 3];
        for axis in 0..3 {
            code[axis] = if a < 256 {
                let context = [codes[a][axis], codes[b][axis], codes[c][axis]];
                predict_code(predictor.weights[axis], predictor.shifts[axis], context, residuals[axis][predicted])
            } else if roots == 0 {
                anchor[axis] as i32
            } else {
                previous[axis] + deltas[axis][roots - 1]
            };
            let largest = (1i32 << predictor.bits[axis]) - 1;
            if code[axis] < 0 || code[axis] > largest {
                return Err(Fault::new(Status::Range, 0, code[axis] as u32, largest as u32));
            }
        }
        predicted += usize::from(a < 256);
        roots += usize::from(a >= 256);
        codes[vertex] = code;
        previous = code;
    }
    Ok(())
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
