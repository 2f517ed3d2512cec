//! Integer primitives: exclusive scan, reduction, compaction in order, stable radix sort.
//!
//! Each has three faces with one meaning: a reference on slices (`x_cpu`), a call on slices that runs on a device, and
//! a plan ([`Scan`], [`Reduce`], [`Compact`], [`RadixSort`]) that owns kernels and scratch buffers and records its
//! dispatches into a caller's [`crate::Recording`], so that results stay on the device for the next kernel. A plan
//! allocates when it is made and never again.
//!
//! All are integers only, so every device gives the CPU's words. None waits for another workgroup inside a dispatch
//! (no look-back: forward progress between workgroups is not portable): an array is cut into spans, one a workgroup;
//! a first dispatch reduces each span, a second one adds up what lies before its span and walks it. So a scan is two
//! dispatches at any length, and no dispatch has more than 32,768 workgroups. Arrays above the binding limit run piece
//! by piece with a carry on the device.

mod compact;
mod kernels;
mod plan;
mod radix_sort;
mod reduce;
mod scan;

pub use compact::{Compact, compact, compact_cpu, compact_indices, compact_indices_cpu};
pub(crate) use kernels::entries as kernel_entries;
pub use kernels::group_scan;
pub use radix_sort::{Pairs, RadixSort, radix_sort, radix_sort_cpu};
pub use reduce::{Reduce, ReduceOp, reduce, reduce_cpu};
pub use scan::{Scan, exclusive_scan, exclusive_scan_cpu};
