//! Twin of `compact_values.wgsl`.

use super::quad;
use crate::WgslModule;

pub(crate) const COMPACT_VALUES: WgslModule =
    WgslModule { name: "compact_values", source: include_str!("compact_values.wgsl") };

/// Four of the values.
pub(crate) fn given_quad(values: &[u32], quad: u32) -> [u32; 4] {
    // [1] Four values.
    quad::masked(values, values.len() as u32, quad, 0)
}
