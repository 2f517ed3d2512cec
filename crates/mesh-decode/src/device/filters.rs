//! meshoptimizer's vertex filters on a device, in place.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Constant, DeviceVec, KernelEntry, Recording, WgslModule};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};
use gpu_shaders::strict_float::STRICT_FLOAT;

use crate::error::Error;
use crate::format::Format;
use crate::kernels::vertex_filters::VERTEX_FILTERS;
use crate::meshopt::Filter;

const FILTER_VERTICES: WgslModule =
    WgslModule { name: "filter_vertices", source: include_str!("kernels/filter_vertices.wgsl") };

/// `Params` of filter_vertices.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    pad: u32,
}

fn entry(filter: Filter, wide: bool) -> KernelEntry {
    let number = match filter {
        Filter::Octahedral => 0,
        Filter::Quaternion => 1,
        Filter::Exponential => 2,
        Filter::Colour => 3,
    };
    KernelEntry {
        name: "filter_vertices",
        constants: vec![("FILTER", Constant::U32(number)), ("WIDE", Constant::Bool(wide))],
        modules: vec![FOLDED_GRID, STRICT_FLOAT, VERTEX_FILTERS, FILTER_VERTICES],
        trusted: true,
    }
}

/// The kernels of the filters, each form that differs.
pub(super) fn entries() -> Vec<KernelEntry> {
    let forms = [
        (Filter::Octahedral, false),
        (Filter::Octahedral, true),
        (Filter::Quaternion, true),
        (Filter::Exponential, false),
        (Filter::Colour, false),
        (Filter::Colour, true),
    ];
    forms.into_iter().map(|(filter, wide)| entry(filter, wide)).collect()
}

/// Adds a filter over all of `words`, in place, to a recording: vertices of `stride` bytes as little-endian words.
///
/// The words of [`crate::meshopt::apply_filter`]. One dispatch, an invocation a vertex (exponential: a word).
///
/// # Errors
/// [`Error::Stream`] when the stride does not fit the filter or the words are no whole number of vertices; [`Error::Device`].
pub fn record_filter(
    recording: &mut Recording,
    filter: Filter,
    words: &DeviceVec<u32>,
    stride: usize,
) -> Result<(), Error> {
    filter.check_stride(stride)?;
    let bytes = words.len() * 4;
    if !bytes.is_multiple_of(stride) {
        let allowed = format!("multiples of {stride}");
        return Err(Error::stream(Format::MeshoptVertices, 0, "length", bytes as u64, allowed));
    }
    let wide = stride == 8 && filter != Filter::Exponential;
    let count = if wide { words.len() / 2 } else { words.len() } as u32;
    let context = words.context();
    let kernel = context.kernel(&entry(filter, wide).source())?;
    let limit = context.adapter().limits.max_workgroups_per_dimension;
    let groups = folded_grid::plan(count.div_ceil(64), limit);
    let params = Params { zero: 0, count, groups_x: groups[0], pad: 0 };
    Ok(recording.dispatch(&kernel, &[("words", words.bind())], &params, groups)?)
}
