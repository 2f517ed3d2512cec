//! How far two surfaces are apart: certified bounds of their Hausdorff distance.

mod bounds;
mod patch;

#[cfg(feature = "gpu")]
use crate::Precision;
use crate::{Closest, Error, Mesh, Progress, Sign, Surface};
use bounds::directed;

/// Bounds of the largest distance from a point of one surface to the other surface.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Directed<R = f32> {
    /// Some point of the surface is at least so far from the other.
    pub lower: f64,
    /// No point of the surface is farther from the other.
    pub upper: f64,
    /// Distance of each vertex from the other surface; vertices without a triangle count, too.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub vertices: Vec<R>,
    /// Points that were asked.
    pub queries: u64,
}

/// Bounds in both directions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Deviation<R = f32> {
    /// From the first surface to the second.
    pub forward: Directed<R>,
    /// From the second to the first.
    pub backward: Directed<R>,
}

impl<R> Deviation<R> {
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
/// the lower ones, the upper ones are computed in f64. So a tolerance below four times that error is raised to it ([`deviation_double_cpu`] goes farther). The same numbers on every
/// device and with every number of threads.
///
/// # Errors
/// [`Error::Question`] for a tolerance that is not positive or a search that needs more than 2^28 points; those of [`Surface::build`];
/// [`Error::Interrupted`] when `progress`, called with the points asked so far and those known to come, breaks.
pub fn deviation_cpu(a: &Mesh, b: &Mesh, tolerance: f64, progress: &Progress<'_>) -> Result<Deviation, Error> {
    of_both(a, b, |from, to| {
        let surface = Surface::build(to)?;
        directed(from, to, surface.frame(), &|points| surface.closest_cpu(points, Sign::None), tolerance, progress)
    })
}

/// As [`deviation_cpu`] with distances in f64, whose error is 2^-48 of the same length and a few 2^-53 of the coordinates.
///
/// # Errors
/// As [`deviation_cpu`].
pub fn deviation_double_cpu(
    a: &Mesh,
    b: &Mesh,
    tolerance: f64,
    progress: &Progress<'_>,
) -> Result<Deviation<f64>, Error> {
    of_both(a, b, |from, to| {
        let surface = Surface::build_double(to)?;
        directed(from, to, surface.frame(), &|points| surface.closest_cpu(points, Sign::None), tolerance, progress)
    })
}

/// One way and the other.
fn of_both<R>(
    a: &Mesh,
    b: &Mesh,
    one_way: impl Fn(&Mesh, &Mesh) -> Result<Directed<R>, Error>,
) -> Result<Deviation<R>, Error> {
    Ok(Deviation { forward: one_way(a, b)?, backward: one_way(b, a)? })
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
    of_both(a, b, |from, to| on_device(context, from, to, &Surface::build(to)?, tolerance, progress))
}

/// As [`deviation_double_cpu`], the points asked on the device of `context`, which needs 64-bit floats and integers.
///
/// # Errors
/// As [`deviation_cpu`], and [`Error::Device`].
#[cfg(feature = "gpu")]
pub fn deviation_double(
    context: &gpu_runtime::Context,
    a: &Mesh,
    b: &Mesh,
    tolerance: f64,
    progress: &Progress<'_>,
) -> Result<Deviation<f64>, Error> {
    of_both(a, b, |from, to| on_device(context, from, to, &Surface::build_double(to)?, tolerance, progress))
}

#[cfg(feature = "gpu")]
fn on_device<R: Precision>(
    context: &gpu_runtime::Context,
    from: &Mesh,
    to: &Mesh,
    surface: &Surface<R>,
    tolerance: f64,
    progress: &Progress<'_>,
) -> Result<Directed<R>, Error> {
    let device = crate::DeviceSurface::upload(context, surface)?;
    directed(from, to, surface.frame(), &|points| device.closest(points, Sign::None), tolerance, progress)
}

/// Answers a batch of points.
type Ask<'a, R> = dyn Fn(&[[f64; 3]]) -> Result<Vec<Closest<R>>, Error> + 'a;
