//! Joint containment: symbols of operations have values within [-1, 1] that explain every true value at once.

use super::{StandardForm, StandardPlan, Step, operands};
use crate::expr::Plan;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::{Affine, Scalar};

/// Repeatable numbers in [0, 1).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn plan(text: &str) -> Plan {
    Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("in x and y")
}

/// The true value of a step, by the functions of the system in f64.
fn truth(step: Step, inputs: [f64; 2], values: &[f64], forms: &[StandardForm<f32>]) -> f64 {
    let at = |k: u32| values[k as usize];
    let mid = |lo: u64, hi: u64| 0.5 * (f64::from_bits(lo) + f64::from_bits(hi));
    match step {
        Step::Constant(lo, hi) => mid(lo, hi),
        Step::Input(k) => inputs[k as usize],
        Step::Neg(x) => -at(x),
        Step::Add(x, y) => at(x) + at(y),
        Step::Sub(x, y) => at(x) - at(y),
        Step::Times(x, lo, hi) => at(x) * mid(lo, hi),
        Step::Over(x, lo, hi) => at(x) / mid(lo, hi),
        Step::Mul(x, y) => at(x) * at(y),
        Step::Sqr(x) => at(x) * at(x),
        Step::Unary(function, x) => match function {
            // As forms define it.
            Unary::Sqrt => at(x).max(0.0).sqrt(),
            Unary::Reciprocal => 1.0 / at(x),
            Unary::Exp => at(x).exp(),
            Unary::Log => at(x).ln(),
            Unary::Sin => at(x).sin(),
            Unary::Cos => at(x).cos(),
            Unary::Tan => at(x).tan(),
            Unary::Atan => at(x).atan(),
            Unary::Abs => at(x).abs(),
            Unary::Floor => at(x).floor(),
            Unary::Fract => at(x) - at(x).floor(),
            Unary::Powi(n) => at(x).powi(n),
            Unary::PositivePart => at(x).max(0.0),
            other => panic!("no reference of {other:?}"),
        },
        Step::Atan { quotient, .. } => at(quotient).atan(),
        Step::Smaller(x, y) => at(x).min(at(y)),
        Step::Pick { right, left, x } => at(if forms[x as usize].interval().lo > 0.0 { right } else { left }),
        Step::Angle { y, x, .. } => at(y).atan2(at(x)),
        Step::Remainder(Binary::Fmod, x, y) => at(x) % at(y),
        Step::Remainder(_, x, y) => at(x) - at(y) * (at(x) / at(y)).round_ties_even(),
    }
}

const TEXTS: [&str; 12] = [
    "x^2+y^2+x*y-(x*y)^2/2-0.1",
    "sin(x)*cos(y)+exp(x*y/10)",
    "sqrt(x^2 - x + 0.5)/sqrt(x^2 + 0.5)",
    "tan(x/20)-atan(x*y)+x^3*0.7",
    "min(x*y, x+y) - max(x, sin(y))",
    "log(x^2+1.25)*(x-y)/(1+y^2) - log(x^2+1.25)",
    "fmod(x, y) + remainder(x*y, 3)",
    "abs(x-y)*0.1 + positive_part(x*y-1)",
    "floor(x)*y - fract(x)",
    "exp(x/8)-exp(x/8)*0.5+x/3",
    "smooth_min(x, y^2, 0.5)^2",
    "atan2(x*y, y+1) - atan2(x, 3)",
];

/// Boxes of many widths, with the true values of points in them.
#[test]
fn symbols_of_operations_explain_true_values() {
    let mut random = Random(5);
    let (mut judged, mut closest) = (0, 0.0_f64);
    for text in TEXTS {
        let standard = StandardPlan::new(&plan(text));
        for round in 0..400 {
            let width = 10f64.powf(-6.0 + 6.7 * random.unit()) * f64::from(u8::from(round % 7 != 0));
            let ranges = [0; 2].map(|_| {
                let centre = 8.0 * random.unit() - 3.5;
                Interval::new((centre - width) as f32, (centre + width) as f32).expect("ordered")
            });
            let forms = standard.forms(&ranges);
            for corner in 0..6 {
                let symbols = [0; 2]
                    .map(|_| if corner < 2 { (2.0 * random.unit() - 1.0).signum() } else { 2.0 * random.unit() - 1.0 });
                (judged, closest) = explain(&standard, &forms, &ranges, symbols, text, (judged, closest));
            }
        }
    }
    println!("{judged} values of operations, largest use of a symbol {closest:.4}");
    assert!(judged > 100_000 && closest > 0.99, "{judged} {closest}");
}

fn explain(
    standard: &StandardPlan,
    forms: &[StandardForm<f32>],
    ranges: &[Interval<f32>; 2],
    at: [f64; 2],
    text: &str,
    (mut judged, mut closest): (usize, f64),
) -> (usize, f64) {
    let input = |k: usize| {
        let (lo, hi) = (f64::from(ranges[k].lower()), f64::from(ranges[k].upper()));
        (0.5 * (lo + hi) + 0.5 * (hi - lo) * at[k]).clamp(lo, hi)
    };
    let inputs = [input(0), input(1)];
    let mut symbols = vec![0.0; 2 + standard.steps.len()];
    let mut values = Vec::new();
    for (i, (step, form)) in standard.steps.iter().zip(forms).enumerate() {
        let value = truth(*step, inputs, &values, forms);
        values.push(value);
        let (b, x, err) = form.parts();
        if form.is_entire() || !value.is_finite() {
            continue;
        }
        let layout = &standard.layouts[i];
        if let Step::Input(k) = step {
            symbols[*k as usize] = if x[0] == 0.0 { 0.0 } else { (value - f64::from(b)) / f64::from(x[0]) };
        }
        let own = layout.last().filter(|own| !matches!(step, Step::Input(_)) && is_own(standard, i, **own));
        let known = layout.iter().zip(x).filter(|(k, _)| Some(*k) != own);
        let sum = f64::from(b) + known.map(|(k, x)| f64::from(*x) * symbols[*k as usize]).sum::<f64>();
        let scale = value.abs() + x.iter().map(|x| f64::from(x.abs())).sum::<f64>() + f64::from(b.abs());
        let slack = f64::from(err) + 2f64.powi(-42) * scale + 1e-30;
        let rest = value - sum;
        if let Some(own) = own {
            let radius = f64::from(*x.last().expect("its own"));
            let e = if radius == 0.0 { 0.0 } else { (rest / radius).clamp(-1.0, 1.0) };
            symbols[*own as usize] = e;
            closest = if radius > 1e3 * slack { closest.max((rest / radius).abs()) } else { closest };
            assert!(
                (rest - radius * e).abs() <= slack,
                "{text}, step {i} {step:?} at {inputs:?}: {value} not in {form:?}"
            );
        } else {
            assert!(rest.abs() <= slack, "{text}, step {i} {step:?} at {inputs:?}: {value} not in {form:?}");
        }
        judged += 1;
    }
    (judged, closest)
}

/// Whether a symbol is that of step `i`, not of an operand.
fn is_own(standard: &StandardPlan, i: usize, symbol: u32) -> bool {
    operands(standard.steps[i]).iter().all(|k| !standard.layouts[*k as usize].contains(&symbol))
}

#[test]
fn values_carry_the_symbols_they_depend_on() {
    let standard = StandardPlan::new(&plan("sqr(x) - sqr(x)*0.5 + y"));
    assert_eq!((standard.symbols(), standard.most_symbols()), ([0, 1, 2].as_slice(), 3));
    // One reciprocal for both quotients.
    let shared = StandardPlan::new(&plan("x/y - 2/y"));
    let reciprocals = shared.steps.iter().filter(|step| matches!(step, Step::Unary(Unary::Reciprocal, _))).count();
    assert_eq!((reciprocals, shared.most_symbols()), (1, 4));
    let floor = StandardPlan::new(&plan("floor(x*y)"));
    assert_eq!(floor.symbols(), [3]);
    assert!(floor.evaluate(&[Interval::<f32>::point(1.0)]).is_err());
}

#[test]
fn errors_that_are_used_twice_cancel() {
    let range = Interval::new(1.0, 2.0).expect("ordered");
    let plan = plan("exp(x) - exp(x)/2 + y - y");
    let standard = StandardPlan::new(&plan).evaluate(&[range, range]).expect("two ranges");
    let reduced = plan.evaluate(&[0, 1].map(|k| Affine::<f32, 2>::variable(k, range))).expect("two forms");
    assert!(standard.interval().width() < 0.85 * reduced.interval().width());
    assert!(standard.interval().contains(0.5 * std::f32::consts::E));
    let double = StandardPlan::new(&plan).evaluate(&[Interval::new(1.0_f64, 2.0).expect("ordered"); 2]).expect("two");
    assert!(
        double.interval().contains(0.5 * std::f64::consts::E)
            && double.interval().width() < f64::from(standard.interval().width())
    );
    let both = Interval::new(f32::NEG_INFINITY, f32::INFINITY).expect("ordered");
    assert!(StandardPlan::new(&plan).evaluate(&[both, both]).expect("two ranges").is_entire());
    assert_eq!(Affine::<f32, 1>::constant(1.0).sqr().parts().0, 1.0);
}
