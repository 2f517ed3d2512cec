//! A plan split by how often its operations run: once, once an index of an axis, or once a cell.

use super::CellValue;
use super::tables::Tables;
use crate::expr::{Op, Plan};
use crate::expr::{binary, run};
use crate::function::{Binary, Unary};

/// Where an operand comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// A constant.
    Constant(usize),
    /// A column of the table of an axis.
    Column { axis: usize, column: usize },
    /// The result of a step, and the axes on which it depends.
    Register { step: usize, set: usize },
}

/// A function and where its operands are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    Unary(Unary, Source),
    Binary(Binary, Source, Source),
}

/// An operation that depends on several axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) task: Task,
    pub(crate) set: usize,
}

/// The steps of a plan, and what they read.
pub(crate) struct Program<S> {
    pub(crate) constants: Vec<S>,
    /// For every axis the operations that are kept in its table.
    pub(crate) columns: Vec<Vec<usize>>,
    pub(crate) steps: Vec<Step>,
    pub(crate) result: Source,
}

impl<S: CellValue> Program<S> {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut program = Self {
            constants: Vec::new(),
            columns: vec![Vec::new(); plan.variables().len()],
            steps: Vec::new(),
            result: Source::Constant(0),
        };
        let mut constants: Vec<Option<S>> = Vec::new();
        // Values of constants, anything elsewhere.
        let zero = S::constant(0.0);
        let mut values: Vec<S> = Vec::new();
        let mut sources: Vec<Option<Source>> = vec![None; plan.ops().len()];
        for (i, (op, set)) in plan.ops().iter().zip(plan.sets()).enumerate() {
            values.push(if *set == 0 { run(*op, &values, |_| zero) } else { zero });
            constants.push((*set == 0).then(|| values[i]));
            if set.count_ones() > 1 {
                let mut read = |k: u32| program.source(plan, k as usize, &constants, &mut sources);
                let task = match *op {
                    Op::Unary(function, x) => Task::Unary(function, read(x)),
                    Op::Binary(function, x, y) => Task::Binary(function, read(x), read(y)),
                    // Leaves depend on one variable at most.
                    Op::Constant(..) | Op::Input(_) => continue,
                };
                sources[i] = Some(Source::Register { step: program.steps.len(), set: *set as usize });
                program.steps.push(Step { task, set: *set as usize });
            }
        }
        let last = plan.ops().len() - 1;
        program.result = program.source(plan, last, &constants, &mut sources);
        program
    }

    /// Where operation `k` is found; columns and constants are made on first use.
    fn source(&mut self, plan: &Plan, k: usize, constants: &[Option<S>], sources: &mut [Option<Source>]) -> Source {
        if let Some(source) = sources[k] {
            return source;
        }
        let source = match constants[k] {
            Some(value) => {
                self.constants.push(value);
                Source::Constant(self.constants.len() - 1)
            }
            None => {
                let axis = plan.sets()[k].trailing_zeros() as usize;
                self.columns[axis].push(k);
                Source::Column { axis, column: self.columns[axis].len() - 1 }
            }
        };
        sources[k] = Some(source);
        source
    }

    /// Room for the results of the steps, for all children of a cell.
    pub(crate) fn registers<const D: usize>(&self) -> Vec<S> {
        vec![S::constant(0.0); self.steps.len() << D]
    }

    /// Bit q: whether the function may vanish in child q < count, whose index along axis k is `first[k]` + bit k of q.
    ///
    /// A step runs once for each combination of the axes on which it depends.
    pub(crate) fn children_in<const D: usize>(
        &self,
        tables: &Tables<S>,
        first: [u32; D],
        count: usize,
        registers: &mut [S],
    ) -> u8 {
        for (i, step) in self.steps.iter().enumerate() {
            for q in (0..count).filter(|q| q & !step.set == 0) {
                let read = |source| *self.read(source, tables, &first, q, registers);
                let value = match step.task {
                    Task::Unary(function, x) => read(x).unary(function),
                    Task::Binary(function, x, y) => binary(function, &read(x), &read(y)),
                };
                registers[(i << D) + q] = value;
            }
        }
        let vanishes = |q: usize| self.read(self.result, tables, &first, q, registers).may_vanish();
        (0..count).fold(0, |mask, q| mask | u8::from(vanishes(q)) << q)
    }

    fn read<'a, const D: usize>(
        &'a self,
        source: Source,
        tables: &'a Tables<S>,
        first: &[u32; D],
        q: usize,
        registers: &'a [S],
    ) -> &'a S {
        match source {
            Source::Constant(k) => &self.constants[k],
            Source::Column { axis, column } => tables.at(axis, column, first[axis] as usize + (q >> axis & 1)),
            Source::Register { step, set } => &registers[(step << D) + (q & set)],
        }
    }
}
