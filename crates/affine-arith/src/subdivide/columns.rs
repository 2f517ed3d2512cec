//! Functions of one variable as affine forms, for every index of an axis: what cells share.

use rayon::prelude::*;

use super::graph::{CENTRE, COEFFICIENT, ERROR, Grain};
use super::tables::{needed, range};
use crate::affine::Affine;
use crate::expr::{Plan, operands, run};
use crate::real::Real;
use crate::scalar::Scalar;

/// Centre, coefficient of the axis' symbol, error.
pub(crate) type ColumnForm = [f32; 3];

/// What is known of all forms of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnRange {
    /// The largest |centre| + |coefficient| + error, infinite where a form is entire.
    pub(crate) bound: f64,
    /// Of the centres and the coefficients.
    pub(crate) grains: [Grain; 2],
}

/// The operations of a plan that depend on one axis and are used by operations on several (or are the result), for the cells of one level.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// For every axis the operations, and their forms index after index.
    axes: Vec<(Vec<usize>, Vec<ColumnForm>)>,
    /// For every operation its place among those of its axis.
    places: Vec<usize>,
    pub(crate) ranges: Vec<Vec<ColumnRange>>,
}

/// Operations of every axis that are kept.
pub(crate) fn column_ops(plan: &Plan) -> Vec<Vec<usize>> {
    let mut axes = vec![Vec::new(); plan.variables().len()];
    let mut known = vec![false; plan.ops().len()];
    let mut keep = |k: usize| {
        let set = plan.sets()[k];
        if set.count_ones() == 1 && !std::mem::replace(&mut known[k], true) {
            axes[set.trailing_zeros() as usize].push(k);
        }
    };
    for (op, set) in plan.ops().iter().zip(plan.sets()) {
        if set.count_ones() > 1 {
            operands(*op).into_iter().flatten().for_each(|k| keep(k as usize));
        }
    }
    keep(plan.ops().len() - 1);
    axes
}

/// For every operation of a plan its place among the kept ones of its axis; 0 for the others.
pub(crate) fn column_places<'a>(plan: &Plan, kept: impl Iterator<Item = &'a [usize]>) -> Vec<usize> {
    let mut places = vec![0; plan.ops().len()];
    for ops in kept {
        ops.iter().enumerate().for_each(|(place, op)| places[*op] = place);
    }
    places
}

impl Columns {
    /// Level `level` of the box `bounds`, whose dimension is D.
    pub(crate) fn new<const D: usize>(plan: &Plan, bounds: &[(f64, f64); D], level: u32) -> Self {
        let axis = |(k, ops): (usize, Vec<usize>)| {
            let needed = needed(plan, &ops);
            let rows = (0..1_u32 << level).into_par_iter();
            let forms = rows.flat_map_iter(|i| row::<D>(plan, &ops, &needed, k, range(bounds[k], i, level)));
            let forms: Vec<ColumnForm> = forms.collect();
            (ops, forms)
        };
        let axes: Vec<_> = column_ops(plan).into_iter().enumerate().map(axis).collect();
        let of_axis = |(ops, forms): &(Vec<usize>, Vec<ColumnForm>)| {
            (0..ops.len()).map(|c| ColumnRange::of(forms.iter().skip(c).step_by(ops.len()))).collect()
        };
        let ranges = axes.iter().map(of_axis).collect();
        let places = column_places(plan, axes.iter().map(|(ops, _)| ops.as_slice()));
        Self { axes, places, ranges }
    }

    /// A part of the form of operation `op` at an index of its axis.
    pub(crate) fn part(&self, axis: usize, op: usize, part: u8, index: usize) -> f32 {
        let (ops, forms) = &self.axes[axis];
        let form = forms[index * ops.len() + self.places[op]];
        match part {
            CENTRE => form[0],
            COEFFICIENT => form[1],
            ERROR => form[2],
            _ => 0.0,
        }
    }

    /// Known of the columns of two levels.
    #[cfg(feature = "gpu")]
    pub(crate) fn join_ranges(ranges: &mut [Vec<ColumnRange>], other: &[Vec<ColumnRange>]) {
        for (range, other) in ranges.iter_mut().flatten().zip(other.iter().flatten()) {
            range.bound = range.bound.max(other.bound);
            range.grains = [0, 1].map(|i| range.grains[i].and(other.grains[i]));
        }
    }
}

impl ColumnRange {
    fn of<'a>(forms: impl Iterator<Item = &'a ColumnForm>) -> Self {
        let mut range = Self { bound: 0.0, grains: [Grain::ZERO; 2] };
        for [b, x, err] in forms {
            let total = f64::from(b.abs()) + f64::from(x.abs()) + f64::from(*err);
            range.bound = range.bound.max(if *err > f32::LIMIT { f64::INFINITY } else { total });
            range.grains = [range.grains[0].and(Grain::of(*b)), range.grains[1].and(Grain::of(*x))];
        }
        range
    }
}

fn row<const D: usize>(
    plan: &Plan,
    ops: &[usize],
    needed: &[usize],
    k: usize,
    range: crate::Interval<f32>,
) -> Vec<ColumnForm> {
    let mut values = vec![Affine::<f32, D>::constant_between(0.0, 0.0); plan.ops().len()];
    for i in needed {
        values[*i] = run(plan.ops()[*i], &values, |_| Affine::variable(k, range));
    }
    let form = |op: &usize| {
        let (b, x, err) = values[*op].parts();
        [b, x[k], err]
    };
    ops.iter().map(form).collect()
}
