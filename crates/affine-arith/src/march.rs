//! Rays through implicit surfaces: windows of the ray that cannot hold a zero are skipped, so no surface is passed, however thin.

use rayon::prelude::*;

use crate::affine::Affine;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::expr::Plan;
use crate::interval::Interval;
use crate::mixed::Mixed;
use crate::scalar::Scalar;
use crate::subdivide::{Model, Rounding};

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
    /// What windows are evaluated with: [`Model::Affine`], [`Model::Mixed`] or [`Model::Intervals`], for which [`Method::Window`] has nothing to cut.
    pub model: Model,
    /// Whether rounding errors are counted; [`Rounding::Ignore`] is **not rigorous**: a surface may be passed. [`Model::Affine`] alone: its sums, products
    /// and squares count none, other functions do.
    pub rounding: Rounding,
}

/// A kind of number that windows of a ray are evaluated with.
pub(crate) trait WindowValue: Scalar + Copy {
    /// A coordinate of the window's points.
    fn of_form(form: Affine<f32, 1>) -> Self;
    /// What is known of the value along the ray.
    fn along_ray(&self) -> Affine<f32, 1>;
    /// Whether 0 may be among the values.
    fn may_vanish(&self) -> bool;
}

impl WindowValue for Affine<f32, 1> {
    fn of_form(form: Affine<f32, 1>) -> Self {
        form
    }

    fn along_ray(&self) -> Affine<f32, 1> {
        *self
    }

    fn may_vanish(&self) -> bool {
        self.possibly_zero()
    }
}

impl WindowValue for Estimate {
    fn of_form(form: Affine<f32, 1>) -> Self {
        Self(form)
    }

    fn along_ray(&self) -> Affine<f32, 1> {
        self.0
    }

    fn may_vanish(&self) -> bool {
        self.0.possibly_zero()
    }
}

impl WindowValue for Mixed<f32, 1> {
    fn of_form(form: Affine<f32, 1>) -> Self {
        Self::from_form(form)
    }

    fn along_ray(&self) -> Affine<f32, 1> {
        *self.form()
    }

    fn may_vanish(&self) -> bool {
        self.form().possibly_zero() && self.interval().lo <= 0.0 && self.interval().hi >= 0.0
    }
}

impl WindowValue for Interval<f32> {
    fn of_form(form: Affine<f32, 1>) -> Self {
        form.interval()
    }

    fn along_ray(&self) -> Affine<f32, 1> {
        Affine::from_interval(*self)
    }

    fn may_vanish(&self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }
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
    check_model(options.model, options.rounding)
}

/// Windows have one symbol.
pub(crate) fn check_model(model: Model, rounding: Rounding) -> Result<(), Error> {
    match (model, rounding) {
        (Model::Standard, _) => Err(Error::Model { model, allowed: "Affine, Mixed, Intervals" }),
        (Model::Mixed | Model::Intervals, Rounding::Ignore) => {
            Err(Error::Model { model, allowed: "Affine where rounding errors are ignored" })
        }
        _ => Ok(()),
    }
}

/// A function of x, y, z, at one time if it has one.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
    plan: &'a Plan,
    time: f64,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(plan: &'a Plan, time: f64) -> Result<Self, Error> {
        if !(3..=4).contains(&plan.variables().len()) {
            return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: 3 });
        }
        Ok(Self { plan, time })
    }

    pub(crate) fn value<S: Scalar>(&self, [x, y, z]: [S; 3]) -> Result<S, Error> {
        let time = S::constant_between(self.time, self.time);
        self.plan.evaluate(&[x, y, z, time][..self.plan.variables().len()])
    }

    /// The operations that depend on the time alone, as constants; 0 for all others.
    #[cfg(feature = "gpu")]
    pub(crate) fn constants<S: Scalar>(&self) -> Vec<S> {
        let mut values: Vec<S> = Vec::new();
        for (op, set) in self.plan.ops().iter().zip(self.plan.sets()) {
            let time = |_| S::constant_between(self.time, self.time);
            let known = *set & !TIME == 0;
            values.push(if known { crate::expr::run(*op, &values, time) } else { S::constant(0.0) });
        }
        values
    }

    /// The first window of a ray in which the function may vanish.
    pub(crate) fn march(&self, ray: &Ray, options: MarchOptions) -> Result<Hit, Error> {
        match options.model {
            Model::Mixed => self.march_with::<Mixed<f32, 1>>(ray, options),
            Model::Intervals => self.march_with::<Interval<f32>>(ray, options),
            Model::Affine if options.rounding == Rounding::Ignore => self.march_with::<Estimate>(ray, options),
            // Standard forms are refused by `check`.
            Model::Affine | Model::Standard => self.march_with::<Affine<f32, 1>>(ray, options),
        }
    }

    fn march_with<S: WindowValue>(&self, ray: &Ray, options: MarchOptions) -> Result<Hit, Error> {
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
            let value = self.value([0, 1, 2].map(|k| S::of_form(point(k))))?;
            // [3] The part that may hold a zero.
            let mut zeros = Interval { lo: t, hi: end };
            if options.method == Method::Window {
                zeros = zeros.intersect(zeros_of(&value.along_ray(), &window));
            }
            let width = if options.method == Method::Window { zeros.hi - zeros.lo } else { stride };
            if !value.may_vanish() || zeros.is_empty() {
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

/// The windows of every ray, from near to far: a window in which the value of the function excludes 0 is passed and the next one is twice as long;
/// else it is made shorter, until it is as short as `least`. Twin of the kernel `march_rays`, word for word.
///
/// Errors: a plan that has not three variables; lengths that are not positive; [`Model::Standard`].
pub fn march_cpu(plan: &Plan, rays: &[Ray], options: MarchOptions) -> Result<Vec<Hit>, Error> {
    check(options)?;
    let surface = Surface::new(plan, 0.0)?;
    rays.par_iter().map(|ray| surface.march(ray, options)).collect()
}

#[cfg(test)]
mod tests {
    use super::{MarchOptions, Method, Ray, march_cpu};
    use crate::{Error, Model, Plan, Rounding};

    fn options(least: f32, method: Method, model: Model) -> MarchOptions {
        MarchOptions { first: 1.0, least, steps: 2000, method, model, rounding: Rounding::Rigorous }
    }

    /// A long window's form leaves slivers at the window's end, far from the surface: none of them is a hit.
    #[test]
    fn rays_past_a_surface_meet_nothing() {
        let torus = |[x, y, z]: [f64; 3]| ((x * x + y * y).sqrt() - 1.0).powi(2) + z * z - 0.16;
        let plan = Plan::new(&"sqr(sqrt(x^2+y^2)-1)+z^2-0.16".parse().expect("a torus"), &["x", "y", "z"])
            .expect("in x, y, z");
        for model in [Model::Affine, Model::Mixed, Model::Intervals] {
            past_a_torus(&plan, torus, options(1e-3, Method::Window, model));
        }
    }

    fn past_a_torus(plan: &Plan, torus: impl Fn([f64; 3]) -> f64, options: MarchOptions) {
        let ray = |i: u16| {
            let (u, v) = (f32::from(i % 97) / 30.0 - 1.6, f32::from(i / 97) / 30.0 - 1.6);
            Ray { origin: [u, -4.0, 2.4 + v], direction: [0.02 * v, 1.0, -0.6], near: 0.0, far: 9.0 }
        };
        let rays: Vec<Ray> = (0..97 * 97).map(ray).collect();
        let (mut past, mut met) = (0, 0);
        for (ray, hit) in rays.iter().zip(march_cpu(plan, &rays, options).expect("three variables")) {
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
            for model in [Model::Affine, Model::Mixed, Model::Intervals] {
                sphere(options(1e-4, method, model));
            }
            sphere(MarchOptions { rounding: Rounding::Ignore, ..options(1e-4, method, Model::Affine) });
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
        let standard = MarchOptions { model: Model::Standard, ..options };
        let loose = MarchOptions { model: Model::Mixed, rounding: Rounding::Ignore, ..options };
        for options in [standard, loose] {
            assert!(matches!(march_cpu(&plan, &rays, options), Err(Error::Model { .. })));
        }
    }
}
