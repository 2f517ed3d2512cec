//! How far two surfaces are apart: certified bounds of their Hausdorff distance.

mod bounds;
mod patch;

use crate::{Closest, Error, Mesh, Progress, Sign, Surface};
use bounds::directed;

/// Bounds of the largest distance from a point of one surface to the other surface.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Directed {
    /// Some point of the surface is at least so far from the other.
    pub lower: f64,
    /// No point of the surface is farther from the other.
    pub upper: f64,
    /// Distance of each vertex from the other surface; vertices without a triangle count, too.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub vertices: Vec<f32>,
    /// Points that were asked.
    pub queries: u64,
}

/// Bounds in both directions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Deviation {
    /// From the first surface to the second.
    pub forward: Directed,
    /// From the second to the first.
    pub backward: Directed,
}

impl Deviation {
    /// Lower and upper bound of the Hausdorff distance: the larger of both directions.
    pub fn hausdorff(&self) -> [f64; 2] {
        [self.forward.lower.max(self.backward.lower), self.forward.upper.max(self.backward.upper)]
    }
}

/// Bounds of the Hausdorff distance of two meshes as surfaces, not as vertices, at most `tolerance` apart in each direction.
///
/// Branch and bound: a triangle of one surface is at most as far from the other as its corners are from any one triangle there (the
/// distance to a convex set is convex), or as one corner plus the way to it. The triangles whose bound is largest are quartered, their new corners
/// asked in batches. The bounds hold for the f64 meshes: the error of the f32 distances, 2^-20 of (half extent + distance from the centre), is taken off
/// the lower ones, the upper ones are computed in f64. So a tolerance below four times that error is raised to it. The same numbers on every
/// device and with every number of threads.
///
/// # Errors
/// [`Error::Question`] for a tolerance that is not positive or a search that needs more than 2^28 points; those of [`Surface::build`];
/// [`Error::Interrupted`] when `progress`, called with the points asked so far and those known to come, breaks.
pub fn deviation_cpu(a: &Mesh, b: &Mesh, tolerance: f64, progress: &Progress<'_>) -> Result<Deviation, Error> {
    let (surface_a, surface_b) = (Surface::build(a)?, Surface::build(b)?);
    let ask = |surface: &Surface, points: &[[f64; 3]]| surface.closest_cpu(points, Sign::None);
    Ok(Deviation {
        forward: directed(a, b, surface_b.frame(), &|points| ask(&surface_b, points), tolerance, progress)?,
        backward: directed(b, a, surface_a.frame(), &|points| ask(&surface_a, points), tolerance, progress)?,
    })
}

/// As [`deviation_cpu`], the points asked on the device of `context`.
///
/// # Errors
/// As [`deviation_cpu`], and [`Error::Device`].
#[cfg(feature = "gpu")]
pub fn deviation(
    context: &gpu_runtime::Context,
    a: &Mesh,
    b: &Mesh,
    tolerance: f64,
    progress: &Progress<'_>,
) -> Result<Deviation, Error> {
    let one_way = |from: &Mesh, to: &Mesh| {
        let surface = Surface::build(to)?;
        let device = crate::DeviceSurface::upload(context, &surface)?;
        let ask = |points: &[[f64; 3]]| device.closest(points, Sign::None);
        directed(from, to, surface.frame(), &ask, tolerance, progress)
    };
    Ok(Deviation { forward: one_way(a, b)?, backward: one_way(b, a)? })
}

/// Answers a batch of points.
type Ask<'a> = dyn Fn(&[[f64; 3]]) -> Result<Vec<Closest>, Error> + 'a;
