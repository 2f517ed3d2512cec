//! Joint containment: for values of the symbols, the exact result lies within the error bound of the form at those symbols.

use crate::common::{BINARIES, Random, Reference, functions, random_form, reference, value};
use affine_arith::{Affine, Interval, Mixed, Scalar, Unary};

/// Whether `truth` may be a value of the form at these symbols. f64 references are good to 2^-44 of the magnitudes that meet.
fn may_be(form: &Affine<f32, 2>, symbols: [f64; 2], truth: f64, scale: f64) -> bool {
    let (_, _, err) = form.parts();
    form.is_entire() || (truth - value(form, symbols, 0.0)).abs() <= f64::from(err) + 2f64.powi(-44) * scale
}

#[test]
fn unary_functions_contain_joint_values() {
    let mut random = Random(1);
    for function in functions() {
        let (mut judged, mut closest) = (0, 0.0_f64);
        for _ in 0..2_000 {
            let x = random_form(&mut random, 0);
            let y = x.apply(function);
            let range = x.interval().apply(function);
            for _ in 0..8 {
                let (symbols, e) = ([random.symbol(), random.symbol()], random.symbol());
                let argument = value(&x, symbols, e);
                let truth = reference(function, argument);
                if !truth.is_finite() || y.is_entire() {
                    continue;
                }
                let sensitivity = argument.abs() * slope(function, argument);
                // The reference of the error function is good to 1e-13 absolutely.
                let absolute = if matches!(function, Unary::Erf | Unary::Erfc | Unary::NormCdf) { 8.0 } else { 0.0 };
                let scale = truth.abs() + sensitivity.min(1e30) + absolute;
                assert!(
                    may_be(&y, symbols, truth, scale),
                    "{function:?} of {x:?} at {symbols:?} {e}: {truth} not in {y:?}"
                );
                let (lo, hi) = (f64::from(range.lower()), f64::from(range.upper()));
                let slack = 2f64.powi(-44) * scale;
                assert!(
                    lo <= truth + slack && truth - slack <= hi,
                    "{function:?} of {:?}: {truth} not in {range:?}",
                    x.interval()
                );
                judged += 1;
                let (_, _, err) = y.parts();
                if err > 0.0 {
                    closest = closest.max((truth - value(&y, symbols, 0.0)).abs() / f64::from(err));
                }
            }
        }
        println!("{:10} {judged} values, largest use of the error bound {closest:.4}", function.name());
        assert!(judged > 1_000, "{function:?}: only {judged} values judged");
    }
}

/// |f'| near x, from a difference quotient: how much an error of the argument matters.
fn slope(function: Unary, x: f64) -> f64 {
    let h = 1e-7 * x.abs().max(1e-7);
    let difference = (reference(function, x + h) - reference(function, x - h)) / (2.0 * h);
    if difference.is_finite() { difference.abs() } else { 1e30 }
}

#[test]
fn binary_functions_contain_joint_values() {
    let mut random = Random(2);
    for function in BINARIES {
        let mut judged = 0;
        for i in 0..3_000 {
            let x = random_form(&mut random, 0);
            // A third of the pairs share a symbol.
            let y =
                random_form(&mut random, usize::from(i % 3 != 0)) + if i % 2 == 0 { x } else { Affine::constant(0.0) };
            let z = x.apply2(function, &y);
            for _ in 0..8 {
                let symbols = [random.symbol(), random.symbol()];
                let (p, q) = (value(&x, symbols, random.symbol()), value(&y, symbols, random.symbol()));
                let truth = Reference(p).binary(function, &Reference(q)).0;
                if !truth.is_finite() || z.is_entire() {
                    continue;
                }
                let scale = truth.abs() + p.abs() + q.abs() + (truth * q * p.abs().ln()).abs();
                assert!(
                    may_be(&z, symbols, truth, scale),
                    "{function:?} of {x:?}, {y:?} at {symbols:?}: {truth} not in {z:?}"
                );
                judged += 1;
            }
        }
        assert!(judged > 1_000, "{function:?}: only {judged} values judged");
    }
}

/// Expressions as a user writes them.
fn expressions<S: Scalar>(x: &S, y: &S) -> Vec<S> {
    let c = S::constant;
    let curve = x.sqr() + y.sqr() + x.clone() * y.clone() - (x.clone() * y.clone()).sqr() * c(0.5) - c(0.25);
    let waves = x.sin() * y.cos() + (x.clone() * y.clone() / c(10.0)).exp();
    let ratio = (x.sqr() - x.clone() + c(0.5)).sqrt() / (x.sqr() + c(0.5)).sqrt();
    let smooth = x.smooth_min(y, &c(0.5)).smooth_max(&c(-2.0), &c(1.5));
    let step = x.smoothstep(&c(-1.0), &c(2.0)) + x.lerp(y, &c(0.3));
    let far = x.hypot(y) + x.hypot3(y, &c(1.0)) + x.clamp(&c(-1.0), y);
    vec![curve, waves, ratio, smooth, step, far]
}

#[test]
fn expressions_contain_joint_values_as_forms_and_mixed() {
    let mut random = Random(3);
    let mut judged = [0; 6];
    for _ in 0..3_000 {
        let (x, y) = (random_form(&mut random, 0), random_form(&mut random, 1));
        let forms = expressions(&x, &y);
        let mixed = expressions(&Mixed::from_form(x), &Mixed::from_form(y));
        for _ in 0..4 {
            let symbols = [random.symbol(), random.symbol()];
            let magnitudes = [value(&x, symbols, random.symbol()), value(&y, symbols, random.symbol())];
            let truths = expressions(&Reference(magnitudes[0]), &Reference(magnitudes[1]));
            for (i, truth) in truths.iter().enumerate() {
                let scale = 1.0 + truth.0.abs() + magnitudes[0].powi(4) + magnitudes[1].powi(4);
                if !truth.0.is_finite() || forms[i].is_entire() {
                    continue;
                }
                assert!(
                    may_be(&forms[i], symbols, truth.0, scale),
                    "expression {i} of {x:?}, {y:?} at {symbols:?}: {truth:?}"
                );
                let range = mixed[i].interval();
                let slack = 2f64.powi(-44) * scale;
                let inside = f64::from(range.lower()) <= truth.0 + slack && truth.0 - slack <= f64::from(range.upper());
                assert!(inside, "expression {i} of {x:?}, {y:?}: {truth:?} not in {range:?}");
                judged[i] += 1;
            }
        }
    }
    assert!(judged.iter().all(|count| *count > 3_000), "{judged:?}");
}

#[test]
fn clipped_roots_contain_values_below_zero_jointly() {
    // Ranges partly below 0 with an error term: a root that is bounded on its domain alone misses these.
    let v = Affine::<f32, 2>::variable(0, Interval::new(-0.5, 0.01).expect("ordered"));
    let w = Affine::from_interval(Interval::new(-1.0, 1.0).expect("ordered"));
    for (function, truth) in [(Unary::Sqrt, 0.5_f64.sqrt()), (Unary::powf(0.75), 0.5_f64.powf(0.75))] {
        let root = (v + w).apply(function);
        let difference = root - v * Affine::constant(10.0);
        // v = -0.5, w = 1.
        assert!(may_be(&difference, [-1.0, 0.0], truth + 5.0, 1.0), "{function:?}: {difference:?}");
        assert!(difference.interval().contains((truth + 5.0) as f32));
    }
}

/// Ranges of nearly a period: tangents that were wider than 3 were entire, sines wider than 6.25 the unit interval.
#[test]
fn waves_of_nearly_a_period_are_tight() {
    fn range<T: affine_arith::Real>(function: Unary, lo: f64, hi: f64) -> (f64, f64) {
        let value = Interval::<T>::from_f64(lo).join(Interval::from_f64(hi)).apply(function);
        (value.lower().to_f64(), value.upper().to_f64())
    }
    for half in [1.5, 1.5625, 1.5703125] {
        for (lo, hi) in [range::<f32>(Unary::Tan, -half, half), range::<f64>(Unary::Tan, -half, half)] {
            let expected = half.tan();
            assert!(hi >= expected && hi < expected * (1.0 + 1e-6) && lo == -hi, "{half}: {lo} {hi}");
        }
        let (lo, hi) = range::<f64>(Unary::Cot, 0.0703125, 3.0703125);
        assert!(lo > -14.1 && hi < 14.3, "{lo} {hi}");
    }
    assert!(range::<f64>(Unary::Tan, -1.5, 1.6) == (f64::NEG_INFINITY, f64::INFINITY), "a pole");
    assert!(range::<f64>(Unary::Tan, -1.5, 1.75) == (f64::NEG_INFINITY, f64::INFINITY), "more than a period");
    // From behind one maximum to before the next: only the minimum lies between.
    let (lo, hi) = range::<f64>(Unary::Cos, 0.0078125, 6.27734375);
    assert!(lo == -1.0 && hi < 1.0 && hi >= 0.0078125f64.cos().max(6.27734375f64.cos()), "{lo} {hi}");
}
