//! Adversarial arithmetic, for tests: what a compiler may do to floats that are not strict, done on purpose to the SPIR-V of a kernel.
//!
//! [`Liberty::Contract`] and [`Liberty::Reassociate`] keep what decorations say: an operation with `NoContraction` stays as it is. Scalars of 32 bits only.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use crate::strict::words::{HEADER_WORDS, Instruction, MalformedSpirv, instructions, push};

/// A change of float arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liberty {
    /// a b + c rounded once.
    Contract,
    /// (a + b) + c as a + (b + c).
    Reassociate,
    /// Results below 2^-126 in magnitude become 0.
    Flush,
    /// The last bit of some results changes: rounding to a neighbour.
    Neighbour,
}

/// A module with a liberty taken, and how often.
pub(crate) struct Rewritten {
    pub(crate) words: Vec<u32>,
    pub(crate) places: usize,
}

/// Takes a liberty wherever it can be taken.
///
/// # Errors
/// `words` is no well-formed module.
pub(crate) fn rewrite(words: &[u32], liberty: Liberty) -> Result<Rewritten, MalformedSpirv> {
    let list = instructions(words)?;
    let mut writer = Writer::new(words, &list, liberty);
    for instruction in &list {
        writer.take(words, instruction)?;
    }
    Ok(writer.finish())
}

#[derive(Clone, Copy)]
struct Operation {
    op: Op,
    operands: [u32; 2],
}

struct Writer {
    liberty: Liberty,
    next: u32,
    float: u32,
    int: u32,
    boolean: u32,
    /// Constants by type and bits.
    constants: HashMap<(u32, u32), u32>,
    /// Ids that may not be changed.
    strict: HashSet<u32>,
    /// Float operations met so far.
    known: HashMap<u32, Operation>,
    head: Vec<u32>,
    decorations: Vec<u32>,
    globals: Vec<u32>,
    functions: Vec<u32>,
    in_functions: bool,
    places: usize,
}

/// 2^12 + 1: splits a float into halves.
const SPLIT: f32 = 4097.0;

impl Writer {
    fn new(words: &[u32], list: &[Instruction<'_>], liberty: Liberty) -> Self {
        let found = |op: Op, rest: &[u32]| {
            let is = |i: &&Instruction<'_>| i.op == Some(op) && i.operands.get(1..) == Some(rest);
            list.iter().find(is).and_then(|i| i.operands.first().copied()).unwrap_or(0)
        };
        let no_contraction = Decoration::NoContraction as u32;
        let strict = |i: &&Instruction<'_>| i.op == Some(Op::Decorate) && i.operands.get(1) == Some(&no_contraction);
        let mut writer = Self {
            liberty,
            next: words[3],
            float: found(Op::TypeFloat, &[32]),
            int: found(Op::TypeInt, &[32, 0]),
            boolean: found(Op::TypeBool, &[]),
            constants: HashMap::new(),
            strict: list.iter().filter(strict).filter_map(|i| i.operands.first().copied()).collect(),
            known: HashMap::new(),
            head: words[..HEADER_WORDS].to_vec(),
            decorations: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            in_functions: false,
            places: 0,
        };
        if writer.boolean == 0 {
            writer.boolean = writer.id();
            push(&mut writer.globals, Op::TypeBool, &[writer.boolean]);
        }
        writer
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// An instruction, changed where the liberty allows it.
    fn take(&mut self, words: &[u32], instruction: &Instruction<'_>) -> Result<(), MalformedSpirv> {
        let copy = &words[instruction.at..instruction.at + 1 + instruction.operands.len()];
        self.in_functions |= instruction.op == Some(Op::Function);
        if !self.in_functions {
            let target = if is_before_types(instruction.op) { &mut self.head } else { &mut self.globals };
            target.extend_from_slice(copy);
            return Ok(());
        }
        let op = instruction.op.unwrap_or(Op::Nop);
        if !matches!(op, Op::FAdd | Op::FSub | Op::FMul) || instruction.operand(0)? != self.float {
            self.functions.extend_from_slice(copy);
            return Ok(());
        }
        let (id, operands) = (instruction.operand(1)?, [instruction.operand(2)?, instruction.operand(3)?]);
        self.known.insert(id, Operation { op, operands });
        let changed = match self.liberty {
            Liberty::Contract => self.contracted(id, op, operands),
            Liberty::Reassociate => self.reassociated(id, op, operands),
            Liberty::Flush | Liberty::Neighbour => {
                let exact = self.made(op, operands);
                let bits = self.result(Op::Bitcast, self.int, &[exact]);
                let bits = if self.liberty == Liberty::Flush { self.flushed(bits) } else { self.neighbour(bits) };
                push(&mut self.functions, Op::Bitcast, &[self.float, id, bits]);
                true
            }
        };
        self.places += usize::from(changed);
        if !changed {
            self.functions.extend_from_slice(copy);
        }
        Ok(())
    }

    /// a b + c, a b - c, c - a b with one rounding: the product's error is added in.
    fn contracted(&mut self, id: u32, op: Op, [x, y]: [u32; 2]) -> bool {
        let product = |known: &HashMap<u32, Operation>, strict: &HashSet<u32>, id: u32| {
            known.get(&id).filter(|known| known.op == Op::FMul && !strict.contains(&id)).map(|known| known.operands)
        };
        if op == Op::FMul || self.strict.contains(&id) {
            return false;
        }
        let minus = op == Op::FSub;
        let (p, [a, b], c, turned) =
            match (product(&self.known, &self.strict, x), product(&self.known, &self.strict, y)) {
                (Some(factors), _) => (x, factors, if minus { self.negative(y) } else { y }, false),
                (_, Some(factors)) => (y, factors, x, minus),
                _ => return false,
            };
        // c - a b = (-a) b + c.
        let (p, a) = if turned { (self.negative(p), self.negative(a)) } else { (p, a) };
        let (a_high, a_low) = self.halves(a);
        let (b_high, b_low) = self.halves(b);
        let mut rest = self.made(Op::FMul, [a_high, b_high]);
        rest = self.made(Op::FSub, [p, rest]);
        for (x, y) in [(a_low, b_high), (a_high, b_low)] {
            let part = self.made(Op::FMul, [x, y]);
            rest = self.made(Op::FSub, [rest, part]);
        }
        let low = self.made(Op::FMul, [a_low, b_low]);
        let error = self.made(Op::FSub, [low, rest]);
        // The sum, and its own error.
        let sum = self.made(Op::FAdd, [p, c]);
        let second = self.made(Op::FSub, [sum, p]);
        let first = self.made(Op::FSub, [sum, second]);
        let (lost, other) = (self.made(Op::FSub, [p, first]), self.made(Op::FSub, [c, second]));
        let lost = self.made(Op::FAdd, [lost, other]);
        let error = self.made(Op::FAdd, [error, lost]);
        push(&mut self.functions, Op::FAdd, &[self.float, id, sum, error]);
        self.kept(id);
        true
    }

    fn reassociated(&mut self, id: u32, op: Op, [x, c]: [u32; 2]) -> bool {
        let Some(Operation { op: Op::FAdd, operands: [a, b] }) = self.known.get(&x).copied() else { return false };
        if op == Op::FMul || self.strict.contains(&id) || self.strict.contains(&x) {
            return false;
        }
        let later = self.made(op, [b, c]);
        push(&mut self.functions, Op::FAdd, &[self.float, id, a, later]);
        self.kept(id);
        true
    }

    /// 0 below 2^-126.
    fn flushed(&mut self, bits: u32) -> u32 {
        let (magnitude, least) = (self.constant(0x7fff_ffff), self.constant(0x0080_0000));
        let zero = self.constant(0);
        let magnitude = self.result(Op::BitwiseAnd, self.int, &[bits, magnitude]);
        let small = self.result(Op::ULessThan, self.boolean, &[magnitude, least]);
        self.result(Op::Select, self.int, &[small, zero, bits])
    }

    /// The last bit changed where the fourth is 1.
    fn neighbour(&mut self, bits: u32) -> u32 {
        let (three, one) = (self.constant(3), self.constant(1));
        let chosen = self.result(Op::ShiftRightLogical, self.int, &[bits, three]);
        let chosen = self.result(Op::BitwiseAnd, self.int, &[chosen, one]);
        self.result(Op::BitwiseXor, self.int, &[bits, chosen])
    }

    fn halves(&mut self, x: u32) -> (u32, u32) {
        let split = self.float_constant(SPLIT);
        let scaled = self.made(Op::FMul, [x, split]);
        let rest = self.made(Op::FSub, [scaled, x]);
        let high = self.made(Op::FSub, [scaled, rest]);
        (high, self.made(Op::FSub, [x, high]))
    }

    fn negative(&mut self, x: u32) -> u32 {
        self.result(Op::FNegate, self.float, &[x])
    }

    /// An operation that the driver keeps as it is.
    fn made(&mut self, op: Op, operands: [u32; 2]) -> u32 {
        let id = self.result(op, self.float, &operands);
        self.kept(id);
        id
    }

    fn kept(&mut self, id: u32) {
        push(&mut self.decorations, Op::Decorate, &[id, Decoration::NoContraction as u32]);
    }

    fn result(&mut self, op: Op, kind: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.functions, op, &[&[kind, id], operands].concat());
        id
    }

    fn constant(&mut self, bits: u32) -> u32 {
        self.constant_of(self.int, bits)
    }

    fn float_constant(&mut self, x: f32) -> u32 {
        self.constant_of(self.float, x.to_bits())
    }

    fn constant_of(&mut self, kind: u32, bits: u32) -> u32 {
        if let Some(id) = self.constants.get(&(kind, bits)) {
            return *id;
        }
        let id = self.id();
        push(&mut self.globals, Op::Constant, &[kind, id, bits]);
        self.constants.insert((kind, bits), id);
        id
    }

    fn finish(mut self) -> Rewritten {
        self.head[3] = self.next;
        let words = [self.head, self.decorations, self.globals, self.functions].concat();
        Rewritten { words, places: self.places }
    }
}

/// Whether an instruction stands before types, constants and variables.
fn is_before_types(op: Option<Op>) -> bool {
    use Op::*;
    matches!(
        op,
        Some(
            Capability
                | Extension
                | ExtInstImport
                | MemoryModel
                | EntryPoint
                | ExecutionMode
                | ExecutionModeId
                | String
                | Source
                | SourceExtension
                | SourceContinued
                | Name
                | MemberName
                | ModuleProcessed
                | Decorate
                | MemberDecorate
                | DecorationGroup
                | GroupDecorate
                | GroupMemberDecorate
                | DecorateId
                | DecorateString
                | MemberDecorateString
        )
    )
}
