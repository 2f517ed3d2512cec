//! Intervals: tightest arithmetic, domains, empty and unbounded ones, and inputs that other libraries got wrong.

use crate::common::Random;
use affine_arith::{Affine, Binary, Error, Interval, Mixed, Real, Scalar, Unary};

fn interval(lo: f32, hi: f32) -> Interval<f32> {
    Interval::new(lo, hi).expect("ordered")
}

fn random_float(random: &mut Random) -> f32 {
    let magnitude = 2f64.powf(random.between(-28.0, 28.0));
    (if random.unit() < 0.5 { magnitude } else { -magnitude }) as f32
}

/// Whether `lo` and `hi` are the floats round `exact`.
fn tightest(found: Interval<f32>, exact: f64) -> bool {
    let (lo, hi) = (found.lower(), found.upper());
    f64::from(lo) <= exact
        && exact <= f64::from(hi)
        && (lo == hi || f64::from(lo.next_up()) > exact && f64::from(hi.next_down()) < exact)
}

#[test]
fn point_arithmetic_is_tightest() {
    let mut random = Random(21);
    for _ in 0..100_000 {
        let a = random_float(&mut random);
        // Exponents at most 28 apart: the f64 sum is exact, as products always are.
        let b = a * (random.between(-4.0, 4.0) as f32) + if random.unit() < 0.1 { -a } else { 0.0 };
        let (x, y) = (Interval::point(a), Interval::point(b));
        let (p, q) = (f64::from(a), f64::from(b));
        if b.abs() < a.abs() * 2f32.powi(-28) {
            continue;
        }
        assert!(tightest(x + y, p + q), "{a:e} + {b:e} = {:?}", x + y);
        assert!(tightest(x - y, p - q), "{a:e} - {b:e} = {:?}", x - y);
        assert!(tightest(x * y, p * q), "{a:e} * {b:e} = {:?}", x * y);
        let quotient = x / y;
        let (lo, hi) = (f64::from(quotient.lower()) * q, f64::from(quotient.upper()) * q);
        assert!(lo.min(hi) <= p && p <= lo.max(hi), "{a:e} / {b:e} = {quotient:?}");
        assert!(quotient.upper() <= quotient.lower().next_up());
        let root = Interval::point(a.abs()).apply(Unary::Sqrt);
        let (lo, hi) = (f64::from(root.lower()), f64::from(root.upper()));
        assert!(
            lo * lo <= p.abs() && p.abs() <= hi * hi && root.upper() <= root.lower().next_up(),
            "sqrt {a:e} = {root:?}"
        );
    }
}

#[test]
fn tiny_and_large_numbers_stay_enclosed() {
    let tiny = f32::TINY;
    let square = Interval::point(tiny).apply(Unary::Sqr);
    assert_eq!((square.lower(), square.upper()), (0.0, tiny));
    assert_eq!(Interval::point(1e-44_f32).upper(), tiny);
    let far = Interval::point(f32::LIMIT) * interval(2.0, 3.0);
    assert_eq!((far.lower(), far.upper()), (f32::LIMIT, f32::INFINITY));
    assert!(far.contains(3e30) && far.contains(f32::MAX));
    assert!((far - far).is_entire());
    assert_eq!(interval(0.0, f32::INFINITY) * interval(0.0, 0.0), interval(0.0, 0.0));
    let inverse = interval(2.0, f32::INFINITY).apply(Unary::Reciprocal);
    assert_eq!((inverse.lower(), inverse.upper()), (0.0, 0.5));
    assert_eq!(Interval::<f32>::from_f64(1e300).lower(), f32::LIMIT);
}

#[test]
fn wrong_bounds_are_errors_with_the_numbers() {
    assert!(matches!(Interval::new(2.0_f32, 1.0), Err(Error::ReversedInterval { lower: 2.0, upper: 1.0 })));
    assert!(matches!(Interval::new(f32::NAN, 1.0), Err(Error::NotANumber { .. })));
    assert!(Interval::new(f64::INFINITY, f64::INFINITY).is_err());
    let message = Interval::new(2.0_f32, 1.0).expect_err("reversed").to_string();
    assert!(message.contains('2') && message.contains('1'), "{message}");
}

#[test]
fn domains_restrict_and_empty_stays_empty() {
    for y in [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 0.5, -2_011_111_111.0] {
        assert!(interval(-2.0, -1.0).apply(Unary::powf(y)).is_empty(), "{y}");
    }
    assert!(interval(-2.0, -1.0).apply(Unary::Sqrt).is_empty());
    assert!(interval(-2.0, -1.0).apply(Unary::Log).is_empty());
    assert!(interval(2.0, 3.0).apply(Unary::Asin).is_empty());
    assert!((interval(1.0, 2.0) / interval(0.0, 0.0)).is_empty());
    let empty = Interval::<f32>::EMPTY;
    assert!(Unary::all().all(|function| empty.apply(function).is_empty()));
    assert!((empty + interval(1.0, 2.0)).is_empty() && (empty * interval(0.0, 0.0)).is_empty());
    let root = interval(-1.0, 4.0).apply(Unary::Sqrt);
    assert_eq!((root.lower(), root.upper()), (0.0, 2.0));
    let log = interval(-1.0, 1.0).apply(Unary::Log);
    assert_eq!((log.lower(), log.upper()), (f32::NEG_INFINITY, 0.0));
    assert!((interval(1.0, 2.0) / interval(-1.0, 1.0)).is_entire());
    let half = interval(1.0, 2.0) / interval(0.0, 4.0);
    assert_eq!((half.lower(), half.upper()), (0.25, f32::INFINITY));
}

#[test]
fn bounded_functions_and_differences_of_forms() {
    type Form = Affine<f32, 2>;
    // What cancels for every value cancels.
    let x = Form::variable(0, interval(-1.0, 2.0));
    assert_eq!((x - x).interval(), interval(0.0, 0.0));
    // A centred square is as tight as x times x is.
    let w = Form::variable(0, interval(1.0, 3.0));
    assert!((w * w).interval().lower() >= -1e-5, "{:?}", (w * w).interval());
    // Bounded functions of anything.
    let sine = Form::ENTIRE.apply(Unary::Sin).interval();
    assert_eq!((sine.lower(), sine.upper()), (-1.0, 1.0));
    let angle = Form::variable(0, interval(5e4, 5.2e4)).apply2(Binary::Atan2, &Form::variable(1, interval(1.0, 2.0)));
    assert!(angle.interval().upper() < 1.6 && angle.interval().lower() > 1.5, "{:?}", angle.interval());
    assert!(Form::variable(0, interval(-1.0, 1.0)).apply(Unary::Log).is_entire());
    assert!(Form::variable(7, interval(0.0, 1.0)).is_entire());
}

#[test]
fn mixed_forms_are_entire_outside_domains_and_never_wider_than_either() {
    let x = Mixed::<f32, 1>::variable(0, interval(-1.0, 2.0));
    assert!(x.log().interval().is_entire() && x.unary(Unary::Asin).interval().is_entire());
    let root = x.sqrt().interval();
    assert!(root.lower() == 0.0 && root.upper() <= 2f32.sqrt().next_up());
    let y = x.sqr() - x;
    let (form, plain) = (Affine::<f32, 1>::variable(0, interval(-1.0, 2.0)), interval(-1.0, 2.0));
    assert!(y.interval().is_subset((form.sqr() - form).interval()) && y.interval().is_subset(plain.sqr() - plain));
    assert!(y.interval().contains(-0.25) && y.interval().contains(2.0));
}
