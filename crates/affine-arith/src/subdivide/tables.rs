//! Functions of one variable, for every index of an axis.

use rayon::prelude::*;

use super::CellValue;
use super::program::Program;
use crate::expr::{Plan, operands, run};
use crate::interval::Interval;
use crate::scalar::Scalar;

/// For every axis the values that steps read, index after index.
pub(crate) struct Tables<S> {
    axes: Vec<(usize, Vec<S>)>,
}

impl<S: CellValue> Tables<S> {
    pub(crate) fn new(program: &Program<S>, plan: &Plan, bounds: &[(f64, f64)], level: u32) -> Self {
        let axis = |k: usize| {
            let columns = &program.columns[k];
            let needed = needed(plan, columns);
            let rows = (0..1_u32 << level).into_par_iter();
            let entries = rows.flat_map_iter(|i| row(plan, columns, &needed, k, range(bounds[k], i, level)));
            (columns.len(), entries.collect())
        };
        Self { axes: (0..bounds.len()).map(axis).collect() }
    }

    pub(crate) fn at(&self, axis: usize, column: usize, index: usize) -> &S {
        let (width, entries) = &self.axes[axis];
        &entries[index * width + column]
    }
}

/// Operations that the columns use, in order.
pub(super) fn needed(plan: &Plan, columns: &[usize]) -> Vec<usize> {
    let mut used = vec![false; plan.ops().len()];
    columns.iter().for_each(|k| used[*k] = true);
    for i in (0..used.len()).rev() {
        if used[i] {
            operands(plan.ops()[i]).into_iter().flatten().for_each(|k| used[k as usize] = true);
        }
    }
    (0..used.len()).filter(|i| used[*i]).collect()
}

fn row<S: CellValue>(plan: &Plan, columns: &[usize], needed: &[usize], k: usize, range: Interval<f32>) -> Vec<S> {
    let mut values = vec![S::Column::constant(0.0); plan.ops().len()];
    for i in needed {
        values[*i] = run(plan.ops()[*i], &values, |_| S::coordinate(k, range));
    }
    columns.iter().map(|column| S::from_column(&values[*column])).collect()
}

/// Cell i of 2^level, rounded outward to f32; neighbours share the same f64 bound.
pub(crate) fn range((lower, upper): (f64, f64), i: u32, level: u32) -> Interval<f32> {
    let bound = |i: u32| {
        if i == 1 << level { upper } else { lower + (upper - lower) * (f64::from(i) / f64::from(1_u32 << level)) }
    };
    Interval::from_f64(bound(i)).join(Interval::from_f64(bound(i + 1)))
}
