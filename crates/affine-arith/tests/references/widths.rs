//! Tightness: medians of (width of the result)/(width of the true range), beside those of vusvna 1.0.2 for the same kind of inputs.

use crate::common::{Random, Reference, reference};
use affine_arith::{Affine, Binary, Interval, Mixed, Plan, Scalar, Standard, StandardPlan, Unary};

/// vusvna's medians for widths about 1e-4, 0.1 and 2, measured with the sampler of [`input`].
const UNARY: [(Unary, [f64; 3]); 29] = [
    (Unary::Sqr, [1.019, 1.003, 1.051]),
    (Unary::Abs, [1.038, 1.0, 1.0]),
    (Unary::Sqrt, [1.788, 1.002, 1.012]),
    (Unary::Rsqrt, [2.199, 1.003, 1.035]),
    (Unary::Cbrt, [1.48, 1.002, 1.034]),
    (Unary::Exp, [1.111, 1.013, 1.236]),
    (Unary::Exp2, [1.128, 1.009, 1.167]),
    (Unary::Log, [1.627, 1.002, 1.024]),
    (Unary::Log2, [1.639, 1.002, 1.023]),
    (Unary::Sin, [1.11, 1.011, 1.19]),
    (Unary::Cos, [1.111, 1.014, 1.203]),
    (Unary::Tan, [1.027, 1.018, 1.19]),
    (Unary::Atan, [335.9, 1.34, 1.12]),
    (Unary::Powi(3), [1.09, 1.005, 1.1]),
    (Unary::Powi(-2), [1.329, 1.004, 1.07]),
    (Unary::Powi(4), [1.091, 1.008, 1.145]),
    (Unary::Powf(0x3ff8_0000_0000_0000), [2.039, 1.002, 1.011]), // 1.5
    (Unary::Powf(0x3fd3_3333_3333_3333), [2.968, 1.003, 1.016]), // 0.3
    (Unary::Powf(0xbfe6_6666_6666_6666), [2.385, 1.004, 1.04]),  // -0.7
    (Unary::PositivePart, [1.037, 1.0, 1.0]),
    (Unary::Reciprocal, [1.417, 1.0, 1.0]),
    (Unary::Fract, [1.011, 1.0, 1.005]),
    (Unary::Modf, [1.011, 1.0, 1.005]),
    (Unary::Cot, [1.042, 1.019, 1.304]),
    (Unary::SinPi, [1.084, 1.039, 1.001]),
    (Unary::CosPi, [1.086, 1.039, 1.001]),
    (Unary::Exp10, [1.073, 1.029, 1.458]),
    (Unary::Log10, [1.784, 1.002, 1.023]),
    (Unary::Rcbrt, [2.534, 1.003, 1.031]),
];

const BINARY: [(Binary, [f64; 3]); 9] = [
    (Binary::Add, [1.02, 1.0, 1.0]),
    (Binary::Sub, [1.02, 1.0, 1.0]),
    (Binary::Mul, [1.013, 1.005, 1.086]),
    (Binary::Div, [1.179, 1.002, 1.045]),
    (Binary::Min, [1.052, 1.0, 1.0]),
    (Binary::Max, [1.052, 1.0, 1.0]),
    (Binary::Atan2, [43.9, 1.077, 1.336]),
    (Binary::Fmod, [1.025, 1.0, 1.0]),
    (Binary::Remainder, [1.018, 1.0, 1.003]),
];

const WIDTHS: [f64; 3] = [1e-4, 0.1, 2.0];
const INPUTS: usize = 300;
/// Medians are of few inputs, and of a different draw.
const SAMPLING: f64 = 0.02;

/// A range about `width` wide, in the part of the line where the function is of interest.
fn input(random: &mut Random, width: f64, positive: bool, branch: bool) -> Interval<f32> {
    let width = width * random.between(0.5, 1.5);
    let centre = if branch {
        // Mostly away from the poles, as few of vusvna's were entire.
        random.between(-1.0, 1.0) * (1.35 - width / 2.0).max(0.0)
    } else if positive {
        random.between(1.5, 20.0)
    } else {
        random.between(-10.0, 10.0)
    };
    Interval::new((centre - width / 2.0) as f32, (centre + width / 2.0) as f32).expect("ordered")
}

fn needs_positive(function: Unary) -> bool {
    let log = matches!(function, Unary::Log | Unary::Log2 | Unary::Log10 | Unary::Sqrt | Unary::Rsqrt);
    log || matches!(function, Unary::Reciprocal | Unary::Rcbrt | Unary::Cbrt | Unary::Powf(_) | Unary::Powi(-2))
}

/// Functions that vusvna lacks.
const FURTHER: [Unary; 16] = [
    Unary::Asin,
    Unary::Acos,
    Unary::Sinh,
    Unary::Cosh,
    Unary::Tanh,
    Unary::Asinh,
    Unary::Acosh,
    Unary::Atanh,
    Unary::Expm1,
    Unary::Log1p,
    Unary::Erf,
    Unary::Erfc,
    Unary::NormCdf,
    Unary::Tgamma,
    Unary::Lgamma,
    Unary::Powi(5),
];

/// A range about 1e-4 wide in the domain.
fn narrow_input(random: &mut Random, function: Unary) -> Interval<f32> {
    let centre = match function {
        Unary::Asin | Unary::Acos | Unary::Atanh => random.between(-0.95, 0.95),
        Unary::Acosh => random.between(1.5, 20.0),
        // Where the functions are not constant to the last float.
        Unary::Tanh | Unary::Erf | Unary::Erfc | Unary::NormCdf => random.between(-2.0, 2.0),
        Unary::Log1p | Unary::Tgamma | Unary::Lgamma => random.between(0.2, 10.0),
        _ => return input(random, 1e-4, needs_positive(function), function == Unary::Tan),
    };
    let half = 0.5e-4 * random.between(0.5, 1.5);
    Interval::new((centre - half) as f32, (centre + half) as f32).expect("ordered")
}

/// The median; ratios of inputs whose true range is not wider than rounding are left out before.
fn median(mut ratios: Vec<f64>) -> f64 {
    assert!(ratios.len() > INPUTS / 4, "only {} inputs", ratios.len());
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn ratio(result: Interval<f32>, values: &[f64]) -> Option<f64> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let usable = result.is_bounded()
        && high - low > 1e-6 * high.abs().max(low.abs()).max(1e-3)
        && low.is_finite()
        && high.is_finite();
    usable.then(|| (f64::from(result.upper()) - f64::from(result.lower())) / (high - low))
}

/// By how many floats of the largest value a form is wider than 1.10 times the true width.
fn floats_above(result: Interval<f32>, values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let size = high.abs().max(low.abs()) as f32;
    let float = f64::from(size.next_up()) - f64::from(size);
    let width = f64::from(result.upper()) - f64::from(result.lower());
    if result.is_bounded() { (width - 1.10 * (high - low)) / float } else { 0.0 }
}

/// At most 1.10 of the true width and, for every input, 4 floats more with the interval beside the form, 5 by the form alone: both ends of what is
/// left over are enclosed, the form's origin is rounded, and so are both ends of its interval.
#[test]
fn narrow_inputs_give_narrow_forms() {
    let mut random = Random(6);
    let mut faults = Vec::new();
    for function in UNARY.map(|(function, _)| function).into_iter().chain(FURTHER) {
        let (mut wide, mut alone, mut beside) = (0, 0.0_f64, 0.0_f64);
        for _ in 0..INPUTS {
            let range = narrow_input(&mut random, function);
            let values: Vec<f64> = samples(range, 257).iter().map(|x| reference(function, *x)).collect();
            let mixed = Mixed::<f32, 1>::variable(0, range).apply(function);
            let above = floats_above(mixed.form().interval(), &values);
            wide += usize::from(above > 4.0);
            alone = alone.max(above);
            beside = beside.max(floats_above(mixed.interval(), &values));
        }
        println!("{:14} {wide} of {INPUTS} above 4, at most {alone:.2}; beside {beside:.2}", format!("{function:?}"));
        if alone > 5.0 || beside > 4.0 || wide * 15 > INPUTS {
            faults.push(format!("{function:?}: {wide} of {INPUTS}, {alone}, {beside}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn samples(range: Interval<f32>, count: usize) -> Vec<f64> {
    let (low, high) = (f64::from(range.lower()), f64::from(range.upper()));
    (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64).collect()
}

#[test]
fn unary_forms_are_not_wider_than_vusvna() {
    let mut random = Random(4);
    let mut faults = Vec::new();
    for (function, theirs) in UNARY {
        for (width, their) in WIDTHS.into_iter().zip(theirs) {
            let mut ratios = Vec::new();
            for _ in 0..INPUTS {
                let range = input(&mut random, width, needs_positive(function), matches!(function, Unary::Tan));
                let result = Affine::<f32, 1>::variable(0, range).apply(function).interval();
                let values: Vec<f64> = samples(range, 257).iter().map(|x| reference(function, *x)).collect();
                ratios.extend(ratio(result, &values));
            }
            let ours = median(ratios);
            println!("{:14} {width:6} {ours:9.4} (vusvna {their})", function.name());
            if ours > their + SAMPLING * their {
                faults.push(format!("{function:?} at {width}: {ours} > {their}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Texts in x and y, and vusvna's medians for widths about 1e-4, 0.1 and 2.
const COMPOSITES: [(&str, [f64; 3]); 8] = [
    ("x*2.5 + 1", [1.037, 1.0, 1.0]),
    ("x/3", [1.075, 1.0, 1.0]),
    ("2 - x", [1.033, 1.0, 1.0]),
    ("smooth_min(x, y, 0.5)", [1.058, 1.0, 1.0]),
    ("x^2+y^2+x*y-(x*y)^2/2-1/4", [1.018, 1.014, 1.203]),
    ("sin(x)*cos(y)+exp(x*y/10)", [1.088, 1.029, 1.528]),
    ("sqrt(x^2 - x + 0.5)/sqrt(x^2 + 0.5)", [7.192, 1.334, 13.18]),
    ("hypot(x, y)", [1.234, 1.005, 1.113]),
];

#[test]
fn composites_are_not_wider_than_vusvna() {
    let mut random = Random(8);
    let mut faults = Vec::new();
    for (text, theirs) in COMPOSITES {
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("in x and y");
        for (width, their) in WIDTHS.into_iter().zip(theirs) {
            let mut ratios = Vec::new();
            for _ in 0..INPUTS {
                let [x, y] = [0; 2].map(|_| input(&mut random, width, false, false));
                let forms = [x, y].into_iter().enumerate().map(|(k, range)| Affine::<f32, 2>::variable(k, range));
                let form = plan.evaluate(&forms.collect::<Vec<_>>()).expect("two inputs");
                let grid = samples(y, 33);
                let at = |x: f64, y: f64| plan.evaluate(&[Reference(x), Reference(y)]).expect("two inputs").0;
                let values: Vec<f64> = samples(x, 33).iter().flat_map(|x| grid.iter().map(|y| at(*x, *y))).collect();
                ratios.extend(ratio(form.interval(), &values));
            }
            let ours = median(ratios);
            println!("{text} {width} {ours:.4} (vusvna {their})");
            if ours > their + SAMPLING * their {
                faults.push(format!("{text} at {width}: {ours} > {their}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn binary_forms_are_not_wider_than_vusvna() {
    let mut random = Random(5);
    let mut faults = Vec::new();
    for (function, theirs) in BINARY {
        for (width, their) in WIDTHS.into_iter().zip(theirs) {
            let mut ratios = Vec::new();
            for _ in 0..INPUTS {
                let x = input(&mut random, width, function == Binary::Div, false);
                let y = input(&mut random, width, matches!(function, Binary::Div), false);
                let form = Affine::<f32, 2>::variable(0, x).apply2(function, &Affine::variable(1, y));
                let grid = samples(y, 33);
                let values: Vec<f64> = samples(x, 33)
                    .iter()
                    .flat_map(|x| grid.iter().map(|y| Reference(*x).binary(function, &Reference(*y)).0))
                    .collect();
                ratios.extend(ratio(form.interval(), &values));
            }
            let ours = median(ratios);
            println!("{function:?} {width} {ours:.4} (vusvna {their})");
            if ours > their + SAMPLING * their {
                faults.push(format!("{function:?} at {width}: {ours} > {their}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Medians of standard forms over those of reduced forms, on the expressions of [`COMPOSITES`] and some in which errors meet again.
#[test]
fn standard_forms_are_not_wider_than_reduced_ones() {
    let again =
        ["exp(x/8) - exp(x/8)*0.5", "sqr(x*y) - x*y", "sin(x) - 0.5*sin(x) + y", "x*y/(x*y + 250)", "atan2(y, x + 12)"];
    let mut random = Random(12);
    let (mut narrower, mut least) = (0, 1.0_f64);
    for text in COMPOSITES.map(|(text, _)| text).into_iter().chain(again) {
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("in x and y");
        let standard = StandardPlan::new(&plan);
        for width in WIDTHS {
            let (mut ratios, mut eager) = (Vec::new(), 0);
            for _ in 0..INPUTS {
                let ranges = [0; 2].map(|_| input(&mut random, width, false, false));
                let forms = [0, 1].map(|k| Affine::<f32, 2>::variable(k, ranges[k]));
                let reduced = plan.evaluate(&forms).expect("two inputs").interval();
                let found = standard.evaluate(&ranges).expect("two ranges").interval();
                let run = plan.evaluate(&ranges.map(Standard::variable)).expect("two forms").interval();
                eager += u32::from(run == found || (run.width() - found.width()).abs() <= 1e-5 * found.width());
                if reduced.is_bounded() {
                    ratios.push(f64::from(found.width()) / f64::from(reduced.width()));
                }
            }
            let ratio = median(ratios);
            println!("{text} {width}: {ratio:.4} of the reduced form, {eager} of {INPUTS} the same as it runs");
            assert!(ratio <= 1.0 + 1e-5, "{text} at {width}: {ratio}");
            assert!(eager > INPUTS as u32 * 9 / 10, "{text} at {width}: {eager}");
            narrower += u32::from(ratio < 0.9995);
            least = least.min(ratio);
        }
    }
    assert!(narrower >= 8 && least < 0.92, "{narrower} {least}");
}
