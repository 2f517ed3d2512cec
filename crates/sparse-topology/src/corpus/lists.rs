//! The lists that belong to a case: neighbour pairs by their definition, codes of voxels.

use super::{Engine, Operation};
use crate::{AxisOrder, Error, GridBatch, Pair};

/// Candidates (voxels of the result times taps) up to which the pairs of a case are compared.
const MOST_CANDIDATES: u64 = 1 << 16;

/// How an output voxel finds its partners.
#[derive(Clone, Copy)]
struct Window {
    kernel: [u32; 3],
    stride: [u32; 3],
    /// `floor((k - 1) / 2)`, or 0 for pooling.
    before: [i64; 3],
    /// The input is the coarse side.
    divide: bool,
}

impl Window {
    fn of(operation: &Operation) -> Option<Self> {
        let half = |kernel: [u32; 3]| kernel.map(|k| (i64::from(k) - 1) / 2);
        Some(match operation {
            Operation::Coarsen(f) => Self { kernel: *f, stride: *f, before: [0; 3], divide: false },
            Operation::Conv(k, s) => Self { kernel: *k, stride: *s, before: half(*k), divide: false },
            Operation::ConvTranspose(k, s) => Self { kernel: *k, stride: *s, before: half(*k), divide: true },
            _ => return None,
        })
    }

    /// The partner of `to` at a tap.
    fn partner(&self, to: [i32; 3], tap: [u32; 3]) -> Option<[i32; 3]> {
        let mut from = [0; 3];
        for k in 0..3 {
            let (at, step) = (i64::from(to[k]), i64::from(self.stride[k]));
            let offset = i64::from(tap[k]) - self.before[k];
            let found = if self.divide {
                if (at - offset).rem_euclid(step) != 0 {
                    return None;
                }
                (at - offset).div_euclid(step)
            } else {
                step * at + offset
            };
            from[k] = i32::try_from(found).ok()?;
        }
        Some(from)
    }

    /// The pairs by their definition, one candidate at a time.
    fn pairs(&self, input: &GridBatch, output: &GridBatch) -> Result<Vec<Pair>, Error> {
        let [kx, ky, kz] = self.kernel;
        let mut pairs = Vec::new();
        for tap in 0..u64::from(kx) * u64::from(ky) * u64::from(kz) {
            let (y, z) = (tap / u64::from(kz) % u64::from(ky), tap % u64::from(kz));
            let at = [(tap / (u64::from(ky) * u64::from(kz))) as u32, y as u32, z as u32];
            for item in 0..output.items() {
                let first = output.item_rows(item)?.start;
                for (out_row, to) in (first..).zip(output.coordinates(item)?) {
                    let in_row = self.partner(to, at).and_then(|from| input.row(item, from));
                    pairs.extend(in_row.map(|in_row| Pair { tap, in_row, out_row }));
                }
            }
        }
        Ok(pairs)
    }
}

/// What differs in the neighbour pairs of a case, if it has some and they are not too many: `None` where nothing was compared.
pub(super) fn pairs(
    engine: &dyn Engine,
    operation: &Operation,
    input: &GridBatch,
    output: &GridBatch,
) -> Result<Option<Option<String>>, Error> {
    let Some(window) = Window::of(operation) else { return Ok(None) };
    let taps = window.kernel.iter().fold(1, |n: u64, k| n.saturating_mul(u64::from(*k)));
    if output.voxels().max(1).saturating_mul(taps) > MOST_CANDIDATES {
        return Ok(None);
    }
    let (expected, found) = (window.pairs(input, output)?, engine.pairs(operation, input, output)?);
    let differ = expected.iter().zip(&found).position(|(a, b)| a != b);
    Ok(Some(match differ {
        Some(i) => Some(format!("pair {i} is {:?}, expected {:?}", found[i], expected[i])),
        None if found.len() != expected.len() => Some(format!("{} pairs, expected {}", found.len(), expected.len())),
        None => None,
    }))
}

/// What differs in the codes of an input's voxels, and how many lists were compared: along both curves, from the item's least coordinates.
pub(super) fn codes(engine: &dyn Engine, input: &GridBatch) -> Result<(usize, Option<String>), Error> {
    let mut compared = 0;
    for item in 0..input.items() {
        let Some((low, high)) = input.bounds(item)? else { continue };
        let offset = low.map(|v| v.checked_neg().unwrap_or(0));
        let sides = (0..3).map(|k| i64::from(high[k]) + i64::from(offset[k]));
        if sides.zip(low).any(|(side, low)| side >= 1 << 21 || low == i32::MIN) {
            continue;
        }
        for (hilbert, order) in [(false, AxisOrder::Xyz), (true, AxisOrder::Xyz), (true, AxisOrder::Zyx)] {
            let expected = match hilbert {
                true => input.hilbert_codes_cpu(item, offset, order)?,
                false => input.morton_codes_cpu(item, offset, order)?,
            };
            let found = engine.codes(input, item, offset, hilbert, order)?;
            compared += 1;
            if found != expected {
                let name = if hilbert { "Hilbert" } else { "Morton" };
                return Ok((compared, Some(format!("{name} codes of item {item} differ"))));
            }
        }
    }
    Ok((compared, None))
}
