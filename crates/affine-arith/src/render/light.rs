//! Points of a surface and their colours. Twin of surface_points.wgsl and shade_pixels.wgsl.

use gpu_shaders::strict_float::{div_rn, scale_pow2, sqrt_rn};

use super::camera::{Frame, along, cut, dot_of, part, ratio, unit};
use super::{LEAST, Shading, along_axis};
use crate::error::Error;
use crate::march::{Hit, Ray, Surface};

/// Where a ray met the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePoint {
    pub(crate) met: bool,
    /// Of the gradient, towards the viewer.
    pub(crate) normal: [f32; 3],
    /// From the point to the lamp; a ray without length where there is no point.
    pub(crate) shadow: Ray,
}

/// The point of a ray's hit: normal from the slopes of the form over a small window along each axis.
pub(crate) fn surface_point(surface: &Surface<'_>, frame: &Frame, ray: &Ray, hit: &Hit) -> Result<SurfacePoint, Error> {
    let none = Ray { origin: ray.origin, direction: ray.direction, near: 0.0, far: -1.0 };
    if hit.t >= ray.far {
        return Ok(SurfacePoint { met: false, normal: [0.0, 0.0, 1.0], shadow: none });
    }
    let point = along(ray.origin, hit.t, ray.direction);
    // [1] The gradient, scaled to magnitudes near 1.
    let half = part(frame.size, LEAST);
    let mut gradient = [0.0; 3];
    for (k, slope) in gradient.iter_mut().enumerate() {
        *slope = along_axis(surface, point, k, half)?;
    }
    let normal = unit(near_one(gradient));
    // [2] Towards the viewer: the inside of a surface is lit like its outside.
    let away = dot_of(normal, ray.direction) > 0.0;
    let normal = if away { [-normal[0], -normal[1], -normal[2]] } else { normal };
    // [3] The way to the lamp.
    let origin = along(point, 4.0 * half, normal);
    Ok(SurfacePoint { met: true, normal, shadow: cut(frame, origin, frame.lamp) })
}

/// A vector times the power of two that brings its largest component to [1, 2); 0 stays.
fn near_one(a: [f32; 3]) -> [f32; 3] {
    let mut largest = a[0].abs();
    largest = if a[1].abs() > largest { a[1].abs() } else { largest };
    largest = if a[2].abs() > largest { a[2].abs() } else { largest };
    let k = 127 - (largest.to_bits() >> 23) as i32;
    [scale_pow2(a[0], k), scale_pow2(a[1], k), scale_pow2(a[2], k)]
}

const BACKGROUND: [f32; 3] = [0.93, 0.94, 0.96];
const SURFACE: [f32; 3] = [0.36, 0.56, 0.82];

/// The colour of one sample.
pub(crate) fn colour(
    frame: &Frame,
    shading: Shading,
    ray: &Ray,
    hit: &Hit,
    point: &SurfacePoint,
    hidden: bool,
) -> [f32; 3] {
    if shading == Shading::Steps {
        let x = div_rn(hit.steps as f32, 120.0);
        let x = if x > 1.0 { 1.0 } else { x };
        return [sqrt_rn(x), x * x, 0.35 * (1.0 - x)];
    }
    if !point.met {
        return BACKGROUND;
    }
    let normal = point.normal;
    if shading == Shading::Normals {
        return [0.5 + part(0.5, normal[0]), 0.5 + part(0.5, normal[1]), 0.5 + part(0.5, normal[2])];
    }
    // [1] Diffuse light, and a shine to the 40th power.
    let half = unit(along(frame.lamp, -1.0, ray.direction));
    let mut diffuse = positive(dot_of(normal, frame.lamp));
    let mut shine = positive(dot_of(normal, half));
    let square = part(shine, shine);
    let fourth = part(square, square);
    let eighth = part(fourth, fourth);
    let sixteenth = part(eighth, eighth);
    let power = part(sixteenth, sixteenth);
    shine = part(power, eighth);
    if hidden {
        diffuse = 0.0;
        shine = 0.0;
    }
    // [2] The sum.
    let bright = 0.25 + part(0.75, diffuse);
    let white = part(0.3, shine);
    [part(SURFACE[0], bright) + white, part(SURFACE[1], bright) + white, part(SURFACE[2], bright) + white]
}

fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// The mean of `total` samples as a word.
pub(crate) fn packed(light: [f32; 3], total: u32) -> u32 {
    let byte = |sum: f32| {
        let mean = ratio(sum, total as f32);
        let most = if mean > 1.0 { 1.0 } else { mean };
        (part(most, 255.0) + 0.5) as u32
    };
    byte(light[0]) | byte(light[1]) << 8 | byte(light[2]) << 16 | 0xff00_0000
}
