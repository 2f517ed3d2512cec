//! Surfaces built on a device from vertices and triangles that are there.
//!
//! The tree takes the triangles along a Hilbert curve through their centres and gives each eight in a row a node, each eight nodes in a
//! row a node of the next level: no triangle can make it deep, its shape is known before, and nothing is read back for it.

use gpu_runtime::primitives::{Pairs, RadixSort};
use gpu_runtime::{Context, DeviceVec, Recording, Timestamps};
use std::ops::Range;
use std::sync::OnceLock;

use super::params::MoveParams;
use super::program::{Step, dispatch};
use super::update::Corners;
use super::{FOUND_WORDS, MOST_AT_VERTEX, Moving, check_most};
use crate::device::surface::{DeviceSurface, require_numbers};
use crate::double::Precision;
use crate::kernels::cylinder_bound::WIDTH;
use crate::surface::MAX_TRIANGLES;
use crate::tree::{BOX_WORDS, NODE_WORDS};
use crate::update::Version;
use crate::{Bounds, Error, Frame};

/// Most vertices: a hash table with two places for each has indices of 32 bits.
const MAX_VERTICES: usize = 1 << 28;
/// Bits of the curve's keys.
const KEY_BITS: u32 = 30;
/// Cells of the curve on either side of the middle.
const HALF_CELLS: f64 = 512.0;

/// With the device's seconds by dispatch or in all.
type Timed<T> = (T, Vec<(String, f64)>);

impl DeviceSurface {
    /// Builds a surface of a mesh that lies on a device: x, y, z of each vertex and three vertices of each triangle.
    ///
    /// The answers are those of [`crate::Surface::build`] for the mesh with these numbers, bit for bit: vertices of exactly equal position
    /// count as one, degenerate triangles as segments or points. The tree is another one, so winding numbers by expansions
    /// ([`DeviceSurface::winding`] with other than [`crate::WindingOptions::EXACT`]) are an error; signs and exact numbers do not depend on it.
    /// It can be moved ([`DeviceSurface::update_positions_on`]). The buffers are only read; they are not needed afterwards.
    ///
    /// Two submissions; 36 bytes come back: the box for the frame with the outcome of the checks, and the most triangles at a vertex. Cost: two
    /// sorts (three pairs a triangle by vertex, one by place) and a few passes; 330 bytes a triangle and 60 a vertex stay on the device.
    ///
    /// # Errors
    /// [`Error::EmptyMesh`]; [`Error::TooLarge`] for more than 2^26 triangles, 2^28 vertices or 2^15 triangles at one vertex; [`Error::NotFinite`]
    /// and [`Error::VertexIndex`] with index and value; [`Error::Scale`]; [`Error::Device`].
    pub fn build(positions: &DeviceVec<[f32; 3]>, triangles: &DeviceVec<[u32; 3]>) -> Result<DeviceSurface, Error> {
        Ok(Self::build_timed(positions, triangles, Timestamps::None)?.0)
    }

    /// [`DeviceSurface::build`], with the device's seconds of the second submission where asked for, as [`crate::GridQuery::run`] gives them.
    ///
    /// # Errors
    /// As [`DeviceSurface::build`].
    pub fn build_timed(
        positions: &DeviceVec<[f32; 3]>,
        triangles: &DeviceVec<[u32; 3]>,
        timestamps: Timestamps,
    ) -> Result<(DeviceSurface, Vec<(String, f64)>), Error> {
        Self::built(positions, triangles, timestamps)
    }
}

impl DeviceSurface<f64> {
    /// [`DeviceSurface::build`] of a surface of f64: the answers are those of [`crate::Surface::build_double`] for the mesh with these
    /// numbers, bit for bit. 470 bytes a triangle and 90 a vertex stay on the device.
    ///
    /// # Errors
    /// As [`DeviceSurface::build`]; [`Error::Device`] where the device lacks 64-bit floats or integers, as [`DeviceSurface::upload`].
    pub fn build_double(
        positions: &DeviceVec<[f32; 3]>,
        triangles: &DeviceVec<[u32; 3]>,
    ) -> Result<DeviceSurface<f64>, Error> {
        Ok(Self::built(positions, triangles, Timestamps::None)?.0)
    }
}

impl<R: Precision> DeviceSurface<R> {
    fn built(
        positions: &DeviceVec<[f32; 3]>,
        triangles: &DeviceVec<[u32; 3]>,
        timestamps: Timestamps,
    ) -> Result<Timed<DeviceSurface<R>>, Error> {
        check_counts(positions.len(), triangles.len())?;
        let context = positions.context();
        require_numbers::<R>(context)?;
        let found = context.zeroed("found", FOUND_WORDS)?;
        let corners: Corners<'_, R> = Corners::Vertices { positions, triangles };
        let bounds = corners.bounds(&found)?;
        let frame = Frame::new(&bounds)?;
        let levels = packed_levels(triangles.len());
        let mut surface: DeviceSurface<R> = empty(context, &frame, positions.len(), triangles.len(), &levels)?;
        surface.check_bindings()?;
        let moving = Moving::empty(context, positions.len(), triangles.len(), &levels, found)?;
        surface.moving = Some(Box::new(moving));
        let scratch = Scratch::new(context, positions.len(), triangles.len())?;
        let timings = surface.fill(positions, triangles, &scratch, (frame, bounds), timestamps)?;
        Ok((surface, timings))
    }

    /// [`DeviceSurface::build`] in the buffers of a surface that is not needed any more, for meshes that change all the time.
    ///
    /// The answers are those of a new surface. With as many vertices and triangles as the old one, which must be one of
    /// [`DeviceSurface::build`] or [`DeviceSurface::build_double`], nothing is allocated but what a build needs while it runs, the first time: that stays with the surface, about
    /// 68 bytes a triangle and 20 to 36 a vertex. In all other cases it is a new build. Timings as [`DeviceSurface::build_timed`].
    ///
    /// # Errors
    /// As [`DeviceSurface::build`], and [`Error::Device`] for buffers of another context; the old surface is gone then.
    pub fn rebuild(
        mut self,
        positions: &DeviceVec<[f32; 3]>,
        triangles: &DeviceVec<[u32; 3]>,
        timestamps: Timestamps,
    ) -> Result<Timed<DeviceSurface<R>>, Error> {
        let (vertices, count) = (positions.len(), triangles.len());
        let Some(moving) =
            self.moving.as_mut().filter(|m| m.by_half && m.vertices == vertices && m.firsts.len() == count)
        else {
            drop(self);
            return Self::built(positions, triangles, timestamps);
        };
        let corners: Corners<'_, R> = Corners::Vertices { positions, triangles };
        let bounds = corners.bounds(&moving.found)?;
        let frame = Frame::new(&bounds)?;
        let scratch = match moving.scratch.take() {
            Some(scratch) => scratch,
            None => Box::new(Scratch::new(positions.context(), vertices, count)?),
        };
        let timings = self.fill(positions, triangles, &scratch, (frame, bounds), timestamps)?;
        if let Some(moving) = &mut self.moving {
            moving.scratch = Some(scratch);
        }
        Ok((self, timings))
    }

    /// Everything but the box, into the buffers that are there.
    fn fill(
        &mut self,
        positions: &DeviceVec<[f32; 3]>,
        triangles: &DeviceVec<[u32; 3]>,
        scratch: &Scratch,
        (frame, bounds): (Frame, Bounds),
        timestamps: Timestamps,
    ) -> Result<Vec<(String, f64)>, Error> {
        let moving = self.moving(positions.len())?;
        let mut recording = positions.context().record("build").with_timestamps(timestamps);
        recording.clear(&moving.found)?;
        // New buffers are zero already, others hold the last build.
        for words in [&scratch.table, &scratch.least] {
            recording.clear(words)?;
        }
        recording.clear(&moving.vertex_ranges)?;
        scratch.record_weld(moving, &mut recording, positions, triangles)?;
        moving.record_frame(&mut recording, &frame, positions)?;
        scratch.record_tree(moving, self, &mut recording, curve_scale(&frame, &bounds))?;
        moving.record_refit(self, &mut recording)?;
        let most = recording.download_range(&moving.found, 0..1);
        let mut completed = recording.submit()?;
        check_most(completed.take(most)?[0] as usize)?;
        if let Some(moving) = &mut self.moving {
            moving.used = OnceLock::new();
        }
        self.moved(frame, bounds);
        Ok(completed.timings().to_vec())
    }
}

fn check_counts(vertices: usize, triangles: usize) -> Result<(), Error> {
    if triangles == 0 {
        return Err(Error::EmptyMesh);
    }
    for (what, needed, allowed) in [("triangles", triangles, MAX_TRIANGLES), ("vertices", vertices, MAX_VERTICES)] {
        if needed > allowed {
            return Err(Error::TooLarge { what, needed: needed as u64, allowed: allowed as u64 });
        }
    }
    Ok(())
}

/// Cells of the curve for a sum of three working coordinates.
fn curve_scale(frame: &Frame, bounds: &Bounds) -> f32 {
    let reach = |k: usize| (bounds.hi[k] - frame.centre[k]).max(frame.centre[k] - bounds.lo[k]) * frame.scale();
    let half = (0..3).fold(1.0f64, |most, k| most.max(reach(k)));
    (HALF_CELLS / (3.0 * half)) as f32
}

/// The nodes of each level, the lowest first; node 0 is the root and levels follow each other.
fn packed_levels(triangles: usize) -> Vec<Range<usize>> {
    let mut counts = vec![triangles.div_ceil(WIDTH)];
    while let Some(&count) = counts.last().filter(|&&count| count > 1) {
        counts.push(count.div_ceil(WIDTH));
    }
    let mut end: usize = counts.iter().sum();
    let range = |count: usize| {
        end -= count;
        end..end + count
    };
    counts.into_iter().map(range).collect()
}

/// A surface whose buffers are to be filled.
fn empty<R: Precision>(
    context: &Context,
    frame: &Frame,
    vertices: usize,
    triangles: usize,
    levels: &[Range<usize>],
) -> Result<DeviceSurface<R>, Error> {
    let nodes = levels[0].end;
    Ok(DeviceSurface {
        frame: *frame,
        nodes: context.zeroed("nodes", nodes * NODE_WORDS)?,
        boxes: context.zeroed("boxes", nodes * BOX_WORDS)?,
        records: context.zeroed("records", triangles)?,
        normal_vectors: context.zeroed("normal_vectors", 4 * triangles + vertices)?,
        normal_features: context.zeroed("normal_features", triangles)?,
        signs: Default::default(),
        version: Version::first(),
        moving: None,
    })
}

impl<R: Precision> Moving<R> {
    /// Buffers to be filled by a build.
    fn empty(
        context: &Context,
        vertices: usize,
        triangles: usize,
        levels: &[Range<usize>],
        found: DeviceVec<u32>,
    ) -> Result<Moving<R>, Error> {
        let nodes = levels[0].end;
        Ok(Moving {
            vertices,
            bounds: None,
            used: OnceLock::new(),
            kept: context.zeroed("kept", vertices)?,
            kept_on_host: None,
            working: context.zeroed("working", vertices)?,
            triangles: context.zeroed("triangles", 3 * triangles)?,
            slots: context.zeroed("slots", triangles)?,
            firsts: context.zeroed("firsts", triangles)?,
            vertex_ranges: context.zeroed("vertex_ranges", vertices)?,
            vertex_corners: context.zeroed("vertex_corners", 3 * triangles)?,
            edge_halves: context.zeroed("edge_halves", 3 * triangles)?,
            node_infos: context.zeroed("node_infos", nodes)?,
            // The root has no parent.
            levels: levels[..levels.len() - 1].to_vec(),
            by_half: true,
            facet_normals: context.zeroed("facet_normals", triangles)?,
            node_sums: context.zeroed("node_sums", nodes)?,
            found,
            scratch: None,
        })
    }
}

/// What a build needs while it runs.
#[derive(Debug)]
pub(super) struct Scratch {
    table: DeviceVec<u32>,
    least: DeviceVec<u32>,
    homes: DeviceVec<u32>,
    indices: DeviceVec<u32>,
    sorted_vertices: DeviceVec<u32>,
    keys: DeviceVec<u32>,
    sorted_keys: DeviceVec<u32>,
    order: DeviceVec<u32>,
    by_vertex: RadixSort,
    along_curve: RadixSort,
}

impl Scratch {
    /// Bytes on the device.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.table.byte_len() + self.least.byte_len() + self.homes.byte_len();
        let pairs = self.indices.byte_len() + self.sorted_vertices.byte_len() + self.order.byte_len();
        let keys = self.keys.byte_len() + self.sorted_keys.byte_len();
        tables + pairs + keys + self.by_vertex.bytes() + self.along_curve.bytes()
    }

    fn new(context: &Context, vertices: usize, triangles: usize) -> Result<Scratch, Error> {
        let places = (2 * vertices).next_power_of_two();
        let vertex_bits = u32::BITS - (vertices.max(2) as u32 - 1).leading_zeros();
        Ok(Scratch {
            table: context.zeroed("table", places)?,
            least: context.zeroed("least", places)?,
            homes: context.zeroed("homes", vertices)?,
            indices: context.zeroed("indices", 3 * triangles)?,
            sorted_vertices: context.zeroed("sorted_vertices", 3 * triangles)?,
            keys: context.zeroed("keys", triangles)?,
            sorted_keys: context.zeroed("sorted_keys", triangles)?,
            order: context.zeroed("order", triangles)?,
            by_vertex: RadixSort::with_key_bits(context, 3 * triangles, vertex_bits)?,
            along_curve: RadixSort::with_key_bits(context, triangles, KEY_BITS)?,
        })
    }

    /// Adds what joins vertices of equal position, and the triangles at each.
    fn record_weld<R: Precision>(
        &self,
        moving: &Moving<R>,
        recording: &mut Recording,
        positions: &DeviceVec<[f32; 3]>,
        corners: &DeviceVec<[u32; 3]>,
    ) -> Result<(), Error> {
        let context = positions.context();
        let (vertices, triangles) = (positions.len(), corners.len());
        let params = MoveParams {
            vertices: vertices as u32,
            triangles: triangles as u32,
            mask: self.table.len() as u32 - 1,
            most: MOST_AT_VERTEX as u32,
            ..MoveParams::default()
        };
        let over = |count: usize| MoveParams { count: count as u32, ..params };
        let (least, homes) = (|| ("least", self.least.bind()), || ("homes", self.homes.bind()));
        let bindings = [("positions", positions.bind()), ("table", self.table.bind()), least(), homes()];
        dispatch::<R>(context, recording, Step::WeldVertices, over(vertices), &bindings)?;
        let welded = || ("triangles", moving.triangles.bind());
        let (kept, indices) = (("kept", moving.kept.bind()), ("indices", self.indices.bind()));
        let bindings = [homes(), least(), ("corners", corners.bind()), kept, welded(), indices];
        dispatch::<R>(context, recording, Step::WeldCorners, over(vertices.max(3 * triangles)), &bindings)?;
        let from = Pairs { keys: &moving.triangles, values: &self.indices };
        let to = Pairs { keys: &self.sorted_vertices, values: &moving.vertex_corners };
        self.by_vertex.record(recording, from, to, 3 * triangles)?;
        let ranges = || ("vertex_ranges", moving.vertex_ranges.bind());
        let bindings = [("sorted_vertices", self.sorted_vertices.bind()), ranges()];
        dispatch::<R>(context, recording, Step::CornerRanges, over(3 * triangles), &bindings)?;
        let (at_vertex, firsts) = (moving.vertex_corners.bind(), moving.firsts.bind());
        let bindings = [
            welded(),
            ranges(),
            ("vertex_corners", at_vertex),
            ("firsts", firsts),
            ("edge_halves", moving.edge_halves.bind()),
            ("found", moving.found.bind()),
        ];
        dispatch::<R>(context, recording, Step::FacetEdges, over(triangles), &bindings)
    }

    /// Adds the order of the triangles and the shape of the tree.
    fn record_tree<R: Precision>(
        &self,
        moving: &Moving<R>,
        surface: &DeviceSurface<R>,
        recording: &mut Recording,
        scale: f32,
    ) -> Result<(), Error> {
        let context = surface.context();
        let triangles = surface.triangles();
        let params = MoveParams { triangles: triangles as u32, scale, ..MoveParams::of(triangles) };
        let welded = || ("triangles", moving.triangles.bind());
        let keys = ("keys", self.keys.bind());
        let bindings = [("working", moving.working.bind()), welded(), keys, ("indices", self.indices.bind())];
        dispatch::<R>(context, recording, Step::FacetKeys, params, &bindings)?;
        let from = Pairs { keys: &self.keys, values: &self.indices };
        let to = Pairs { keys: &self.sorted_keys, values: &self.order };
        self.along_curve.record(recording, from, to, triangles)?;
        let nodes = moving.node_infos.len();
        let lowest = nodes - triangles.div_ceil(WIDTH);
        let bindings = [
            ("order", self.order.bind()),
            welded(),
            ("firsts", moving.firsts.bind()),
            ("edge_halves", moving.edge_halves.bind()),
            ("slots", moving.slots.bind()),
            ("normal_features", surface.normal_features.bind()),
        ];
        dispatch::<R>(context, recording, Step::TreeSlots, MoveParams { first: lowest as u32, ..params }, &bindings)?;
        let bindings = [
            ("nodes", surface.nodes.bind()),
            ("boxes", surface.boxes.bind()),
            ("node_infos", moving.node_infos.bind()),
        ];
        dispatch::<R>(context, recording, Step::PackedNodes, MoveParams { count: nodes as u32, ..params }, &bindings)
    }
}

#[cfg(test)]
mod tests {
    use super::packed_levels;

    #[test]
    fn levels_of_a_packed_tree_end_in_one_root() {
        let ends = |triangles| packed_levels(triangles).into_iter().map(|l| (l.start, l.end)).collect::<Vec<_>>();
        assert_eq!(ends(1), [(0, 1)]);
        assert_eq!(ends(8), [(0, 1)]);
        assert_eq!(ends(9), [(1, 3), (0, 1)]);
        assert_eq!(ends(65), [(3, 12), (1, 3), (0, 1)]);
        assert!(packed_levels(super::MAX_TRIANGLES).len() <= crate::tree::MAX_DEPTH);
    }
}
