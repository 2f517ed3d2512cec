//! Triangle record and normals from working coordinates, as a refit on a device makes them: twin of `remake_triangle.wgsl`.
//!
//! One text for f32 and f64.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, Error, KernelEntry, WgslModule};
use gpu_shaders::{FOLDED_GRID, folded_grid};
use mesh_distance::kernels::Vec3;
use mesh_distance::kernels::pseudo_normal::{PSEUDO_NORMAL, add_weighted, corner_angle, direction, facet_normal};
use mesh_distance::kernels::real::{Real, Record};
use mesh_distance::kernels::triangle_record::{self, TRIANGLE_RECORD};

/// WGSL text of the kernel.
pub const REMAKE_TRIANGLE: WgslModule =
    WgslModule { name: "remake_triangle", source: include_str!("remake_triangle.wgsl") };

/// The kernel for numbers of one kind.
pub fn entry<R: Real>() -> KernelEntry {
    let [strict, real] = R::MODULES;
    let modules = vec![strict, R::ACOS, FOLDED_GRID, real, TRIANGLE_RECORD, PSEUDO_NORMAL, REMAKE_TRIANGLE];
    KernelEntry { name: "remake_triangles", constants: vec![], modules, trusted: false }
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

/// 15 numbers of the record, 3 of the facet's normal, the angle at a, 3 of a direction.
pub fn remake_triangle<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> [R; 22] {
    // [1] the record
    let r = triangle_record::triangle_record::<R>(a, b, c, 0);
    // [2] the normal, the angle, and a sum of weighted normals as a vertex gets it
    let normal = facet_normal(a, b, c);
    let angle = corner_angle(a, b, c);
    let sum = add_weighted(add_weighted([R::ZERO; 3], normal, angle), facet_normal(c, b, a), corner_angle(b, c, a));
    let d = direction(sum, angle + corner_angle(b, c, a));
    // [3] in order
    let mut numbers = [R::ZERO; 22];
    for (k, (corner, reciprocal)) in r.corners().into_iter().zip(r.reciprocals()).enumerate() {
        numbers[4 * k..4 * k + 3].copy_from_slice(&corner);
        numbers[4 * k + 3] = reciprocal;
    }
    numbers[12..15].copy_from_slice(&r.gradient());
    numbers[15..18].copy_from_slice(&normal);
    numbers[18] = angle;
    numbers[19..].copy_from_slice(&d);
    numbers
}

/// The numbers of many triangles on the host.
pub fn on_host<R: Real>(corners: &[[Vec3<R>; 3]]) -> Vec<[R; 22]> {
    corners.iter().map(|&[a, b, c]| remake_triangle(a, b, c)).collect()
}

/// The numbers of many triangles on a device.
///
/// # Errors
/// Those of the device.
pub fn on_device<R: Real>(context: &Context, corners: &[[Vec3<R>; 3]]) -> Result<Vec<[R; 22]>, Error> {
    let kernel = context.kernel(&entry::<R>().source())?;
    let uploaded = context.upload("corners", corners)?;
    let results = context.zeroed::<[R; 22]>("results", corners.len())?;
    let count = corners.len() as u32;
    let groups = folded_grid::plan(count.div_ceil(64), context.adapter().limits.max_workgroups_per_dimension);
    let params = Params { count, groups_x: groups[0], zero: 0, pad: 0 };
    let mut recording = context.record("remake_triangle");
    recording.dispatch(&kernel, &[("corners", uploaded.bind()), ("results", results.bind())], &params, groups)?;
    let download = recording.download(&results);
    recording.submit()?.take(download)
}

/// Numbers as words: equal floats need not be the same.
pub fn words<R: Real>(numbers: &[[R; 22]]) -> Vec<[[u32; 2]; 22]> {
    numbers.iter().map(|own| own.map(R::words)).collect()
}
