//! SPIR-V in which no driver may contract or reassociate float arithmetic.
//!
//! `NoContraction` (SPIR-V specification, "Decoration") forbids to combine an arithmetic instruction with another one.
//! naga never writes it, so it is added here to the result of every float instruction. Float controls
//! (`SPV_KHR_float_controls`, core since SPIR-V 1.4) are execution modes that fix the rounding and the subnormals of
//! all instructions of one width.

use spirv::{Capability, Decoration, ExecutionMode, Op};

use super::words::{HEADER_WORDS, Instruction, MalformedSpirv, instructions, literal_string, push};

/// Execution modes for the float instructions of one width. A device must advertise each mode that is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FloatModes {
    /// Subnormals are kept (`DenormPreserve`).
    pub denorm_preserve: bool,
    /// Zeros keep their sign, infinities and NaN exist (`SignedZeroInfNanPreserve`).
    pub signed_zero_inf_nan_preserve: bool,
    /// Results are rounded to nearest, ties to even (`RoundingModeRTE`).
    pub rounding_mode_rte: bool,
}

/// Float-controls execution modes by width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FloatControls {
    /// Modes of f32 instructions.
    pub f32: FloatModes,
    /// Modes of f64 instructions; written only for a kernel that uses f64.
    pub f64: FloatModes,
}

/// A decorated module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decorated {
    pub(crate) words: Vec<u32>,
    /// Results that carry `NoContraction`: one for each float instruction.
    pub(crate) decorations: usize,
    /// Execution modes that were added.
    pub(crate) modes: usize,
}

/// Whether an instruction is float arithmetic.
pub(crate) fn is_float_arithmetic(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        FAdd | FSub
            | FMul
            | FDiv
            | FRem
            | FMod
            | FNegate
            | VectorTimesScalar
            | MatrixTimesScalar
            | VectorTimesMatrix
            | MatrixTimesVector
            | MatrixTimesMatrix
            | OuterProduct
            | Dot
    )
}

/// Decorates every float instruction of `words` and adds the modes of `controls` to every entry point.
///
/// # Errors
/// `words` is no well-formed module; the message has the index of the word.
pub(crate) fn decorate(words: &[u32], controls: &FloatControls) -> Result<Decorated, MalformedSpirv> {
    let list = instructions(words)?;
    let layout = Layout::of(words, &list)?;
    let results: Vec<u32> = list
        .iter()
        .filter(|instruction| instruction.op.is_some_and(is_float_arithmetic))
        .map(|instruction| instruction.operand(1))
        .collect::<Result<_, _>>()?;
    let modes = modes(&list, controls);
    let mut out = Vec::with_capacity(words.len() + 3 * results.len() + 64);
    out.extend_from_slice(&words[..HEADER_WORDS]);
    write_capabilities(&mut out, &list, &modes);
    out.extend_from_slice(&words[HEADER_WORDS..layout.capabilities_end]);
    // Version word: 0, major, minor, 0.
    if !modes.is_empty() && words[1] < 0x0001_0400 {
        push(&mut out, Op::Extension, &literal_string("SPV_KHR_float_controls"));
    }
    out.extend_from_slice(&words[layout.capabilities_end..layout.modes_end]);
    for entry_point in &layout.entry_points {
        for (width, mode) in &modes {
            push(&mut out, Op::ExecutionMode, &[*entry_point, *mode as u32, *width]);
        }
    }
    out.extend_from_slice(&words[layout.modes_end..layout.annotations_end]);
    for id in &results {
        push(&mut out, Op::Decorate, &[*id, Decoration::NoContraction as u32]);
    }
    out.extend_from_slice(&words[layout.annotations_end..]);
    Ok(Decorated { words: out, decorations: results.len(), modes: modes.len() * layout.entry_points.len() })
}

/// Where the sections of a module end (specification, "Logical Layout of a Module").
struct Layout {
    capabilities_end: usize,
    modes_end: usize,
    annotations_end: usize,
    entry_points: Vec<u32>,
}

impl Layout {
    fn of(words: &[u32], list: &[Instruction<'_>]) -> Result<Layout, MalformedSpirv> {
        let end_of = |last: Section| {
            let next = list.iter().find(|instruction| section(instruction.op) > last);
            next.map_or(words.len(), |instruction| instruction.at)
        };
        let entry_points = list.iter().filter(|instruction| instruction.op == Some(Op::EntryPoint));
        Ok(Layout {
            capabilities_end: end_of(Section::Capabilities),
            modes_end: end_of(Section::Modes),
            annotations_end: end_of(Section::Annotations),
            entry_points: entry_points.map(|instruction| instruction.operand(1)).collect::<Result<_, _>>()?,
        })
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Capabilities,
    Modes,
    Annotations,
    Rest,
}

fn section(op: Option<Op>) -> Section {
    use Op::*;
    match op {
        Some(Capability) => Section::Capabilities,
        Some(Extension | ExtInstImport | MemoryModel | EntryPoint | ExecutionMode | ExecutionModeId) => Section::Modes,
        Some(
            String | Source | SourceExtension | SourceContinued | Name | MemberName | ModuleProcessed | Decorate
            | MemberDecorate | DecorationGroup | GroupDecorate | GroupMemberDecorate | DecorateId | DecorateString
            | MemberDecorateString,
        ) => Section::Annotations,
        _ => Section::Rest,
    }
}

/// The modes to write, with their widths. A width that the module does not use gets none.
fn modes(list: &[Instruction<'_>], controls: &FloatControls) -> Vec<(u32, ExecutionMode)> {
    let mut modes = Vec::new();
    for (width, of_width) in [(32, controls.f32), (64, controls.f64)] {
        let is_width = |i: &&Instruction<'_>| i.op == Some(Op::TypeFloat) && i.operands.get(1) == Some(&width);
        if list.iter().any(|instruction| is_width(&instruction)) {
            modes.extend(of_width.denorm_preserve.then_some((width, ExecutionMode::DenormPreserve)));
            let signed_zero = (width, ExecutionMode::SignedZeroInfNanPreserve);
            modes.extend(of_width.signed_zero_inf_nan_preserve.then_some(signed_zero));
            modes.extend(of_width.rounding_mode_rte.then_some((width, ExecutionMode::RoundingModeRTE)));
        }
    }
    modes
}

fn write_capabilities(out: &mut Vec<u32>, list: &[Instruction<'_>], modes: &[(u32, ExecutionMode)]) {
    let pairs = [
        (ExecutionMode::DenormPreserve, Capability::DenormPreserve),
        (ExecutionMode::SignedZeroInfNanPreserve, Capability::SignedZeroInfNanPreserve),
        (ExecutionMode::RoundingModeRTE, Capability::RoundingModeRTE),
    ];
    for (mode, capability) in pairs {
        let wanted = modes.iter().any(|(_, of)| *of == mode);
        let present = |i: &Instruction<'_>| i.op == Some(Op::Capability) && i.operands == [capability as u32];
        if wanted && !list.iter().any(present) {
            push(out, Op::Capability, &[capability as u32]);
        }
    }
}
