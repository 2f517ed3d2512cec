//! Where the rays of a picture begin and go. Twin of camera_rays.wgsl; vectors of render_vectors.wgsl.

use gpu_shaders::strict_float::{div_rn, snap, sqrt_rn};

use super::RenderOptions;
use crate::march::Ray;

/// Products below it count as 0, so that no sum is subnormal: 2^-90.
const SMALL: f32 = f32::from_bits((127 - 90) << 23);

/// a b.
pub(crate) fn part(a: f32, b: f32) -> f32 {
    snap(a * b, SMALL)
}

/// a . b
pub(crate) fn dot_of(a: [f32; 3], b: [f32; 3]) -> f32 {
    part(a[0], b[0]) + part(a[1], b[1]) + part(a[2], b[2])
}

/// a + t b.
pub(crate) fn along(a: [f32; 3], t: f32, b: [f32; 3]) -> [f32; 3] {
    [a[0] + part(t, b[0]), a[1] + part(t, b[1]), a[2] + part(t, b[2])]
}

/// a / b.
pub(crate) fn ratio(a: f32, b: f32) -> f32 {
    snap(div_rn(a, b), SMALL)
}

/// a/|a|; the third axis for a = 0.
pub(crate) fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = sqrt_rn(dot_of(a, a));
    if length == 0.0 {
        return [0.0, 0.0, 1.0];
    }
    [ratio(a[0], length), ratio(a[1], length), ratio(a[2], length)]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [part(a[1], b[2]) - part(a[2], b[1]), part(a[2], b[0]) - part(a[0], b[2]), part(a[0], b[1]) - part(a[1], b[0])]
}

/// A viewer that looks at the middle of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Lower corner of the box.
    pub low: [f32; 3],
    /// Upper corner of the box.
    pub high: [f32; 3],
    /// Where the viewer is.
    pub eye: [f32; 3],
    /// Direction of the view, of length 1.
    pub forward: [f32; 3],
}

impl Camera {
    /// A viewer outside the box who looks at its middle: `turn` radians round the z axis, `lift` radians above it, `distance` diagonals of the
    /// box away.
    pub fn round(low: [f64; 3], high: [f64; 3], turn: f64, lift: f64, distance: f64) -> Self {
        let diagonal: f64 = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt();
        let lift = lift.clamp(-1.55, 1.55);
        let back = [turn.cos() * lift.cos(), turn.sin() * lift.cos(), lift.sin()];
        let single = |v: [f64; 3]| v.map(|x| x as f32);
        Self {
            low: single(low),
            high: single(high),
            eye: single([0, 1, 2].map(|k| 0.5 * (low[k] + high[k]) + distance * diagonal * back[k])),
            forward: single(back.map(|x| -x)),
        }
    }

    /// As [`Camera::round`], from as near as a picture `aspect` times as wide as high still holds the whole box, with a margin; never nearer than
    /// 0.6 diagonals.
    pub fn fitted(low: [f64; 3], high: [f64; 3], turn: f64, lift: f64, aspect: f64) -> Self {
        let at = |distance: f64| Self::round(low, high, turn, lift, distance);
        // The box becomes smaller in the picture with the distance.
        let (mut near, mut far) = (0.6, 100.0);
        for _ in 0..30 {
            let middle = 0.5 * (near + far);
            if at(middle).holds(aspect as f32) { far = middle } else { near = middle }
        }
        at(far)
    }

    /// Whether all corners of the box are in a picture, 6 % from its edges.
    fn holds(&self, aspect: f32) -> bool {
        let right = unit(cross(self.forward, [0.0, 0.0, 1.0]));
        let up = cross(right, self.forward);
        (0..8).all(|corner| {
            let place = [0, 1, 2].map(|k| if corner >> k & 1 == 0 { self.low[k] } else { self.high[k] });
            let from = along(place, -1.0, self.eye);
            let reach = 0.94 * SLOPE * dot_of(from, self.forward);
            dot_of(from, up).abs() <= reach && dot_of(from, right).abs() <= reach * aspect
        })
    }
}

/// What the pixels of one sample have in common: the words of the kernels' parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) camera: Camera,
    pub(crate) right: [f32; 3],
    pub(crate) up: [f32; 3],
    pub(crate) lamp: [f32; 3],
    /// Place of the sample in its pixel.
    pub(crate) shift: [f32; 2],
    /// Diagonal of the box.
    pub(crate) size: f32,
}

impl Frame {
    pub(crate) fn new(camera: &Camera, options: &RenderOptions, sample: u32) -> Self {
        let right = unit(cross(camera.forward, [0.0, 0.0, 1.0]));
        let up = cross(right, camera.forward);
        let diagonal = along(camera.high, -1.0, camera.low);
        // Places that fill the pixel evenly however many there are (the plastic number's sequence).
        let place = |factor: f64| (0.5 + f64::from(sample) * factor).fract() as f32;
        let back = along([0.0; 3], -1.0, camera.forward);
        Self {
            width: options.width,
            height: options.height,
            camera: *camera,
            right,
            up,
            lamp: unit(along(along(back, 0.9, up), -0.7, right)),
            shift: [place(0.754_877_666_246_692_8), place(0.569_840_290_998_053_3)],
            size: sqrt_rn(dot_of(diagonal, diagonal)),
        }
    }
}

/// Half the height of the picture at distance 1.
const SLOPE: f32 = 0.36;

/// The ray through a pixel.
pub(crate) fn camera_ray(frame: &Frame, column: u32, row: u32) -> Ray {
    // [1] The place in the picture, -1 to 1 upward and as far sideways as the picture is wide.
    let tall = frame.height as f32;
    let x = ratio(2.0 * (column as f32 + frame.shift[0]) - frame.width as f32, tall);
    let y = ratio(tall - 2.0 * (row as f32 + frame.shift[1]), tall);
    // [2] The direction.
    let sideways = along(frame.camera.forward, part(SLOPE, x), frame.right);
    let direction = unit(along(sideways, part(SLOPE, y), frame.up));
    cut(frame, frame.camera.eye, direction)
}

/// The part of a ray inside the box.
pub(crate) fn cut(frame: &Frame, origin: [f32; 3], direction: [f32; 3]) -> Ray {
    let mut first = 0.0;
    let mut last = 16.0 * frame.size;
    for k in 0..3 {
        if direction[k] == 0.0 {
            if origin[k] < frame.camera.low[k] || origin[k] > frame.camera.high[k] {
                last = -1.0;
            }
        } else {
            let a = ratio(frame.camera.low[k] - origin[k], direction[k]);
            let b = ratio(frame.camera.high[k] - origin[k], direction[k]);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            first = if near > first { near } else { first };
            last = if far < last { far } else { last };
        }
    }
    Ray { origin, direction, near: first, far: last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_picture_holds_the_box_and_hardly_more() {
        for (size, aspect) in
            [([1.0, 1.0, 1.0], 1.5), ([4.0, 0.1, 1.0], 1.0), ([1e-3, 2e-3, 1e-3], 0.5), ([0.0, 0.0, 9.0], 2.0)]
        {
            let (low, high) = (size.map(|x| 5.0 - x), size.map(|x| 5.0 + x));
            let camera = Camera::fitted(low, high, -1.0, 0.5, aspect);
            assert!(camera.holds(aspect as f32), "{size:?}");
            let nearer = Camera { eye: along(camera.eye, 0.08 * length(&camera), camera.forward), ..camera };
            assert!(!nearer.holds(aspect as f32), "{size:?}");
        }
    }

    /// From the viewer to the middle of the box.
    fn length(camera: &Camera) -> f32 {
        let middle = [0, 1, 2].map(|k| 0.5 * (camera.low[k] + camera.high[k]));
        let from = along(middle, -1.0, camera.eye);
        dot_of(from, from).sqrt()
    }
}
