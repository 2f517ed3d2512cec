//! Relations between source and destination coordinates of one axis.
//!
//! Both directions are the one relation of a strided window, `step * c - before <= x <= step * c + after`, read from x to c or from c to x:
//!
//! | operation | direction | step | before | after |
//! |---|---|---|---|---|
//! | coarsen f | down | f | 0 | f - 1 |
//! | subsample f | down | f | 0 | 0 |
//! | convolution k, s | down | s | pb = floor((k-1)/2) | k - 1 - pb |
//! | refine f | up | f | 0 | f - 1 |
//! | transposed convolution k, s | up | s | pb | k - 1 - pb |
//! | pad with [a, b] | up | 1 | -a | b |

use crate::kernels::leaf_box::bit_range;
use crate::kernels::leaf_image::AxisMap;

/// Which way a relation is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From the fine coordinate x to the coarse c.
    Down,
    /// From the coarse coordinate c to the fine x.
    Up,
}

/// The relation of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AxisRelation {
    direction: Direction,
    step: i64,
    before: i64,
    after: i64,
}

/// The relations of x, y and z.
pub(crate) type Relation = [AxisRelation; 3];

/// Where the positions of one source leaf go in one destination leaf along an axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisEntry {
    /// Destination positions of each source position.
    pub(crate) map: AxisMap,
    /// Source positions with a destination position here.
    pub(crate) sources: u32,
}

impl AxisRelation {
    pub(crate) fn coarsen(factor: u32) -> Self {
        Self::down(factor, 0, i64::from(factor) - 1)
    }

    pub(crate) fn refine(factor: u32) -> Self {
        Self { direction: Direction::Up, ..Self::coarsen(factor) }
    }

    pub(crate) fn subsample(factor: u32) -> Self {
        Self::down(factor, 0, 0)
    }

    pub(crate) fn conv(kernel: u32, stride: u32) -> Self {
        let before = (i64::from(kernel) - 1) / 2;
        Self::down(stride, before, i64::from(kernel) - 1 - before)
    }

    pub(crate) fn conv_transpose(kernel: u32, stride: u32) -> Self {
        Self { direction: Direction::Up, ..Self::conv(kernel, stride) }
    }

    /// c with `fine = step * c + offset`, for one fine coordinate: a single tap.
    pub(crate) fn tap(stride: u32, offset: i64) -> Self {
        Self::down(stride, -offset, offset)
    }

    /// Source + [low, high].
    pub(crate) fn pad(low: i64, high: i64) -> Self {
        Self { direction: Direction::Up, step: 1, before: -low, after: high }
    }

    fn down(step: u32, before: i64, after: i64) -> Self {
        Self { direction: Direction::Down, step: i64::from(step), before, after }
    }

    /// Smallest and largest destination of the sources `lo..=hi`; the first is greater when there are none.
    pub(crate) fn image(&self, lo: i64, hi: i64) -> (i64, i64) {
        match self.direction {
            Direction::Up => (self.step * lo - self.before, self.step * hi + self.after),
            Direction::Down if self.step == 1 => (lo - self.after, hi + self.before),
            Direction::Down => (-(self.after - lo).div_euclid(self.step), (hi + self.before).div_euclid(self.step)),
        }
    }

    /// Destinations between those of neighbouring sources that none of them has.
    pub(crate) fn gap(&self) -> i64 {
        match self.direction {
            Direction::Up => (self.step - self.before - self.after - 1).max(0),
            Direction::Down => 0,
        }
    }

    /// The maps between the source leaf that starts at `from` and the destination leaf that starts at `to` (voxel coordinates).
    pub(crate) fn entry(&self, from: i64, to: i64) -> AxisEntry {
        let mut entry = AxisEntry { map: [0; 8], sources: 0 };
        for (p, map) in entry.map.iter_mut().enumerate() {
            let x = from + p as i64;
            let (lo, hi) = self.image(x, x);
            let bits = bit_range(lo - to, hi - to);
            *map = bits as u8;
            entry.sources |= u32::from(bits != 0) << p;
        }
        entry
    }

    /// The same relation of one coordinate to itself, read in the same direction.
    #[cfg(feature = "gpu")]
    pub(crate) fn identity_like(&self) -> Self {
        Self { direction: self.direction, step: 1, before: 0, after: 0 }
    }

    /// Whether sources are the coarse side.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_up(&self) -> bool {
        self.direction == Direction::Up
    }

    /// Step, before, after.
    #[cfg(feature = "gpu")]
    pub(crate) fn window(&self) -> [i64; 3] {
        [self.step, self.before, self.after]
    }

    /// Fewest destinations of a single source, for bounds on memory.
    pub(crate) fn least_window(&self) -> u64 {
        let window = (self.before + self.after + 1).max(0) as u64;
        match self.direction {
            Direction::Down => window / self.step as u64,
            Direction::Up => window,
        }
    }

    /// Fewest destinations a source, when there are many.
    pub(crate) fn least_block(&self) -> u64 {
        match self.direction {
            Direction::Down => 0,
            Direction::Up => self.least_window().min(self.step as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All destinations of a set of sources, by the definition of the relation.
    fn by_definition(relation: AxisRelation, sources: &[i64]) -> Vec<i64> {
        let related =
            |x: i64, c: i64| relation.step * c - relation.before <= x && x <= relation.step * c + relation.after;
        (-60..60)
            .filter(|&to| {
                sources.iter().any(|&from| match relation.direction {
                    Direction::Down => related(from, to),
                    Direction::Up => related(to, from),
                })
            })
            .collect()
    }

    fn by_image(relation: AxisRelation, sources: &[i64]) -> Vec<i64> {
        let mut out: Vec<i64> = sources
            .iter()
            .flat_map(|&x| {
                let (lo, hi) = relation.image(x, x);
                lo..=hi
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    #[test]
    fn images_follow_the_definition_and_the_worked_examples() {
        let cases = [
            (AxisRelation::coarsen(3), vec![-4, -3, -1, 0, 2, 3], vec![-2, -1, 0, 1]),
            (AxisRelation::subsample(3), vec![-3, -1, 0, 2, 3], vec![-1, 0, 1]),
            (AxisRelation::refine(3), vec![-1], vec![-3, -2, -1]),
            (AxisRelation::conv(3, 1), vec![0], vec![-1, 0, 1]),
            (AxisRelation::conv(2, 1), vec![0], vec![-1, 0]),
            (AxisRelation::conv(4, 1), vec![0], vec![-2, -1, 0, 1]),
            (AxisRelation::conv(3, 2), vec![1], vec![0, 1]),
            (AxisRelation::conv(3, 2), vec![-1], vec![-1, 0]),
            (AxisRelation::conv(4, 2), vec![0], vec![-1, 0]),
            (AxisRelation::conv(3, 3), vec![-2, -1, 0, 1, 2], vec![-1, 0, 1]),
            (AxisRelation::conv(1, 2), vec![-2, 0, 1], vec![-1, 0]),
            (AxisRelation::conv(3, 4), vec![2], vec![]),
            (AxisRelation::conv_transpose(3, 2), vec![1], vec![1, 2, 3]),
            (AxisRelation::conv_transpose(2, 2), vec![-1], vec![-2, -1]),
            (AxisRelation::conv_transpose(4, 2), vec![0], vec![-1, 0, 1, 2]),
            (AxisRelation::pad(-2, 1), vec![0], vec![-2, -1, 0, 1]),
        ];
        for (relation, sources, expected) in cases {
            assert_eq!(by_image(relation, &sources), expected, "{relation:?}");
            assert_eq!(by_definition(relation, &sources), expected, "{relation:?}");
        }
    }

    #[test]
    fn entries_are_the_images_inside_a_leaf() {
        for relation in [AxisRelation::conv(5, 3), AxisRelation::conv_transpose(3, 4), AxisRelation::pad(-3, 9)] {
            for (from, to) in [(-8, -8), (-8, 0), (0, 0), (8, 0), (0, 8), (-8, -32)] {
                let entry = relation.entry(from, to);
                for p in 0..8 {
                    let image = by_image(relation, &[from + p]);
                    let bits = (0..8).filter(|q| image.contains(&(to + q))).fold(0, |bits, q| bits | 1 << q);
                    assert_eq!(entry.map[p as usize], bits, "{relation:?} {from} {to} {p}");
                    assert_eq!((entry.sources >> p) & 1 == 1, bits != 0);
                }
            }
        }
    }
}
