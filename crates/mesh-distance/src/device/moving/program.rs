//! The kernels that make and move surfaces.

use gpu_runtime::{Binding, Constant, Context, Kernel, KernelEntry, Recording, WgslModule};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};
use gpu_shaders::ordered_key::ORDERED_KEY;

use super::params::MoveParams;
use crate::Error;
use crate::kernels::real::Real;
use crate::kernels::{pseudo_normal, triangle_record};

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule =
            WgslModule { name: $file, source: include_str!(concat!("../kernels/", $file, ".wgsl")) };
    };
}
schedule!(MOVE_PARAMS, "move_params");
schedule!(MESH_BOUNDS, "mesh_bounds");
schedule!(FRAME_VERTICES, "frame_vertices");
schedule!(CYLINDER_FIT, "cylinder_fit");
schedule!(REFIT_TRIANGLES, "refit_triangles");
schedule!(FACET_SUMS, "facet_sums");
schedule!(REFIT_EDGES, "refit_edges");
schedule!(REFIT_VERTICES, "refit_vertices");
schedule!(REFIT_NODES, "refit_nodes");
schedule!(WELD_VERTICES, "weld_vertices");
schedule!(WELD_CORNERS, "weld_corners");
schedule!(CORNER_RANGES, "corner_ranges");
schedule!(FACET_EDGES, "facet_edges");
schedule!(FACET_KEYS, "facet_keys");
schedule!(TREE_SLOTS, "tree_slots");
schedule!(PACKED_NODES, "packed_nodes");

/// What a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The box of the used vertices and the first fault; `mapped` where triangles name classes.
    Bounds { mapped: bool },
    /// Working coordinates.
    Frame,
    /// Records, faces, leaves.
    Triangles,
    /// Pseudo-normals of edges; `by_half` where there is an entry for every half-edge.
    Edges { by_half: bool },
    /// Pseudo-normals of vertices.
    Vertices,
    /// A level of nodes.
    Nodes,
    /// A place for each position.
    WeldVertices,
    /// The first vertex of each position, for vertices and corners.
    WeldCorners,
    /// Where the corners of each vertex lie.
    CornerRanges,
    /// The first triangle of the same vertices, the first half-edge of the same edge.
    FacetEdges,
    /// Places along a curve.
    FacetKeys,
    /// What each slot holds.
    TreeSlots,
    /// The shape of the tree.
    PackedNodes,
}

impl Step {
    /// Items of a workgroup.
    fn items(self) -> u32 {
        match self {
            Step::Bounds { .. } => 2048,
            _ => 64,
        }
    }
}

fn entry<R: Real>(step: Step) -> KernelEntry {
    let [strict, real] = R::MODULES;
    let numbers = [strict, R::ACOS, FOLDED_GRID, real];
    let normals = [triangle_record::TRIANGLE_RECORD, pseudo_normal::PSEUDO_NORMAL, MOVE_PARAMS];
    let with = |own: &[WgslModule]| [numbers.as_slice(), &normals, own].concat();
    let plain = |own: WgslModule| vec![FOLDED_GRID, MOVE_PARAMS, own];
    let (name, modules, constants) = match step {
        Step::Bounds { mapped } => (
            "mesh_bounds",
            vec![ORDERED_KEY, FOLDED_GRID, MOVE_PARAMS, MESH_BOUNDS],
            vec![("MAPPED", Constant::Bool(mapped))],
        ),
        Step::Frame => {
            let own = [R::FRAME_VERTEX, MOVE_PARAMS, FRAME_VERTICES];
            ("frame_vertices", [&[strict, FOLDED_GRID, real], own.as_slice()].concat(), vec![])
        }
        Step::Triangles => ("refit_triangles", with(&[CYLINDER_FIT, REFIT_TRIANGLES]), vec![]),
        Step::Edges { by_half } => {
            ("refit_edges", with(&[FACET_SUMS, REFIT_EDGES]), vec![("OWN", Constant::Bool(by_half))])
        }
        Step::Vertices => ("refit_vertices", with(&[FACET_SUMS, REFIT_VERTICES]), vec![]),
        Step::Nodes => ("refit_nodes", with(&[CYLINDER_FIT, REFIT_NODES]), vec![]),
        Step::WeldVertices => ("weld_vertices", plain(WELD_VERTICES), vec![]),
        Step::WeldCorners => ("weld_corners", plain(WELD_CORNERS), vec![]),
        Step::CornerRanges => ("corner_ranges", plain(CORNER_RANGES), vec![]),
        Step::FacetEdges => ("facet_edges", plain(FACET_EDGES), vec![]),
        Step::FacetKeys => ("facet_keys", vec![strict, FOLDED_GRID, real, MOVE_PARAMS, FACET_KEYS], vec![]),
        Step::TreeSlots => ("tree_slots", plain(TREE_SLOTS), vec![]),
        Step::PackedNodes => ("packed_nodes", plain(PACKED_NODES), vec![]),
    };
    KernelEntry { name, constants, modules, trusted: true }
}

/// Adds a dispatch over `params.count` items, folded to the device's limit.
pub(super) fn dispatch<R: Real>(
    context: &Context,
    recording: &mut Recording,
    step: Step,
    mut params: MoveParams,
    bindings: &[(&str, Binding<'_>)],
) -> Result<(), Error> {
    let kernel: Kernel = context.kernel(&entry::<R>(step).source())?;
    let limit = context.adapter().limits.max_workgroups_per_dimension;
    let groups = folded_grid::plan(params.count.div_ceil(step.items()), limit);
    params.groups_x = groups[0];
    Ok(recording.dispatch(&kernel, bindings, &params, groups)?)
}

/// The kernels for linting and snapshots.
pub(in crate::device) fn kernels() -> Vec<KernelEntry> {
    let steps = [
        Step::Bounds { mapped: true },
        Step::Frame,
        Step::Triangles,
        Step::Edges { by_half: false },
        Step::Vertices,
        Step::Nodes,
        Step::WeldVertices,
        Step::WeldCorners,
        Step::CornerRanges,
        Step::FacetEdges,
        Step::FacetKeys,
        Step::TreeSlots,
        Step::PackedNodes,
    ];
    let doubles =
        [Step::Frame, Step::FacetKeys, Step::Triangles, Step::Edges { by_half: false }, Step::Vertices, Step::Nodes];
    steps.map(entry::<f32>).into_iter().chain(doubles.map(entry::<f64>)).collect()
}
