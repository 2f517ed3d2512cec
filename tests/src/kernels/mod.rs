//! Every kernel of every crate, for the lint and the snapshots, and the kernels of the sweeps.

pub mod sweep_op;

use gpu_runtime::{Constant, KernelSource, WgslModule};
use gpu_shaders::{ACOS, BIT_READER, FOLDED_GRID, ORDERED_KEY, STRICT_FLOAT};

/// A kernel and the package it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The package's name.
    pub package: &'static str,
    /// What the kernel is made of.
    pub source: KernelSource<'static>,
}

/// WGSL text of the sweep kernel.
pub const SWEEP_OP: WgslModule = WgslModule { name: "sweep_op", source: include_str!("sweep_op.wgsl") };

/// The kernel of the arithmetic sweeps; its constant OP chooses the operation.
pub const SWEEP_KERNEL: KernelSource<'static> = KernelSource {
    name: "sweep_op",
    constants: &[("OP", Constant::U32(0))],
    modules: &[STRICT_FLOAT, ACOS, ORDERED_KEY, BIT_READER, FOLDED_GRID, SWEEP_OP],
    trusted: false,
};

/// All kernels, in a fixed order: package, then the order of the package's own list.
pub fn all() -> Vec<Entry> {
    let packages: [(&'static str, Vec<KernelSource<'static>>); 1] = [("conformance", vec![SWEEP_KERNEL])];
    let entries = packages
        .into_iter()
        .flat_map(|(package, sources)| sources.into_iter().map(move |source| Entry { package, source }));
    entries.collect()
}

/// The names of the snapshots of the kernels: `PACKAGE__KERNEL`, with `@2`, `@3` .. for further sets of constants.
pub fn snapshot_names(entries: &[Entry]) -> Vec<String> {
    let name = |entry: &Entry| format!("{}__{}", entry.package.replace('-', "_"), entry.source.name);
    let mut names: Vec<String> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let earlier = entries[..index].iter().filter(|other| name(other) == name(entry)).count();
        names.push(if earlier == 0 { name(entry) } else { format!("{}@{}", name(entry), earlier + 1) });
    }
    names
}
