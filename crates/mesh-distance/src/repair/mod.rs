//! Sanitizing a mesh, step by step in FOSSIL's order, counted and idempotent.

mod orient;
mod weld;

use crate::edges::{Edges, first_of_same_vertices};
use crate::unit::Unit;
use crate::{Error, Mesh};

/// Tolerances of [`Mesh::repair`], relative to the diagonal of the mesh's box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RepairOptions {
    /// A triangle is degenerate when its area is at most this times the squared diagonal.
    pub area: f64,
    /// Vertices up to this times the diagonal apart become one, if there are boundary edges.
    pub weld: f64,
}

impl Default for RepairOptions {
    fn default() -> RepairOptions {
        RepairOptions { area: 1e-14, weld: 1e-6 }
    }
}

impl RepairOptions {
    /// These tolerances.
    ///
    /// # Errors
    /// [`Error::Question`] unless both are numbers from 0 to 1.
    pub fn new(area: f64, weld: f64) -> Result<RepairOptions, Error> {
        for (name, value) in [("area", area), ("weld", weld)] {
            if !(0.0..=1.0).contains(&value) {
                let value = input_text::number(value);
                let problem = format!("{name} tolerance {value}, allowed are numbers from 0 to 1");
                return Err(Error::Question { what: "repair", index: None, problem });
            }
        }
        Ok(RepairOptions { area, weld })
    }
}

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Repaired {
    /// Vertices at exactly the position of another that became one with it.
    pub equal_vertices_merged: usize,
    /// Triangles without area removed, those among them that welding made.
    pub degenerate_triangles_removed: usize,
    /// Vertices that became one with a neighbour.
    pub vertices_welded: usize,
    /// Triangles with the vertices of an earlier one removed, in whatever order they were.
    pub duplicate_triangles_removed: usize,
    /// Triangles turned so that they agree with their component's first one.
    pub triangles_turned: usize,
    /// Closed components turned as a whole, for their negative volume.
    pub components_turned: usize,
    /// Components that cannot be oriented.
    pub unorientable_components: usize,
    /// Vertices without a triangle removed.
    pub unused_vertices_removed: usize,
    /// Edges in one triangle alone that are left.
    pub boundary_edges_left: usize,
}

impl Repaired {
    /// Whether the mesh was left as it was.
    pub fn nothing(&self) -> bool {
        let Repaired { unorientable_components, boundary_edges_left, .. } = *self;
        *self == Repaired { unorientable_components, boundary_edges_left, ..Repaired::default() }
    }
}

impl Mesh {
    /// The mesh without degenerate triangles, gaps of rounding size and duplicates, each component consistently oriented and outward.
    ///
    /// In this order, which is FOSSIL's: triangles of an area up to `area` go; vertices up to `weld` apart become one (all that chain
    /// together, at the place of the first), if there is an edge in one triangle alone; triangles with the same three vertices as an
    /// earlier one go. These steps repeat until none of them changes anything. Then each component (across edges of exactly two triangles)
    /// is oriented from its first triangle on, and turned if it is closed and its signed volume is negative; so the wall of a cavity
    /// becomes outward, too. Vertices without a triangle go last. Repairing twice changes nothing more.
    ///
    /// # Errors
    /// As [`Mesh::check`]. A mesh of which nothing remains is no error here.
    pub fn repair(&self, options: &RepairOptions) -> Result<(Mesh, Repaired), Error> {
        self.check()?;
        let mut mesh = self.clone();
        let mut done = Repaired { equal_vertices_merged: mesh.merge_equal_positions(), ..Repaired::default() };
        // The box of the original: a scale that the steps themselves do not move.
        let bounds = self.bounds();
        let unit = Unit::of(bounds);
        let size = bounds.map_or([0.0; 3], |b| sub(unit.scaled(b.hi), unit.scaled(b.lo)));
        let diagonal = size.iter().map(|x| x.powi(2)).sum::<f64>().sqrt();
        loop {
            let before = (done.degenerate_triangles_removed, done.vertices_welded, done.duplicate_triangles_removed);
            done.degenerate_triangles_removed += drop_degenerate(&mut mesh, unit, options.area * diagonal * diagonal);
            if boundary_edges(&mesh) > 0 {
                done.vertices_welded += weld::weld(&mut mesh, unit, options.weld * diagonal);
            }
            done.degenerate_triangles_removed += drop_degenerate(&mut mesh, unit, options.area * diagonal * diagonal);
            done.duplicate_triangles_removed += drop_duplicates(&mut mesh);
            let after = (done.degenerate_triangles_removed, done.vertices_welded, done.duplicate_triangles_removed);
            if before == after {
                break;
            }
        }
        let edges = Edges::new(&mesh.triangles, mesh.positions.len());
        let turned = orient::orient(&mut mesh, unit, &edges);
        (done.triangles_turned, done.components_turned) = (turned.triangles, turned.components);
        done.unorientable_components = turned.unorientable;
        done.boundary_edges_left = boundary_edges(&mesh);
        done.unused_vertices_removed = drop_unused(&mut mesh);
        Ok((mesh, done))
    }
}

/// Removes triangles with a repeated vertex or of at most this area, in the unit.
fn drop_degenerate(mesh: &mut Mesh, unit: Unit, area: f64) -> usize {
    let before = mesh.triangles.len();
    let positions = &mesh.positions;
    mesh.triangles.retain(|&[a, b, c]| {
        let [p, q, r] = [a, b, c].map(|v| unit.scaled(positions[v as usize]));
        let n = cross(sub(q, p), sub(r, p));
        a != b && b != c && c != a && 0.5 * dot(n, n).sqrt() > area
    });
    before - mesh.triangles.len()
}

/// Removes triangles with the vertices of an earlier one.
fn drop_duplicates(mesh: &mut Mesh) -> usize {
    let edges = Edges::new(&mesh.triangles, mesh.positions.len());
    let first = first_of_same_vertices(&mesh.triangles, &edges);
    let before = mesh.triangles.len();
    let mut index = 0;
    mesh.triangles.retain(|_| {
        index += 1;
        first[index - 1] as usize == index - 1
    });
    before - mesh.triangles.len()
}

fn drop_unused(mesh: &mut Mesh) -> usize {
    let mut place = vec![u32::MAX; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&v| place[v as usize] = 0);
    let mut kept = Vec::new();
    for (v, at) in place.iter_mut().enumerate().filter(|(_, at)| **at == 0) {
        *at = kept.len() as u32;
        kept.push(mesh.positions[v]);
    }
    let removed = mesh.positions.len() - kept.len();
    mesh.positions = kept;
    mesh.triangles.iter_mut().flatten().for_each(|v| *v = place[*v as usize]);
    removed
}

fn boundary_edges(mesh: &Mesh) -> usize {
    let edges = Edges::new(&mesh.triangles, mesh.positions.len());
    (0..edges.len()).filter(|&e| edges.vertices[e][0] != edges.vertices[e][1] && edges.halves(e).len() == 1).count()
}

fn sub(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| u[k] - v[k])
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}
