//! The kernels of a subdivision.

use gpu_runtime::{Context, Kernel, KernelEntry, SubgroupInfo, WgslModule, primitives::group_scan};

use crate::Error;

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!($file, ".wgsl")) };
    };
}
schedule!(OCTREE_CELLS, "octree_cells");
schedule!(OCTREE_SUMS_SUBGROUP, "octree_sums_subgroup");
schedule!(OCTREE_SUMS_SHARED, "octree_sums_shared");
schedule!(OCTREE_HEAD, "octree_head");
schedule!(OCTREE_SCAN, "octree_scan");
schedule!(OCTREE_EXPAND, "octree_expand");
schedule!(OCTREE_LEAVES, "octree_leaves");

/// Invocations of the workgroups that expand cells: 128 beat 64 and 256 in a prototype.
const EXPAND: u32 = 128;
/// Invocations of the only workgroup of the first levels.
const HEAD: u32 = 256;

/// The kernels of one expression.
#[derive(Debug, Clone)]
pub(super) struct Kernels {
    pub(super) head: Kernel,
    pub(super) scan: Kernel,
    pub(super) expand: Kernel,
    /// Of the last level.
    pub(super) leaves: Kernel,
}

fn entry(
    name: &'static str,
    group: u32,
    subgroups: Option<SubgroupInfo>,
    modules: impl FnOnce(WgslModule, WgslModule) -> Vec<WgslModule>,
) -> KernelEntry {
    let (constants, scan) = group_scan(subgroups, group);
    let lanes = constants.iter().any(|(name, _)| *name == "SUBGROUP");
    let sums = if lanes { OCTREE_SUMS_SUBGROUP } else { OCTREE_SUMS_SHARED };
    KernelEntry { name, constants, modules: modules(scan, sums), trusted: true }
}

fn head_entry(test: &[WgslModule], subgroups: Option<SubgroupInfo>) -> KernelEntry {
    entry("octree_head", HEAD, subgroups, |scan, sums| [&[OCTREE_CELLS, scan, sums], test, &[OCTREE_HEAD]].concat())
}

fn expand_entry(test: &[WgslModule], subgroups: Option<SubgroupInfo>) -> KernelEntry {
    entry("octree_expand", EXPAND, subgroups, |scan, sums| {
        [&[OCTREE_CELLS, scan, sums], test, &[OCTREE_EXPAND]].concat()
    })
}

fn scan_entry(group: u32, subgroups: Option<SubgroupInfo>) -> KernelEntry {
    entry("octree_scan", group, subgroups, |scan, _| vec![scan, OCTREE_SCAN])
}

impl Kernels {
    /// Compiles the kernels of a test that is written, side by side.
    pub(super) fn new(context: &Context, modules: &[WgslModule]) -> Result<Self, Error> {
        let subgroups = context.subgroups();
        let widest = context.adapter().limits.max_workgroup_invocations.clamp(HEAD, 1024);
        let wide = 1 << widest.ilog2();
        let entries = [
            head_entry(modules, subgroups),
            expand_entry(modules, subgroups),
            expand_entry(&[OCTREE_LEAVES], subgroups),
            scan_entry(wide, subgroups),
        ];
        let [head, expand, leaves, scan] = compiled(context, entries)?;
        Ok(Self { head, scan, expand, leaves })
    }
}

/// Compiles kernels side by side.
pub(super) fn compiled<const K: usize>(context: &Context, entries: [KernelEntry; K]) -> Result<[Kernel; K], Error> {
    let made = std::thread::scope(|scope| {
        let threads = entries.each_ref().map(|entry| scope.spawn(|| context.kernel(&entry.source())));
        threads.map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let mut kernels = Vec::with_capacity(K);
    for kernel in made {
        kernels.push(kernel?);
    }
    // As many as there were entries.
    kernels.try_into().map_err(|_| Error::Count { what: "kernels", got: 0, needed: K })
}

/// The kernels of a test without subgroups.
pub(super) fn portable_entries(modules: &[WgslModule]) -> [KernelEntry; 3] {
    [head_entry(modules, None), expand_entry(modules, None), scan_entry(256, None)]
}

/// The kernels of this crate, for linting and snapshots: those of sample expressions stand for what is written at run time.
pub fn kernels() -> Vec<KernelEntry> {
    let lanes = Some(SubgroupInfo { min_size: 32, max_size: 32 });
    let samples = super::samples();
    let mut entries = Vec::new();
    for (i, test) in samples.into_iter().enumerate() {
        entries.push(head_entry(&test, if i == 0 { None } else { lanes }));
        entries.push(expand_entry(&test, if i == 0 { None } else { lanes }));
    }
    entries.extend([expand_entry(&[OCTREE_LEAVES], None), expand_entry(&[OCTREE_LEAVES], lanes)]);
    entries.extend([scan_entry(1024, lanes), scan_entry(256, None), super::coordinates::entry()]);
    entries.extend(super::box_samples());
    entries
}
