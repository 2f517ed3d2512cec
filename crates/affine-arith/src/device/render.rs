//! Pictures on a device: rays, their hits, normals, shadows and colours in one submission.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, Recording, Timestamps, WgslModule};
use gpu_shaders::{STRICT_FLOAT, folded_grid};

use super::march::{self, HitRecord, MarchKernel, RAY_POINTS, RayRecord};
use super::program::compiled;
use crate::march::Surface;
use crate::real::Real;
use crate::render::{Camera, Frame, LEAST, Picture, RenderOptions, part};
use crate::{Error, Model, Plan, Rounding};

const RENDER_PARAMS: WgslModule = WgslModule { name: "render_params", source: include_str!("render_params.wgsl") };
const RENDER_VECTORS: WgslModule = WgslModule { name: "render_vectors", source: include_str!("render_vectors.wgsl") };
const CAMERA_RAYS: WgslModule = WgslModule { name: "camera_rays", source: include_str!("camera_rays.wgsl") };
const SURFACE_POINTS: WgslModule = WgslModule { name: "surface_points", source: include_str!("surface_points.wgsl") };
const SHADE_PIXELS: WgslModule = WgslModule { name: "shade_pixels", source: include_str!("shade_pixels.wgsl") };

/// What slopes are computed with, whatever rays are marched with.
const SLOPED: (Model, Rounding) = (Model::Affine, Rounding::Rigorous);

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
    kernels: [Kernel; 5],
    /// Of the march, and of the slopes.
    marches: [MarchKernel; 2],
    tapes: [DeviceVec<[u32; 4]>; 2],
    slopes: DeviceVec<[f32; 4]>,
    rays: [DeviceVec<RayRecord>; 2],
    hits: [DeviceVec<HitRecord>; 2],
    normals: DeviceVec<[f32; 4]>,
    light: DeviceVec<[f32; 4]>,
    pixels: DeviceVec<u32>,
}

impl RenderQuery {
    /// Writes and compiles the kernels of a plan in x, y, z, or in x, y, z and the time, and makes buffers for the pixels of a picture, 156 bytes each.
    ///
    /// # Errors
    /// As [`crate::render_cpu`]; [`Error::NotOnDevice`] for functions that kernels lack; [`Error::Device`].
    pub fn new(context: &Context, plan: &Plan, options: &RenderOptions) -> Result<Self, Error> {
        options.check()?;
        Surface::new(plan, 0.0)?;
        let marches = [(options.model, options.rounding), SLOPED]
            .map(|(model, rounding)| MarchKernel::new(plan, model, rounding));
        let [marched, sloped] = marches;
        let marches = [marched?, sloped?];
        let [camera, points, shade] = entries();
        let kernels = if (options.model, options.rounding) == SLOPED {
            let [camera, march, points, shade] = compiled(context, [camera, marches[0].entry(), points, shade])?;
            [camera, march.clone(), march, points, shade]
        } else {
            compiled(context, [camera, marches[0].entry(), marches[1].entry(), points, shade])?
        };
        let tapes =
            [context.upload("tape", &marches[0].clauses())?, context.upload("tape of slopes", &marches[1].clauses())?];
        let pixels = options.width as usize * options.height as usize;
        Ok(Self {
            kernels,
            marches,
            tapes,
            slopes: context.zeroed("slopes", pixels)?,
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

    /// The kernels that [`Self::new`] compiles for a plan: rays, march, points, colours, and slopes where the march does not give them; for reading and
    /// counting.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn kernels(plan: &Plan, model: Model, rounding: Rounding) -> Result<Vec<KernelEntry>, Error> {
        let [camera, points, shade] = entries();
        let mut kernels = vec![camera, MarchKernel::new(plan, model, rounding)?.entry(), points, shade];
        if (model, rounding) != SLOPED {
            kernels.push(MarchKernel::new(plan, SLOPED.0, SLOPED.1)?.entry());
        }
        Ok(kernels)
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
        let [marched, sloped] = self.marches.each_ref().map(|march| march.constants(&surface));
        let constants =
            [self.context.upload("constants", &marched)?, self.context.upload("constants of slopes", &sloped)?];
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
        constants: &[DeviceVec<[f32; 4]>; 2],
    ) -> Result<(), Error> {
        let count = self.options.width * self.options.height;
        let most = self.context.adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(count.div_ceil(64), most);
        let params = self.params(frame, sample, groups[0]);
        let marching = march::params(frame.march(&self.options), count, groups[0]);
        let [camera, march, slopes, points, shade] = &self.kernels;
        let ([rays, shadow_rays], [hits, shadow_hits]) = (&self.rays, &self.hits);
        // The first rays or those of shadows, with the tape of the march or of slopes.
        let marched = |of: usize, which: usize| {
            [
                ("rays", self.rays[of].bind()),
                ("constants", constants[which].bind()),
                ("tape", self.tapes[which].bind()),
                ("hits", self.hits[of].bind()),
                ("slopes", self.slopes.bind()),
            ]
        };
        recording.dispatch(camera, &[("rays", rays.bind())], &params, groups)?;
        recording.dispatch(march, &marched(0, 0), &marching, groups)?;
        let sloping = march::slope_params(marching, part(frame.size, LEAST));
        recording.dispatch(slopes, &marched(0, 1), &sloping, groups)?;
        let bindings = [
            ("rays", rays.bind()),
            ("hits", hits.bind()),
            ("slopes", self.slopes.bind()),
            ("normals", self.normals.bind()),
            ("shadow_rays", shadow_rays.bind()),
        ];
        recording.dispatch(points, &bindings, &params, groups)?;
        if self.options.shadows {
            recording.dispatch(march, &marched(1, 0), &marching, groups)?;
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
pub(super) fn entries() -> [KernelEntry; 3] {
    let entry = |name: &'static str, own: WgslModule| {
        let modules = vec![STRICT_FLOAT, RENDER_PARAMS, RAY_POINTS, RENDER_VECTORS, own];
        KernelEntry { name, constants: Vec::new(), modules, trusted: false }
    };
    [entry("camera_rays", CAMERA_RAYS), entry("surface_points", SURFACE_POINTS), entry("shade_pixels", SHADE_PIXELS)]
}
