//! The kernels of the primitives. Each `NAME.wgsl` lies beside its twin `NAME.rs`: the module constant, the parameter
//! block, and the same functions on the CPU, down to a model of a whole dispatch that unit tests run through the plans.
#![cfg_attr(not(test), allow(dead_code, reason = "the models of dispatches run in unit tests"))]

pub(super) mod compact_indices;
pub(super) mod compact_spans;
pub(super) mod compact_values;
pub(super) mod group_reduce_shared;
pub(super) mod group_reduce_subgroup;
pub(super) mod group_scan_shared;
pub(super) mod group_scan_subgroup;
pub(super) mod quad;
pub(super) mod radix_count;
pub(super) mod radix_prefix;
pub(super) mod radix_scatter;
pub(super) mod reduce_spans;
pub(super) mod scan_spans;

use crate::{Constant, Context, Error, Kernel, KernelEntry, SubgroupInfo, WgslModule};

/// Invocations of every workgroup of the primitives: the portable maximum.
pub(super) const GROUP: u32 = 256;

/// How the invocations of a workgroup work together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// Through workgroup memory alone.
    Shared,
    /// Through subgroups of this size, or of a size that the device chooses (0).
    Subgroups(u32),
}

impl Lanes {
    /// The form for a context: subgroups where the context vouches for their lanes and their size is usable.
    pub(super) fn of(context: &Context) -> Self {
        Self::with(context.subgroups(), GROUP)
    }

    fn with(subgroups: Option<SubgroupInfo>, group: u32) -> Self {
        match subgroups {
            Some(s) if s.min_size >= 4 && s.max_size <= group => {
                Lanes::Subgroups(if s.min_size == s.max_size { s.min_size } else { 0 })
            }
            _ => Lanes::Shared,
        }
    }

    fn scan_module(self) -> WgslModule {
        match self {
            Lanes::Shared => group_scan_shared::GROUP_SCAN_SHARED,
            Lanes::Subgroups(_) => group_scan_subgroup::GROUP_SCAN_SUBGROUP,
        }
    }

    fn reduce_module(self) -> WgslModule {
        match self {
            Lanes::Shared => group_reduce_shared::GROUP_REDUCE_SHARED,
            Lanes::Subgroups(_) => group_reduce_subgroup::GROUP_REDUCE_SUBGROUP,
        }
    }
}

/// The scan over the invocations of a workgroup that the primitives use, for kernels of other crates: constants GROUP and, with subgroups,
/// SUBGROUP, and a module with `group_exclusive(value, local) -> GroupScan { exclusive, total }`.
///
/// The kernel declares `alias GroupValue` (u32 or a vector of it) and has workgroups of `group` invocations, a power of two of at least 16. Every invocation
/// calls the function, in uniform control flow; it begins with a barrier. The constant SUBGROUP tells the two forms apart.
pub fn group_scan(subgroups: Option<SubgroupInfo>, group: u32) -> (Vec<(&'static str, Constant)>, WgslModule) {
    let lanes = Lanes::with(subgroups, group);
    let mut constants = vec![("GROUP", Constant::U32(group))];
    if let Lanes::Subgroups(size) = lanes {
        constants.push(("SUBGROUP", Constant::U32(size)));
    }
    (constants, lanes.scan_module())
}

fn entry(lanes: Lanes, op: Option<u32>, modules: &[WgslModule]) -> KernelEntry {
    let mut constants = vec![("GROUP", Constant::U32(GROUP))];
    if let Lanes::Subgroups(size) = lanes {
        constants.push(("SUBGROUP", Constant::U32(size)));
    }
    constants.extend(op.map(|op| ("OP", Constant::U32(op))));
    let name = modules.last().map_or("", |m| m.name);
    // Trusted: every index is held below the lengths that the plans check before they record a dispatch.
    KernelEntry { name, constants, modules: modules.to_vec(), trusted: true }
}

fn scan_entry(lanes: Lanes, extra: &[WgslModule], module: WgslModule) -> KernelEntry {
    entry(lanes, None, &[extra, &[lanes.scan_module(), module]].concat())
}

fn reduce_entry(lanes: Lanes, op: reduce_spans::Op) -> KernelEntry {
    entry(lanes, Some(op as u32), &[lanes.reduce_module(), reduce_spans::REDUCE_SPANS])
}

/// The scatter of the sort: by votes where subgroups have one size from 8 to 64, else by counters of four bits.
fn scatter_entry(lanes: Lanes) -> KernelEntry {
    match lanes {
        Lanes::Subgroups(size @ 8..=64) => {
            let mut entry = scan_entry(lanes, &[], radix_scatter::RADIX_SCATTER_SUBGROUP);
            // Eight subgroups have room for their counts of every digit.
            entry.constants[0] = ("GROUP", Constant::U32(GROUP.min(8 * size)));
            entry
        }
        _ => scan_entry(lanes, &[], radix_scatter::RADIX_SCATTER),
    }
}

/// Every kernel of the primitives: without subgroups, with subgroups of one size, and of a size that may vary.
pub(crate) fn entries() -> Vec<KernelEntry> {
    use reduce_spans::Op;
    let mut entries = vec![entry(Lanes::Shared, None, &[radix_count::RADIX_COUNT])];
    for lanes in [Lanes::Shared, Lanes::Subgroups(32), Lanes::Subgroups(0)] {
        entries.extend([Op::Sum, Op::Min, Op::Max, Op::Count].map(|op| reduce_entry(lanes, op)));
        entries.push(scan_entry(lanes, &[], scan_spans::SCAN_SPANS));
        entries.push(scan_entry(lanes, &[compact_values::COMPACT_VALUES], compact_spans::COMPACT_SPANS));
        entries.push(scan_entry(lanes, &[compact_indices::COMPACT_INDICES], compact_spans::COMPACT_SPANS));
        entries.push(scan_entry(lanes, &[], radix_prefix::RADIX_PREFIX));
        entries.push(scatter_entry(lanes));
    }
    entries.push(scatter_entry(Lanes::Subgroups(64)));
    entries
}

/// The kernel `module`, which scans over workgroups; `extra` comes before it.
pub(super) fn scanning(context: &Context, extra: &[WgslModule], module: WgslModule) -> Result<Kernel, Error> {
    context.kernel(&scan_entry(Lanes::of(context), extra, module).source())
}

/// The kernel `reduce_spans` for one operation.
pub(super) fn reducing(context: &Context, op: reduce_spans::Op) -> Result<Kernel, Error> {
    context.kernel(&reduce_entry(Lanes::of(context), op).source())
}

/// The kernel that scatters, in this context's form.
pub(super) fn scattering(context: &Context) -> Result<Kernel, Error> {
    context.kernel(&scatter_entry(Lanes::of(context)).source())
}

/// The kernel `module`, which needs neither.
pub(super) fn plain(context: &Context, module: WgslModule) -> Result<Kernel, Error> {
    context.kernel(&entry(Lanes::Shared, None, &[module]).source())
}
