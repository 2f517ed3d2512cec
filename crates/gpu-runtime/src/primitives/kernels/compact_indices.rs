//! Twin of `compact_indices.wgsl`.

use crate::WgslModule;

pub(crate) const COMPACT_INDICES: WgslModule =
    WgslModule { name: "compact_indices", source: include_str!("compact_indices.wgsl") };

/// Four indices, the flags' first index being `first_index`.
pub(crate) fn given_quad(first_index: u32, quad: u32) -> [u32; 4] {
    // [1] Four indices.
    [0, 1, 2, 3].map(|i| first_index + 4 * quad + i)
}
