//! Rays on a device.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, WgslModule};
use gpu_shaders::STRICT_FLOAT;

use super::emit::module;
use super::enclose::absent;
use super::tape::{Tape, TapeText};
use crate::estimate::Estimate;
use crate::march::{Hit, MarchOptions, Ray, Surface, TIME, check};
use crate::real::Real;
use crate::wgsl::wgsl_of;
use crate::{Affine, Error, Interval, Mixed, Model, Plan, Rounding};

pub(super) const RAY_POINTS: WgslModule = WgslModule { name: "ray_points", source: include_str!("ray_points.wgsl") };
const MARCH_RAYS: WgslModule = WgslModule { name: "march_rays", source: include_str!("march_rays.wgsl") };

/// Rays of one submission: short enough for software devices to be interrupted between.
const PIECE: usize = 1 << 18;
/// Workgroups along the first dimension.
const ROW: u32 = 32_768;
/// The number of the kernel's method that gives slopes, beside those of [`crate::Method`].
const SLOPES: u32 = 2;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    steps: u32,
    first: f32,
    least: f32,
    method: u32,
    /// Of the window along each axis, where slopes are asked.
    half: f32,
}

/// A ray as the kernel reads it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct RayRecord {
    origin: [f32; 3],
    near: f32,
    direction: [f32; 3],
    far: f32,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct HitRecord {
    pub(super) t: f32,
    pub(super) steps: u32,
}

/// An expression made ready to be met by rays on a device.
#[derive(Debug)]
pub struct RayQuery {
    context: Context,
    kernel: Kernel,
    constants: DeviceVec<[f32; 4]>,
    tape: DeviceVec<[u32; 4]>,
    /// Of no use here: no slopes are asked.
    slopes: DeviceVec<[f32; 4]>,
    options: MarchOptions,
}

impl RayQuery {
    /// Writes and compiles the kernel of a plan in three variables.
    ///
    /// # Errors
    /// As [`crate::march_cpu`]; [`Error::NotOnDevice`] for functions that kernels lack; [`Error::Device`].
    pub fn new(context: &Context, plan: &Plan, options: MarchOptions) -> Result<Self, Error> {
        check(options)?;
        let surface = Surface::new(plan, 0.0)?;
        let march = MarchKernel::new(plan, options.model, options.rounding)?;
        let kernel = context.kernel(&march.entry().source())?;
        let constants = context.upload("constants", &march.constants(&surface))?;
        let tape = context.upload("tape", &march.clauses())?;
        let slopes = context.zeroed("slopes", 1)?;
        Ok(Self { context: context.clone(), kernel, constants, tape, slopes, options })
    }

    /// What every ray meets: the words of [`crate::march_cpu`].
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn hits(&self, rays: &[Ray]) -> Result<Vec<Hit>, Error> {
        let mut all = Vec::with_capacity(rays.len());
        for piece in rays.chunks(PIECE) {
            let record = |r: &Ray| RayRecord { origin: r.origin, near: r.near, direction: r.direction, far: r.far };
            let records: Vec<RayRecord> = piece.iter().map(record).collect();
            let rays = self.context.upload("rays", &records)?;
            let hits: DeviceVec<HitRecord> = self.context.zeroed("hits", piece.len())?;
            let groups = (piece.len() as u32).div_ceil(64);
            let groups_x = groups.min(ROW);
            let params = params(self.options, piece.len() as u32, groups_x);
            let mut recording = self.context.record("march_rays");
            let bindings = [
                ("rays", rays.bind()),
                ("constants", self.constants.bind()),
                ("tape", self.tape.bind()),
                ("hits", hits.bind()),
                ("slopes", self.slopes.bind()),
            ];
            recording.dispatch(&self.kernel, &bindings, &params, [groups_x, groups.div_ceil(ROW), 1])?;
            let read = recording.download(&hits);
            let found = recording.submit()?.take(read)?;
            let hit = |h: HitRecord| Hit { t: if h.t >= f32::HUGE { f32::INFINITY } else { h.t }, steps: h.steps };
            all.extend(found.into_iter().map(hit));
        }
        Ok(all)
    }
}

pub(super) fn params(options: MarchOptions, count: u32, groups_x: u32) -> Params {
    let MarchOptions { first, least, steps, method, .. } = options;
    Params { zero: 0, count, groups_x, steps, first, least, method: method as u32, half: 0.0 }
}

/// The same kernel asked for the slopes at its hits, in windows of half this length.
pub(super) fn slope_params(marching: Params, half: f32) -> Params {
    Params { method: SLOPES, half, ..marching }
}

/// The kinds of numbers that the kernel has, with the plan as a tape.
#[derive(Debug)]
pub(super) struct MarchKernel {
    tape: Tape,
    model: Model,
    rounding: Rounding,
}

impl MarchKernel {
    /// Of a plan in x, y, z, or in x, y, z and the time.
    pub(super) fn new(plan: &Plan, model: Model, rounding: Rounding) -> Result<Self, Error> {
        let tape = match model {
            Model::Affine if rounding == Rounding::Ignore => Tape::new::<Estimate>(plan, TIME)?,
            Model::Affine => Tape::new::<Affine<f32, 1>>(plan, TIME)?,
            Model::Mixed => Tape::new::<Mixed<f32, 1>>(plan, TIME)?,
            Model::Intervals => Tape::new::<Interval<f32>>(plan, TIME)?,
            Model::Standard => return Err(absent(model)),
        };
        Ok(Self { tape, model, rounding })
    }

    /// What the kernel reads of the tape.
    pub(super) fn clauses(&self) -> Vec<[u32; 4]> {
        self.tape.clauses()
    }

    /// Its constants, the operations of the time among them.
    pub(super) fn constants(&self, surface: &Surface<'_>) -> Vec<[f32; 4]> {
        match self.model {
            Model::Mixed => self.tape.constants::<Mixed<f32, 1>>(surface),
            Model::Intervals => self.tape.constants::<Interval<f32>>(surface),
            Model::Affine if self.rounding == Rounding::Ignore => self.tape.constants::<Estimate>(surface),
            Model::Affine | Model::Standard => self.tape.constants::<Affine<f32, 1>>(surface),
        }
    }

    /// The kernel; plans with the same functions have the same one.
    pub(super) fn entry(&self) -> KernelEntry {
        let (body, [of_form, along, vanishes]) = match self.model {
            Model::Affine | Model::Standard => {
                let body = match self.rounding {
                    Rounding::Rigorous => self.tape.text::<Affine<f32, 1>>(),
                    Rounding::Ignore => self.tape.text::<Estimate>(),
                };
                (body, ["form", "value", "affine_possibly_zero(value)"])
            }
            Model::Mixed => (
                self.tape.text::<Mixed<f32, 1>>(),
                ["mixed_from_form(form)", "value.form", "mixed_possibly_zero(value)"],
            ),
            Model::Intervals => (
                self.tape.text::<Interval<f32>>(),
                ["affine_interval(form)", "affine_from_interval(value)", "interval_possibly_zero(value)"],
            ),
        };
        let TapeText { mut text, mut roots, functions } = body;
        let kind = roots.first().cloned().unwrap_or_default();
        text += &format!("fn ray_value(form: Affine) -> {kind} {{\n    return {of_form};\n}}\n\n");
        text += &format!("fn ray_form(value: {kind}) -> Affine {{\n    return {along};\n}}\n\n");
        text += &format!("fn ray_may_vanish(value: {kind}) -> bool {{\n    return {vanishes};\n}}\n");
        let used = "affine_variable affine_add affine_scaled affine_select affine_from_interval interval_sub interval_div interval_times \
                    interval_intersect interval_is_empty interval_outward interval_point HUGE";
        roots.extend(used.split_whitespace().map(str::to_owned));
        roots.extend([of_form, along, vanishes].map(|call| call.split('(').next().unwrap_or(call).to_owned()));
        let library = module("affine_functions", wgsl_of::<f32>(1, &roots, &functions));
        let modules = vec![STRICT_FLOAT, RAY_POINTS, library, module("ray_expression", text), MARCH_RAYS];
        KernelEntry { name: "march_rays", constants: Vec::new(), modules, trusted: false }
    }
}
