//! Space-filling curves.

use crate::kernels::curve_code::{CURVE_BITS, hilbert_transpose, interleave};
use crate::{Error, GridBatch};

/// Which axis is the most significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisOrder {
    /// x first: bit i of x is bit 3 i + 2 of a Morton code.
    Xyz,
    /// z first.
    Zyx,
}

/// The Morton code of a position: the bits of the three axes interleaved, 21 bits each.
///
/// Source: G. M. Morton, "A computer oriented geodetic data base and a new technique in file sequencing", IBM, 1966.
pub fn morton_code(position: [u32; 3], order: AxisOrder) -> u64 {
    joined(interleave(ordered(position, order)))
}

/// The Hilbert code of a position: its distance along the three-dimensional Hilbert curve of 21 bits an axis.
///
/// Source: J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 381 (2004): axes to transpose, then the transpose interleaved.
pub fn hilbert_code(position: [u32; 3], order: AxisOrder) -> u64 {
    joined(interleave(hilbert_transpose(ordered(position, order))))
}

fn ordered(position: [u32; 3], order: AxisOrder) -> [u32; 3] {
    let [x, y, z] = position.map(|v| v & ((1 << CURVE_BITS) - 1));
    match order {
        AxisOrder::Xyz => [x, y, z],
        AxisOrder::Zyx => [z, y, x],
    }
}

fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | (u64::from(high) << 32)
}

impl GridBatch {
    /// The Morton code of every voxel of an item, by row, of its coordinate plus `offset`.
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Parameter`] when coordinate plus offset is not in 0 to 2^21 - 1.
    ///
    /// Source: [`morton_code`]; fVDB `morton`.
    pub fn morton_codes_cpu(&self, item: usize, offset: [i32; 3], order: AxisOrder) -> Result<Vec<u64>, Error> {
        self.codes(item, offset, |position| morton_code(position, order))
    }

    /// The Hilbert code of every voxel of an item, by row, of its coordinate plus `offset`.
    ///
    /// # Errors
    /// As [`morton_codes_cpu`](Self::morton_codes_cpu).
    ///
    /// Source: [`hilbert_code`]; fVDB `hilbert`.
    pub fn hilbert_codes_cpu(&self, item: usize, offset: [i32; 3], order: AxisOrder) -> Result<Vec<u64>, Error> {
        self.codes(item, offset, |position| hilbert_code(position, order))
    }

    fn codes(&self, item: usize, offset: [i32; 3], code: impl Fn([u32; 3]) -> u64) -> Result<Vec<u64>, Error> {
        let one = |c: [i32; 3]| {
            let mut position = [0; 3];
            for k in 0..3 {
                let sum = i64::from(c[k]) + i64::from(offset[k]);
                position[k] =
                    u32::try_from(sum).ok().filter(|&v| v < 1 << CURVE_BITS).ok_or_else(|| Error::Parameter {
                        what: format!("coordinate {} plus offset {}", c[k], offset[k]),
                        value: sum.to_string(),
                        allowed: "0 to 2097151".into(),
                    })?;
            }
            Ok(code(position))
        };
        self.coordinates(item)?.into_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_interleaves() {
        assert_eq!(morton_code([1, 0, 0], AxisOrder::Xyz), 4);
        assert_eq!(morton_code([1, 0, 0], AxisOrder::Zyx), 1);
        assert_eq!(morton_code([3, 5, 6], AxisOrder::Xyz), 0b011_101_110);
        assert_eq!(morton_code([(1 << 21) - 1; 3], AxisOrder::Xyz), (1 << 63) - 1);
    }

    /// The properties that define a Hilbert curve: a bijection whose neighbours in code are neighbours in space, for every aligned cube.
    #[test]
    fn hilbert_walks_by_single_steps() {
        let mut order: Vec<([u32; 3], u64)> =
            (0..4096).map(|i| [i >> 8, (i >> 4) & 15, i & 15]).map(|p| (p, hilbert_code(p, AxisOrder::Xyz))).collect();
        order.sort_unstable_by_key(|&(_, code)| code);
        for (i, pair) in order.windows(2).enumerate() {
            assert_eq!(pair[0].1, i as u64);
            let distance: u32 = (0..3).map(|k| pair[0].0[k].abs_diff(pair[1].0[k])).sum();
            assert_eq!(distance, 1, "{pair:?}");
        }
        assert_eq!(hilbert_code([1, 2, 3], AxisOrder::Xyz), hilbert_code([3, 2, 1], AxisOrder::Zyx));
    }
}
