//! Lists of kernels, for tools that look at every one of them without a device: linting, snapshots of translations.

use gpu_shaders::WgslModule;

use crate::{Constant, KernelSource, primitives, self_test};

/// A kernel in a list: what [`KernelSource`] borrows, owned.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelEntry {
    /// Entry point.
    pub name: &'static str,
    /// Constants in front of the modules; a kernel stands in a list once for each set that gives another program.
    pub constants: Vec<(&'static str, Constant)>,
    /// The modules, in order.
    pub modules: Vec<WgslModule>,
    /// As [`KernelSource::trusted`].
    pub trusted: bool,
}

impl KernelEntry {
    /// What [`crate::Context::kernel`] and [`crate::translate::Translation::new`] take.
    pub fn source(&self) -> KernelSource<'_> {
        KernelSource { name: self.name, constants: &self.constants, modules: &self.modules, trusted: self.trusted }
    }
}

/// Every kernel of this crate: the self-test's and the primitives', with and without subgroups.
pub fn kernels() -> Vec<KernelEntry> {
    [self_test::kernels(), primitives::kernel_entries()].concat()
}

#[cfg(test)]
mod tests {
    use super::kernels;
    use crate::Form;
    use crate::translate::{ShaderCapabilities, Target, Translation};

    #[test]
    fn every_kernel_translates_in_each_form() {
        let target = Target {
            capabilities: ShaderCapabilities { subgroups: true, f64: true, int64: true },
            ..Target::default()
        };
        for entry in kernels() {
            for form in [Form::Decorated, Form::Guarded, Form::Off] {
                Translation::new(&entry.source(), form, &target).unwrap_or_else(|fault| panic!("{form}: {fault}"));
            }
        }
    }
}
