//! Questions to a surface, answered on the CPU: the reference of every device.

use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::kernels::Vec3;
use crate::kernels::real::{Real, Record, scale_pow2, sqrt_rn};
use crate::kernels::triangle_distance::{ClosestFeature, closest_feature, is_negative};
use crate::search::{self, Hit};
use crate::{Error, Grid, Surface};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Points that a thread answers before the next progress call at most.
const CHUNK: usize = 1 << 10;
/// Chunks or blocks between two progress calls.
const WAVE: usize = 1 << 11;

/// How a distance gets its sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Sign {
    /// No sign: distances are not negative.
    #[default]
    None,
    /// Negative where the pseudo-normal of the closest feature points away; right for closed, consistently oriented meshes.
    PseudoNormal,
    /// Negative where the winding number is above 1/2: right for closed meshes with any defect inside, and sensible for open ones.
    ///
    /// The words are those of [`Sign::SolidAngle`]; expansions with a proven error find them without asking every triangle.
    Winding,
    /// Negative where at least two of the rays along the three axes meet an odd number of triangles: for closed meshes of any orientation.
    Rays,
    /// Negative where the sum of the solid angles of all triangles is above half the sphere: the definition of `Winding`, and its slow oracle.
    SolidAngle,
}

/// The part of a triangle that holds a closest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// The interior.
    Face,
    /// Edge 1, 2 or 3: between corners 1 and 2, 2 and 3, 3 and 1.
    Edge(u8),
    /// Corner 1, 2 or 3.
    Vertex(u8),
}

impl Feature {
    /// 0 for the face; 1, 2, 3 for the edges 12, 23, 31; -1, -2, -3 for the corners.
    pub fn code(self) -> i8 {
        match self {
            Feature::Face => 0,
            Feature::Edge(k) => k as i8,
            Feature::Vertex(k) => -(k as i8),
        }
    }

    /// From the feature numbers of [`crate::kernels::triangle_distance`].
    pub(crate) fn from_kernel(feature: u32) -> Feature {
        // The kernel's order of edges is 12, 31, 23.
        [
            Feature::Face,
            Feature::Edge(1),
            Feature::Edge(3),
            Feature::Edge(2),
            Feature::Vertex(1),
            Feature::Vertex(2),
            Feature::Vertex(3),
        ][feature as usize]
    }
}

/// The closest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Closest<R = f32> {
    /// Distance, in the caller's unit, with the sign asked for.
    pub distance: R,
    /// Closest point, in the caller's coordinates.
    pub point: [f64; 3],
    /// Index of the triangle.
    pub triangle: u32,
    /// Coordinates of the point in the triangle: p1 + u (p2 - p1) + v (p3 - p1).
    pub uv: [R; 2],
    /// The part of the triangle.
    pub feature: Feature,
}

/// Called with the items done and all items between pieces of work; `Break` stops it.
pub type Progress<'a> = dyn Fn(usize, usize) -> ControlFlow<()> + 'a;

impl<R: Precision> Surface<R> {
    /// Distance from each point to the surface: min over triangles |p - q|, negative inside when a sign is asked for.
    ///
    /// Points and distances are in the mesh's unit; `squared` gives the square with the same sign. Each value is correctly rounded from
    /// the computation in the surface's frame, the same word on every device; |signed| equals unsigned. A point on the surface gets +0.
    /// Beyond the range of the numbers the result is infinite, or 0.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::TooFar`] with the index of the point.
    ///
    /// Cost: about a microsecond a point and thread on meshes of some ten thousand triangles; points in spatial order are faster.
    pub fn distance_cpu(&self, points: &[[f64; 3]], sign: Sign, squared: bool) -> Result<Vec<R>, Error> {
        self.ready_for(sign);
        let mut values = vec![R::ZERO; points.len()];
        values.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, values)| {
            let first = chunk * CHUNK;
            let mut hit = Hit::NONE;
            for (k, value) in values.iter_mut().enumerate() {
                let p = self.frame().point("point", first + k, &points[first + k])?;
                hit = search::nearest(self, p, hit.slot);
                *value = self.value(p, hit, sign, squared);
            }
            Ok::<(), Error>(())
        })?;
        Ok(values)
    }

    /// Closest point, triangle, feature and distance for each point.
    ///
    /// Of triangles at the same computed distance the one with the smallest index; within it the face before the edges 12, 31, 23, and an
    /// edge's end where its parameter is exactly 0 or 1. Distances are those of [`Surface::distance_cpu`], not squared.
    ///
    /// # Errors
    /// As [`Surface::distance_cpu`].
    pub fn closest_cpu(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<Closest<R>>, Error> {
        self.ready_for(sign);
        let chunks: Result<Vec<Vec<Closest<R>>>, Error> = points
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let mut hit = Hit::NONE;
                let answer = |(k, point)| {
                    let p = self.frame().point("point", chunk * CHUNK + k, point)?;
                    hit = search::nearest(self, p, hit.slot);
                    Ok(self.closest(p, hit, sign))
                };
                points.iter().enumerate().map(answer).collect()
            })
            .collect();
        Ok(chunks?.concat())
    }

    /// Distance at every cell centre of a grid, x fastest: shape (NZ, NY, NX) in C order.
    ///
    /// Centres are computed in the surface's frame, (index + 0.5) * h + lo, as a device does; else as [`Surface::distance_cpu`].
    ///
    /// # Errors
    /// [`Error::Grid`], [`Error::TooFar`], [`Error::Memory`]; [`Error::Interrupted`] when `progress` breaks.
    pub fn grid_distance_cpu(
        &self,
        grid: &Grid,
        sign: Sign,
        squared: bool,
        progress: &Progress<'_>,
    ) -> Result<Vec<R>, Error> {
        let frame_grid = FrameGrid::new(grid, self.frame())?;
        let total = grid.cells()?;
        let mut values = zeroed(grid, total)?;
        let blocks = search::Blocks::new(frame_grid);
        self.ready_for(sign);
        let mut done = 0;
        for start in (0..blocks.len()).step_by(WAVE) {
            if progress(done, total).is_break() {
                return Err(Error::Interrupted { done, total });
            }
            let end = blocks.len().min(start + WAVE);
            let answers: Vec<_> =
                (start..end).into_par_iter().map(|block| blocks.answer(self, block, sign, squared)).collect();
            for (block, answer) in (start..end).zip(&answers) {
                done += blocks.scatter(block, answer, &mut values);
            }
        }
        // The work is complete: a late request to stop changes nothing.
        let _ = progress(done, total);
        Ok(values)
    }

    /// The output value of a hit.
    pub(crate) fn value(&self, p: Vec3<R>, hit: Hit<R>, sign: Sign, squared: bool) -> R {
        let exponent = self.frame().exponent;
        let magnitude = if squared { scale_pow2(hit.d2, 2 * exponent) } else { scale_pow2(sqrt_rn(hit.d2), exponent) };
        let negative = match sign {
            Sign::None => false,
            Sign::PseudoNormal => {
                let closest = closest_feature(&self.records()[hit.slot as usize], p);
                is_negative(self.normals().vector(hit.slot, closest.feature), closest.e)
            }
            // On the surface, and where the result is 0 for its smallness, there is no side.
            _ if magnitude == R::ZERO => false,
            robust => self.robust_sign(p, robust),
        };
        if negative { -magnitude } else { magnitude }
    }

    /// All that is known of a hit.
    pub(crate) fn closest(&self, p: Vec3<R>, hit: Hit<R>, sign: Sign) -> Closest<R> {
        let record = &self.records()[hit.slot as usize];
        let ClosestFeature { feature, q, uv, .. } = closest_feature(record, p);
        Closest {
            distance: self.value(p, hit, sign, false),
            point: self.frame().restore(q),
            triangle: record.facet(),
            uv,
            feature: Feature::from_kernel(feature),
        }
    }
}

/// Zeros for every cell, or an error instead of an abort when they do not fit.
pub(crate) fn zeroed<R: Real>(grid: &Grid, cells: usize) -> Result<Vec<R>, Error> {
    let allowed = host_memory::available();
    let needed = grid.check_memory_of::<R>(allowed)?;
    let mut values = Vec::new();
    let refused = |_| Error::Memory { what: "the grid".into(), needed, allowed };
    values.try_reserve_exact(cells).map_err(refused)?;
    values.resize(cells, R::ZERO);
    Ok(values)
}
