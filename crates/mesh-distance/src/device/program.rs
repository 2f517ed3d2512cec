//! The kernels of a query, by what they are asked and what the device can do.

use gpu_runtime::{Constant, Context, Kernel, KernelSource, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;
use gpu_shaders::strict_float::STRICT_FLOAT;

use crate::kernels::{cylinder_bound, grid_point, pseudo_normal, triangle_distance, triangle_record};
use crate::{Error, Sign};

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(QUERY_PARAMS, "query_params");
schedule!(GRID_QUERIES, "grid_queries");
schedule!(POINT_QUERIES, "point_queries");
schedule!(QUERY_RESULTS, "query_results");
schedule!(DISTANCE_FIRST, "distance_first");
schedule!(DISTANCE_PACKET, "distance_packet");
schedule!(LANES_SUBGROUP, "lanes_subgroup");
schedule!(LANES_SINGLE, "lanes_single");

/// Where the queries come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Grid,
    Points,
}

/// What the last level writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
        pseudo_normal::PSEUDO_NORMAL,
        cylinder_bound::CYLINDER_BOUND,
        grid_point::GRID_POINT,
        QUERY_PARAMS,
    ];
    [&shared, [queries, QUERY_RESULTS].as_slice(), schedule].concat()
}

/// The kernel of the first level: writes slots.
pub(super) fn first(context: &Context, source: Source) -> Result<Kernel, Error> {
    let modules = modules(source, &[DISTANCE_FIRST]);
    let (output, signed, squared) = output_constants(None);
    let constants = [
        ("LANES", Constant::U32(1)),
        ("OUTPUT", Constant::U32(output)),
        ("SIGNED", Constant::Bool(signed)),
        ("SQUARED", Constant::Bool(squared)),
    ];
    let source = KernelSource { name: "distance_first", constants: &constants, modules: &modules, trusted: true };
    Ok(context.kernel(&source)?)
}

/// The kernel of a later level with `lanes` lanes a query.
pub(super) fn packet(context: &Context, source: Source, lanes: u32, output: Option<Output>) -> Result<Kernel, Error> {
    let subgroups = context.subgroups().map_or(1, |s| 64 / s.min_size.clamp(1, 64));
    let form = if context.subgroups().is_some() { LANES_SUBGROUP } else { LANES_SINGLE };
    let modules = modules(source, &[DISTANCE_PACKET, form]);
    let (output, signed, squared) = output_constants(output);
    let constants = [
        ("LANES", Constant::U32(lanes)),
        ("SUBGROUPS", Constant::U32(subgroups)),
        ("OUTPUT", Constant::U32(output)),
        ("SIGNED", Constant::Bool(signed)),
        ("SQUARED", Constant::Bool(squared)),
    ];
    let source = KernelSource { name: "distance_packet", constants: &constants, modules: &modules, trusted: true };
    Ok(context.kernel(&source)?)
}
