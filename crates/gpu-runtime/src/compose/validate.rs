//! From the text of a kernel to a valid naga module with one entry point.

use std::error::Error as _;

use naga::valid::{Capabilities, ModuleInfo, ValidationError, ValidationFlags, Validator};
use naga::{Module, ShaderStage, Span, WithSpan};

use super::{Composed, ShaderFault};

/// Optional WGSL features that a kernel may use. None is on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ShaderCapabilities {
    /// The type `f64`.
    pub f64: bool,
    /// The types `i64` and `u64`.
    pub int64: bool,
    /// Subgroup built-ins in compute kernels.
    pub subgroups: bool,
}

impl ShaderCapabilities {
    fn to_naga(self) -> Capabilities {
        let mut capabilities = Capabilities::empty();
        capabilities.set(Capabilities::FLOAT64, self.f64);
        capabilities.set(Capabilities::SHADER_INT64, self.int64);
        capabilities.set(Capabilities::SUBGROUP | Capabilities::SUBGROUP_BARRIER, self.subgroups);
        capabilities
    }
}

/// A valid module whose only entry point is the kernel and which has no overrides.
#[derive(Debug, Clone)]
pub(crate) struct Validated {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
}

/// Parses and validates `composed` and keeps the entry point named like the kernel alone.
///
/// # Errors
/// The first fault that naga finds, an entry point that is missing or no compute kernel, or an override: values that
/// the host chooses are constants ([`super::compose`]), so that a kernel has one text and one translation.
pub(crate) fn parse_and_validate(
    composed: &Composed,
    capabilities: ShaderCapabilities,
) -> Result<Validated, ShaderFault> {
    let mut module = naga::front::wgsl::parse_str(&composed.text).map_err(|error| {
        let message = [error.message()].into_iter().chain(error.notes()).collect::<Vec<_>>().join("; ");
        at(composed, error.labels().next().map(|(span, _)| span), message)
    })?;
    if let Some((handle, of)) = module.overrides.iter().next() {
        let name = of.name.as_deref().unwrap_or_default();
        let span = module.overrides.get_span(handle);
        return Err(at(composed, Some(span), format!("override {name}: kernels take constants instead")));
    }
    keep_entry_point(composed, &mut module)?;
    revalidate(composed, module, capabilities)
}

/// Validates a module made from `composed`, such as the result of a pass.
pub(crate) fn revalidate(
    composed: &Composed,
    module: Module,
    capabilities: ShaderCapabilities,
) -> Result<Validated, ShaderFault> {
    match Validator::new(ValidationFlags::all(), capabilities.to_naga()).validate(&module) {
        Ok(info) => Ok(Validated { module, info }),
        Err(error) => Err(validation_fault(composed, &error)),
    }
}

fn keep_entry_point(composed: &Composed, module: &mut Module) -> Result<(), ShaderFault> {
    let wanted = |entry: &naga::EntryPoint| entry.stage == ShaderStage::Compute && entry.name == composed.kernel;
    if !module.entry_points.iter().any(wanted) {
        let names: Vec<_> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(composed.fault(format!("no @compute entry point of that name; the modules have: {names}")));
    }
    module.entry_points.retain(wanted);
    Ok(())
}

fn validation_fault(composed: &Composed, error: &WithSpan<ValidationError>) -> ShaderFault {
    let mut message = error.as_inner().to_string();
    let mut source = error.as_inner().source();
    while let Some(inner) = source {
        message += &format!(": {inner}");
        source = inner.source();
    }
    // Of an expression, its operands and the function around them, the one that begins last is the closest.
    let begin = |span: &Span| span.to_range().map(|range| range.start);
    at(composed, error.spans().map(|(span, _)| *span).max_by_key(begin), message)
}

fn at(composed: &Composed, span: Option<Span>, message: String) -> ShaderFault {
    match span.and_then(Span::to_range) {
        Some(range) => composed.fault_at(range.start, message),
        None => composed.fault(message),
    }
}
