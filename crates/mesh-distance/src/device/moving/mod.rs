//! Surfaces whose vertices move on the device: everything that depends on positions is made anew there.
//!
//! Records and pseudo-normals are the host's words: the same functions in the same order. Cylinders and boxes are fitted bottom-up,
//! level by level, in f32 with pads of their own, for surfaces of f64 too; they decide no bit (`docs/numerics.md`, section 6).

mod build;
mod params;
mod program;
#[cfg(test)]
mod tests;
mod topology;
mod update;

pub(super) use program::kernels;

use gpu_runtime::{Context, DeviceVec, Recording};
use std::ops::Range;
use std::sync::OnceLock;

use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::{Bounds, Error, Surface};
use params::MoveParams;
use program::{Step, dispatch};
use topology::Arrays;

/// Most triangles at a vertex: one invocation adds up their normals in order.
const MOST_AT_VERTEX: usize = 1 << 15;

/// Words of what `mesh_bounds` finds.
const FOUND_WORDS: usize = 8;

/// What the device keeps of a surface that moves there.
#[derive(Debug)]
pub(super) struct Moving<R: Precision> {
    /// Vertices of the mesh.
    vertices: usize,
    /// The box of those that triangles use, once the device or a move has found it.
    bounds: Option<Bounds>,
    /// Vertices that triangles use, each class by the one that stands for it; a surface built on the device asks it when needed.
    used: OnceLock<Vec<u32>>,
    /// The vertex that stands for each class.
    kept: DeviceVec<u32>,
    /// The same on the host; without it every vertex has a place of its own, and only those that stand for their class are read.
    kept_on_host: Option<Vec<u32>>,
    /// Working coordinates of the classes.
    working: DeviceVec<[R; 3]>,
    /// Three classes a triangle.
    triangles: DeviceVec<u32>,
    slots: DeviceVec<[u32; 2]>,
    firsts: DeviceVec<u32>,
    vertex_ranges: DeviceVec<[u32; 2]>,
    vertex_corners: DeviceVec<u32>,
    edge_halves: DeviceVec<u32>,
    node_infos: DeviceVec<[u32; 4]>,
    /// Where the levels lie in `node_infos`, the deepest first.
    levels: Vec<Range<usize>>,
    /// Whether `edge_halves` has an entry for every half-edge.
    by_half: bool,
    facet_normals: DeviceVec<[R; 4]>,
    node_sums: DeviceVec<[f32; 4]>,
    found: DeviceVec<u32>,
    /// Kept once the surface was built again.
    scratch: Option<Box<build::Scratch>>,
}

impl<R: Precision> Moving<R> {
    /// For a surface that was built on the host.
    fn of(context: &Context, surface: &Surface<R>) -> Result<Moving<R>, Error> {
        let topology = &surface.topology;
        let arrays = Arrays::of(surface);
        let most = arrays.vertex_ranges.iter().map(|[first, end]| end - first).max().unwrap_or(0);
        check_most(most as usize)?;
        let is_used = |(class, [first, end]): (&u32, &[u32; 2])| (first < end).then_some(*class);
        let used: Vec<u32> = topology.kept.iter().zip(&arrays.vertex_ranges).filter_map(is_used).collect();
        Ok(Moving {
            vertices: topology.vertices,
            bounds: None,
            used: OnceLock::from(used),
            kept: context.upload("kept", &topology.kept)?,
            kept_on_host: Some(topology.kept.clone()),
            working: context.zeroed("working", topology.kept.len())?,
            triangles: context.upload("triangles", topology.triangles.as_flattened())?,
            slots: context.upload("slots", &arrays.slots)?,
            firsts: context.upload("firsts", &arrays.firsts)?,
            vertex_ranges: context.upload("vertex_ranges", &arrays.vertex_ranges)?,
            vertex_corners: context.upload("vertex_corners", &arrays.vertex_corners)?,
            edge_halves: context.upload("edge_halves", &arrays.edge_halves)?,
            node_infos: context.upload("node_infos", &arrays.node_infos)?,
            levels: arrays.levels,
            by_half: false,
            facet_normals: context.zeroed("facet_normals", topology.triangles.len())?,
            node_sums: context.zeroed("node_sums", surface.tree().nodes.len())?,
            found: context.zeroed("found", FOUND_WORDS)?,
            scratch: None,
        })
    }

    /// Whether the tree is the host's.
    pub(super) fn has_the_hosts_tree(&self) -> bool {
        !self.by_half
    }

    /// Bytes on the device.
    pub(super) fn bytes(&self) -> u64 {
        let words = self.kept.byte_len() + self.firsts.byte_len() + self.vertex_corners.byte_len();
        let pairs = self.slots.byte_len() + self.vertex_ranges.byte_len() + self.edge_halves.byte_len();
        let vectors = self.working.byte_len() + self.triangles.byte_len() + self.facet_normals.byte_len();
        let scratch = self.scratch.as_ref().map_or(0, |scratch| scratch.bytes());
        scratch
            + words
            + pairs
            + vectors
            + self.node_infos.byte_len()
            + self.node_sums.byte_len()
            + self.found.byte_len()
    }

    /// Adds the refit to a recording, from the working coordinates on.
    fn record_refit(&self, surface: &DeviceSurface<R>, recording: &mut Recording) -> Result<(), Error> {
        let context = surface.context();
        let [nodes, records, vectors, _] = surface.arrays();
        let boxes = || ("boxes", surface.boxes.bind());
        let triangles = || ("triangles", self.triangles.bind());
        let working = || ("working", self.working.bind());
        let normals = || ("facet_normals", self.facet_normals.bind());
        let own = [working(), triangles(), ("slots", self.slots.bind()), normals()];
        let bindings = [&own, [records.clone(), vectors.clone(), nodes.clone(), boxes()].as_slice()].concat();
        dispatch::<R>(context, recording, Step::Triangles, MoveParams::of(surface.triangles()), &bindings)?;
        let ranges = ("vertex_ranges", self.vertex_ranges.bind());
        let corners = ("vertex_corners", self.vertex_corners.bind());
        let sums = [triangles(), ("firsts", self.firsts.bind()), normals(), ranges, corners, vectors];
        let edges = [&sums, [("edge_halves", self.edge_halves.bind())].as_slice()].concat();
        let base = surface.triangles() as u32;
        let params = MoveParams { base, ..MoveParams::of(self.edge_halves.len()) };
        dispatch::<R>(context, recording, Step::Edges { by_half: self.by_half }, params, &edges)?;
        let base = base + self.edge_halves.len() as u32;
        let params = MoveParams { base, ..MoveParams::of(self.kept.len()) };
        dispatch::<R>(context, recording, Step::Vertices, params, &[&sums, [working()].as_slice()].concat())?;
        let bindings =
            [("node_infos", self.node_infos.bind()), records, nodes, boxes(), ("node_sums", self.node_sums.bind())];
        for level in &self.levels {
            let params = MoveParams { first: level.start as u32, ..MoveParams::of(level.len()) };
            dispatch::<R>(context, recording, Step::Nodes, params, &bindings)?;
        }
        Ok(())
    }
}

/// Fails where too many triangles meet at a vertex.
fn check_most(most: usize) -> Result<(), Error> {
    if most <= MOST_AT_VERTEX {
        return Ok(());
    }
    let (needed, allowed) = (most as u64, MOST_AT_VERTEX as u64);
    Err(Error::TooLarge { what: "triangles at one vertex, to move it on a device", needed, allowed })
}
