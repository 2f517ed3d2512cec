//! Inputs that others reported about libraries of intervals, affine forms, compilers and devices, by their number in the table of
//! docs/affine-arith.md.

use crate::common::Random;
use affine_arith::{
    Affine, Binary, Interval, MarchOptions, Method, Model, Plan, Ray, Rounding, Scalar, Unary, march_cpu,
};

type Form = Affine<f32, 2>;

fn interval(lo: f32, hi: f32) -> Interval<f32> {
    Interval::new(lo, hi).expect("ordered")
}

fn plan(text: &str) -> Plan {
    Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("in x, y, z")
}

/// (x + y) - x - y of numbers that are far apart: an exact 0, with an error that covers what was lost.
#[test]
fn row_01_errors_of_sums_are_kept() {
    let (x, y) = (Form::constant(1e10), Form::constant(1e-10));
    let zero = (x + y) - x - y;
    assert!(zero.interval().contains(0.0) && zero.parts().2 >= 1e-10);
}

#[test]
fn row_02_every_order_of_a_sum_contains_the_value() {
    let [a, b, c] = [1e8, -1e8, 1e-3].map(Form::constant);
    for sum in [(a + b) + c, a + (b + c), (a + c) + b] {
        assert!(sum.interval().contains(1e-3), "{sum:?}");
    }
    assert!(((a + b) + c).interval().width() < 1e-9 && (a + (b + c)).interval().width() < 20.0);
}

#[test]
fn row_04_an_average_of_numbers_that_cancel() {
    let [a, b, c] = [16_777_216.0, 1.0, -16_777_216.0].map(Form::constant);
    for sum in [(a + b) + c, (a + c) + b] {
        let average = (sum / Form::constant(3.0)).interval();
        assert!(f64::from(average.lower()) <= 1.0 / 3.0 && f64::from(average.upper()) >= 1.0 / 3.0, "{average:?}");
    }
}

#[test]
fn row_05_a_mask_of_one_leaves_the_value() {
    let value = Form::variable(0, interval(0.25, 0.5));
    let (mask, one, far) = (Form::constant(1.0), Form::constant(1.0), Form::constant(-1e10));
    let masked = (value * mask + far * (one - mask)).interval();
    assert!(masked.contains(0.25) && masked.contains(0.5) && masked.width() < 0.2501, "{masked:?}");
}

#[test]
fn row_06_a_cosine_has_its_bounds_in_order() {
    let cosine = Interval::point(0.793_588_058_650_136_9_f64).apply(Unary::Cos);
    assert!(cosine.lower() <= 0.793_588_058_650_136_9_f64.cos() && cosine.lower() < cosine.upper());
}

#[test]
fn row_07_the_same_product_both_ways() {
    let product = Interval::<f64>::from_f64(41.0) * Interval::from_f64(0.1);
    let other = -(-Interval::<f64>::from_f64(41.0) * Interval::from_f64(0.1));
    assert!(!product.intersect(other).is_empty() && product.contains(4.1));
}

#[test]
fn row_08_fractional_powers() {
    let root = interval(4.0, 8.0).apply(Unary::powf(1.0 / 3.0));
    assert!((root.lower() - 1.587_401).abs() < 1e-5 && (root.upper() - 2.0).abs() < 1e-5, "{root:?}");
    let form = Form::variable(0, interval(1.0, 2.0));
    let form = (form * Form::constant(4.0)).apply(Unary::Abs).apply(Unary::powf(1.0 / 3.0)).interval();
    assert!(form.lower() <= 1.587_402 && form.lower() > 1.5 && form.contains(2.0) && form.upper() < 2.1, "{form:?}");
}

#[test]
fn row_09_remainders() {
    let two = interval(2.0, 2.0);
    assert_eq!(two.apply2(Binary::Fmod, two), interval(0.0, 0.0));
    let form = Form::constant(2.0).apply2(Binary::Fmod, &Form::constant(2.0)).interval();
    assert!(form.contains(0.0) && form.width() == 0.0, "{form:?}");
}

#[test]
fn row_10_more_than_a_period() {
    let turn = interval(0.25, 1.25001) * (Interval::from_f64(2.0) * Interval::from_f64(std::f64::consts::PI));
    let cosine = turn.apply(Unary::Cos);
    assert_eq!((cosine.lower(), cosine.upper()), (-1.0, 1.0));
}

#[test]
fn row_11_large_numbers_that_cancel_and_a_cube() {
    // 1e17: the largest power of ten within the range of f32 forms.
    let v = <Form as Scalar>::constant(1e17);
    let sum = Form::variable(0, interval(-1.0, 1.0)) + v + Form::constant(2020.0) - v;
    assert!(sum.interval().contains(2019.0) && sum.interval().contains(2021.0));
    let w = <Affine<f64, 1> as Scalar>::constant(1e23);
    let unit = Interval::new(-1.0, 1.0).expect("ordered");
    let sum = Affine::<f64, 1>::variable(0, unit) + w + <Affine<f64, 1> as Scalar>::constant(2020.0) - w;
    assert!(sum.interval().contains(2019.0) && sum.interval().contains(2021.0));
    let y = Form::variable(0, interval(-4.5, -0.3));
    assert!((y * y * y).interval().contains(-91.125));
}

#[test]
fn row_12_absolute_values_keep_their_ends_and_no_state() {
    let x = Form::variable(0, interval(-1.0, 2.0));
    assert_eq!(x.apply(Unary::Abs), x.apply(Unary::Abs));
    assert!(x.apply(Unary::Abs).interval().contains(0.0) && x.apply(Unary::Abs).interval().contains(2.0));
}

#[test]
fn row_13_quadrants() {
    let pi = std::f32::consts::PI;
    let up = interval(0.0, 0.0).apply2(Binary::Atan2, interval(-1.0, 1.0));
    assert!(up.contains(0.0) && up.upper() >= pi);
    let left = interval(-2.0, 0.0).apply2(Binary::Atan2, interval(-2.0, 1.0));
    assert!(left.lower() <= -pi.next_down() && left.upper() >= pi.next_down(), "{left:?}");
    let above = interval(1.0, 1.0).apply2(Binary::Atan2, interval(0.0, 0.0));
    assert!((above.lower() - pi / 2.0).abs() < 1e-6 && (above.upper() - pi / 2.0).abs() < 1e-6);
}

/// Trigonometric functions of points: the value is inside, and the interval is not the value rounded.
#[test]
fn row_14_intervals_that_are_correct() {
    let mut random = Random(14);
    for _ in 0..500 {
        let x = random.between(-20.0, 20.0) as f32;
        let functions = [(Unary::Sin, f64::sin as fn(f64) -> f64), (Unary::Cos, f64::cos), (Unary::Tan, f64::tan)];
        for (function, value) in functions {
            let (range, value) = (interval(x, x).apply(function), value(f64::from(x)));
            let inside = f64::from(range.lower()) <= value && value <= f64::from(range.upper());
            assert!(inside && range.width() > 0.0, "{function:?} of {x}: {range:?}");
        }
    }
}

#[test]
fn row_15_products_are_rounded_outward() {
    let square = Interval::<f32>::from_f64(0.1) * Interval::from_f64(0.1);
    assert!(square.upper() > square.lower());
    // Of one float, too.
    let square = interval(0.1, 0.1) * interval(0.1, 0.1);
    assert!(square.upper() > square.lower());
}

/// At equal distances the blend is smooth: the slope of its form is finite and at most that of a distance.
#[test]
fn row_16_normals_of_repeated_blends() {
    let ball = |x: f64, y: f64| format!("hypot(x-{x}, y-{y}, z)-0.5");
    let text = format!("smooth_min(smooth_min({}, {}, 0.2), {}, 0.2)", ball(0.6, 0.0), ball(-0.6, 0.0), ball(0.0, 0.6));
    let plan = plan(&text);
    for axis in 0..3 {
        let at = |k: usize| {
            let (lo, hi) = if k == axis { (-1e-3, 1e-3) } else { (0.0, 0.0) };
            Affine::<f32, 1>::variable(0, interval(lo, hi))
        };
        let form = plan.evaluate(&[at(0), at(1), at(2)]).expect("three variables");
        let (_, slopes, _) = form.parts();
        assert!(!form.is_entire() && slopes[0].abs() <= 1.1e-3, "axis {axis}: {form:?}");
    }
}

/// Rays that graze a torus with bumps: one that is inside at a sample has met the surface before it.
#[test]
fn row_17_no_grazing_ray_passes() {
    let bumps = "sqrt(sqr(sqrt(x^2+y^2)-1)+z^2)-0.4+0.045*sin(20*x)*sin(20*y)*sin(20*z)";
    let value = |[x, y, z]: [f64; 3]| {
        let ring = (x.hypot(y) - 1.0).hypot(z) - 0.4;
        ring + 0.045 * (20.0 * x).sin() * (20.0 * y).sin() * (20.0 * z).sin()
    };
    let ray = |i: u32| {
        let (a, b) = (i % 12, i / 12);
        let height = 0.36 + 0.008 * a as f32;
        let across = -1.4 + 0.35 * b as f32;
        Ray { origin: [-3.0, across, height], direction: [1.0, 0.002 * a as f32, -0.004], near: 0.0, far: 6.0 }
    };
    let rays: Vec<Ray> = (0..108).map(ray).collect();
    let options = MarchOptions {
        first: 0.1,
        least: 1e-3,
        steps: 4000,
        method: Method::Window,
        model: Model::Affine,
        rounding: Rounding::Rigorous,
    };
    let hits = march_cpu(&plan(bumps), &rays, options).expect("three variables");
    let (mut met, mut passed) = (0, 0);
    for (ray, hit) in rays.iter().zip(hits) {
        let point = |t: f64| [0, 1, 2].map(|k| f64::from(ray.origin[k]) + t * f64::from(ray.direction[k]));
        let inside = (0..3000).map(|i| f64::from(i) * 0.002).find(|t| value(point(*t)) < -1e-4);
        let Some(t) = inside else {
            passed += 1;
            continue;
        };
        met += 1;
        assert!(hit.steps < options.steps && f64::from(hit.t) <= t + 1e-3, "{ray:?}: {hit:?}, inside at {t}");
    }
    assert!(met > 20 && passed > 5, "{met} rays met the torus, {passed} did not");
}

/// Bounds without a rounding mode: the exact product and sum of two floats are f64.
#[test]
fn row_18_rounding_to_nearest_is_enough() {
    let mut random = Random(18);
    for _ in 0..2000 {
        let [a, b] = [0, 1].map(|_| random.between(-100.0, 100.0) as f32);
        let exact = f64::from(a) * f64::from(b);
        let range = interval(a, a) * interval(b, b);
        let tight = range.lower() == range.upper() || range.lower().next_up() == range.upper();
        assert!(f64::from(range.lower()) <= exact && exact <= f64::from(range.upper()) && tight, "{a} {b}: {range:?}");
        assert_eq!(range.lower() == range.upper(), f64::from(exact as f32) == exact);
    }
}
