//! Rays through implicit surfaces: windows of the ray that cannot hold a zero are skipped, so no surface is passed, however thin.

use rayon::prelude::*;

use crate::affine::Affine;
use crate::error::Error;
use crate::expr::Plan;
use crate::interval::Interval;

/// A ray: origin and direction, which need not have length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where t = 0.
    pub origin: [f32; 3],
    /// Change of the point with t.
    pub direction: [f32; 3],
    /// Smallest t.
    pub near: f32,
    /// Largest t.
    pub far: f32,
}

/// How windows are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarchOptions {
    /// Length of the first window in t.
    pub first: f32,
    /// A window that short is not divided: the zero is taken to be at its start.
    pub least: f32,
    /// Most windows a ray.
    pub steps: u32,
}

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Start of the first window that could not be excluded, at most `least` long; infinite when there is none.
    pub t: f32,
    /// Windows that were looked at; the most that is allowed means that the ray was given up, at `t`.
    pub steps: u32,
}

pub(crate) fn check(plan: &Plan, options: MarchOptions) -> Result<(), Error> {
    if plan.variables().len() != 3 {
        return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: 3 });
    }
    let positive = options.least > 0.0 && options.first >= options.least && options.first.is_finite();
    if !positive {
        let (lower, upper) = (f64::from(options.least), f64::from(options.first));
        return Err(Error::Bounds { axis: 0, lower, upper, allowed: f64::from(f32::MAX) });
    }
    Ok(())
}

/// The windows of every ray, from near to far: a window in which the affine form of the function excludes 0 is passed and the next one is twice as long;
/// else it is halved, until it is as short as `least`. Twin of the kernel `march_rays`, word for word.
///
/// Errors: a plan that has not three variables; lengths that are not positive.
pub fn march_cpu(plan: &Plan, rays: &[Ray], options: MarchOptions) -> Result<Vec<Hit>, Error> {
    check(plan, options)?;
    rays.par_iter().map(|ray| march(plan, ray, options)).collect()
}

fn march(plan: &Plan, ray: &Ray, options: MarchOptions) -> Result<Hit, Error> {
    let mut t = ray.near;
    let mut stride = options.first;
    let mut steps = 0;
    // [1] Windows [t, end].
    while t < ray.far && steps < options.steps {
        steps += 1;
        let end = t + stride;
        let window = Affine::<f32, 1>::variable(0, Interval::outward(t, end));
        // [2] The points of the window.
        let point: [Affine<f32, 1>; 3] = std::array::from_fn(|k| {
            window.scaled(ray.direction[k]) + Affine::from_interval(Interval::point(ray.origin[k]))
        });
        let value = plan.evaluate(&point)?;
        // [3] Without a zero the window is passed.
        if !value.possibly_zero() {
            t = end;
            stride = stride + stride;
        } else if stride <= options.least {
            return Ok(Hit { t, steps });
        } else {
            stride *= 0.5;
        }
    }
    let given_up = t < ray.far;
    Ok(Hit { t: if given_up { t } else { f32::INFINITY }, steps })
}

#[cfg(test)]
mod tests {
    use super::{MarchOptions, Ray, march_cpu};
    use crate::Plan;

    #[test]
    fn rays_meet_a_sphere_where_they_should_and_no_thin_shell_is_passed() {
        let options = MarchOptions { first: 1.0, least: 1e-4, steps: 500 };
        let ray = |x: f32| Ray { origin: [x, 0.0, -4.0], direction: [0.0, 0.0, 1.0], near: 0.0, far: 8.0 };
        let rays: Vec<Ray> = (0..40).map(|i| ray(i as f32 * 0.03)).collect();
        for text in ["x^2+y^2+z^2-1", "sqr(x^2+y^2+z^2-1)"] {
            let plan = Plan::new(&text.parse().expect("a sphere"), &["x", "y", "z"]).expect("in x, y, z");
            for (ray, hit) in rays.iter().zip(march_cpu(&plan, &rays, options).expect("three variables")) {
                let rest = 1.0 - ray.origin[0] * ray.origin[0];
                if rest > 0.01 {
                    assert!((hit.t - (4.0 - rest.sqrt())).abs() < 0.02, "{text} {ray:?} {hit:?}");
                } else if rest < -0.02 {
                    assert_eq!(hit.t, f32::INFINITY);
                }
            }
        }
        let plan = Plan::new(&"x".parse().expect("x"), &["x"]).expect("x");
        assert!(march_cpu(&plan, &rays, options).is_err());
    }
}
