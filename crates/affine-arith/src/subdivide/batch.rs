//! The test of cells, run on the CPU for many parents at once.

use std::collections::HashMap;

use super::columns::Columns;
use super::deferred::Test;
use super::graph::{FormIds, Function, Id, Node, snap};
use crate::affine::Affine;
use crate::real::Real;

/// Parents that are worked on together; no result depends on it.
pub(super) const LANES: usize = 64;

type Lane = [f32; LANES];

/// Where the parts of a form are.
type Form = [usize; 5];

/// One operation on all lanes.
#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(f32),
    /// A slot of an axis, for the child with this bit.
    Load {
        axis: usize,
        slot: usize,
        bit: usize,
    },
    Neg(usize),
    Abs(usize),
    Add(usize, usize),
    Mul(usize, usize),
    Snap(usize),
    Within {
        total: usize,
        value: usize,
        beyond: f32,
    },
    /// Writes its five parts here and after.
    Call {
        function: Function,
        x: Form,
        y: Option<Form>,
    },
    /// Written by a call before.
    Written,
}

/// The test of the children of a cell as a list of steps; step i writes register i.
#[derive(Debug)]
pub(super) struct Batch<const D: usize> {
    steps: Vec<Step>,
    /// Centre and limit of every child.
    tests: Vec<(usize, usize)>,
    /// Values of every axis by index: slot after slot.
    slots: Vec<Vec<f32>>,
    widths: Vec<usize>,
}

/// The nodes of one axis that are used by nodes of several, or are asked for: by axis.
pub(crate) fn slots(test: &Test, axes: usize) -> Vec<Vec<Id>> {
    let graph = &test.graph;
    let mut slots = vec![Vec::new(); axes];
    let mut known = vec![false; graph.nodes.len()];
    let mut keep = |id: Id| {
        let id = graph.bare(id);
        let set = graph.set(id);
        if set.count_ones() == 1 && !std::mem::replace(&mut known[id as usize], true) {
            slots[set.trailing_zeros() as usize].push(id);
        }
    };
    for id in graph.needed(&[test.centre, test.limit]) {
        if graph.set(id).count_ones() > 1 {
            super::graph::operands(&graph.nodes[id as usize]).into_iter().for_each(&mut keep);
        }
    }
    [test.centre, test.limit].into_iter().for_each(&mut keep);
    slots
}

/// The values of the slots of an axis: for every index all slots.
pub(crate) fn slot_values(test: &Test, slots: &[Id], axis: usize, columns: &Columns, indices: usize) -> Vec<f32> {
    let needed = test.graph.needed(slots);
    let mut values = vec![0.0; test.graph.nodes.len()];
    let mut out = Vec::with_capacity(indices * slots.len());
    for index in 0..indices {
        for id in &needed {
            let at = |id: Id| values[id as usize];
            values[*id as usize] = match test.graph.nodes[*id as usize] {
                Node::Constant(bits) => f32::from_bits(bits),
                Node::Column { op, part, .. } => columns.part(axis, op as usize, part, index),
                Node::Neg(x) => -at(x),
                Node::Abs(x) => at(x).abs(),
                Node::Add(x, y) => at(x) + at(y),
                Node::Mul(x, y) => at(x) * at(y),
                Node::Snap(x) => snap(at(x)),
                Node::Within { total, value, beyond } => within(at(total), at(value), f32::from_bits(beyond)),
                // Functions of one axis are columns.
                Node::Call { .. } | Node::Part { .. } => 0.0,
            };
        }
        out.extend(slots.iter().map(|id| values[*id as usize]));
    }
    out
}

fn within(total: f32, value: f32, beyond: f32) -> f32 {
    if total <= f32::LIMIT { value } else { beyond }
}

impl<const D: usize> Batch<D> {
    /// For the cells whose children the columns describe.
    pub(super) fn new(test: &Test, columns: &Columns, indices: usize) -> Self {
        let slots = slots(test, D);
        let values = slots.iter().enumerate().map(|(k, slots)| slot_values(test, slots, k, columns, indices));
        let mut batch = Self {
            steps: Vec::new(),
            tests: Vec::new(),
            slots: values.collect(),
            widths: slots.iter().map(Vec::len).collect(),
        };
        let mut places = HashMap::new();
        let slots: Vec<HashMap<Id, usize>> =
            slots.iter().map(|slots| slots.iter().enumerate().map(|(slot, id)| (*id, slot)).collect()).collect();
        for id in test.graph.needed(&[test.centre, test.limit]) {
            let set = usize::from(test.graph.set(id));
            for q in (0..1 << D).filter(|q| q & !set == 0) {
                if let Some(step) = batch.step(test, id, q, &slots, &places) {
                    places.insert((id, q), batch.steps.len());
                    batch.steps.push(step);
                    if matches!(step, Step::Call { .. }) {
                        batch.steps.extend([Step::Written; 4]);
                    }
                }
            }
        }
        let at = |id: Id, q: usize| places[&(id, q & usize::from(test.graph.set(id)))];
        batch.tests = (0..1 << D).map(|q| (at(test.centre, q), at(test.limit, q))).collect();
        batch
    }

    /// The step of a node for child q; None where only slots need it.
    fn step(
        &self,
        test: &Test,
        id: Id,
        q: usize,
        slots: &[HashMap<Id, usize>],
        places: &HashMap<(Id, usize), usize>,
    ) -> Option<Step> {
        let graph = &test.graph;
        if graph.set(id).count_ones() == 1 {
            let axis = graph.set(id).trailing_zeros() as usize;
            if let Some(slot) = slots[axis].get(&id) {
                return Some(Step::Load { axis, slot: *slot, bit: q >> axis & 1 });
            }
        }
        let at = |id: Id| places.get(&(id, q & usize::from(graph.set(id)))).copied();
        let form = |ids: FormIds| -> Option<Form> {
            let mut form = [0; 5];
            for (place, id) in form.iter_mut().zip(ids) {
                *place = at(id)?;
            }
            Some(form)
        };
        Some(match graph.nodes[id as usize] {
            Node::Constant(bits) => Step::Constant(f32::from_bits(bits)),
            Node::Column { .. } => return None,
            Node::Neg(x) => Step::Neg(at(x)?),
            Node::Abs(x) => Step::Abs(at(x)?),
            Node::Add(x, y) => Step::Add(at(x)?, at(y)?),
            Node::Mul(x, y) => Step::Mul(at(x)?, at(y)?),
            Node::Snap(x) => Step::Snap(at(x)?),
            Node::Within { total, value, beyond } => {
                Step::Within { total: at(total)?, value: at(value)?, beyond: f32::from_bits(beyond) }
            }
            Node::Call { function, x, y } => Step::Call {
                function,
                x: form(x)?,
                y: match y {
                    Some(y) => Some(form(y)?),
                    None => None,
                },
            },
            Node::Part { call, part } => {
                let call = at(call)?;
                // The parts are registers that the call writes: a sum with nothing.
                Step::Snap(call + usize::from(part))
            }
        })
    }

    /// Registers for [`Self::masks`].
    pub(super) fn registers(&self) -> Vec<Lane> {
        vec![[0.0; LANES]; self.steps.len()]
    }

    /// Bit q of a mask: whether the function may vanish in child q of the cell. At most [`LANES`] cells.
    pub(super) fn masks(&self, cells: &[[u16; D]], masks: &mut [u8], registers: &mut [Lane]) {
        for (i, step) in self.steps.iter().enumerate() {
            let (before, after) = registers.split_at_mut(i);
            let Some(out) = after.first_mut() else { return };
            match *step {
                Step::Constant(c) => *out = [c; LANES],
                Step::Load { axis, slot, bit } => self.load(out, cells, axis, slot, bit),
                Step::Neg(x) => each(out, |lane| -before[x][lane]),
                Step::Abs(x) => each(out, |lane| before[x][lane].abs()),
                Step::Add(x, y) => each(out, |lane| before[x][lane] + before[y][lane]),
                Step::Mul(x, y) => each(out, |lane| before[x][lane] * before[y][lane]),
                Step::Snap(x) => each(out, |lane| snap(before[x][lane])),
                Step::Within { total, value, beyond } => {
                    each(out, |lane| within(before[total][lane], before[value][lane], beyond));
                }
                Step::Call { function, x, y } => {
                    for lane in 0..cells.len() {
                        let parts = called::<D>(function, read(before, x, lane), y.map(|y| read(before, y, lane)));
                        for (part, value) in after.iter_mut().zip(parts) {
                            part[lane] = value;
                        }
                    }
                }
                Step::Written => {}
            }
        }
        for (lane, mask) in masks.iter_mut().enumerate() {
            let vanishes = |(centre, limit): (usize, usize)| {
                // Written so that a bound that is no number would keep the cell.
                let (centre, limit) = (registers[centre][lane].abs(), registers[limit][lane]);
                centre.partial_cmp(&limit) != Some(std::cmp::Ordering::Greater)
            };
            *mask = self.tests.iter().enumerate().fold(0, |mask, (q, test)| mask | u8::from(vanishes(*test)) << q);
        }
    }

    fn load(&self, out: &mut Lane, cells: &[[u16; D]], axis: usize, slot: usize, bit: usize) {
        let (width, slots) = (self.widths[axis], &self.slots[axis]);
        // Level 0 has one index: there child 0 alone is looked at.
        let last = slots.len() / width - 1;
        for (value, cell) in out.iter_mut().zip(cells) {
            let index = (2 * usize::from(cell[axis]) + bit).min(last);
            *value = slots[index * width + slot];
        }
    }
}

fn each(out: &mut Lane, value: impl Fn(usize) -> f32) {
    for (lane, out) in out.iter_mut().enumerate() {
        *out = value(lane);
    }
}

fn read(registers: &[Lane], form: Form, lane: usize) -> [f32; 5] {
    form.map(|place| registers[place][lane])
}

/// A function of forms given by their parts: centre, three coefficients, error.
pub(crate) fn called<const D: usize>(function: Function, x: [f32; 5], y: Option<[f32; 5]>) -> [f32; 5] {
    let form = |parts: [f32; 5]| {
        let x = std::array::from_fn(|k| parts[1 + k]);
        Affine::<f32, D> { b: parts[0], x, err: parts[4] }.checked()
    };
    let result = match (function, y) {
        (Function::Binary(function), Some(y)) => form(x).apply2(function, &form(y)),
        (Function::Unary(function), _) => form(x).apply(function),
        (Function::Binary(_), None) => Affine::ENTIRE,
    };
    let (b, x, err) = result.parts();
    let coefficient = |k: usize| x.get(k).copied().unwrap_or(0.0);
    [b, coefficient(0), coefficient(1), coefficient(2), err]
}
