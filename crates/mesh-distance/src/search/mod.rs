//! Searches: which triangles to ask. They decide no bit, only how fast the minimum is found.

mod blocks;
mod counts;
mod walk;

pub(crate) use blocks::Blocks;
pub use counts::WalkCounts;
pub(crate) use walk::{nearest, nearest_within};

use crate::kernels::real::Real;

/// The best triangle so far: the lexicographic minimum of (squared distance, triangle).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit<R = f32> {
    pub(crate) d2: R,
    pub(crate) facet: u32,
    pub(crate) slot: u32,
}

impl<R: Real> Hit<R> {
    /// Nothing yet; finite, so that bounds computed from it are.
    pub(crate) const NONE: Hit<R> = Hit { d2: R::NOTHING, facet: u32::MAX, slot: u32::MAX };

    /// Takes a triangle that comes before the best so far.
    pub(crate) fn offer(&mut self, d2: R, facet: u32, slot: u32) {
        if d2 < self.d2 || (d2 == self.d2 && facet < self.facet) {
            *self = Hit { d2, facet, slot };
        }
    }
}
