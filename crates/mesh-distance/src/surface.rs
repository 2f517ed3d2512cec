//! The structure that answers queries.

use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::kernels::triangle_record::triangle_record;
use crate::kernels::winding_expansion::Moments;
use crate::mesh::equal_positions;
use crate::pseudo_normals::PseudoNormals;
use crate::signs::{Criterion, LazyMoments};
use crate::tree::{NodeBoxes, Tree, boxes};
use crate::update::Version;
use crate::{Error, Frame, Mesh};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Most triangles of a surface: references have 32 bits, and a device addresses their records by bytes.
pub(crate) const MAX_TRIANGLES: usize = 1 << 26;

/// A mesh prepared for queries: frame, triangle records in leaf order, pseudo-normals, tree.
///
/// A pure function of the mesh: the same words on every machine, whatever the number of threads.
#[derive(Debug)]
pub struct Surface<R: Real = f32> {
    frame: Frame,
    records: Vec<R::Record>,
    normals: PseudoNormals<R>,
    tree: Tree,
    boxes: OnceLock<Vec<NodeBoxes>>,
    moments: LazyMoments<R>,
    pub(crate) topology: Topology,
    pub(crate) version: Version,
}

/// What moving the vertices does not change.
#[derive(Debug)]
pub(crate) struct Topology {
    /// Vertices of the mesh.
    pub(crate) vertices: usize,
    /// The first vertex of each class of equal positions.
    pub(crate) kept: Vec<u32>,
    /// Triangles of classes.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The triangle of each slot.
    pub(crate) order: Vec<u32>,
}

impl Surface {
    /// Prepares a mesh. Vertices of exactly equal position count as one, degenerate triangles as segments or points.
    ///
    /// # Errors
    /// [`Error::EmptyMesh`], [`Error::TooLarge`] (2^26 triangles), [`Error::Scale`], and those of [`Mesh::check`].
    pub fn build(mesh: &Mesh) -> Result<Surface, Error> {
        Self::prepare(mesh)
    }
}

impl Surface<f64> {
    /// Prepares a mesh for distances in f64: as [`Surface::build`], with corners, normals and points of f64.
    ///
    /// The tree and its bounds stay f32; they decide no bit.
    ///
    /// # Errors
    /// As [`Surface::build`].
    pub fn build_double(mesh: &Mesh) -> Result<Surface<f64>, Error> {
        Self::prepare(mesh)
    }
}

impl<R: Real> Surface<R> {
    fn prepare(mesh: &Mesh) -> Result<Surface<R>, Error> {
        mesh.check()?;
        if mesh.triangles.len() > MAX_TRIANGLES {
            let needed = mesh.triangles.len() as u64;
            return Err(Error::TooLarge { what: "triangles", needed, allowed: MAX_TRIANGLES as u64 });
        }
        let frame = Frame::new(&mesh.bounds().ok_or(Error::EmptyMesh)?)?;
        // Unused vertices may lie outside of the box and so of the frame's range; nothing reads them.
        let positions: Vec<Vec3<R>> = mesh.positions.par_iter().map(|p| frame.vertex(p)).collect();
        let (map, kept) = equal_positions(&mesh.positions);
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| map[v as usize])).collect();
        let positions: Vec<Vec3<R>> = kept.iter().map(|&v| positions[v as usize]).collect();
        let single: Vec<Vec3> = positions.par_iter().map(|p| p.map(R::to_f32)).collect();
        // Side by side: each has stretches that one thread does alone.
        let (normals, (tree, order)) =
            rayon::join(|| PseudoNormals::by_triangle(&positions, &triangles), || Tree::build(&single, &triangles));
        let record = |&facet: &u32| {
            let [a, b, c] = triangles[facet as usize].map(|v| positions[v as usize]);
            triangle_record::<R>(a, b, c, facet)
        };
        let records = order.par_iter().map(record).collect();
        let topology = Topology { vertices: mesh.positions.len(), kept, triangles, order };
        Ok(Surface {
            frame,
            records,
            normals: normals.in_order(&topology.order),
            tree,
            boxes: OnceLock::new(),
            moments: LazyMoments::default(),
            topology,
            version: Version::first(),
        })
    }

    /// The change to working coordinates.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Triangle records in leaf order; a slot is an index into them.
    pub fn records(&self) -> &[R::Record] {
        &self.records
    }

    /// The tree over the slots.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Pseudo-normals of the slots.
    pub fn normals(&self) -> &PseudoNormals<R> {
        &self.normals
    }
}

impl<R: Real> Surface<R> {
    /// Replaces everything that depends on positions.
    pub(crate) fn replace(&mut self, frame: Frame, records: Vec<R::Record>, normals: PseudoNormals<R>, tree: Tree) {
        (self.frame, self.records, self.normals, self.tree) = (frame, records, normals, tree);
        self.boxes = OnceLock::new();
        self.moments = LazyMoments::default();
        self.version.advance();
    }
}

impl<R: Real> Surface<R> {
    /// Boxes round the children of each node; made when first asked for.
    pub fn boxes(&self) -> &[NodeBoxes] {
        self.boxes.get_or_init(|| boxes::of_nodes::<R>(&self.tree, &self.records))
    }
}

impl<R: Real> Surface<R> {
    /// Moments of the children of each node, eight a node; made when first asked for.
    pub(crate) fn moments(&self, criterion: Criterion) -> &[Moments<R>] {
        self.moments.get(self, criterion)
    }
}
