//! The WGSL library of affine-arith against its Rust types, as words, on every adapter: forms and intervals of every function.
//!
//! Kernels: `enclose_boxes`, written from expressions, with affine.wgsl, affine_unary.wgsl, affine_binary.wgsl, interval.wgsl,
//! interval_functions.wgsl, elementary.wgsl and double_word.wgsl.

use affine_arith::{Affine, BoxQuery, Interval, Mixed, Model, Plan, Unary};
use conformance::adapters::{open_all, open_long};
use gpu_runtime::translate::{FloatFinding, Target, Translation};
use gpu_runtime::{Context, ContextOptions, Form, KernelSource, NumericsChoice, WgslModule};

fn plan(text: &str) -> Plan {
    let expr = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    Plan::new(&expr, &["x", "y"]).expect("in x and y")
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

const SPECIAL: [f32; 20] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    1.5,
    -3.0,
    1e-30,
    -1e-30,
    1e-9,
    1e9,
    -1e9,
    1e17,
    0.785,
    std::f32::consts::PI,
    -std::f32::consts::TAU,
    88.0,
    -80.0,
    1.0e-4,
];

/// Pairs of ranges: near and far, points, wide and narrow, on both sides of 0.
fn boxes(count: usize) -> Vec<[Interval<f32>; 2]> {
    let mut state = 11;
    let mut range = |i: usize| {
        let special = SPECIAL[(random(&mut state) * SPECIAL.len() as f64) as usize];
        let size = 10f64.powf(
            random(&mut state) * if i.is_multiple_of(4) { 40.0 } else { 4.0 }
                - if i.is_multiple_of(4) { 24.0 } else { 2.0 },
        );
        let middle = if i.is_multiple_of(5) { special } else { (size * (2.0 * random(&mut state) - 0.7)) as f32 };
        let width = match i % 6 {
            0 => 0.0,
            1 => 1e-6 * f64::from(middle.abs()),
            2 => 1e-3 * f64::from(middle.abs()),
            _ => f64::from(middle.abs()) * 2.0 * random(&mut state),
        };
        let (lo, hi) = (f64::from(middle) - width, f64::from(middle) + width);
        if i.is_multiple_of(97) { Interval::ENTIRE } else { Interval::from_f64(lo).join(Interval::from_f64(hi)) }
    };
    (0..count).map(|i| [range(i), range(i / 2 + 1)]).collect()
}

/// Words without the sign of zeros, which no result shows.
fn words(parts: impl IntoIterator<Item = f32>) -> Vec<u32> {
    parts.into_iter().map(|part| (part + 0.0).to_bits()).collect()
}

fn form_words(form: &Affine<f32, 2>) -> Vec<u32> {
    let (b, x, err) = form.parts();
    words([b, x[0], x[1], err])
}

/// Forms, ranges and both together.
fn compare(context: &Context, text: &str, boxes: &[[Interval<f32>; 2]]) {
    compare_parts(context, text, boxes);
    compare_mixed(context, &plan(text), text, boxes);
}

fn compare_parts(context: &Context, text: &str, boxes: &[[Interval<f32>; 2]]) {
    let plan = plan(text);
    let device = &context.adapter().name;
    let forms = BoxQuery::<2>::new(context, &plan, Model::Affine).unwrap().forms(boxes).unwrap();
    let mut entire = 0;
    for (cell, found) in boxes.iter().zip(&forms) {
        let inputs = [0, 1].map(|k| Affine::<f32, 2>::variable(k, cell[k]));
        let expected = plan.evaluate(&inputs).unwrap();
        entire += usize::from(expected.is_entire());
        assert_eq!(
            form_words(found),
            form_words(&expected),
            "{device}: {text} of {cell:?}: {found:?}, CPU {expected:?}"
        );
    }
    let ranges = BoxQuery::<2>::new(context, &plan, Model::Intervals).unwrap().ranges(boxes).unwrap();
    for (cell, found) in boxes.iter().zip(&ranges) {
        let expected = plan.evaluate(cell).unwrap();
        let pair = |range: Interval<f32>| words([range.lower(), range.upper()]);
        assert_eq!(pair(*found), pair(expected), "{device}: {text} of {cell:?}: {found:?}, CPU {expected:?}");
    }
    println!("{device}: {text}, {entire} of {} entire", boxes.len());
    assert!(entire < boxes.len());
}

fn compare_mixed(context: &Context, plan: &Plan, text: &str, boxes: &[[Interval<f32>; 2]]) {
    let device = &context.adapter().name;
    let mixed = BoxQuery::<2>::new(context, plan, Model::Mixed).unwrap().mixed(boxes).unwrap();
    for (cell, (form, range)) in boxes.iter().zip(&mixed) {
        let inputs = [0, 1].map(|k| Mixed::<f32, 2>::variable(k, cell[k]));
        let expected = plan.evaluate(&inputs).unwrap();
        let pair = |range: Interval<f32>| words([range.lower(), range.upper()]);
        let found = (form_words(form), pair(*range));
        let expected = (form_words(expected.form()), pair(expected.interval()));
        assert_eq!(found, expected, "{device}: {text} of {cell:?}: mixed {form:?}, {range:?}");
    }
}

/// Kernels take parts of the library; this is all of it.
#[test]
fn the_library_keeps_the_rules_of_kernels() {
    let entry = "\nstruct Params { zero: u32, a: u32, b: u32, c: u32 }\n@group(0) @binding(0) var<uniform> params: Params;\n\
                 @group(0) @binding(1) var<storage, read_write> out: array<u32>;\n\
                 @compute @workgroup_size(1)\nfn probe() {\n    out[0] = params.a;\n}\n";
    for n in [1, 3, 8] {
        let source: &'static str = Box::leak((affine_arith::wgsl(n) + entry).into_boxed_str());
        let modules = [WgslModule { name: "library", source }];
        let kernel = KernelSource { name: "probe", constants: &[], modules: &modules, trusted: false };
        for form in [Form::Decorated, Form::Guarded] {
            let made = Translation::new(&kernel, form, &Target::default()).unwrap_or_else(|fault| panic!("{fault}"));
            let marked = |f: &&FloatFinding| f.place.excerpt.contains("// estimate: corrected below");
            assert_eq!(made.findings().iter().find(|f| !marked(f)), None);
        }
    }
}

fn contexts() -> Vec<Context> {
    open_all(&ContextOptions::default(), &[NumericsChoice::Auto])
}

#[test]
fn arithmetic_gives_the_words_of_the_cpu() {
    let boxes = boxes(3000);
    for context in contexts() {
        compare(&context, "x*y - x/y + sqr(y)", &boxes);
    }
}

/// Functions of one variable, by the size of their kernels; every one is in a group.
const GROUPS: [&[&str]; 5] = [
    &[
        "neg",
        "abs",
        "positive_part",
        "sqr",
        "reciprocal",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "fract",
        "modf",
    ],
    &["exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "rsqrt", "cbrt", "rcbrt"],
    &["sinpi", "cospi", "cot", "sin", "cos", "tan"],
    &["asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
    &["erf", "erfc", "normcdf", "tgamma", "lgamma"],
];

/// A kernel for the form of a product, whose error term is not 0, and one for the range; a few hundred boxes each. Mixed forms take a function of
/// both their parts, so the first of a group stands for all in a third kernel.
fn compare_functions(names: &[&str]) {
    let boxes = boxes(400);
    for context in contexts() {
        for (place, name) in names.iter().enumerate() {
            let start = std::time::Instant::now();
            let text = format!("{name}(x*y)");
            compare_parts(&context, &text, &boxes);
            if place == 0 {
                compare_mixed(&context, &plan(&text), &text, &boxes);
            }
            println!("{name}: {:.2} s", start.elapsed().as_secs_f64());
        }
    }
}

#[test]
fn every_function_is_in_a_group() {
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.iter().copied()).collect();
    let mut all: Vec<&str> = Unary::all().map(Unary::name).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}

#[test]
fn kinks_and_integers_give_the_words_of_the_cpu() {
    compare_functions(GROUPS[0]);
}

#[test]
fn exponentials_and_roots_give_the_words_of_the_cpu() {
    compare_functions(GROUPS[1]);
}

/// Ranges with a multiple of pi/2 inside, 0 in half of them, mostly so near the middle that slopes at inflections are taken.
fn inflected(count: usize) -> Vec<[Interval<f32>; 2]> {
    let mut state = 5;
    let mut range = |i: usize| {
        let at = if i.is_multiple_of(2) {
            0.0
        } else {
            (random(&mut state) * 13.0 - 6.0).floor() * std::f64::consts::FRAC_PI_2
        };
        let half = [1e-30, 1e-4, 0.3, 0.9, 1.5][i % 5] * (0.1 + random(&mut state));
        let middle = at + (random(&mut state) - 0.5) * half;
        Interval::from_f64(middle - half).join(Interval::from_f64(middle + half))
    };
    (0..count).map(|i| [range(i), range(i / 2 + 1)]).collect()
}

fn compare_inflections(texts: &[&str]) {
    let boxes = inflected(2000);
    for context in open_long() {
        texts.iter().for_each(|text| compare_parts(&context, text, &boxes));
    }
}

/// Functions that get steeper on both sides of an inflection have slopes of their own.
#[test]
fn inflections_give_the_words_of_the_cpu() {
    compare_inflections(&["x^3", "sinh(x)", "asin(x)", "acos(x)", "atanh(x)"]);
}

#[test]
fn inflections_of_waves_give_the_words_of_the_cpu() {
    compare_inflections(&["tan(x)", "cot(x)"]);
}

#[test]
fn waves_give_the_words_of_the_cpu() {
    compare_functions(GROUPS[2]);
}

#[test]
fn inverse_and_hyperbolic_functions_give_the_words_of_the_cpu() {
    compare_functions(GROUPS[3]);
}

#[test]
fn error_and_gamma_functions_give_the_words_of_the_cpu() {
    compare_functions(GROUPS[4]);
}

#[test]
fn functions_of_two_variables_give_the_words_of_the_cpu() {
    let boxes = boxes(400);
    let texts =
        ["x/y", "0.75/x - 3/y", "min(x, y)", "max(x, y)", "fmod(x, y)", "remainder(x, y)", "atan2(x, y)", "x^y"];
    for context in contexts() {
        texts.iter().for_each(|text| compare(&context, text, &boxes));
    }
}

#[test]
fn powers_give_the_words_of_the_cpu() {
    let boxes = boxes(400);
    for context in contexts() {
        ["x^3", "x^-2", "(x*y)^4", "x^1.5"].iter().for_each(|text| compare(&context, text, &boxes));
    }
}

#[test]
fn more_powers_give_the_words_of_the_cpu() {
    let boxes = boxes(400);
    let texts = ["x^-3", "x^7", "x^0.5", "x^0.3", "x^-0.7", "(x*y)^1.5", "(x-y)^-1.5"];
    for context in contexts() {
        texts.iter().for_each(|text| compare(&context, text, &boxes));
    }
}
