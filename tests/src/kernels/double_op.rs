//! The functions of strict_double, acos_double and atan2_double on given operands: twin of `double_op.wgsl`.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, Error, KernelSource, WgslModule};
use gpu_shaders::acos_double::acos_strict;
use gpu_shaders::atan2_double::atan2_strict;
use gpu_shaders::strict_double::{div_rn, scale_pow2, snap, sqrt_rn, two_prod, two_sum};
use gpu_shaders::{ACOS_DOUBLE, ATAN2_DOUBLE, FOLDED_GRID, STRICT_DOUBLE, folded_grid};

/// WGSL text of the kernel.
pub const DOUBLE_OP: WgslModule = WgslModule { name: "double_op", source: include_str!("double_op.wgsl") };

/// The kernel.
pub const SOURCE: KernelSource<'static> = KernelSource {
    name: "apply_double",
    constants: &[],
    modules: &[STRICT_DOUBLE, ACOS_DOUBLE, ATAN2_DOUBLE, FOLDED_GRID, DOUBLE_OP],
    trusted: false,
};

/// Results of an item.
pub const RESULTS: usize = 11;

/// What is computed: quotient, root, scaled, snapped, arc cosine, sum and its error, product and its error, two arc tangents.
pub const NAMES: [&str; RESULTS] = [
    "div_rn",
    "sqrt_rn",
    "scale_pow2",
    "snap",
    "acos_strict",
    "two_sum",
    "error of two_sum",
    "two_prod",
    "error of two_prod",
    "atan2_strict of any words",
    "atan2_strict of near sizes",
];

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

/// The results for one item; a and b are any words, c and d lie in the domains of `two_sum` and `two_prod`.
pub fn double_op(a: f64, b: f64, c: f64, d: f64, k: i32) -> [f64; RESULTS] {
    // [1] of any words
    let quotient = div_rn(a, b);
    let root = sqrt_rn(a);
    let scaled = scale_pow2(a, k);
    let snapped = snap(a, 2f64.powi(-100));
    // [2] in the domains
    let angle = acos_strict(c);
    let sum = two_sum(c, d);
    let product = two_prod(c, d);
    // [3] in every octant
    let wide = atan2_strict(a, b);
    let near = atan2_strict(c, d);
    [quotient, root, scaled, snapped, angle, sum.0, sum.1, product.0, product.1, wide, near]
}

/// Operands: random words with special ones among them, and numbers around 1.
pub fn operands(count: usize, seed: u64) -> Vec<[f64; 4]> {
    let mut word = seed | 1;
    let mut next = || {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        word ^ (word >> 29)
    };
    let special = [
        0,
        1 << 63,
        1,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0xbff0_0000_0000_0000,
        0x3fff_ffff_ffff_ffff,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff8_0000_0000_0000,
    ];
    let mut any = |i: usize| match i % 8 {
        0 => f64::from_bits(special[(next() >> 32) as usize % special.len()]),
        // Near 1, and with few digits: quotients and roots near the middle of two numbers.
        1..3 => f64::from_bits((next() >> 12) | ((1000 + next() % 46) << 52)),
        3 => f64::from_bits(((next() >> 12) & !0xffff_ffff) | ((1000 + next() % 46) << 52)),
        _ => f64::from_bits(next()),
    };
    let mut inner = seed ^ 0x9e37_79b9_7f4a_7c15;
    let mut near = || {
        inner = inner.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits((inner >> 12) | ((983 + (inner >> 7) % 60) << 52) | (inner & 1) << 63)
    };
    (0..count).map(|i| [any(i), any(i / 8), near(), near()]).collect()
}

/// The results on the host.
pub fn on_host(operands: &[[f64; 4]]) -> Vec<[f64; RESULTS]> {
    operands.iter().enumerate().map(|(i, &[a, b, c, d])| double_op(a, b, c, d, (i % 4600) as i32 - 2300)).collect()
}

/// The results on a device with f64.
///
/// # Errors
/// Those of the device.
pub fn on_device(context: &Context, operands: &[[f64; 4]]) -> Result<Vec<[f64; RESULTS]>, Error> {
    let kernel = context.kernel(&SOURCE)?;
    let uploaded = context.upload("operands", operands)?;
    let results = context.zeroed::<[f64; RESULTS]>("results", operands.len())?;
    let count = operands.len() as u32;
    let groups = folded_grid::plan(count.div_ceil(64), context.adapter().limits.max_workgroups_per_dimension);
    let params = Params { count, groups_x: groups[0], zero: 0, pad: 0 };
    let mut recording = context.record("double_op");
    recording.dispatch(&kernel, &[("operands", uploaded.bind()), ("results", results.bind())], &params, groups)?;
    let download = recording.download(&results);
    recording.submit()?.take(download)
}
