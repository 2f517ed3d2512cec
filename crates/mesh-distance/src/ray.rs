//! Rays: the first triangle that one meets, all of them, whether there is any, how many.
//!
//! Which triangles a ray meets is decided by [`crate::kernels::ray_triangle`]: watertight, with a stated rule for edges and
//! vertices that are met exactly, the same on every device. Every answer equals that of asking all triangles.

use crate::kernels::Vec3;
use crate::kernels::ray_triangle::{
    RayMeeting, RaySetup, ray_meets_box, ray_parameter, ray_point, ray_setup, ray_triangle,
};
use crate::kernels::real::{Real, Record, snap};
use crate::tree::MAX_DEPTH;
use crate::{Error, Frame, Surface};
use rayon::prelude::*;
use std::cmp::Ordering;

/// A ray: the points `origin + t * direction` with `0 <= t <= limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, in the mesh's unit.
    pub origin: [f64; 3],
    /// Where it goes; any length but 0. Rounded to the surface's numbers after scaling by a power of two.
    pub direction: [f64; 3],
    /// Largest parameter; infinity for none.
    pub limit: f64,
}

impl Ray {
    /// A ray without a limit.
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray { origin, direction, limit: f64::INFINITY }
    }
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit<R = f32> {
    /// Parameter: the point is `origin + t * direction`.
    pub t: R,
    /// Index of the triangle.
    pub triangle: u32,
    /// Coordinates of the point in the triangle: p1 + u (p2 - p1) + v (p3 - p1).
    pub uv: [R; 2],
    /// The point, on the triangle to the accuracy of the numbers however far the origin is.
    pub point: [f64; 3],
    /// Whether the ray comes from the side that the normal points to.
    pub front: bool,
}

/// All hits of several rays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RayHits<R = f32> {
    /// The hits of ray i are `hits[offsets[i]..offsets[i + 1]]`.
    pub offsets: Vec<u32>,
    /// Hits by ray, along each ray; of hits at the same depth the one of the smaller triangle index first.
    pub hits: Vec<RayHit<R>>,
}

/// A ray in working coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorkingRay<R = f32> {
    pub(crate) origin: Vec3<R>,
    pub(crate) direction: Vec3<R>,
    /// The caller's parameter is the working one times 2^exponent.
    pub(crate) exponent: i32,
    /// Largest parameter, the caller's.
    pub(crate) limit: R,
}

impl<R: Real> WorkingRay<R> {
    pub(crate) fn new(frame: &Frame, index: usize, ray: &Ray) -> Result<WorkingRay<R>, Error> {
        let origin = frame.point("ray", index, &ray.origin)?;
        let question = |problem| Error::Question { what: "ray", index: Some(index), problem };
        let largest = ray.direction.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if !(largest > 0.0 && ray.direction.iter().all(|x| x.is_finite())) {
            return Err(question(format!("direction {:?}, allowed are finite vectors but 0", ray.direction)));
        }
        if ray.limit.is_nan() || ray.limit < 0.0 {
            return Err(question(format!("limit {}, allowed are numbers from 0", input_text::number(ray.limit))));
        }
        // Two exact steps, for exponents beyond what one power of two holds.
        let mut k = (((largest.to_bits() >> 52) & 0x7ff) as i32 - 1023).clamp(-1000, 1000);
        let scaled = |k: i32| ray.direction.map(|x| x * f64::from_bits(((1023 - k) as u64) << 52));
        let mut direction = scaled(k);
        let rest = direction.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if !(1.0..2.0).contains(&rest) {
            let more = ((rest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
            direction = direction.map(|x| x * f64::from_bits(((1023 - more) as u64) << 52));
            k += more;
        }
        let exponent = frame.exponent - k;
        Ok(WorkingRay {
            origin,
            direction: direction.map(|x| snap(R::from_f64(x), R::TINY)),
            exponent,
            limit: R::rounded_down(ray.limit),
        })
    }

    pub(crate) fn setup(&self) -> RaySetup<R> {
        ray_setup(self.origin, self.direction)
    }
}

/// A meeting with its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting<R = f32> {
    meeting: RayMeeting<R>,
    t: R,
    facet: u32,
    slot: u32,
}

impl<R: Real> Meeting<R> {
    fn before(&self, other: &Meeting<R>) -> bool {
        let (a, b) = (self.meeting.depth, other.meeting.depth);
        a < b || (a == b && self.facet < other.facet)
    }

    /// Along the ray: depths are never NaN.
    fn order(&self, other: &Meeting<R>) -> Ordering {
        let depths = self.meeting.depth.partial_cmp(&other.meeting.depth);
        depths.unwrap_or(Ordering::Equal).then(self.facet.cmp(&other.facet))
    }
}

/// A walk leaves at most seven children a level behind.
const STACK: usize = 7 * MAX_DEPTH + 1;

impl<R: Real> Surface<R> {
    /// The first triangle that each ray meets: the least depth along the ray, of equal depths the smallest index.
    ///
    /// A start exactly on the surface is a hit with t = 0. `t` is in units of the direction's length and correctly rounded from the
    /// depth; a hit counts when `t <= limit`. The origin's distance to a point counts in its accuracy: a point lies within about
    /// 2^-22 (f64: 2^-51) of (half extent + distance of the origin) of the true one.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::TooFar`] for the origin; [`Error::Question`] for a direction of length 0 or a limit below 0.
    pub fn ray_first_cpu(&self, rays: &[Ray]) -> Result<Vec<Option<RayHit<R>>>, Error> {
        self.each_ray(rays, |ray| {
            let setup = ray.setup();
            let mut best: Option<Meeting<R>> = None;
            self.walk_ray(ray, &setup, |found| {
                if best.is_none_or(|best| found.before(&best)) {
                    best = Some(found);
                }
                Some(best.map_or(R::NOTHING, |best| best.meeting.depth))
            });
            best.map(|found| self.ray_hit(&found))
        })
    }

    /// Whether each ray meets any triangle.
    ///
    /// # Errors
    /// As [`Surface::ray_first_cpu`].
    pub fn ray_any_cpu(&self, rays: &[Ray]) -> Result<Vec<bool>, Error> {
        self.each_ray(rays, |ray| {
            let mut any = false;
            self.walk_ray(ray, &ray.setup(), |_| {
                any = true;
                None
            });
            any
        })
    }

    /// How many triangles each ray meets. On a closed surface the number is odd exactly where the origin is inside.
    ///
    /// # Errors
    /// As [`Surface::ray_first_cpu`].
    pub fn ray_count_cpu(&self, rays: &[Ray]) -> Result<Vec<u32>, Error> {
        self.each_ray(rays, |ray| {
            let mut count = 0;
            self.walk_ray(ray, &ray.setup(), |_| {
                count += 1;
                Some(R::NOTHING)
            });
            count
        })
    }

    /// All triangles that each ray meets, in order.
    ///
    /// # Errors
    /// As [`Surface::ray_first_cpu`]; [`Error::Memory`] for 2^32 hits or more.
    pub fn ray_all_cpu(&self, rays: &[Ray]) -> Result<RayHits<R>, Error> {
        let lists = self.each_ray(rays, |ray| {
            let mut found = Vec::new();
            self.walk_ray(ray, &ray.setup(), |one| {
                found.push(one);
                Some(R::NOTHING)
            });
            found.sort_by(Meeting::order);
            found.iter().map(|one| self.ray_hit(one)).collect::<Vec<_>>()
        })?;
        let mut offsets = vec![0u32];
        for list in &lists {
            let end = offsets.last().copied().and_then(|end| end.checked_add(u32::try_from(list.len()).ok()?));
            let too_many = || Error::Memory {
                what: "the hits of the rays".into(),
                needed: lists.iter().map(|l| l.len() as u64 * 24).sum(),
                allowed: u64::from(u32::MAX) * 24,
            };
            offsets.push(end.ok_or_else(too_many)?);
        }
        Ok(RayHits { offsets, hits: lists.concat() })
    }

    fn each_ray<T: Send>(&self, rays: &[Ray], answer: impl Fn(&WorkingRay<R>) -> T + Sync) -> Result<Vec<T>, Error> {
        let one = |(index, ray)| Ok(answer(&WorkingRay::new(self.frame(), index, ray)?));
        rays.par_iter().enumerate().with_min_len(64).map(one).collect()
    }

    /// Hands every triangle that the ray meets to `take`, which gives the largest depth still of interest or `None` to stop.
    fn walk_ray(&self, ray: &WorkingRay<R>, setup: &RaySetup<R>, mut take: impl FnMut(Meeting<R>) -> Option<R>) {
        let mut limit = R::NOTHING;
        let mut stack = [0u32; STACK];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height] as usize;
            let (node, own) = (&self.tree().nodes[at], &self.boxes()[at]);
            for k in 0..node.children {
                let (lo, hi) = own.child_in::<R>(k as usize);
                if !ray_meets_box(setup, lo, hi, limit) {
                    continue;
                }
                let Some(leaf) = k.checked_sub(node.inner) else {
                    stack[height] = node.child_base + k;
                    height += 1;
                    continue;
                };
                let slot = node.slot_base + leaf;
                if let Some(found) = meet(ray, setup, &self.records()[slot as usize], slot) {
                    match take(found) {
                        Some(depth) => limit = depth,
                        None => return,
                    }
                }
            }
        }
    }

    fn ray_hit(&self, found: &Meeting<R>) -> RayHit<R> {
        let [a, b, c] = self.records()[found.slot as usize].corners();
        let uv = found.meeting.uv;
        let point = self.frame().restore(ray_point(a, b, c, uv));
        RayHit { t: found.t, triangle: found.facet, uv, point, front: found.meeting.front }
    }
}

/// The triangle of a record and a ray, within its limit.
fn meet<R: Real>(ray: &WorkingRay<R>, setup: &RaySetup<R>, r: &R::Record, slot: u32) -> Option<Meeting<R>> {
    let [a, b, c] = r.corners();
    let meeting = ray_triangle(setup, a, b, c);
    if !meeting.met {
        return None;
    }
    let t = ray_parameter(setup, meeting.depth, ray.exponent);
    (t <= ray.limit).then_some(Meeting { meeting, t, facet: r.facet(), slot })
}

/// The oracle: all triangles are asked. As [`Surface::ray_all_cpu`], one thread.
///
/// # Errors
/// As [`Surface::ray_all_cpu`].
pub fn ray_all_brute_force<R: Real>(surface: &Surface<R>, rays: &[Ray]) -> Result<RayHits<R>, Error> {
    let mut all = RayHits { offsets: vec![0], hits: Vec::new() };
    for (index, ray) in rays.iter().enumerate() {
        let ray = WorkingRay::<R>::new(surface.frame(), index, ray)?;
        let setup = ray.setup();
        let records = surface.records().iter().zip(0..);
        let mut found: Vec<Meeting<R>> = records.filter_map(|(r, slot)| meet(&ray, &setup, r, slot)).collect();
        found.sort_by(Meeting::order);
        all.hits.extend(found.iter().map(|one| surface.ray_hit(one)));
        all.offsets.push(all.hits.len() as u32);
    }
    Ok(all)
}
