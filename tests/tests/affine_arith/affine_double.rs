//! The WGSL library of affine-arith in f64 against its Rust types, as words, on every adapter that has f64; the others refuse it.
//!
//! Kernels: `enclose_boxes`, written from expressions, with the texts of affine_functions.rs spelled for f64 and bits_double.wgsl.

use affine_arith::{Affine, BoxQuery, Error, Interval, Mixed, Model, Plan};
use conformance::adapters::{contexts, has_f64};
use gpu_runtime::translate::{FloatFinding, ShaderCapabilities, Target, Translation};
use gpu_runtime::{Context, Form, KernelSource, WgslModule};

type Cell = [Interval<f64>; 2];

fn plan(text: &str) -> Plan {
    let expr = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    Plan::new(&expr, &["x", "y"]).expect("in x and y")
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

const SPECIAL: [f64; 14] =
    [0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1e-200, -1e-285, 1e140, -1e149, std::f64::consts::PI, 1.2345e22, 345.0, -660.0];

/// Pairs of ranges: near and far, points, wide and narrow, on both sides of 0.
fn boxes(count: usize) -> Vec<Cell> {
    let mut state = 21;
    let mut range = |i: usize| {
        let special = SPECIAL[(random(&mut state) * SPECIAL.len() as f64) as usize];
        let digits = if i.is_multiple_of(4) { 320.0 } else { 4.0 };
        let size = 10f64.powf((random(&mut state) - 0.5) * digits);
        let middle = if i.is_multiple_of(5) { special } else { size * (2.0 * random(&mut state) - 0.7) };
        let width = match i % 6 {
            0 => 0.0,
            1 => 1e-15 * middle.abs(),
            2 => 1e-6 * middle.abs(),
            _ => middle.abs() * 2.0 * random(&mut state),
        };
        let (lo, hi) = (middle - width, middle + width);
        if i.is_multiple_of(97) { Interval::ENTIRE } else { Interval::from_f64(lo).join(Interval::from_f64(hi)) }
    };
    (0..count).map(|i| [range(i), range(i / 2 + 1)]).collect()
}

/// Words without the sign of zeros, which no result shows.
fn words(parts: impl IntoIterator<Item = f64>) -> Vec<u64> {
    parts.into_iter().map(|part| (part + 0.0).to_bits()).collect()
}

fn form_words(form: &Affine<f64, 2>) -> Vec<u64> {
    let (b, x, err) = form.parts();
    words([b, x[0], x[1], err])
}

fn range_words(range: Interval<f64>) -> Vec<u64> {
    words([range.lower(), range.upper()])
}

/// Forms and ranges, and both together where `mixed`.
fn compare(context: &Context, text: &str, boxes: &[Cell], mixed: bool) {
    let (plan, device) = (plan(text), &context.adapter().name);
    let (mut bounded, start) = (0, std::time::Instant::now());
    let forms = BoxQuery::<2, f64>::new(context, &plan, Model::Affine).unwrap().forms(boxes).unwrap();
    for (cell, found) in boxes.iter().zip(&forms) {
        let expected = plan.evaluate(&[0, 1].map(|k| Affine::<f64, 2>::variable(k, cell[k]))).unwrap();
        bounded += usize::from(!expected.is_entire());
        assert_eq!(form_words(found), form_words(&expected), "{device}: {text} of {cell:?}: {found:?}, {expected:?}");
    }
    let ranges = BoxQuery::<2, f64>::new(context, &plan, Model::Intervals).unwrap().ranges(boxes).unwrap();
    for (cell, found) in boxes.iter().zip(&ranges) {
        let expected = plan.evaluate(cell).unwrap();
        assert_eq!(range_words(*found), range_words(expected), "{device}: {text} of {cell:?}: {found:?}, {expected:?}");
    }
    if mixed {
        let both = BoxQuery::<2, f64>::new(context, &plan, Model::Mixed).unwrap().mixed(boxes).unwrap();
        for (cell, (form, range)) in boxes.iter().zip(&both) {
            let expected = plan.evaluate(&[0, 1].map(|k| Mixed::<f64, 2>::variable(k, cell[k]))).unwrap();
            let pair = (form_words(expected.form()), range_words(expected.interval()));
            assert_eq!((form_words(form), range_words(*range)), pair, "{device}: {text} of {cell:?}, mixed");
        }
    }
    println!("{device}: {text}, {bounded} of {} bounded, {:.2} s", boxes.len(), start.elapsed().as_secs_f64());
    assert!(bounded > 0, "{text}");
}

fn with_f64() -> impl Iterator<Item = &'static Context> {
    contexts().iter().filter(|context| has_f64(context))
}

fn compare_all(texts: &[&str]) {
    let boxes = boxes(400);
    for context in with_f64() {
        texts.iter().for_each(|text| compare(context, text, &boxes, false));
    }
}

#[test]
fn arithmetic_gives_the_words_of_the_cpu() {
    let boxes = boxes(3000);
    for context in with_f64() {
        compare(context, "x*y - x/y + sqr(y)", &boxes, true);
        compare(context, "sqrt(x*y) - 0.1*x + y/3", &boxes, true);
    }
}

#[test]
fn polynomials_give_the_words_of_the_cpu() {
    compare_all(&["x^3 - 5*x*y + y^4", "(x*y)^7", "x^-3"]);
}

#[test]
fn kinks_and_integers_give_the_words_of_the_cpu() {
    compare_all(&[
        "abs(x*y)",
        "min(x, y)",
        "positive_part(x*y)",
        "floor(x) + fract(y)",
        "rint(x*y)",
        "remainder(x, y)",
    ]);
}

#[test]
fn exponentials_and_roots_give_the_words_of_the_cpu() {
    compare_all(&["exp(x*y)", "expm1(x)", "log(x*y)", "log2(x)", "cbrt(x*y)", "rsqrt(x)", "x^1.5"]);
}

#[test]
fn inverse_and_hyperbolic_functions_give_the_words_of_the_cpu() {
    compare_all(&["atan(x*y)", "asin(x)", "acosh(x)", "sinh(x)", "tanh(x*y)"]);
}

/// Ranges alone: the reduction of angles, series of many terms.
#[test]
fn ranges_of_waves_give_the_words_of_the_cpu() {
    let boxes = boxes(2000);
    for context in with_f64() {
        for text in ["sin(x)", "cospi(x)", "tan(x)", "erfc(x)"] {
            let plan = plan(text);
            let ranges = BoxQuery::<2, f64>::new(context, &plan, Model::Intervals).unwrap().ranges(&boxes).unwrap();
            for (cell, found) in boxes.iter().zip(&ranges) {
                let expected = plan.evaluate(cell).unwrap();
                assert_eq!(range_words(*found), range_words(expected), "{text} of {cell:?}: {found:?}, {expected:?}");
            }
        }
    }
}

#[test]
fn devices_without_f64_and_standard_forms_are_refused() {
    for context in contexts() {
        let plan = plan("x*y");
        let standard = BoxQuery::<2, f64>::new(context, &plan, Model::Standard).map(|_| ());
        assert!(matches!(standard, Err(Error::NotOnDevice { .. })), "{standard:?}");
        let made = BoxQuery::<2, f64>::new(context, &plan, Model::Affine).map(|_| ());
        assert_eq!(made.is_ok(), has_f64(context), "{made:?}");
        let message = made.err().map_or_else(String::new, |error| error.to_string());
        assert!(message.is_empty() || message.contains("bounds in f64"), "{message}");
    }
}

/// Kernels take parts of the library; this is all of it.
#[test]
fn the_library_keeps_the_rules_of_kernels() {
    let entry = "\nstruct Params { zero: u32, a: u32, b: u32, c: u32 }\n@group(0) @binding(0) var<uniform> params: Params;\n\
                 @group(0) @binding(1) var<storage, read_write> out: array<u32>;\n\
                 @compute @workgroup_size(1)\nfn probe() {\n    out[0] = params.a;\n}\n";
    let capabilities = ShaderCapabilities { f64: true, int64: true, subgroups: false };
    let target = Target { capabilities, ..Target::default() };
    for n in [1, 3, 8] {
        let source: &'static str = Box::leak((affine_arith::wgsl_double(n) + entry).into_boxed_str());
        assert!(!source.contains("f32,") && source.contains("fn interval_tgamma("));
        let modules = [WgslModule { name: "library", source }];
        let kernel = KernelSource { name: "probe", constants: &[], modules: &modules, trusted: false };
        for form in [Form::Decorated, Form::Guarded] {
            let made = Translation::new(&kernel, form, &target).unwrap_or_else(|fault| panic!("{fault}"));
            let marked = |f: &&FloatFinding| f.place.excerpt.contains("// estimate: corrected below");
            assert_eq!(made.findings().iter().find(|f| !marked(f)), None);
        }
    }
}
