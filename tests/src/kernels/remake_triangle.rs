//! Triangle record and normals from working coordinates, as a refit on a device makes them: twin of `remake_triangle.wgsl`.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, Error, KernelSource, WgslModule};
use gpu_shaders::{ACOS, FOLDED_GRID, STRICT_FLOAT, folded_grid};
use mesh_distance::kernels::Vec3;
use mesh_distance::kernels::pseudo_normal::{PSEUDO_NORMAL, add_weighted, corner_angle, direction, facet_normal};
use mesh_distance::kernels::triangle_record::{TRIANGLE_RECORD, triangle_record};

/// WGSL text of the kernel.
pub const REMAKE_TRIANGLE: WgslModule =
    WgslModule { name: "remake_triangle", source: include_str!("remake_triangle.wgsl") };

/// The kernel.
pub const SOURCE: KernelSource<'static> = KernelSource {
    name: "remake_triangle",
    constants: &[],
    modules: &[STRICT_FLOAT, ACOS, FOLDED_GRID, TRIANGLE_RECORD, PSEUDO_NORMAL, REMAKE_TRIANGLE],
    trusted: false,
};

/// Words of one triangle: 16 of the record, 3 of the facet's normal, the angle at a, 3 of a direction, 0.
pub type Words = [u32; 24];

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

/// The words of the triangle a, b, c.
pub fn remake_words(a: Vec3, b: Vec3, c: Vec3, facet: u32) -> Words {
    let bits = |v: Vec3| v.map(f32::to_bits);
    // [1] the record
    let r = triangle_record(a, b, c, facet);
    // [2] the normal, the angle, and a sum of weighted normals as a vertex gets it
    let normal = facet_normal(a, b, c);
    let angle = corner_angle(a, b, c);
    let sum = add_weighted(add_weighted([0.0; 3], normal, angle), facet_normal(c, b, a), corner_angle(b, c, a));
    let d = direction(sum, angle + corner_angle(b, c, a));
    // [3] as words
    let mut words = [0; 24];
    words[..16].copy_from_slice(&r.words());
    words[16..19].copy_from_slice(&bits(normal));
    words[19] = angle.to_bits();
    words[20..23].copy_from_slice(&bits(d));
    words
}

/// The words of many triangles on the host.
pub fn on_host(corners: &[[Vec3; 3]]) -> Vec<Words> {
    corners.iter().zip(0..).map(|(&[a, b, c], facet)| remake_words(a, b, c, facet)).collect()
}

/// The words of many triangles on a device.
///
/// # Errors
/// Those of the device.
pub fn on_device(context: &Context, corners: &[[Vec3; 3]]) -> Result<Vec<Words>, Error> {
    let kernel = context.kernel(&SOURCE)?;
    let uploaded = context.upload("corners", corners)?;
    let words = context.zeroed::<Words>("words", corners.len())?;
    let count = corners.len() as u32;
    let groups = folded_grid::plan(count.div_ceil(64), context.adapter().limits.max_workgroups_per_dimension);
    let params = Params { count, groups_x: groups[0], zero: 0, pad: 0 };
    let mut recording = context.record("remake_triangle");
    recording.dispatch(&kernel, &[("corners", uploaded.bind()), ("words", words.bind())], &params, groups)?;
    let download = recording.download(&words);
    recording.submit()?.take(download)
}
