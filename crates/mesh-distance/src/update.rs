//! Meshes whose vertices move: the tree keeps its shape, everything that depends on positions is made anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::kernels::triangle_record::triangle_record;
use crate::pseudo_normals::PseudoNormals;
use crate::{Bounds, Error, Frame, Surface};

/// Counts how often a surface moved; copies know which state they hold.
#[derive(Debug, Default)]
pub(crate) struct Version {
    own: u64,
    current: Arc<AtomicU64>,
    /// A copy that has moved by itself since: nothing outdates it.
    #[cfg(feature = "gpu")]
    detached: bool,
}

impl Version {
    pub(crate) fn first() -> Version {
        Version::default()
    }

    /// Makes all copies outdated.
    pub(crate) fn advance(&mut self) {
        self.own = self.current.fetch_add(1, Ordering::Relaxed) + 1;
    }

    /// The version of a copy made now.
    #[cfg(feature = "gpu")]
    pub(crate) fn copy(&self) -> Version {
        Version { own: self.own, current: self.current.clone(), detached: false }
    }

    /// The copy has moved by itself.
    #[cfg(feature = "gpu")]
    pub(crate) fn detach(&mut self) {
        self.detached = true;
    }

    /// Whether both are of one surface.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_of(&self, surface: &Version) -> bool {
        Arc::ptr_eq(&self.current, &surface.current)
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn check(&self) -> Result<(), Error> {
        let (made, current) = (self.own, self.current.load(Ordering::Relaxed));
        if made == current || self.detached { Ok(()) } else { Err(Error::Outdated { made, current }) }
    }
}

impl<R: Real> Surface<R> {
    /// Moves the vertices: `positions` are those of the mesh it was built of, in the same order, at new places.
    ///
    /// The answers are afterwards those of a surface built of the moved mesh, bit for bit (vertices that were equal at the build stay one,
    /// at the place of the first of them), but for winding numbers by expansions, which depend on the tree. Copies on devices become outdated ([`Error::Outdated`]) until they are updated. The tree
    /// keeps its shape with cylinders round the moved triangles, so the speed suffers when they move far apart. When it fails, nothing has
    /// changed. Cost: linear in the triangles, on the host; no tree is built.
    ///
    /// # Errors
    /// [`Error::Question`] for another number of positions; [`Error::NotFinite`], [`Error::Scale`].
    pub fn update_positions(&mut self, positions: &[[f64; 3]]) -> Result<(), Error> {
        let topology = &self.topology;
        if positions.len() != topology.vertices {
            let problem = format!("{} positions, needed are {}", positions.len(), topology.vertices);
            return Err(Error::Question { what: "moved mesh", index: None, problem });
        }
        for (index, position) in positions.iter().enumerate() {
            crate::mesh::check_finite("vertex", index, position)?;
        }
        let of_class = |class: &u32| positions[topology.kept[*class as usize] as usize];
        let mut used = topology.triangles.iter().flatten().map(of_class);
        let first = used.next().ok_or(Error::EmptyMesh)?;
        let bounds = used.fold(Bounds { lo: first, hi: first }, |b, p| Bounds {
            lo: std::array::from_fn(|k| b.lo[k].min(p[k])),
            hi: std::array::from_fn(|k| b.hi[k].max(p[k])),
        });
        let frame = Frame::new(&bounds)?;
        let working: Vec<Vec3<R>> =
            topology.kept.par_iter().map(|&vertex| frame.vertex(&positions[vertex as usize])).collect();
        let corners: Vec<[Vec3<R>; 3]> = topology
            .order
            .par_iter()
            .map(|&facet| topology.triangles[facet as usize].map(|v| working[v as usize]))
            .collect();
        let records = corners
            .par_iter()
            .zip(&topology.order)
            .map(|([a, b, c], &f)| triangle_record::<R>(*a, *b, *c, f))
            .collect();
        // Nodes are f32, as when the tree was built.
        let single: Vec<[Vec3; 3]> = corners.par_iter().map(|own| own.map(|p| p.map(R::to_f32))).collect();
        let (normals, tree) = rayon::join(
            || PseudoNormals::by_triangle(&working, &topology.triangles).in_order(&topology.order),
            || self.tree().refit(&single),
        );
        self.replace(frame, records, normals, tree);
        Ok(())
    }
}
