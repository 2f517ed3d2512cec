//! The frame: the change from the caller's f64 coordinates to the working coordinates, f32 or f64.

use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::mesh::axis_name;
use crate::{Bounds, Error};

/// Largest working coordinate of a query (2^58).
pub(crate) const FAR: f64 = (1u64 << 58) as f64;

/// Working coordinate = real((x - centre) * 2^-exponent), snapped to +0 below 2^-40 (f64: 2^-100).
///
/// `centre` is the centre of the mesh's box and `exponent` puts the largest vertex coordinate into [1, 2). So working coordinates are
/// integer multiples of 2^-63, and differences of them and the dot products of those are 0 or at least 2^-126: nothing is subnormal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Centre of the mesh's box, in the caller's coordinates.
    pub centre: [f64; 3],
    /// Binary exponent of the scale: lengths in the frame are multiplied by 2^exponent to give the caller's.
    pub exponent: i32,
}

impl Frame {
    /// The frame of a mesh with these bounds.
    ///
    /// # Errors
    /// [`Error::Scale`] when the exponent lies outside -60..=60. A mesh whose vertices coincide gets exponent 0.
    pub fn new(bounds: &Bounds) -> Result<Frame, Error> {
        // Halves first: the sum of two large numbers would overflow.
        let centre: [f64; 3] = std::array::from_fn(|k| bounds.lo[k] * 0.5 + bounds.hi[k] * 0.5);
        let extent = (0..3).fold(0.0f64, |m, k| m.max(bounds.hi[k] - centre[k]).max(centre[k] - bounds.lo[k]));
        if extent == 0.0 {
            return Ok(Frame { centre, exponent: 0 });
        }
        let exponent = binary_exponent(extent);
        if !(-60..=60).contains(&exponent) {
            return Err(Error::Scale { extent, exponent });
        }
        Ok(Frame { centre, exponent })
    }

    /// Working coordinates of a vertex of the mesh.
    pub fn vertex<R: Real>(&self, point: &[f64; 3]) -> Vec3<R> {
        let scale = self.scale();
        std::array::from_fn(|k| R::from_f64((point[k] - self.centre[k]) * scale).snap(R::TINY))
    }

    /// Working coordinates of a query point.
    ///
    /// # Errors
    /// [`Error::TooFar`] when a working coordinate exceeds 2^58, [`Error::NotFinite`] for NaN or infinite coordinates.
    pub fn point<R: Real>(&self, what: &'static str, index: usize, point: &[f64; 3]) -> Result<Vec3<R>, Error> {
        crate::mesh::check_finite(what, index, point)?;
        let scale = self.scale();
        let scaled: [f64; 3] = std::array::from_fn(|k| (point[k] - self.centre[k]) * scale);
        if let Some(axis) = scaled.iter().position(|x| x.abs() > FAR) {
            let allowed = FAR / scale;
            return Err(Error::TooFar { what, index, axis: axis_name(axis), value: point[axis], allowed });
        }
        Ok(scaled.map(|x| R::from_f64(x).snap(R::TINY)))
    }

    /// The caller's coordinates of a point of the frame, rounded to f64.
    pub fn restore<R: Real>(&self, point: Vec3<R>) -> [f64; 3] {
        let scale = pow2(self.exponent);
        std::array::from_fn(|k| self.centre[k] + point[k].to_f64() * scale)
    }

    /// 2^-exponent.
    pub fn scale(&self) -> f64 {
        pow2(-self.exponent)
    }
}

/// 2^k for a k within the normal range of f64.
fn pow2(k: i32) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}

/// The exponent of a positive f64: 2^e <= x < 2^(e+1); subnormal numbers give -1023.
fn binary_exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_coordinate_lies_in_one_to_two() {
        for (lo, hi) in [(-1.0, 3.0), (1e5, 1e5 + 0.7), (-1e-9, 0.0), (0.0, 1e15)] {
            let bounds = Bounds { lo: [lo; 3], hi: [hi, lo, lo] };
            let frame = Frame::new(&bounds).unwrap();
            let x = frame.vertex::<f32>(&bounds.hi)[0];
            assert!((1.0..=2.0).contains(&x), "{lo} {hi}: {x}");
        }
    }

    #[test]
    fn sizes_outside_the_range_are_errors() {
        for size in [1e-30, 1e30, 1e-310, 1e308] {
            let bounds = Bounds { lo: [-size; 3], hi: [size; 3] };
            assert!(matches!(Frame::new(&bounds), Err(Error::Scale { .. })), "{size}");
        }
        let point = Bounds { lo: [7.0; 3], hi: [7.0; 3] };
        assert_eq!(Frame::new(&point).unwrap().exponent, 0);
    }
}
