//! What the kernels look up: the slots of every axis for the children of every cell of every level.

use rayon::prelude::*;

use super::cells::CellTest;
use super::emit::{quads, test_modules};
use crate::subdivide::{Columns, Rounding, Test, slot_values, slots};
use crate::{Error, Plan};

/// Forms of all levels, the test that they allow, and the table: axis after axis; entries of the pair of children 2i, 2i + 1 of level l + 1 begin at quads(slots)
/// (2^l + i).
pub(super) fn affine_test<const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    last: u32,
    rounding: Rounding,
) -> Result<CellTest, Error> {
    let levels: Vec<Columns> = (0..=last).into_par_iter().map(|level| Columns::new(plan, bounds, level)).collect();
    let mut ranges = levels[0].ranges.clone();
    levels[1..].iter().for_each(|columns| Columns::join_ranges(&mut ranges, &columns.ranges));
    let test = Test::new::<D>(plan, &ranges, rounding);
    let alive = crate::subdivide::box_is_kept::<D>(plan, &levels[0], rounding);
    let slots = slots(&test, D);
    let mut table = Vec::new();
    let mut begins = [0; 3];
    for (axis, slots) in slots.iter().enumerate() {
        begins[axis] = (table.len() / 4) as u32;
        let width = quads(slots.len());
        // Entry 0 belongs to no pair.
        let first = table.len();
        table.resize(first + ((4 * width) << last), 0.0);
        let fill = |(level, columns): (usize, &Columns)| -> (usize, Vec<f32>) {
            let values = slot_values(&test, slots, axis, columns, 1 << level);
            let pairs = values.chunks_exact(2 * slots.len());
            let padded = pairs.flat_map(|pair| {
                let padding = std::iter::repeat_n(0.0, 4 * width - pair.len());
                pair.iter().copied().chain(padding)
            });
            (level, padded.collect())
        };
        if !slots.is_empty() {
            let filled: Vec<_> = levels.par_iter().enumerate().skip(1).map(fill).collect();
            for (level, values) in filled {
                let begin = first + ((4 * width) << (level - 1));
                table[begin..begin + values.len()].copy_from_slice(&values);
            }
        }
    }
    Ok(CellTest { modules: test_modules(&test, D)?, table, begins, alive })
}
