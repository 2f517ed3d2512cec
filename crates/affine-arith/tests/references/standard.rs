//! Standard forms: ranges contain values, and errors of nonlinear operations cancel.

use crate::common::{BINARIES, Random, Reference, functions, random_form, reference};
use affine_arith::{Affine, Interval, Scalar, Standard, Unary};

fn variable(range: Interval<f32>) -> Standard<f32> {
    Standard::variable(range)
}

#[test]
fn ranges_contain_values() {
    let mut random = Random(31);
    let mut judged = 0;
    for _ in 0..600 {
        let ranges = [0, 1].map(|k| random_form(&mut random, k).interval());
        let [x, y] = ranges.map(variable);
        let at = ranges.map(|range| random.between(f64::from(range.lower()), f64::from(range.upper())));
        for function in functions() {
            let (form, truth) = (x.unary(function), reference(function, at[0]));
            let near_pole = (truth * at[0]).abs() > 1e6
                || matches!(function, Unary::SinPi | Unary::CosPi | Unary::Erfc | Unary::NormCdf);
            if form.is_entire() || !truth.is_finite() || near_pole {
                continue;
            }
            let found = form.interval();
            let slack = 1e-13 * (truth.abs() + at[0].abs() + 1.0) * (1.0 + at[0].abs());
            assert!(
                f64::from(found.lower()) <= truth + slack && truth - slack <= f64::from(found.upper()),
                "{function:?} {at:?}"
            );
            judged += 1;
        }
        for function in BINARIES {
            let (form, truth) = (x.binary(function, &y), Reference(at[0]).binary(function, &Reference(at[1])).0);
            if form.is_entire() || !truth.is_finite() || truth.abs() > 1e6 {
                continue;
            }
            let found = form.interval();
            let slack = 1e-9 * truth.abs() + 1e-12;
            assert!(
                f64::from(found.lower()) <= truth + slack && truth - slack <= f64::from(found.upper()),
                "{function:?} {at:?}"
            );
            judged += 1;
        }
    }
    assert!(judged > 15_000, "{judged}");
}

#[test]
fn errors_of_nonlinear_operations_cancel() {
    let range = Interval::new(1.0, 2.0).expect("ordered");
    let x = variable(range);
    let square = x.sqr();
    let zero = (square.clone() - square.clone()).interval();
    assert_eq!((zero.lower(), zero.upper()), (0.0, 0.0));
    // e^x - e^x/2: the reduced form adds the errors of both, the standard one subtracts half of the same error.
    let reduced = Affine::<f32, 1>::variable(0, range).exp();
    let plain = reduced - reduced * Affine::constant(0.5);
    let shared = x.exp();
    let same = shared.clone() - shared * Standard::constant(0.5);
    let of = |width: Interval<f32>| width.upper() - width.lower();
    assert_eq!(same.symbols(), 2);
    assert!(of(same.interval()) < 0.85 * of(plain.interval()), "{:?} {:?}", same.interval(), plain.interval());
    assert!(same.interval().contains(0.5 * std::f32::consts::E));
}
