//! An expression as a tape: clauses that a kernel reads from a buffer and carries out in a loop, with one place in its text for each function.
//!
//! Drivers copy a function to every place that calls it, and take some 20 us for an instruction; with a tape the text holds every function of an
//! expression once, however often it occurs, and expressions of the same functions share a kernel.

mod text;

use super::value::{Argument, Call, DeviceValue, exact};
use crate::expr::operands;
use crate::function::{Binary, Unary};
use crate::march::Surface;
use crate::{Error, Op, Plan};
pub(super) use text::TapeText;

/// What an operand is called in the text of a clause.
const OPERANDS: [&str; 3] = ["a", "b", "c"];
/// Where a value is while the tape runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Slot(u32),
    /// By its number among the constants.
    Constant(u32),
}

/// What the host gives beside the clauses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    /// The value of this operation of the plan: a constant, or an operation of the host's variables.
    Operation(usize),
    /// A number that a function takes.
    Number(f32),
}

/// An operation that is left to the device.
#[derive(Clone, Debug)]
struct Clause {
    /// The call, its operands named by [`OPERANDS`].
    call: String,
    /// Name of the function in the library.
    root: String,
    /// The number it takes: a whole one in the clause, or one among the constants.
    number: u32,
    /// Whether the second operand is negated first.
    negates: bool,
    /// Values by their number among the tape's.
    operands: Vec<usize>,
}

/// A value of the tape.
#[derive(Clone, Debug)]
enum Value {
    Input(u32),
    Constant(u32),
    Clause(Clause),
}

/// Clauses in order, and what their text needs.
#[derive(Debug)]
pub(super) struct Tape {
    values: Vec<Value>,
    given: Vec<Given>,
    functions: Vec<Unary>,
    inputs: u32,
}

impl Tape {
    /// Lays a plan out. Operations of the variables `host` alone (bits) are given by the host; those variables are no inputs.
    pub(super) fn new<V: DeviceValue<Number = f32>>(plan: &Plan, host: u32) -> Result<Self, Error> {
        let inputs = (0..plan.variables().len()).filter(|k| host >> k & 1 == 0).count() as u32;
        let mut tape = Self { values: Vec::new(), given: Vec::new(), functions: Vec::new(), inputs };
        let mut places = vec![0; plan.ops().len()];
        for i in used_on_device(plan, host) {
            places[i] = match plan.ops()[i] {
                _ if is_given(plan, i, host) => tape.given(i),
                Op::Constant(..) => tape.given(i),
                Op::Input(k) => tape.push(Value::Input(k)),
                Op::Unary(function, x) => tape.unary::<V>(function, places[x as usize])?,
                Op::Binary(function, x, y) => {
                    let exact = [x, y].map(|k| exact(plan, k));
                    tape.binary::<V>(function, [x, y].map(|k| places[k as usize]), exact)
                }
            };
        }
        tape.functions.sort_unstable();
        tape.functions.dedup();
        Ok(tape)
    }

    fn push(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    fn given(&mut self, operation: usize) -> usize {
        self.given.push(Given::Operation(operation));
        self.push(Value::Constant(self.given.len() as u32 - 1))
    }

    fn unary<V: DeviceValue>(&mut self, function: Unary, x: usize) -> Result<usize, Error> {
        self.functions.push(function);
        let call = match V::wave_call(function, OPERANDS[0]) {
            Some(wave) => wave,
            None => V::unary_call(function, OPERANDS[0])?,
        };
        Ok(self.clause(&call, &[x], false))
    }

    /// Adds a function of two values; x/y by way of 1/y where the kind of number divides so.
    fn binary<V: DeviceValue<Number = f32>>(
        &mut self,
        function: Binary,
        [x, y]: [usize; 2],
        exact: [Option<f32>; 2],
    ) -> usize {
        if function == Binary::Div
            && let Some(call) = V::divided(OPERANDS, exact)
            && let Ok(inverse) = self.unary::<V>(Unary::Reciprocal, y)
        {
            return self.clause(&call, &[x, y, inverse], false);
        }
        let negates = function == Binary::Sub && V::SUBTRACTS_BY_NEGATION;
        let function = if negates { Binary::Add } else { function };
        self.clause(&V::binary_call(function, [OPERANDS[0], OPERANDS[1]], exact), &[x, y], negates)
    }

    /// Adds a call whose operands are named by [`OPERANDS`], renamed in the order in which they occur.
    fn clause(&mut self, call: &Call, values: &[usize], negates: bool) -> usize {
        let (mut call, mut operands, mut number) = (call.clone(), Vec::new(), 0);
        for argument in &mut call.arguments {
            match argument {
                Argument::Value(name) => {
                    let place = OPERANDS.iter().position(|operand| operand == name).unwrap_or_default();
                    *name = OPERANDS[operands.len()].to_owned();
                    operands.push(values[place]);
                }
                Argument::Number("u32", text, whole) => {
                    number = *whole as u32;
                    *text = "clause.z".to_owned();
                }
                Argument::Number(_, text, real) => {
                    self.given.push(Given::Number(*real as f32));
                    number = self.given.len() as u32 - 1;
                    *text = "constants[clause.z].x".to_owned();
                }
                Argument::Fixed(_) => {}
            }
        }
        self.push(Value::Clause(Clause { call: call.text(), root: call.root, number, negates, operands }))
    }

    /// The constants of the kernel at the time of a surface.
    pub(super) fn constants<V: DeviceValue<Number = f32>>(&self, surface: &Surface<'_>) -> Vec<[f32; 4]> {
        let values: Vec<V> = surface.constants();
        let word = |given: &Given| match *given {
            Given::Operation(i) => values[i].given(),
            Given::Number(number) => [number, 0.0, 0.0, 0.0],
        };
        // A buffer holds one word at least.
        self.given.iter().map(word).chain(self.given.is_empty().then_some([0.0; 4])).collect()
    }

    /// Distinct calls, in the order of their texts: a clause's first word is the number of its call.
    fn calls(&self) -> Vec<(&str, &str)> {
        let mut calls = Vec::new();
        for value in &self.values {
            if let Value::Clause(Clause { call, root, .. }) = value {
                calls.push((call.as_str(), root.as_str()));
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// A place for every value, slots given anew once their value was used for the last time; and the number of slots.
    fn places(&self) -> (Vec<Place>, usize) {
        let mut last: Vec<usize> = (0..self.values.len()).collect();
        for (i, value) in self.values.iter().enumerate() {
            if let Value::Clause(clause) = value {
                clause.operands.iter().for_each(|k| last[*k] = i);
            }
        }
        if let Some(result) = last.last_mut() {
            *result = usize::MAX;
        }
        // Inputs are in the first slots from the start.
        let mut until: Vec<Option<usize>> = vec![Some(0); self.inputs as usize];
        for (i, value) in self.values.iter().enumerate() {
            if let Value::Input(k) = value {
                until[*k as usize] = Some(last[i]);
            }
        }
        let mut places = Vec::with_capacity(self.values.len());
        for (i, value) in self.values.iter().enumerate() {
            places.push(match value {
                Value::Input(k) => Place::Slot(*k),
                Value::Constant(k) => Place::Constant(*k),
                Value::Clause(_) => {
                    // Free after the clause that reads the slot last: that one writes after it has read.
                    let free = until.iter().position(|until| until.is_none_or(|until| until <= i));
                    let slot = free.unwrap_or_else(|| {
                        until.push(None);
                        until.len() - 1
                    });
                    until[slot] = Some(last[i]);
                    Place::Slot(slot as u32)
                }
            });
        }
        (places, until.len())
    }

    /// What the kernel reads: the number of clauses and the place of the result; then two entries a clause.
    pub(super) fn clauses(&self) -> Vec<[u32; 4]> {
        let (places, slots) = self.places();
        let calls = self.calls();
        let number = |value: usize| match places[value] {
            Place::Slot(slot) => slot,
            Place::Constant(k) => slots as u32 + k,
        };
        let mut entries = vec![[0, number(self.values.len() - 1), 0, 0]];
        for (i, value) in self.values.iter().enumerate() {
            let Value::Clause(clause) = value else { continue };
            let call = calls.iter().position(|(call, _)| *call == clause.call).unwrap_or_default();
            entries.push([call as u32, number(i), clause.number, u32::from(clause.negates)]);
            let operand = |k: usize| clause.operands.get(k).map_or(0, |value| number(*value));
            entries.push([operand(0), operand(1), operand(2), 0]);
            entries[0][0] += 1;
        }
        entries
    }
}

/// Whether the host computes an operation.
fn is_given(plan: &Plan, i: usize, host: u32) -> bool {
    plan.sets()[i] & host != 0 && plan.sets()[i] & !host == 0
}

/// The operations that the result needs when those of the host's variables alone are given.
fn used_on_device(plan: &Plan, host: u32) -> Vec<usize> {
    let mut used = vec![false; plan.ops().len()];
    if let Some(last) = used.last_mut() {
        *last = true;
    }
    for i in (0..used.len()).rev() {
        if used[i] && !is_given(plan, i, host) {
            operands(plan.ops()[i]).into_iter().flatten().for_each(|k| used[k as usize] = true);
        }
    }
    (0..used.len()).filter(|i| used[*i]).collect()
}

#[cfg(test)]
mod tests;
