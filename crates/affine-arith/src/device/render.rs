//! Pictures on a device: rays, their hits, normals, shadows and colours in one submission.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, Recording, Timestamps, WgslModule};
use gpu_shaders::{STRICT_FLOAT, folded_grid};

use super::emit::module;
use super::expression::expression;
use super::march::{self, HitRecord, RayRecord};
use super::program::compiled;
use crate::march::{Surface, TIME};
use crate::real::Real;
use crate::render::{Camera, Frame, Picture, RenderOptions};
use crate::wgsl::wgsl_of;
use crate::{Affine, Error, Model, Plan, Rounding};

const RENDER_PARAMS: WgslModule = WgslModule { name: "render_params", source: include_str!("render_params.wgsl") };
const RENDER_VECTORS: WgslModule = WgslModule { name: "render_vectors", source: include_str!("render_vectors.wgsl") };
const CAMERA_RAYS: WgslModule = WgslModule { name: "camera_rays", source: include_str!("camera_rays.wgsl") };
const SURFACE_POINTS: WgslModule = WgslModule { name: "surface_points", source: include_str!("surface_points.wgsl") };
const SHADE_PIXELS: WgslModule = WgslModule { name: "shade_pixels", source: include_str!("shade_pixels.wgsl") };

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    zero: u32,
    width: u32,
    height: u32,
    groups_x: u32,
    eye: [f32; 3],
    size: f32,
    forward: [f32; 3],
    shift_x: f32,
    right: [f32; 3],
    shift_y: f32,
    up: [f32; 3],
    total: u32,
    low: [f32; 3],
    shading: u32,
    high: [f32; 3],
    first: u32,
    lamp: [f32; 3],
    shadows: u32,
}

/// An expression made ready to be drawn on a device; keeps the sums of colours for pictures that are added up.
#[derive(Debug)]
pub struct RenderQuery {
    context: Context,
    plan: Plan,
    options: RenderOptions,
    kernels: [Kernel; 4],
    rays: [DeviceVec<RayRecord>; 2],
    hits: [DeviceVec<HitRecord>; 2],
    normals: DeviceVec<[f32; 4]>,
    light: DeviceVec<[f32; 4]>,
    pixels: DeviceVec<u32>,
}

impl RenderQuery {
    /// Writes and compiles the kernels of a plan in x, y, z, or in x, y, z and the time, and makes buffers for the pixels of a picture, 140 bytes each.
    ///
    /// # Errors
    /// As [`crate::render_cpu`]; [`Error::NotOnDevice`] for functions that kernels lack; [`Error::Device`].
    pub fn new(context: &Context, plan: &Plan, options: &RenderOptions) -> Result<Self, Error> {
        options.check()?;
        Surface::new(plan, 0.0)?;
        let kernels = compiled(context, Self::kernels(plan, options.model, options.rounding)?)?;
        let pixels = options.width as usize * options.height as usize;
        Ok(Self {
            kernels,
            rays: [context.zeroed("rays", pixels)?, context.zeroed("shadow rays", pixels)?],
            hits: [context.zeroed("hits", pixels)?, context.zeroed("shadow hits", pixels)?],
            normals: context.zeroed("normals", pixels)?,
            light: context.zeroed("light", pixels)?,
            pixels: context.zeroed("pixels", pixels)?,
            context: context.clone(),
            plan: plan.clone(),
            options: *options,
        })
    }

    /// The kernels that [`Self::new`] compiles for a plan: rays, march, points, colours; for reading and counting.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn kernels(plan: &Plan, model: Model, rounding: Rounding) -> Result<[KernelEntry; 4], Error> {
        let [camera, points, shade] = entries(plan)?;
        Ok([camera, march::entry(plan, model, rounding)?, points, shade])
    }

    /// Draws with other options from now on; kernels and buffers stay.
    ///
    /// # Errors
    /// [`Error::Picture`] for another size and for no samples; [`Error::Model`] for another model.
    pub fn change(&mut self, options: &RenderOptions) -> Result<(), Error> {
        options.check()?;
        let (width, height) = (self.options.width, self.options.height);
        if (options.width, options.height) != (width, height) {
            let allowed = u64::from(width) * u64::from(height);
            return Err(Error::Picture {
                width: options.width,
                height: options.height,
                samples: options.samples,
                allowed,
            });
        }
        if (options.model, options.rounding) != (self.options.model, self.options.rounding) {
            return Err(Error::Model { model: options.model, allowed: "that of the kernels" });
        }
        self.options = *options;
        Ok(())
    }

    /// Draws the samples from `first` on, in place of the options' first sample: the words of [`crate::render_cpu`]. With `first` above 0 they are added
    /// to those drawn before. Also gives device seconds, as [`gpu_runtime::Completed::timings`] has them.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn draw(
        &self,
        time: f64,
        camera: &Camera,
        first: u32,
        timestamps: Timestamps,
    ) -> Result<(Picture, Vec<(String, f64)>), Error> {
        let surface = Surface::new(&self.plan, time)?;
        // Of the march, and of the normals.
        let marched = march::given(&surface, self.options.model, self.options.rounding);
        let sloped = march::given(&surface, Model::Affine, Rounding::Rigorous);
        let constants = [("constants", marched), ("constants of normals", sloped)];
        let [marched, sloped] = constants.map(|(label, words)| self.context.upload(label, &words));
        let constants = [marched?, sloped?];
        let mut recording = self.context.record("render").with_timestamps(timestamps);
        for sample in first..first + self.options.samples {
            let frame = Frame::new(camera, &self.options, sample);
            self.record(&mut recording, &frame, sample, &constants)?;
        }
        let (pixels, hits) = (recording.download(&self.pixels), recording.download(&self.hits[0]));
        let mut done = recording.submit()?;
        let timings = done.timings().to_vec();
        let (pixels, hits) = (done.take(pixels)?, done.take(hits)?);
        let picture = Picture {
            pixels,
            hits: hits.iter().filter(|hit| hit.t < f32::HUGE).count(),
            windows: hits.iter().map(|hit| u64::from(hit.steps)).sum(),
        };
        Ok((picture, timings))
    }

    /// The dispatches of one sample.
    fn record(
        &self,
        recording: &mut Recording,
        frame: &Frame,
        sample: u32,
        [marched, sloped]: &[DeviceVec<[f32; 4]>; 2],
    ) -> Result<(), Error> {
        let count = self.options.width * self.options.height;
        let most = self.context.adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(count.div_ceil(64), most);
        let params = self.params(frame, sample, groups[0]);
        let marching = march::params(frame.march(&self.options), count, groups[0]);
        let [camera, march, points, shade] = &self.kernels;
        let ([rays, shadow_rays], [hits, shadow_hits]) = (&self.rays, &self.hits);
        recording.dispatch(camera, &[("rays", rays.bind())], &params, groups)?;
        let bindings = [("rays", rays.bind()), ("constants", marched.bind()), ("hits", hits.bind())];
        recording.dispatch(march, &bindings, &marching, groups)?;
        let bindings = [
            ("rays", rays.bind()),
            ("hits", hits.bind()),
            ("constants", sloped.bind()),
            ("normals", self.normals.bind()),
            ("shadow_rays", shadow_rays.bind()),
        ];
        recording.dispatch(points, &bindings, &params, groups)?;
        if self.options.shadows {
            let bindings = [("rays", shadow_rays.bind()), ("constants", marched.bind()), ("hits", shadow_hits.bind())];
            recording.dispatch(march, &bindings, &marching, groups)?;
        }
        let bindings = [
            ("rays", rays.bind()),
            ("hits", hits.bind()),
            ("normals", self.normals.bind()),
            ("shadow_rays", shadow_rays.bind()),
            ("shadow_hits", shadow_hits.bind()),
            ("light", self.light.bind()),
            ("pixels", self.pixels.bind()),
        ];
        recording.dispatch(shade, &bindings, &params, groups)?;
        Ok(())
    }

    fn params(&self, frame: &Frame, sample: u32, groups_x: u32) -> Params {
        Params {
            zero: 0,
            width: frame.width,
            height: frame.height,
            groups_x,
            eye: frame.camera.eye,
            size: frame.size,
            forward: frame.camera.forward,
            shift_x: frame.shift[0],
            right: frame.right,
            shift_y: frame.shift[1],
            up: frame.up,
            total: sample + 1,
            low: frame.camera.low,
            shading: self.options.shading as u32,
            high: frame.camera.high,
            first: u32::from(sample == 0),
            lamp: frame.lamp,
            shadows: u32::from(self.options.shadows),
        }
    }
}

/// The kernels of a picture but the march: rays, points, colours.
pub(super) fn entries(plan: &Plan) -> Result<[KernelEntry; 3], Error> {
    let entry = |name: &'static str, modules: Vec<WgslModule>| KernelEntry {
        name,
        constants: Vec::new(),
        modules,
        trusted: false,
    };
    let (body, mut roots, functions) = expression::<Affine<f32, 1>>(plan, TIME)?;
    let used = ["affine_variable", "affine_from_interval", "interval_outward", "interval_point"];
    roots.extend(used.map(str::to_owned));
    let library = module("affine_functions", wgsl_of::<f32>(1, &roots, &functions));
    let expression = module("ray_expression", body);
    Ok([
        entry("camera_rays", vec![STRICT_FLOAT, RENDER_PARAMS, RENDER_VECTORS, CAMERA_RAYS]),
        entry("surface_points", vec![STRICT_FLOAT, RENDER_PARAMS, RENDER_VECTORS, library, expression, SURFACE_POINTS]),
        entry("shade_pixels", vec![STRICT_FLOAT, RENDER_PARAMS, RENDER_VECTORS, SHADE_PIXELS]),
    ])
}
