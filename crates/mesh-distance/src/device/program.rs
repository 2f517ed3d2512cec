//! The kernels of a query, by what they are asked and what the device can do.

use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;
use gpu_shaders::strict_float::STRICT_FLOAT;

use crate::kernels::{cylinder_bound, grid_point, triangle_distance, triangle_record};
use crate::{Error, Sign};

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

/// Invocations of a workgroup of `distance_packet`.
const WORKGROUP: u32 = 64;

/// Where the queries come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Grid,
    Points,
}

/// What the last level writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// One f32 a query.
    Distance { sign: Sign, squared: bool },
    /// Eight words a query: distance, facet, feature, u, v, point.
    Closest { sign: Sign },
}

impl Output {
    pub(super) fn words(self) -> usize {
        match self {
            Output::Distance { .. } => 1,
            Output::Closest { .. } => 8,
        }
    }
}

/// OUTPUT, SIGNED, SQUARED of query_results.wgsl; `None` writes slots for the next level.
fn output_constants(output: Option<Output>) -> (u32, bool, bool) {
    match output {
        None => (0, false, false),
        Some(Output::Distance { sign, squared }) => (1, sign != Sign::None, squared),
        Some(Output::Closest { sign }) => (2, sign != Sign::None, false),
    }
}

/// The modules of a kernel, in order.
fn modules(source: Source, schedule: &[WgslModule]) -> Vec<WgslModule> {
    let queries = match source {
        Source::Grid => GRID_QUERIES,
        Source::Points => POINT_QUERIES,
    };
    let shared = [
        STRICT_FLOAT,
        FOLDED_GRID,
        triangle_record::TRIANGLE_RECORD,
        triangle_distance::TRIANGLE_DISTANCE,
        cylinder_bound::CYLINDER_BOUND,
        grid_point::GRID_POINT,
        QUERY_PARAMS,
        TREE_NODES,
    ];
    [&shared, [queries, QUERY_RESULTS].as_slice(), schedule].concat()
}

/// A kernel of the first level: writes slots.
fn first_entry(source: Source) -> KernelEntry {
    KernelEntry {
        name: "distance_first",
        constants: constants(1, None),
        modules: modules(source, &[DISTANCE_FIRST]),
        trusted: true,
    }
}

/// A kernel of a later level with `lanes` lanes a query; `subgroups` is what a workgroup holds at most, `None` for
/// devices without.
fn packet_entry(source: Source, lanes: u32, subgroups: Option<u32>, output: Option<Output>) -> KernelEntry {
    let form = if subgroups.is_some() { LANES_SUBGROUP } else { LANES_SINGLE };
    let mut constants = constants(lanes, output);
    constants.extend(subgroups.map(|count| ("SUBGROUPS", Constant::U32(count))));
    KernelEntry {
        name: "distance_packet",
        constants,
        modules: modules(source, &[DISTANCE_PACKET, form]),
        trusted: true,
    }
}

fn constants(lanes: u32, output: Option<Output>) -> Vec<(&'static str, Constant)> {
    let (output, signed, squared) = output_constants(output);
    vec![
        ("LANES", Constant::U32(lanes)),
        ("OUTPUT", Constant::U32(output)),
        ("SIGNED", Constant::Bool(signed)),
        ("SQUARED", Constant::Bool(squared)),
    ]
}

pub(super) fn first(context: &Context, source: Source) -> Result<Kernel, Error> {
    Ok(context.kernel(&first_entry(source).source())?)
}

pub(super) fn packet(context: &Context, source: Source, lanes: u32, output: Option<Output>) -> Result<Kernel, Error> {
    let subgroups = context.subgroups().map(|s| WORKGROUP / s.min_size.clamp(1, WORKGROUP));
    Ok(context.kernel(&packet_entry(source, lanes, subgroups, output).source())?)
}

/// The kernels of this crate for linting and snapshots: every module, every form and every kind of output once.
pub fn kernels() -> Vec<KernelEntry> {
    let distance = |sign, squared| Some(Output::Distance { sign, squared });
    let closest = Some(Output::Closest { sign: Sign::PseudoNormal });
    vec![
        first_entry(Source::Grid),
        first_entry(Source::Points),
        packet_entry(Source::Grid, 8, Some(2), None),
        packet_entry(Source::Grid, 4, Some(16), distance(Sign::None, true)),
        packet_entry(Source::Grid, 1, Some(2), distance(Sign::PseudoNormal, false)),
        packet_entry(Source::Grid, 1, None, distance(Sign::PseudoNormal, true)),
        packet_entry(Source::Points, 8, Some(8), closest),
        packet_entry(Source::Points, 1, None, distance(Sign::None, false)),
    ]
}
