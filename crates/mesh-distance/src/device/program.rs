//! The kernels of a query, by what they are asked and what the device can do.

use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;

use super::{moving, signs};
use crate::kernels::real::Real;
use crate::kernels::{
    cell_triangle, cylinder_bound, grid_point, pseudo_normal, query_answer, ray_triangle, triangle_distance,
    triangle_record,
};
use crate::mark::Cut;
use crate::{Error, Outputs, Sign};

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(QUERY_PARAMS, "query_params");
schedule!(GRID_QUERIES, "grid_queries");
schedule!(POINT_QUERIES, "point_queries");
schedule!(TREE_NODES, "tree_nodes");
schedule!(QUERY_RESULTS, "query_results");
schedule!(DISTANCE_FIRST, "distance_first");
schedule!(DISTANCE_PACKET, "distance_packet");
schedule!(LANES_SUBGROUP, "lanes_subgroup");
schedule!(LANES_SINGLE, "lanes_single");
schedule!(POINT_KEYS, "point_keys");
schedule!(QUERY_ANSWERS, "query_answers");
schedule!(RAY_WALK, "ray_walk");
schedule!(MARK_CELLS, "mark_cells");
schedule!(BAND_QUERIES, "band_queries");
schedule!(BAND_RESULTS, "band_results");
schedule!(BAND_COORDINATES, "band_coordinates");
schedule!(BAND_POINTS, "band_points");
schedule!(LISTED_POINTS, "listed_points");
schedule!(GRID_CELLS, "grid_cells");

/// Invocations of a workgroup of `distance_packet`.
pub(super) const WORKGROUP: u32 = 64;

/// Where the queries come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Grid,
    Points,
}

/// What the last level writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// One number a query.
    Distance { sign: Sign, squared: bool },
    /// Eight entries a query: distance, facet, feature, u, v, point.
    Closest { sign: Sign },
}

impl Output {
    /// The sign, and whether distances are squared.
    pub(super) fn sign(self) -> (Sign, bool) {
        match self {
            Output::Distance { sign, squared } => (sign, squared),
            Output::Closest { sign } => (sign, false),
        }
    }

    pub(super) fn words<R: Real>(self) -> usize {
        match self {
            Output::Distance { .. } => R::WORDS,
            Output::Closest { .. } => 6 * R::WORDS + 2,
        }
    }
}

/// OUTPUT, SIGNED, SQUARED of query_results.wgsl; `None` writes slots for the next level.
fn output_constants(output: Option<Output>) -> (u32, bool, bool) {
    match output {
        None => (0, false, false),
        Some(Output::Distance { sign, squared }) => (1, sign == Sign::PseudoNormal, squared),
        Some(Output::Closest { sign }) => (2, sign == Sign::PseudoNormal, false),
    }
}

/// The modules of a kernel, in order.
fn modules<R: Real>(source: Source, schedule: &[WgslModule]) -> Vec<WgslModule> {
    let queries = match source {
        Source::Grid => GRID_QUERIES,
        Source::Points => POINT_QUERIES,
    };
    let [strict, real] = R::MODULES;
    let shared = [
        strict,
        FOLDED_GRID,
        real,
        triangle_record::TRIANGLE_RECORD,
        triangle_distance::TRIANGLE_DISTANCE,
        cylinder_bound::CYLINDER_BOUND,
        grid_point::GRID_POINT,
        QUERY_PARAMS,
        TREE_NODES,
    ];
    [&shared, [queries, QUERY_RESULTS].as_slice(), schedule].concat()
}

/// So many lanes a query, which begin with the coarser level's seed alone.
fn lanes(count: u32) -> Lanes {
    Lanes { count, descend: false }
}

/// A kernel of the first level: writes slots.
fn first_entry<R: Real>(source: Source) -> KernelEntry {
    KernelEntry {
        name: "distance_first",
        constants: constants(lanes(1), None, Reach::None),
        modules: modules::<R>(source, &[DISTANCE_FIRST]),
        trusted: true,
    }
}

/// How a query of a later level is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lanes {
    /// Lanes a query.
    pub(super) count: u32,
    /// Whether they look for a second seed.
    pub(super) descend: bool,
}

/// A kernel of a later level with `lanes` a query; `subgroups` is what a workgroup holds at most, `None` for
/// devices without.
fn packet_entry<R: Real>(
    source: Source,
    lanes: Lanes,
    subgroups: Option<u32>,
    output: Option<Output>,
    reach: Reach,
) -> KernelEntry {
    let form = if subgroups.is_some() { LANES_SUBGROUP } else { LANES_SINGLE };
    let mut constants = constants(lanes, output, reach);
    constants.extend(subgroups.map(|count| ("SUBGROUPS", Constant::U32(count))));
    KernelEntry {
        name: "distance_packet",
        constants,
        modules: modules::<R>(source, &[DISTANCE_PACKET, form]),
        trusted: true,
    }
}

/// How far a query's triangle is looked for: REACH of query_params.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// However far it is.
    None,
    /// The same for all queries: `reach2` of the parameters.
    All,
    /// One for each listed point, behind the points.
    Each,
}

/// What `ray_walk` writes for each ray: MODE of ray_walk.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RayMode {
    Any,
    Count,
    First,
    All,
}

/// The kernel of rays.
pub(super) fn rays_entry<R: Real>(mode: RayMode) -> KernelEntry {
    let [strict, real] = R::MODULES;
    let modules = vec![
        strict,
        FOLDED_GRID,
        real,
        triangle_record::TRIANGLE_RECORD,
        triangle_distance::TRIANGLE_DISTANCE,
        ray_triangle::RAY_TRIANGLE,
        RAY_WALK,
    ];
    KernelEntry { name: "ray_walk", constants: vec![("MODE", Constant::U32(mode as u32))], modules, trusted: true }
}

/// The kernel that marks cells.
pub(super) fn mark_entry<R: Real>(cut: Cut) -> KernelEntry {
    let [strict, real] = R::MODULES;
    let modules = vec![
        strict,
        FOLDED_GRID,
        real,
        triangle_record::TRIANGLE_RECORD,
        triangle_distance::TRIANGLE_DISTANCE,
        cell_triangle::CELL_TRIANGLE,
        MARK_CELLS,
    ];
    let by_surface = Constant::Bool(cut == Cut::Surface);
    KernelEntry { name: "mark_cells", constants: vec![("BY_SURFACE", by_surface)], modules, trusted: true }
}

/// The kernel of a level of the narrow band: a packet kernel over listed blocks.
fn band_entry<R: Real>(subgroups: Option<u32>, sign: Sign, last: bool) -> KernelEntry {
    let [strict, real] = R::MODULES;
    let form = if subgroups.is_some() { LANES_SUBGROUP } else { LANES_SINGLE };
    let mut constants = vec![
        ("LANES", Constant::U32(1)),
        ("DESCEND", Constant::Bool(false)),
        ("REACH", Constant::U32(Reach::All as u32)),
        ("SIGNED", Constant::Bool(sign == Sign::PseudoNormal)),
        ("LAST", Constant::Bool(last)),
    ];
    constants.extend(subgroups.map(|count| ("SUBGROUPS", Constant::U32(count))));
    let modules = vec![
        strict,
        FOLDED_GRID,
        real,
        triangle_record::TRIANGLE_RECORD,
        triangle_distance::TRIANGLE_DISTANCE,
        cylinder_bound::CYLINDER_BOUND,
        grid_point::GRID_POINT,
        QUERY_PARAMS,
        TREE_NODES,
        BAND_QUERIES,
        BAND_RESULTS,
        DISTANCE_PACKET,
        form,
    ];
    KernelEntry { name: "distance_packet", constants, modules, trusted: true }
}

pub(super) fn band<R: Real>(context: &Context, sign: Sign, last: bool) -> Result<Kernel, Error> {
    let subgroups = context.subgroups().map(|s| WORKGROUP / s.min_size.clamp(1, WORKGROUP));
    Ok(context.kernel(&band_entry::<R>(subgroups, sign, last).source())?)
}

/// The kernel that writes the places of a band's cells.
pub(super) fn coordinates_entry() -> KernelEntry {
    KernelEntry { name: "band_coordinates", constants: vec![], modules: vec![BAND_COORDINATES], trusted: true }
}

/// The kernel that writes the points of a band's cells.
pub(super) fn band_points_entry<R: Real>() -> KernelEntry {
    let [strict, real] = R::MODULES;
    let modules = vec![strict, real, grid_point::GRID_POINT, BAND_POINTS];
    KernelEntry { name: "band_points", constants: vec![], modules, trusted: true }
}

/// The kernel that makes the keys of a Morton curve.
pub(super) fn keys_entry<R: Real>() -> KernelEntry {
    let [strict, real] = R::MODULES;
    let modules = vec![strict, real, FOLDED_GRID, POINT_KEYS];
    KernelEntry { name: "point_keys", constants: vec![], modules, trusted: true }
}

/// The kernel that writes chosen outputs.
pub(super) fn answers_entry<R: Real>(source: Source, outputs: Outputs, sign: Sign, limited: bool) -> KernelEntry {
    let [strict, real] = R::MODULES;
    let points = match source {
        Source::Grid => GRID_CELLS,
        Source::Points => LISTED_POINTS,
    };
    KernelEntry {
        name: "query_answers",
        constants: vec![
            ("OUTPUTS", Constant::U32(outputs.mask())),
            ("SIGNED", Constant::Bool(sign == Sign::PseudoNormal)),
            ("LISTED_SIGNS", Constant::Bool(signs::is_robust(sign))),
            ("LIMITED", Constant::Bool(limited)),
        ],
        modules: vec![
            strict,
            R::ACOS,
            FOLDED_GRID,
            real,
            triangle_record::TRIANGLE_RECORD,
            triangle_distance::TRIANGLE_DISTANCE,
            pseudo_normal::PSEUDO_NORMAL,
            grid_point::GRID_POINT,
            query_answer::QUERY_ANSWER,
            points,
            QUERY_ANSWERS,
        ],
        trusted: true,
    }
}

fn constants(lanes: Lanes, output: Option<Output>, reach: Reach) -> Vec<(&'static str, Constant)> {
    let (output, signed, squared) = output_constants(output);
    vec![
        ("LANES", Constant::U32(lanes.count)),
        ("DESCEND", Constant::Bool(lanes.descend)),
        ("REACH", Constant::U32(reach as u32)),
        ("OUTPUT", Constant::U32(output)),
        ("SIGNED", Constant::Bool(signed)),
        ("SQUARED", Constant::Bool(squared)),
    ]
}

pub(super) fn first<R: Real>(context: &Context, source: Source) -> Result<Kernel, Error> {
    Ok(context.kernel(&first_entry::<R>(source).source())?)
}

pub(super) fn packet<R: Real>(
    context: &Context,
    source: Source,
    lanes: Lanes,
    output: Option<Output>,
    reach: Reach,
) -> Result<Kernel, Error> {
    let subgroups = context.subgroups().map(|s| WORKGROUP / s.min_size.clamp(1, WORKGROUP));
    Ok(context.kernel(&packet_entry::<R>(source, lanes, subgroups, output, reach).source())?)
}

/// The kernels of this crate for linting and snapshots: every module, every form and every kind of output once.
pub fn kernels() -> Vec<KernelEntry> {
    let distance = |sign, squared| Some(Output::Distance { sign, squared });
    let closest = Some(Output::Closest { sign: Sign::PseudoNormal });
    let mut all = vec![
        first_entry::<f32>(Source::Grid),
        first_entry::<f32>(Source::Points),
        packet_entry::<f32>(Source::Grid, Lanes { count: 8, descend: true }, Some(2), None, Reach::None),
        packet_entry::<f32>(Source::Grid, lanes(4), Some(16), distance(Sign::None, true), Reach::None),
        packet_entry::<f32>(Source::Grid, lanes(1), Some(2), distance(Sign::PseudoNormal, false), Reach::All),
        packet_entry::<f32>(Source::Grid, lanes(1), None, distance(Sign::PseudoNormal, true), Reach::None),
        packet_entry::<f32>(Source::Points, lanes(8), Some(8), closest, Reach::None),
        packet_entry::<f32>(Source::Points, lanes(1), None, distance(Sign::None, false), Reach::None),
        packet_entry::<f32>(Source::Points, lanes(8), Some(2), None, Reach::Each),
        keys_entry::<f32>(),
        rays_entry::<f32>(RayMode::All),
        mark_entry::<f32>(Cut::Surface),
        band_entry::<f32>(Some(2), Sign::PseudoNormal, true),
        band_entry::<f32>(None, Sign::None, false),
        coordinates_entry(),
        band_points_entry::<f32>(),
        answers_entry::<f32>(Source::Points, Outputs::ALL, Sign::PseudoNormal, true),
        answers_entry::<f32>(Source::Grid, Outputs::ALL, Sign::Winding, false),
    ];
    all.extend(moving::kernels());
    all.extend(signs::kernels());
    all.extend([
        first_entry::<f64>(Source::Grid),
        first_entry::<f64>(Source::Points),
        packet_entry::<f64>(Source::Grid, lanes(4), Some(2), distance(Sign::PseudoNormal, false), Reach::All),
        packet_entry::<f64>(Source::Grid, lanes(1), None, distance(Sign::PseudoNormal, true), Reach::None),
        packet_entry::<f64>(Source::Points, lanes(8), Some(2), closest, Reach::Each),
        packet_entry::<f64>(Source::Points, lanes(1), None, None, Reach::None),
        keys_entry::<f64>(),
        answers_entry::<f64>(Source::Points, Outputs::ALL, Sign::PseudoNormal, true),
        answers_entry::<f64>(Source::Grid, Outputs::ALL, Sign::Rays, false),
        rays_entry::<f64>(RayMode::All),
        mark_entry::<f64>(Cut::Surface),
        band_entry::<f64>(Some(2), Sign::PseudoNormal, true),
        band_points_entry::<f64>(),
    ]);
    all
}
