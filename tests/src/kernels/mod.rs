//! Every kernel of every crate, for the lint and the snapshots, and the kernels of the sweeps.

pub mod double_op;
pub mod remake_triangle;
pub mod sweep_op;

use gpu_runtime::{Constant, KernelEntry, KernelSource, WgslModule};
use gpu_shaders::{ACOS, ATAN_TAIL, ATAN2, BIT_READER, FOLDED_GRID, ORDERED_KEY, STRICT_FLOAT};

/// A kernel and the package it belongs to.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The package's name.
    pub package: &'static str,
    /// The kernel.
    pub kernel: KernelEntry,
}

/// WGSL text of the sweep kernel.
pub const SWEEP_OP: WgslModule = WgslModule { name: "sweep_op", source: include_str!("sweep_op.wgsl") };

/// The kernel of the arithmetic sweeps; its constant OP chooses the operation.
pub const SWEEP_KERNEL: KernelSource<'static> = KernelSource {
    name: "sweep_op",
    constants: &[("OP", Constant::U32(0))],
    modules: &[STRICT_FLOAT, ACOS, ATAN_TAIL, ATAN2, ORDERED_KEY, BIT_READER, FOLDED_GRID, SWEEP_OP],
    trusted: false,
};

/// The kernels of this package.
fn kernels() -> Vec<KernelEntry> {
    let owned = |source: KernelSource<'static>| {
        let KernelSource { name, constants, modules, trusted } = source;
        KernelEntry { name, constants: constants.to_vec(), modules: modules.to_vec(), trusted }
    };
    let mut all = [SWEEP_KERNEL, double_op::SOURCE].map(owned).to_vec();
    all.extend([remake_triangle::entry::<f32>(), remake_triangle::entry::<f64>()]);
    all
}

/// All kernels, in a fixed order: package, then the order of the package's own list.
pub fn all() -> Vec<Entry> {
    let packages = [
        ("gpu-runtime", gpu_runtime::kernels()),
        ("mesh-decode", mesh_decode::device_kernels()),
        ("mesh-distance", mesh_distance::device_kernels()),
        ("sparse-topology", sparse_topology::device::kernels()),
        ("affine-arith", affine_arith::device_kernels()),
        ("conformance", kernels()),
    ];
    let entries = packages
        .into_iter()
        .flat_map(|(package, kernels)| kernels.into_iter().map(move |kernel| Entry { package, kernel }));
    entries.collect()
}

/// The first kernel of each list of modules: others differ in constants alone.
pub fn distinct(entries: Vec<Entry>) -> Vec<Entry> {
    let mut kept: Vec<Entry> = Vec::new();
    for entry in entries {
        if !kept.iter().any(|other| other.kernel.modules == entry.kernel.modules) {
            kept.push(entry);
        }
    }
    kept
}

/// The names of the snapshots of the kernels: `PACKAGE__KERNEL`, with `@2`, `@3` .. for further lists of modules.
pub fn snapshot_names(entries: &[Entry]) -> Vec<String> {
    let name = |entry: &Entry| format!("{}__{}", entry.package.replace('-', "_"), entry.kernel.name);
    let mut names: Vec<String> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let earlier = entries[..index].iter().filter(|other| name(other) == name(entry)).count();
        names.push(if earlier == 0 { name(entry) } else { format!("{}@{}", name(entry), earlier + 1) });
    }
    names
}
