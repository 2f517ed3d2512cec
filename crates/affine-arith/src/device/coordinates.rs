//! Cells as coordinates, for kernels of other crates.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, KernelEntry, WgslModule};

use crate::Error;

/// Invocations of a workgroup.
const GROUP: usize = 64;
/// Most workgroups of a dispatch; further cells take further rounds.
const MOST_GROUPS: usize = 65_535;

const OCTREE_COORDINATES: WgslModule =
    WgslModule { name: "octree_coordinates", source: include_str!("octree_coordinates.wgsl") };

/// `Params` of octree_coordinates.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Params {
    zero: u32,
    count: u32,
    groups: u32,
    pad: u32,
}

/// The kernel.
pub(super) fn entry() -> KernelEntry {
    KernelEntry { name: "octree_coordinates", constants: vec![], modules: vec![OCTREE_COORDINATES], trusted: true }
}

/// Three words for each of the first `count` cells.
pub(super) fn coordinates(
    context: &Context,
    cells: &DeviceVec<[u32; 2]>,
    count: usize,
) -> Result<DeviceVec<i32>, Error> {
    let coordinates = context.zeroed::<i32>("octree coordinates", 3 * count)?;
    if count == 0 {
        return Ok(coordinates);
    }
    let groups = count.div_ceil(GROUP).min(MOST_GROUPS) as u32;
    let params = Params { count: count as u32, groups, ..Params::default() };
    let mut recording = context.record("octree coordinates");
    let bindings = [("cells", cells.bind_range(0..count)?), ("coordinates", coordinates.bind())];
    recording.dispatch(&context.kernel(&entry().source())?, &bindings, &params, [groups, 1, 1])?;
    recording.submit()?;
    Ok(coordinates)
}
