//! Translations of a kernel without a device: for snapshots, linting and reading.
//!
//! A [`Translation`] holds a kernel in one strict form and writes it as SPIR-V, MSL, HLSL or WGSL. The SPIR-V of the
//! decorated form is word for word what a Vulkan device gets; the texts show what wgpu makes of the guarded form.

mod operations;
mod targets;

use naga::Module;
use naga::valid::ModuleInfo;

pub use crate::compose::ShaderCapabilities;
pub use crate::strict::audit::{FloatFinding, FloatRule};
pub use crate::strict::decorate::{FloatControls, FloatModes};

use crate::compose::{Composed, ShaderFault, Validated, compose, parse_and_validate, revalidate};
use crate::kernel::KernelSource;
use crate::numerics::Form;
use crate::strict;
use crate::strict::decorate::Decorated;

/// What the device offers that a translation is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Target {
    /// Optional WGSL features.
    pub capabilities: ShaderCapabilities,
    /// Execution modes for the decorated form.
    pub float_controls: FloatControls,
}

/// A kernel in one strict form.
#[derive(Debug, Clone)]
pub struct Translation {
    composed: Composed,
    validated: Validated,
    form: Form,
    trusted: bool,
    target: Target,
    findings: Vec<FloatFinding>,
    guards: usize,
}

impl Translation {
    /// Composes and validates the kernel and takes it to `form`.
    ///
    /// # Errors
    /// What naga finds wrong; in a strict form, a float operation that has none (see [`FloatRule::Refused`]) or float
    /// arithmetic in a kernel that lacks the member `zero` in its parameter block.
    pub fn new(source: &KernelSource<'_>, form: Form, target: &Target) -> Result<Translation, ShaderFault> {
        let composed = compose(source.name, source.constants, source.modules)?;
        let mut validated = parse_and_validate(&composed, target.capabilities)?;
        let findings = strict::audit(&composed, &validated.module, &validated.info);
        let mut guards = 0;
        if form == Form::Guarded {
            guards = strict::guard(&composed, &mut validated.module, &validated.info, target.capabilities)?;
            validated = revalidate(&composed, validated.module, target.capabilities)?;
        } else if form == Form::Decorated {
            strict::refuse(&composed, &validated.module, &validated.info)?;
        }
        let (trusted, target) = (source.trusted, *target);
        Ok(Translation { composed, validated, form, trusted, target, findings, guards })
    }

    /// Float operations on lines that lack the mark for them, before the kernel was made strict.
    pub fn findings(&self) -> &[FloatFinding] {
        &self.findings
    }

    /// Guards that were put in: one for each float operation in the guarded form, else 0.
    pub fn guards(&self) -> usize {
        self.guards
    }

    /// `NoContraction` decorations: one for each float instruction in the decorated form, else 0.
    ///
    /// # Errors
    /// As [`Translation::spirv`].
    pub fn decorations(&self) -> Result<usize, ShaderFault> {
        Ok(self.decorated()?.map_or(0, |decorated| decorated.decorations))
    }

    /// The least number of arithmetic operations of one call of a function, by its name in the WGSL text, or of one invocation of the entry point:
    /// operators, built-in functions, conversions and selections, a vector's each component one, of branches the cheaper one.
    ///
    /// `None` for an unknown name and where a loop is on the way.
    pub fn operations(&self, function: &str) -> Option<u64> {
        operations::operations(&self.validated.module, &self.validated.info, function)
    }

    /// SPIR-V 1.3 words.
    ///
    /// # Errors
    /// naga's, where the kernel uses what SPIR-V 1.3 lacks.
    pub fn spirv(&self) -> Result<Vec<u32>, ShaderFault> {
        match self.decorated()? {
            Some(decorated) => Ok(decorated.words),
            None => self.undecorated(),
        }
    }

    /// The SPIR-V as text, an instruction a line.
    ///
    /// # Errors
    /// As [`Translation::spirv`].
    #[cfg(feature = "spirv-listing")]
    pub fn spirv_listing(&self) -> Result<String, ShaderFault> {
        use rspirv::binary::Disassemble;
        let module = rspirv::dr::load_words(self.spirv()?);
        Ok(module.map_err(|error| self.composed.fault(format!("SPIR-V listing: {error}")))?.disassemble())
    }

    /// Metal Shading Language 3.0.
    ///
    /// # Errors
    /// The kernel uses f64, which Metal lacks, or naga's.
    pub fn msl(&self) -> Result<String, ShaderFault> {
        let Validated { module, info } = &self.validated;
        targets::msl(module, info, self.trusted).map_err(|error| self.composed.fault(format!("MSL: {error}")))
    }

    /// HLSL for shader model 6.0.
    ///
    /// # Errors
    /// naga's.
    pub fn hlsl(&self) -> Result<String, ShaderFault> {
        let Validated { module, info } = &self.validated;
        targets::hlsl(module, info, self.trusted).map_err(|error| self.composed.fault(format!("HLSL: {error}")))
    }

    /// WGSL, written back from naga's representation: for other compilers of WGSL.
    ///
    /// # Errors
    /// naga's.
    pub fn wgsl(&self) -> Result<String, ShaderFault> {
        let Validated { module, info } = &self.validated;
        targets::wgsl(module, info).map_err(|error| self.composed.fault(format!("WGSL: {error}")))
    }

    fn undecorated(&self) -> Result<Vec<u32>, ShaderFault> {
        let Validated { module, info } = &self.validated;
        targets::spirv(module, info, self.trusted).map_err(|error| self.composed.fault(format!("SPIR-V: {error}")))
    }

    fn decorated(&self) -> Result<Option<Decorated>, ShaderFault> {
        if self.form != Form::Decorated {
            return Ok(None);
        }
        let decorated = strict::decorate(&self.undecorated()?, &self.target.float_controls);
        decorated.map(Some).map_err(|error| self.composed.fault(error.to_string()))
    }
}

/// The decorated form of a kernel: what a Vulkan device gets.
///
/// # Errors
/// A float operation that no decoration makes exact, or naga's.
pub(crate) fn decorated_words(
    composed: &Composed,
    validated: &Validated,
    trusted: bool,
    float_controls: FloatControls,
) -> Result<Vec<u32>, ShaderFault> {
    let (module, info): (&Module, &ModuleInfo) = (&validated.module, &validated.info);
    strict::refuse(composed, module, info)?;
    let words = targets::spirv(module, info, trusted).map_err(|error| composed.fault(format!("SPIR-V: {error}")))?;
    let decorated = strict::decorate(&words, &float_controls);
    Ok(decorated.map_err(|error| composed.fault(error.to_string()))?.words)
}
