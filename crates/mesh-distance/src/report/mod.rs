//! What is wrong with a mesh, and what that means for each sign.

mod bodies;
mod sharp;
mod trust;

use self::bodies::Body;
use crate::edges::{Edges, first_of_same_vertices};
use crate::kernels::triangle_record::FLAT;
use crate::mesh::equal_positions;
use crate::unit::Unit;
use crate::{Bounds, Mesh, Sign};

/// Number of components that a report lists.
const LISTED: usize = 64;

/// A part of a mesh that hangs together across edges of exactly two triangles.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Component {
    /// First triangle of the component.
    pub first_triangle: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Signed volume, sum of the tetrahedra from the centre of the mesh's box; a volume in the usual sense when `closed`.
    pub volume: f64,
    /// No edge of it lies in an odd number of triangles.
    pub closed: bool,
    /// Closed and of negative volume: its outside would count as its inside.
    pub inward: bool,
}

/// A measure of a mesh that 64-bit floats do not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OutOfRange {
    /// `area` or `volume`.
    pub what: &'static str,
    /// Its decimal value, two digits and a power of ten.
    pub value: String,
}

/// Defects of a mesh, after vertices of exactly equal position count as one.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MeshReport {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of different positions that triangles use.
    pub vertices: usize,
    /// Box round these positions, if there is a triangle.
    pub bounds: Option<Bounds>,
    /// Sum of the triangles' areas. Infinite or 0 where `out_of_range` has its value.
    pub area: f64,
    /// Sum of the components' signed volumes. Infinite or 0 where `out_of_range` has its value.
    pub volume: f64,
    /// Area and volume where they are too large or too small for 64-bit floats; usually none.
    pub out_of_range: Vec<OutOfRange>,
    /// Edges in one triangle alone.
    pub boundary_edges: usize,
    /// Edges in more than two triangles.
    pub multiple_edges: usize,
    /// Edges that their triangles do not use equally often in both directions (boundary edges and a single odd use aside).
    pub inconsistent_edges: usize,
    /// Triangles whose area, computed in f64 from coordinates brought to a usual size, is 0: segments or points. They count in distances.
    pub zero_area_triangles: usize,
    /// Triangles whose sine of the angle at the first corner is at most 2^-23, those of area 0 among them: they have no usable normal.
    pub flat_triangles: usize,
    /// Triangles with the same vertices as an earlier one, in any order.
    pub duplicate_triangles: usize,
    /// Number of components, connected across edges of exactly two triangles.
    pub component_count: usize,
    /// Closed components of negative volume.
    pub inward_components: usize,
    /// Inward components that are the surface of a hollow: other closed components wind round them. Not more than 64 triangles for each of the mesh are
    /// asked to find them; inward components that are left then are taken for none.
    pub cavities: usize,
    /// Closed components whose box overlaps that of another one: they may cross, or lie in one another.
    pub overlapping_components: usize,
    /// Edges at which two triangles fold back on each other, so nearly that rounding to f32 can change the side that their normals tell.
    pub folded_edges: usize,
    /// The components, largest first, at most 64 of them.
    pub components: Vec<Component>,
    /// No boundary edge.
    pub closed: bool,
    /// No edge in more than two triangles.
    pub manifold: bool,
    /// No inconsistent edge.
    pub oriented: bool,
}

/// Whether a sign can be relied on for a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Trust {
    /// The sign is right everywhere, but for rounding at the surface itself, if no component crosses itself: that is not looked for.
    pub reliable: bool,
    /// Why, in a sentence.
    pub reason: String,
}

impl Mesh {
    /// Reports the defects of the mesh. Cost O(triangles), and for hollows what [`MeshReport::cavities`] says; memory about 64 bytes a triangle; the mesh must
    /// pass [`Mesh::check`].
    pub fn report(&self) -> MeshReport {
        let (map, kept) = equal_positions(&self.positions);
        let triangles: Vec<[u32; 3]> = self.triangles.iter().map(|t| t.map(|v| map[v as usize])).collect();
        let edges = Edges::new(&triangles, kept.len());
        let first = first_of_same_vertices(&triangles, &edges);
        let mut used = vec![false; kept.len()];
        triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut report = MeshReport {
            triangles: triangles.len(),
            vertices: used.iter().filter(|&&u| u).count(),
            bounds: self.bounds(),
            area: 0.0,
            volume: 0.0,
            out_of_range: Vec::new(),
            boundary_edges: 0,
            multiple_edges: 0,
            inconsistent_edges: 0,
            zero_area_triangles: 0,
            flat_triangles: 0,
            duplicate_triangles: first.iter().enumerate().filter(|&(t, &f)| t != f as usize).count(),
            component_count: 0,
            inward_components: 0,
            cavities: 0,
            overlapping_components: 0,
            folded_edges: sharp::folded_edges(self, &triangles, &edges),
            components: Vec::new(),
            closed: false,
            manifold: false,
            oriented: false,
        };
        report.count_edges(&triangles, &edges);
        report.measure(self, &components(triangles.len(), &edges), &open_triangles(triangles.len(), &edges));
        report
    }
}

impl MeshReport {
    /// What the defects mean for a sign.
    pub fn trust(&self, sign: Sign) -> Trust {
        if sign != Sign::None && self.zero_area_triangles == self.triangles {
            return Trust { reliable: false, reason: "no triangle has an area: there is no inside".into() };
        }
        match sign {
            Sign::None => Trust { reliable: true, reason: "distances have no sign".into() },
            Sign::PseudoNormal => self.trust_pseudo_normal(),
            Sign::Winding | Sign::SolidAngle => self.trust_winding(),
            Sign::Rays => self.trust_rays(),
        }
    }

    fn count_edges(&mut self, triangles: &[[u32; 3]], edges: &Edges) {
        for edge in 0..edges.len() {
            let [small, large] = edges.vertices[edge];
            if small == large {
                continue;
            }
            let halves = edges.halves(edge);
            let forward =
                halves.iter().filter(|&&half| triangles[half as usize / 3][half as usize % 3] == small).count();
            let backward = halves.len() - forward;
            self.boundary_edges += usize::from(halves.len() == 1);
            self.multiple_edges += usize::from(halves.len() > 2);
            self.inconsistent_edges += usize::from(forward.abs_diff(backward) > 1);
        }
        self.closed = self.boundary_edges == 0;
        self.manifold = self.multiple_edges == 0;
        self.oriented = self.inconsistent_edges == 0;
    }

    fn measure(&mut self, mesh: &Mesh, component_of: &[u32], open: &[bool]) {
        let centre = self.bounds.map_or([0.0; 3], |b| std::array::from_fn(|k| b.lo[k] * 0.5 + b.hi[k] * 0.5));
        let unit = Unit::of(self.bounds);
        let mut area = 0.0;
        let mut all: Vec<Component> = Vec::new();
        let mut slot = vec![u32::MAX; component_of.len()];
        for (t, &root) in component_of.iter().enumerate() {
            let [a, b, c] = mesh.corners(t).map(|p| unit.scaled(sub(p, centre)));
            let (u, w) = (sub(b, a), sub(c, a));
            let n = cross(u, w);
            self.zero_area_triangles += usize::from(n == [0.0; 3]);
            // The sine up to which a triangle record has no interior, squared.
            self.flat_triangles += usize::from(dot(n, n) <= dot(u, u) * dot(w, w) * f64::from(FLAT));
            area += length(n) * 0.5;
            let at = &mut slot[root as usize];
            if *at == u32::MAX {
                *at = all.len() as u32;
                all.push(Component { first_triangle: t, triangles: 0, volume: 0.0, closed: true, inward: false });
            }
            let component = &mut all[*at as usize];
            component.triangles += 1;
            component.volume += dot(a, cross(b, c)) / 6.0;
            component.closed &= !open[t];
        }
        for component in &mut all {
            component.inward = component.closed && component.volume < 0.0;
        }
        let volume: f64 = all.iter().map(|c| c.volume).sum();
        (self.area, self.volume) = (unit.back(area, 2), unit.back(volume, 3));
        let measures = [("area", unit.beyond(area, 2)), ("volume", unit.beyond(volume, 3))];
        self.out_of_range =
            measures.into_iter().filter_map(|(what, value)| Some(OutOfRange { what, value: value? })).collect();
        all.iter_mut().for_each(|c| c.volume = unit.back(c.volume, 3));
        self.component_count = all.len();
        self.inward_components = all.iter().filter(|c| c.inward).count();
        let found = bodies::arrange(mesh, &bodies_of(mesh, &all, &slot, component_of));
        (self.overlapping_components, self.cavities) = (found.overlapping, found.cavities);
        all.sort_by_key(|c| (std::cmp::Reverse(c.triangles), c.first_triangle));
        all.truncate(LISTED);
        self.components = all;
    }
}

/// The closed components of more than no volume with their triangles and boxes; `slot` has the place of each representative in `all`.
fn bodies_of(mesh: &Mesh, all: &[Component], slot: &[u32], component_of: &[u32]) -> Vec<Body> {
    if all.len() < 2 {
        return Vec::new();
    }
    let empty = Bounds { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };
    let mut bodies: Vec<Body> =
        all.iter().map(|c| Body { triangles: Vec::new(), bounds: empty, inward: c.inward }).collect();
    for (t, &root) in component_of.iter().enumerate() {
        let place = slot[root as usize] as usize;
        if !all[place].closed {
            continue;
        }
        let body = &mut bodies[place];
        body.triangles.push(t as u32);
        for p in mesh.corners(t) {
            for (k, &x) in p.iter().enumerate() {
                (body.bounds.lo[k], body.bounds.hi[k]) = (body.bounds.lo[k].min(x), body.bounds.hi[k].max(x));
            }
        }
    }
    bodies.retain(|body| !body.triangles.is_empty());
    bodies
}

/// For each triangle a representative of its component.
fn components(triangle_count: usize, edges: &Edges) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..triangle_count as u32).collect();
    fn root(parent: &mut [u32], mut t: u32) -> u32 {
        while parent[t as usize] != t {
            parent[t as usize] = parent[parent[t as usize] as usize];
            t = parent[t as usize];
        }
        t
    }
    for edge in 0..edges.len() {
        if let &[first, second] = edges.halves(edge) {
            let (a, b) = (root(&mut parent, first / 3), root(&mut parent, second / 3));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..triangle_count as u32).map(|t| root(&mut parent, t)).collect()
}

/// Which triangles have an edge in an odd number of triangles.
fn open_triangles(triangle_count: usize, edges: &Edges) -> Vec<bool> {
    let mut flags = vec![false; triangle_count];
    for edge in 0..edges.len() {
        let [small, large] = edges.vertices[edge];
        let halves = edges.halves(edge);
        if small != large && halves.len() % 2 == 1 {
            halves.iter().for_each(|&half| flags[half as usize / 3] = true);
        }
    }
    flags
}

fn sub(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| u[k] - v[k])
}

/// Also of vectors whose square is below the normal numbers: slivers of a very long mesh.
fn length(v: [f64; 3]) -> f64 {
    let square = dot(v, v);
    let largest = v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if square >= f64::MIN_POSITIVE || largest == 0.0 {
        return square.sqrt();
    }
    let w = v.map(|x| x / largest);
    largest * dot(w, w).sqrt()
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}
