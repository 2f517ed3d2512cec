//! The kernels of the robust signs.

use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;

use crate::Error;
use crate::device::program::{Source, WORKGROUP};
use crate::kernels::real::Real;
use crate::kernels::winding_expansion::WINDING_EXPANSION;
use crate::kernels::{grid_point, ray_parity, ray_triangle, solid_angle, triangle_distance, triangle_record};

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule =
            WgslModule { name: $file, source: include_str!(concat!("../kernels/", $file, ".wgsl")) };
    };
}
schedule!(SIGN_PARAMS, "sign_params");
schedule!(SIGN_GRID_POINTS, "sign_grid_points");
schedule!(SIGN_LISTED_POINTS, "sign_listed_points");
schedule!(SIGN_FAR_AWAY, "sign_far_away");
schedule!(SIGN_SIDE, "sign_side");
schedule!(SIGN_FOREST, "sign_forest");
schedule!(SIGN_PLACES, "sign_places");
schedule!(SIGN_LINKS, "sign_links");
schedule!(SIGN_ROOTS, "sign_roots");
schedule!(SIGN_CELLS, "sign_cells");
schedule!(SIGN_DISTANCES, "sign_distances");
schedule!(SIGN_LIST, "sign_list");
schedule!(SIGN_LISTED, "sign_listed");
schedule!(SIGN_SUM, "sign_sum");
schedule!(SIGN_SUM_WHOLE, "sign_sum_whole");
schedule!(SIGN_SUM_SLICES, "sign_sum_slices");
schedule!(SIGN_SUM_SIDES, "sign_sum_sides");
schedule!(SIGN_RAYS, "sign_rays");
schedule!(SIGN_LANES_SINGLE, "sign_lanes_single");
schedule!(SIGN_LANES_SUBGROUP, "sign_lanes_subgroup");
schedule!(WINDING_CERTIFIED, "winding_certified");
schedule!(WINDING_WALK_PACKET, "winding_walk_packet");
schedule!(WINDING_WALK_SUBGROUP, "winding_walk_subgroup");
schedule!(WINDING_VALUE, "winding_value");

/// How queries go down the tree for their winding numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    /// Neighbouring queries together, so many lanes each.
    Packet { lanes: u32 },
    /// Each by a subgroup of so many lanes.
    Subgroup { lanes: u32 },
}

impl Walk {
    pub(super) fn lanes(self) -> u32 {
        let (Walk::Packet { lanes } | Walk::Subgroup { lanes }) = self;
        lanes
    }

    fn module(self) -> WgslModule {
        match self {
            Walk::Packet { .. } => WINDING_WALK_PACKET,
            Walk::Subgroup { .. } => WINDING_WALK_SUBGROUP,
        }
    }
}

/// What a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// A link from each cell up the distance; cells without one are listed.
    Links,
    /// The sides and margins of those.
    Roots { walk: Walk },
    /// Cells take their root's side where they may; the others are listed.
    Cells,
    /// Listed queries.
    List { source: Source, walk: Walk },
    /// All triangles, for all queries; the numbers themselves with `values`.
    Sum { source: Source, values: bool },
    /// All triangles, for listed queries, in slices where those are few.
    ListedSum { source: Source },
    /// The sides of the queries whose sums came in slices.
    Sides,
    /// Ray parity.
    Rays { source: Source },
    /// Winding numbers of points with expansions.
    Value,
    /// Unsigned distances of the triangles that won, 0 for misses where there are limits.
    Distances { source: Source, limited: bool },
}

impl Task {
    /// Whether solid angles are its business.
    fn is_of_angles(self) -> bool {
        !matches!(self, Task::Rays { .. } | Task::Distances { .. })
    }
}

/// Entry point, modules after the shared ones, and constants of a task.
type Parts = (&'static str, Vec<WgslModule>, Vec<(&'static str, Constant)>);

fn parts(task: Task, lanes: WgslModule) -> Parts {
    let points = |source| match source {
        Source::Grid => SIGN_GRID_POINTS,
        Source::Points => SIGN_LISTED_POINTS,
    };
    let flag = |name, value| (name, Constant::Bool(value));
    match task {
        Task::Links => ("sign_links", vec![SIGN_FOREST, SIGN_PLACES, SIGN_LINKS], vec![]),
        Task::Cells => ("sign_cells", vec![SIGN_FOREST, SIGN_PLACES, SIGN_SIDE, SIGN_CELLS], vec![]),
        Task::Roots { walk } => {
            let roots = [SIGN_GRID_POINTS, SIGN_FOREST, SIGN_SIDE, SIGN_ROOTS];
            let own = [&roots, [WINDING_CERTIFIED, walk.module(), SIGN_LISTED, lanes].as_slice()].concat();
            ("robust_sign", own, vec![("LANES", Constant::U32(walk.lanes()))])
        }
        Task::List { source, walk } => {
            let own = vec![points(source), SIGN_SIDE, SIGN_LIST, WINDING_CERTIFIED, walk.module(), SIGN_LISTED, lanes];
            ("robust_sign", own, vec![("LANES", Constant::U32(walk.lanes()))])
        }
        Task::Sum { source, values } => {
            let constants = vec![flag("LISTED", false), flag("VALUES", values)];
            ("winding_sum", vec![points(source), SIGN_SIDE, SIGN_SUM, SIGN_SUM_WHOLE], constants)
        }
        Task::ListedSum { source } => {
            ("winding_sum", vec![points(source), SIGN_SIDE, SIGN_SUM, SIGN_SUM_SLICES], vec![flag("LISTED", true)])
        }
        Task::Sides => ("winding_sides", vec![SIGN_SIDE, SIGN_SUM_SIDES], vec![]),
        Task::Rays { source } => {
            let twins = [triangle_distance::TRIANGLE_DISTANCE, ray_triangle::RAY_TRIANGLE, ray_parity::RAY_PARITY];
            let own = [&twins, [points(source), SIGN_SIDE, SIGN_RAYS, lanes].as_slice()].concat();
            ("robust_sign", own, vec![("LANES", Constant::U32(1))])
        }
        Task::Distances { source, limited } => {
            let own = vec![triangle_distance::TRIANGLE_DISTANCE, points(source), SIGN_DISTANCES];
            ("sign_distances", own, vec![flag("LIMITED", limited)])
        }
        Task::Value => ("winding_value", vec![SIGN_LISTED_POINTS, WINDING_VALUE], vec![]),
    }
}

fn entry<R: Real>(task: Task, subgroups: Option<u32>) -> KernelEntry {
    let lanes = if subgroups.is_some() { SIGN_LANES_SUBGROUP } else { SIGN_LANES_SINGLE };
    let (name, own, mut constants) = parts(task, lanes);
    if own.contains(&lanes) {
        constants.extend(subgroups.map(|count| ("SUBGROUPS", Constant::U32(count))));
    }
    let [strict, real] = R::MODULES;
    let mut modules = vec![strict, FOLDED_GRID, real, triangle_record::TRIANGLE_RECORD];
    if task.is_of_angles() {
        modules.extend(R::ATAN2);
        modules.extend([solid_angle::SOLID_ANGLE, WINDING_EXPANSION, SIGN_FAR_AWAY]);
    }
    modules.extend([grid_point::GRID_POINT, SIGN_PARAMS]);
    modules.extend(own);
    KernelEntry { name, constants, modules, trusted: true }
}

pub(super) fn kernel<R: Real>(context: &Context, task: Task) -> Result<Kernel, Error> {
    let subgroups = context.subgroups().map(|s| WORKGROUP / s.min_size.clamp(1, WORKGROUP));
    Ok(context.kernel(&entry::<R>(task, subgroups).source())?)
}

/// The kernels for linting and snapshots: every module and form once.
pub(in crate::device) fn kernels() -> Vec<KernelEntry> {
    let (grid, points) = (Source::Grid, Source::Points);
    vec![
        entry::<f32>(Task::Links, None),
        entry::<f32>(Task::Roots { walk: Walk::Subgroup { lanes: 32 } }, Some(2)),
        entry::<f32>(Task::Roots { walk: Walk::Packet { lanes: 1 } }, None),
        entry::<f32>(Task::Cells, None),
        entry::<f32>(Task::List { source: grid, walk: Walk::Packet { lanes: 8 } }, Some(2)),
        entry::<f32>(Task::List { source: points, walk: Walk::Packet { lanes: 1 } }, None),
        entry::<f32>(Task::ListedSum { source: grid }, None),
        entry::<f32>(Task::Sides, None),
        entry::<f32>(Task::Sum { source: points, values: true }, None),
        entry::<f32>(Task::Rays { source: grid }, Some(2)),
        entry::<f32>(Task::Rays { source: points }, None),
        entry::<f32>(Task::Value, None),
        entry::<f32>(Task::Distances { source: grid, limited: true }, None),
        entry::<f32>(Task::Distances { source: points, limited: false }, None),
        entry::<f64>(Task::Rays { source: grid }, Some(2)),
        entry::<f64>(Task::Rays { source: points }, None),
        entry::<f64>(Task::Distances { source: points, limited: true }, None),
        entry::<f64>(Task::Links, None),
        entry::<f64>(Task::Roots { walk: Walk::Packet { lanes: 8 } }, Some(2)),
        entry::<f64>(Task::Cells, None),
        entry::<f64>(Task::List { source: grid, walk: Walk::Packet { lanes: 1 } }, None),
        entry::<f64>(Task::List { source: points, walk: Walk::Subgroup { lanes: 32 } }, Some(2)),
        entry::<f64>(Task::ListedSum { source: grid }, None),
        entry::<f64>(Task::Sides, None),
        entry::<f64>(Task::Sum { source: points, values: true }, None),
        entry::<f64>(Task::Value, None),
    ]
}
