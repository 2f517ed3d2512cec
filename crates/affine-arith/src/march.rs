//! Rays through implicit surfaces: windows of the ray that cannot hold a zero are skipped, so no surface is passed, however thin.

use rayon::prelude::*;

use crate::affine::Affine;
use crate::error::Error;
use crate::expr::Plan;
use crate::interval::Interval;
use crate::scalar::Scalar;

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

/// What is done with a window that may hold a zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// It is halved.
    Sign = 0,
    /// It is cut to the part in which the affine form has zeros, or halved where that is shorter.
    #[default]
    Window = 1,
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
    /// How windows that may hold a zero are made shorter.
    pub method: Method,
}

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Start of the first window that could not be excluded, at most `least` long; infinite when there is none.
    pub t: f32,
    /// Windows that were looked at; the most that is allowed means that the ray was given up, at `t`.
    pub steps: u32,
}

pub(crate) fn check(options: MarchOptions) -> Result<(), Error> {
    let positive = options.least > 0.0 && options.first >= options.least && options.first.is_finite();
    if !positive {
        let (lower, upper) = (f64::from(options.least), f64::from(options.first));
        return Err(Error::Bounds { axis: 0, lower, upper, allowed: f64::from(f32::MAX) });
    }
    Ok(())
}

/// A function of x, y, z, at one time if it has one.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
    plan: &'a Plan,
    time: Affine<f32, 1>,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(plan: &'a Plan, time: f64) -> Result<Self, Error> {
        if !(3..=4).contains(&plan.variables().len()) {
            return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: 3 });
        }
        Ok(Self { plan, time: Affine::constant_between(time, time) })
    }

    pub(crate) fn value(&self, [x, y, z]: [Affine<f32, 1>; 3]) -> Result<Affine<f32, 1>, Error> {
        self.plan.evaluate(&[x, y, z, self.time][..self.plan.variables().len()])
    }

    /// The operations that depend on the time alone, as constants: centre and error, 0 for all others.
    #[cfg(feature = "gpu")]
    pub(crate) fn constants(&self) -> Vec<[f32; 2]> {
        let mut values: Vec<Affine<f32, 1>> = Vec::new();
        for (op, set) in self.plan.ops().iter().zip(self.plan.sets()) {
            let known = *set & !TIME == 0;
            values.push(if known {
                crate::expr::run(*op, &values, |_| self.time)
            } else {
                Affine::constant_between(0.0, 0.0)
            });
        }
        values.iter().map(|form| [form.b, form.err]).collect()
    }

    /// The first window of a ray in which the function may vanish.
    pub(crate) fn march(&self, ray: &Ray, options: MarchOptions) -> Result<Hit, Error> {
        let mut t = ray.near;
        let mut stride = options.first;
        let mut steps = 0;
        let mut found = false;
        // [1] Windows [t, end].
        while t < ray.far && steps < options.steps && !found {
            steps += 1;
            let end = t + stride;
            let window = Affine::<f32, 1>::variable(0, Interval::outward(t, end));
            // [2] The points of the window.
            let point =
                |k: usize| window.scaled(ray.direction[k]) + Affine::from_interval(Interval::point(ray.origin[k]));
            let value = self.value([point(0), point(1), point(2)])?;
            // [3] The part that may hold a zero.
            let mut zeros = Interval { lo: t, hi: end };
            if options.method == Method::Window {
                zeros = zeros.intersect(zeros_of(&value, &window));
            }
            let width = if options.method == Method::Window { zeros.hi - zeros.lo } else { stride };
            if !value.possibly_zero() || zeros.is_empty() {
                // [4] Without a zero the window is passed.
                t = end;
                stride = stride + stride;
            } else {
                // [5] Else it is made shorter, until one that short was looked at itself: a form over a long window may leave a
                // sliver at its end that holds no zero.
                t = zeros.lo;
                found = stride <= options.least;
                let half = stride * 0.5;
                let shorter = if width < half { width } else { half };
                // Not shorter than what counts as a zero: a sliver of no length would pass nothing.
                let at_least = if half < options.least { half } else { options.least };
                stride = if shorter < at_least { at_least } else { shorter };
            }
        }
        let given_up = t < ray.far;
        Ok(Hit { t: if given_up { t } else { f32::INFINITY }, steps })
    }
}

/// The bit of the time among the variables of an operation.
#[cfg(feature = "gpu")]
pub(crate) const TIME: u32 = 8;

/// Where the form of a window vanishes: b + x e + d = 0 has e = -(b + d)/x.
fn zeros_of(value: &Affine<f32, 1>, window: &Affine<f32, 1>) -> Interval<f32> {
    let mut symbol = Interval { lo: -1.0, hi: 1.0 };
    if value.x[0] != 0.0 {
        let rest = Interval::outward(-value.err, value.err) - Interval { lo: value.b, hi: value.b };
        symbol = symbol.intersect(rest / Interval { lo: value.x[0], hi: value.x[0] });
    }
    let along = Interval { lo: window.x[0], hi: window.x[0] } * symbol + Interval { lo: window.b, hi: window.b };
    along + Interval { lo: -window.err, hi: window.err }
}

/// The windows of every ray, from near to far: a window in which the affine form of the function excludes 0 is passed and the next one is twice as long;
/// else it is made shorter, until it is as short as `least`. Twin of the kernel `march_rays`, word for word.
///
/// Errors: a plan that has not three variables; lengths that are not positive.
pub fn march_cpu(plan: &Plan, rays: &[Ray], options: MarchOptions) -> Result<Vec<Hit>, Error> {
    check(options)?;
    let surface = Surface::new(plan, 0.0)?;
    rays.par_iter().map(|ray| surface.march(ray, options)).collect()
}

#[cfg(test)]
mod tests {
    use super::{MarchOptions, Method, Ray, march_cpu};
    use crate::Plan;

    /// A long window's form leaves slivers at the window's end, far from the surface: none of them is a hit.
    #[test]
    fn rays_past_a_surface_meet_nothing() {
        let torus = |[x, y, z]: [f64; 3]| ((x * x + y * y).sqrt() - 1.0).powi(2) + z * z - 0.16;
        let plan = Plan::new(&"sqr(sqrt(x^2+y^2)-1)+z^2-0.16".parse().expect("a torus"), &["x", "y", "z"])
            .expect("in x, y, z");
        let options = MarchOptions { first: 1.0, least: 1e-3, steps: 2000, method: Method::Window };
        let ray = |i: u16| {
            let (u, v) = (f32::from(i % 97) / 30.0 - 1.6, f32::from(i / 97) / 30.0 - 1.6);
            Ray { origin: [u, -4.0, 2.4 + v], direction: [0.02 * v, 1.0, -0.6], near: 0.0, far: 9.0 }
        };
        let rays: Vec<Ray> = (0..97 * 97).map(ray).collect();
        let (mut past, mut met) = (0, 0);
        for (ray, hit) in rays.iter().zip(march_cpu(&plan, &rays, options).expect("three variables")) {
            let at = |t: f64| std::array::from_fn(|k| f64::from(ray.origin[k]) + t * f64::from(ray.direction[k]));
            let least = (0..=9000).map(|k| torus(at(f64::from(k) * 1e-3))).fold(f64::INFINITY, f64::min);
            if least > 0.03 {
                past += 1;
                assert_eq!(hit.t, f32::INFINITY, "{ray:?}: {hit:?}, at least {least}");
            } else if least < -0.001 {
                met += 1;
                assert!(torus(at(f64::from(hit.t))).abs() < 0.02, "{ray:?}: {hit:?}");
            }
        }
        assert!(past > 500 && met > 500, "{past} {met}");
    }

    #[test]
    fn rays_meet_a_sphere_where_they_should_and_no_thin_shell_is_passed() {
        for method in [Method::Sign, Method::Window] {
            sphere(MarchOptions { first: 1.0, least: 1e-4, steps: 500, method });
        }
    }

    fn sphere(options: MarchOptions) {
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
