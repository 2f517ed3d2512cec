//! What the builder sorts: a triangle's box and index.

use rayon::prelude::*;

/// Four lanes, the last unused: loops over them become single instructions.
pub(super) type Lanes = [f32; 4];

/// The box of a triangle; the bits of `lo[3]` are its index.
#[derive(Clone, Copy)]
pub(super) struct Primitive {
    pub(super) lo: Lanes,
    pub(super) hi: Lanes,
}

impl Primitive {
    /// Index of the triangle.
    pub(super) fn id(&self) -> u32 {
        self.lo[3].to_bits()
    }

    /// Twice the centre of the box.
    #[inline(always)]
    pub(super) fn centre(&self) -> Lanes {
        std::array::from_fn(|k| self.lo[k] + self.hi[k])
    }
}

/// A box that grows.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) lo: Lanes,
    pub(super) hi: Lanes,
}

impl Extent {
    pub(super) const EMPTY: Extent = Extent { lo: [f32::INFINITY; 4], hi: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    pub(super) fn grow(&mut self, lo: &Lanes, hi: &Lanes) {
        for k in 0..4 {
            self.lo[k] = if lo[k] < self.lo[k] { lo[k] } else { self.lo[k] };
            self.hi[k] = if hi[k] > self.hi[k] { hi[k] } else { self.hi[k] };
        }
    }

    /// Half the surface area; 0 for an empty box.
    #[inline(always)]
    pub(super) fn half_area(&self) -> f32 {
        let d: [f32; 3] = std::array::from_fn(|k| (self.hi[k] - self.lo[k]).max(0.0));
        d[0] * d[1] + d[1] * d[2] + d[2] * d[0]
    }
}

/// The primitives of all triangles, in their order.
pub(super) fn primitives(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Primitive> {
    let of = |(id, corners): (usize, &[u32; 3])| {
        let mut extent = Extent::EMPTY;
        for &v in corners {
            let [x, y, z] = positions[v as usize];
            let p = [x, y, z, 0.0];
            extent.grow(&p, &p);
        }
        extent.lo[3] = f32::from_bits(id as u32);
        Primitive { lo: extent.lo, hi: extent.hi }
    };
    triangles.par_iter().enumerate().map(of).collect()
}
