//! Adaptive subdivision: the cells of a regular grid in which a function may be zero (intervals, quadtrees, octrees).

mod batch;
mod columns;
mod deferred;
mod graph;
mod program;
mod tables;

use rayon::prelude::*;

use crate::error::Error;
use crate::expr::{Op, Plan};
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::mixed::Mixed;
use crate::scalar::Scalar;
use crate::standard::StandardPlan;
use batch::{Batch, LANES};
#[cfg(feature = "gpu")]
pub(crate) use batch::{slot_values, slots};
pub(crate) use columns::Columns;
pub(crate) use deferred::Test;
#[cfg(feature = "gpu")]
pub(crate) use graph::{FormIds, Function, Id as NodeId, Node};
pub(crate) use program::Program;
#[cfg(feature = "gpu")]
pub(crate) use program::{Source, Task};
pub(crate) use tables::Tables;
#[cfg(feature = "gpu")]
pub(crate) use tables::range as cell_range;

/// The finest level: indices are 16 bits.
pub const MAX_LEVEL: u32 = 16;

/// What cells are evaluated with, in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Model {
    /// Intervals.
    Intervals,
    /// Reduced affine forms, a symbol for each axis.
    #[default]
    Affine,
    /// Forms with an interval beside them: never more cells than with either, twice the cost.
    Mixed,
    /// Standard forms: a symbol for every axis and every operation that is not linear. The tightest of the forms ([`Model::Mixed`] may be tighter still), and the
    /// slowest. Kernels have room for values of 32 symbols.
    Standard,
}

/// Whether the rounding errors of floats are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rounding {
    /// They are: no zero of the function is lost.
    #[default]
    Rigorous,
    /// Those of operations on several variables are not: **not rigorous**, for drawing. A cell whose surface comes closer to its border than the
    /// rounding errors may be lost. [`Model::Affine`] alone; the other models stay rigorous.
    Ignore,
}

impl Plan {
    /// The kind of numbers that pays for subdivision: forms with an interval beside them where a root, a quotient, or a power other than a square of several
    /// variables occurs, which wide ranges make much looser in forms; forms alone otherwise.
    ///
    /// On the torus and the heart (docs/affine-arith.md) the interval takes away a quarter and two thirds of the cells of the first levels; on
    /// polynomials of low degree it takes away nothing and costs twice the time.
    pub fn suggested_model(&self) -> Model {
        let several = |set: u32| set.count_ones() > 1;
        let loose = |(op, set): (&Op, &u32)| match *op {
            Op::Unary(
                Unary::Sqrt | Unary::Rsqrt | Unary::Cbrt | Unary::Rcbrt | Unary::Reciprocal | Unary::Powf(_),
                _,
            ) => several(*set),
            Op::Unary(Unary::Powi(n), _) => several(*set) && !(0..=2).contains(&n),
            Op::Binary(Binary::Div, _, y) => several(self.sets()[y as usize]),
            Op::Binary(Binary::Pow, ..) => several(*set),
            _ => false,
        };
        if self.ops().iter().zip(self.sets()).any(loose) { Model::Mixed } else { Model::Affine }
    }
}

/// How far to subdivide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubdivideOptions {
    /// The last level: 2^level cells along each axis.
    pub level: u32,
    /// Kind of numbers.
    pub model: Model,
    /// Whether rounding errors are counted.
    pub rounding: Rounding,
    /// Largest number of cells of a level.
    pub capacity: usize,
}

/// Cells in which the function may be zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells<const D: usize> {
    /// Their number at every level, from level 0 (the whole box) on.
    pub counts: Vec<usize>,
    /// Indices along the axes of the cells of the last level, in Morton order (the first axis varies fastest).
    pub indices: Vec<[u16; D]>,
}

/// Halves the box `bounds` along every axis, `level` times, and keeps each time the children in which the plan's function may be zero.
///
/// The variable k of the plan is axis k. Cell i of n covers lo + (hi - lo) i/n to lo + (hi - lo) (i + 1)/n, computed in f64; every
/// zero of the function in the box, for any constants between the bounds of the plan's, lies in a cell. A cell is dropped when the
/// bounds of its value exclude 0. The result does not depend on the number of threads.
///
/// Errors: variables of the plan that are not D in number; bounds that are not finite and increasing, or above 2^59 in magnitude; a level
/// above [`MAX_LEVEL`]; more cells at a level than the capacity, found before they are made. Cost: functions of one variable are evaluated once
/// an index and level, functions of two variables once for each face of a parent's children, everything else once a child.
pub fn subdivide_cpu<const D: usize>(
    plan: &Plan,
    bounds: [(f64, f64); D],
    options: SubdivideOptions,
) -> Result<Cells<D>, Error> {
    check(plan, &bounds, options)?;
    match options.model {
        Model::Intervals => run::<Interval<f32>, D>(plan, &bounds, options),
        Model::Affine => {
            descend(options, |level, cells, masks| affine_masks(plan, &bounds, options.rounding, level, cells, masks))
        }
        Model::Mixed => run::<Mixed<f32, D>, D>(plan, &bounds, options),
        Model::Standard => {
            let standard = StandardPlan::new(plan);
            descend(options, |level, cells, masks| standard_masks(&standard, &bounds, level, cells, masks))
        }
    }
}

pub(crate) fn check<const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    options: SubdivideOptions,
) -> Result<(), Error> {
    if plan.variables().len() != D {
        return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: D });
    }
    if options.level > MAX_LEVEL {
        return Err(Error::Level { level: options.level, allowed: MAX_LEVEL });
    }
    let allowed = 2f64.powi(59);
    for (axis, &(lower, upper)) in bounds.iter().enumerate() {
        let fits = lower.abs() <= allowed && upper.abs() <= allowed;
        if !fits || lower.partial_cmp(&upper) != Some(std::cmp::Ordering::Less) {
            return Err(Error::Bounds { axis, lower, upper, allowed });
        }
    }
    Ok(())
}

/// A kind of number that cells can be evaluated with.
pub(crate) trait CellValue: Scalar + Copy + Send + Sync {
    /// What functions of one variable are evaluated with: the tightest kind, for there are few of them.
    type Column: Scalar;
    /// The coordinate of axis `k` in a cell.
    fn coordinate(k: usize, range: Interval<f32>) -> Self::Column;
    /// The same quantity as it is kept in a table.
    fn from_column(column: &Self::Column) -> Self;
    /// Whether 0 may be among the values.
    fn may_vanish(&self) -> bool;
}

impl CellValue for Interval<f32> {
    type Column = Self;

    fn coordinate(_: usize, range: Interval<f32>) -> Self {
        range
    }

    fn from_column(column: &Self) -> Self {
        *column
    }

    fn may_vanish(&self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }
}

impl<const N: usize> CellValue for Mixed<f32, N> {
    type Column = Self;

    fn coordinate(k: usize, range: Interval<f32>) -> Self {
        Self::variable(k, range)
    }

    fn from_column(column: &Self) -> Self {
        *column
    }

    fn may_vanish(&self) -> bool {
        self.form().possibly_zero() && self.interval().may_vanish()
    }
}

/// Parents a task; no result depends on it.
const TASK: usize = 2048;

fn run<S: CellValue, const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    options: SubdivideOptions,
) -> Result<Cells<D>, Error> {
    let program = Program::<S>::new(plan);
    descend(options, |level, cells, masks| {
        let tables = Tables::new(&program, plan, bounds, level);
        let count = if level == 0 { 1 } else { 1 << D };
        masks.par_chunks_mut(TASK).zip(cells.par_chunks(TASK)).for_each(|(masks, cells)| {
            let mut registers = program.registers::<D>();
            for (mask, cell) in masks.iter_mut().zip(cells) {
                *mask = program.children_in(&tables, cell.map(|i| 2 * u32::from(i)), count, &mut registers);
            }
        });
    })
}

/// The masks of affine forms: a mask of the children, which belong to `level`, of every cell.
fn affine_masks<const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    rounding: Rounding,
    level: u32,
    cells: &[[u16; D]],
    masks: &mut [u8],
) {
    let columns = Columns::new(plan, bounds, level);
    let test = Test::new::<D>(plan, &columns.ranges, rounding);
    let batch = Batch::<D>::new(&test, &columns, 1 << level);
    masks.par_chunks_mut(TASK).zip(cells.par_chunks(TASK)).for_each(|(masks, cells)| {
        let mut registers = batch.registers();
        for (masks, cells) in masks.chunks_mut(LANES).zip(cells.chunks(LANES)) {
            batch.masks(cells, masks, &mut registers);
        }
    });
}

/// The masks of standard forms, a child after the other.
fn standard_masks<const D: usize>(
    standard: &StandardPlan,
    bounds: &[(f64, f64); D],
    level: u32,
    cells: &[[u16; D]],
    masks: &mut [u8],
) {
    let children = if level == 0 { 1 } else { 1 << D };
    let kept = |cell: &[u16; D], q: usize| {
        let index = |k: usize| 2 * u32::from(cell[k]) + (q >> k & 1) as u32;
        let ranges: [Interval<f32>; D] = std::array::from_fn(|k| tables::range(bounds[k], index(k), level));
        // A plan of D variables: checked before.
        standard.evaluate(&ranges).map_or(true, |value| value.possibly_zero())
    };
    masks.par_iter_mut().zip(cells).for_each(|(mask, cell)| {
        *mask = (0..children).filter(|q| kept(cell, *q)).fold(0, |mask, q| mask | 1 << q);
    });
}

/// Whether the function may vanish in the box itself.
#[cfg(feature = "gpu")]
pub(crate) fn box_is_kept<const D: usize>(plan: &Plan, columns: &Columns, rounding: Rounding) -> bool {
    let test = Test::new::<D>(plan, &columns.ranges, rounding);
    let batch = Batch::<D>::new(&test, columns, 1);
    let mut mask = [0];
    batch.masks(&[[0; D]], &mut mask, &mut batch.registers());
    mask[0] & 1 == 1
}

/// From the box to its cells of the last level. `masks` tells which children, whose level it is given, a cell keeps; the box itself counts as
/// child 0 of a cell above it.
fn descend<const D: usize>(
    options: SubdivideOptions,
    masks: impl Fn(u32, &[[u16; D]], &mut [u8]),
) -> Result<Cells<D>, Error> {
    let mut root = [0];
    masks(0, &[[0; D]], &mut root);
    let mut cells = if root[0] & 1 == 1 { vec![[0_u16; D]] } else { Vec::new() };
    let mut counts = Vec::new();
    let mut fits = |level: u32, needed: usize| {
        counts.push(needed);
        if needed > options.capacity {
            return Err(Error::Capacity { level, needed, allowed: options.capacity });
        }
        Ok(())
    };
    fits(0, cells.len())?;
    for level in 1..=options.level {
        // [1] A mask of the children of every cell.
        let mut kept = vec![0; cells.len()];
        masks(level, &cells, &mut kept);
        // [2] Their number, before any is written.
        let needed = kept.iter().map(|mask| mask.count_ones() as usize).sum();
        fits(level, needed)?;
        // [3] The children, in the order of their parents.
        cells = expand(&cells, &kept, needed);
    }
    Ok(Cells { counts, indices: cells })
}

fn expand<const D: usize>(cells: &[[u16; D]], masks: &[u8], count: usize) -> Vec<[u16; D]> {
    let mut children = Vec::with_capacity(count);
    for (cell, mask) in cells.iter().zip(masks) {
        let mut rest = *mask;
        while rest != 0 {
            let q = rest.trailing_zeros() as u16;
            rest &= rest - 1;
            children.push(std::array::from_fn(|k| 2 * cell[k] + (q >> k & 1)));
        }
    }
    children
}
