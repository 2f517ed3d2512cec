//! Pictures of implicit surfaces by rays that pass no surface: what a ray meets has bounds that hold, light is arithmetic on f32 with the same words
//! on the CPU and on every device.

mod camera;
mod light;

pub use camera::Camera;
#[cfg(feature = "gpu")]
pub(crate) use camera::part;
pub(crate) use camera::{Frame, camera_ray};
pub(crate) use light::{colour, packed, surface_point};

use rayon::prelude::*;

use crate::affine::Affine;
use crate::error::Error;
use crate::expr::Plan;
use crate::interval::Interval;
use crate::march::{MarchOptions, Method, Surface, check_model};
use crate::subdivide::{Model, Rounding};

/// What the pixels show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shading {
    /// Surfaces lit by a lamp.
    #[default]
    Light = 0,
    /// Directions of the gradient as colours.
    Normals = 1,
    /// Windows that were looked at.
    Steps = 2,
}

/// How a picture is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What pixels show.
    pub shading: Shading,
    /// Whether surfaces hide the lamp from each other.
    pub shadows: bool,
    /// How windows are chosen.
    pub method: Method,
    /// What windows are evaluated with, as [`MarchOptions::model`]; normals always come from affine forms.
    pub model: Model,
    /// Whether the rounding errors of windows are counted, as [`MarchOptions::rounding`].
    pub rounding: Rounding,
    /// Most windows a ray.
    pub steps: u32,
    /// The first sample of a pixel, for pictures that are added up; 0 else.
    pub first_sample: u32,
    /// Rays a pixel, at places that do not repeat.
    pub samples: u32,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels row by row from the top: red, green, blue, 255 from the lowest byte on.
    pub pixels: Vec<u32>,
    /// Rays of the last sample that met the surface.
    pub hits: usize,
    /// Windows that these rays were looked at in, without those of shadows.
    pub windows: u64,
}

/// Most pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 26;

impl RenderOptions {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if pixels == 0 || pixels > MAX_PIXELS || self.samples == 0 {
            return Err(Error::Picture {
                width: self.width,
                height: self.height,
                samples: self.samples,
                allowed: MAX_PIXELS,
            });
        }
        check_model(self.model, self.rounding)
    }
}

/// Windows at the end of a search, relative to the size of the box: 2^-13.
pub(crate) const LEAST: f32 = 1.0 / 8192.0;

impl Frame {
    /// Windows of the rays of a picture.
    pub(crate) fn march(&self, options: &RenderOptions) -> MarchOptions {
        let least = self.size * LEAST;
        let RenderOptions { steps, method, model, rounding, .. } = *options;
        MarchOptions { first: 64.0 * least, least, steps, method, model, rounding }
    }
}

/// Draws a plan in x, y, z, or in x, y, z and the time t. The kernels of [`crate::RenderQuery`] give the same words.
///
/// `light` holds the sums of colours of a pixel over the samples before `first_sample`, empty for none; this call adds its own.
///
/// Errors: a plan of other variables; sizes beyond [`MAX_PIXELS`].
pub fn render_cpu(
    plan: &Plan,
    time: f64,
    camera: &Camera,
    options: &RenderOptions,
    light: &mut Vec<[f32; 3]>,
) -> Result<Picture, Error> {
    options.check()?;
    let surface = Surface::new(plan, time)?;
    let pixels = options.width as usize * options.height as usize;
    light.resize(pixels, [0.0; 3]);
    let mut looked = vec![(false, 0_u32); pixels];
    for sample in options.first_sample..options.first_sample + options.samples {
        let frame = Frame::new(camera, options, sample);
        let march = frame.march(options);
        light.par_iter_mut().zip(&mut looked).enumerate().try_for_each(|(i, (light, looked))| {
            let ray = camera_ray(&frame, i as u32 % options.width, i as u32 / options.width);
            let hit = surface.march(&ray, march)?;
            let point = surface_point(&surface, &frame, &ray, &hit)?;
            let hidden = options.shadows && surface.march(&point.shadow, march)?.t.is_finite();
            let found = colour(&frame, options.shading, &ray, &hit, &point, hidden);
            *light = std::array::from_fn(|k| light[k] + found[k]);
            *looked = (point.met, hit.steps);
            Ok::<(), Error>(())
        })?;
    }
    let total = options.first_sample + options.samples;
    Ok(Picture {
        pixels: light.iter().map(|light| packed(*light, total)).collect(),
        hits: looked.iter().filter(|(met, _)| *met).count(),
        windows: looked.iter().map(|(_, steps)| u64::from(*steps)).sum(),
    })
}

/// The form of the expression along axis k through a point, whose coefficient is about the partial derivative times `half`.
pub(crate) fn along_axis(surface: &Surface<'_>, point: [f32; 3], k: usize, half: f32) -> Result<f32, Error> {
    let at = |axis: usize| {
        if axis == k {
            Affine::<f32, 1>::variable(0, Interval::outward(point[axis] - half, point[axis] + half))
        } else {
            Affine::from_interval(Interval::point(point[axis]))
        }
    };
    Ok(surface.value::<Affine<f32, 1>>([at(0), at(1), at(2)])?.x[0])
}

#[cfg(test)]
mod tests;
