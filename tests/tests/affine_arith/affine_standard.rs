//! Standard affine forms on devices against the CPU's, as words, on every adapter and in both strict forms: boxes and octrees.
//!
//! Kernels: `enclose_boxes` and `octree_expand`, written from expressions, with copies of standard.wgsl and affine.wgsl by the number of symbols.

use affine_arith::{
    BoxQuery, CellQuery, Error, Interval, Model, Plan, Rounding, StandardForm, StandardPlan, SubdivideOptions,
    subdivide_cpu,
};
use conformance::adapters::{open_all, open_long};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};

fn plan(text: &str, variables: &[&str]) -> Plan {
    let expr = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    Plan::new(&expr, variables).expect("in its variables")
}

fn contexts() -> Vec<Context> {
    open_all(&ContextOptions::default(), &[NumericsChoice::Decorated, NumericsChoice::Guarded])
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points, narrow and wide ranges of many magnitudes, on both sides of 0, unbounded ones.
fn boxes(count: usize) -> Vec<[Interval<f32>; 2]> {
    let mut state = 3;
    let mut range = |i: usize| {
        let exponent =
            if i.is_multiple_of(5) { 50.0 * random(&mut state) - 30.0 } else { 3.0 * random(&mut state) - 2.0 };
        let centre = 10f64.powf(exponent) * (2.0 * random(&mut state) - 0.8);
        let width = centre.abs() * [0.0, 1e-6, 1e-3, 0.1, 0.6, 2.0][i % 6] * random(&mut state);
        if i.is_multiple_of(61) {
            Interval::ENTIRE
        } else {
            Interval::from_f64(centre - width).join(Interval::from_f64(centre + width))
        }
    };
    (0..count).map(|i| [range(i), range(i / 3 + 1)]).collect()
}

/// Words without the sign of zeros, which no result shows.
fn words(form: &StandardForm<f32>) -> Vec<u32> {
    let (b, x, err) = form.parts();
    std::iter::once(b).chain(x.iter().copied()).chain([err]).map(|part| (part + 0.0).to_bits()).collect()
}

fn compare(contexts: &[Context], texts: &[&str], count: usize) {
    let boxes = boxes(count);
    for context in contexts {
        for text in texts {
            let start = std::time::Instant::now();
            let plan = plan(text, &["x", "y"]);
            let standard = StandardPlan::new(&plan);
            let found = BoxQuery::<2>::new(context, &plan, Model::Standard).unwrap().standard(&boxes).unwrap();
            let device = format!("{}, {}", context.adapter().name, context.numerics().form);
            let mut entire = 0;
            for (cell, found) in boxes.iter().zip(&found) {
                let expected = standard.evaluate(cell).unwrap();
                entire += usize::from(expected.is_entire());
                assert_eq!(words(found), words(&expected), "{device}: {text} of {cell:?}: {found:?}, CPU {expected:?}");
            }
            assert!(entire < boxes.len(), "{text}");
            let symbols = standard.symbols().len();
            println!("{device}: {text}, {symbols} symbols, {entire} entire, {:.1} s", start.elapsed().as_secs_f64());
        }
    }
}

#[test]
fn arithmetic_gives_the_words_of_the_cpu() {
    let long = "(x*y - 0.1*x)*(x + y*3)/7 + sqr(x*y - y)*sqr(x) - (x - y)*(x + 2*y)*(0.3 - x)";
    compare(&contexts(), &["x*y - x/y + sqr(y)", long, "x*y*1e15*(y/3 - x)*1e-15 + x/0.1"], 2000);
}

#[test]
fn choices_and_integers_give_the_words_of_the_cpu() {
    compare(
        &open_long(),
        &["min(x*y, x + y) - max(x, y*2)", "fmod(x, y) - remainder(x*y, 3)", "floor(x*y)*y - fract(x) + abs(y - x)"],
        400,
    );
}

/// Kernels of functions are long: one form of each device.
#[test]
fn functions_give_the_words_of_the_cpu() {
    let contexts = open_all(&ContextOptions::default(), &[NumericsChoice::Auto]);
    let texts = [
        "sqrt(x*y) - sqrt(x)*rsqrt(y)",
        "exp(x*y) - exp(x) + (x*y)^3",
        "atan2(x*y, y + 1)",
        "sin(x)*cos(y) + sin(y)*cos(x) - cospi(x)*sinpi(y)",
    ];
    compare(&contexts, &texts, 300);
}

/// Cells of octrees, some of which need operations of one, two and three axes.
#[test]
fn octrees_give_the_cells_of_the_cpu() {
    let texts =
        ["sqr(sqrt(x^2+y^2)-1)+z^2-0.16", "x^2+y^2+x*y-(x*y)^2/2-z/4", "min(x*x + y*y + z*z - 1, x*y*z*4 - 0.1)"];
    for context in open_long() {
        for text in texts {
            let plan = plan(text, &["x", "y", "z"]);
            let options =
                SubdivideOptions { level: 4, model: Model::Standard, rounding: Rounding::Rigorous, capacity: 1 << 16 };
            let bounds = [(-2.0, 2.0); 3];
            let expected = subdivide_cpu(&plan, bounds, options).unwrap();
            let query = CellQuery::<3>::new(&context, &plan, bounds, options).unwrap();
            let found = query.cells_on_host().unwrap();
            assert_eq!(found, expected, "{}: {text}", context.adapter().name);
            let forms = subdivide_cpu(&plan, bounds, SubdivideOptions { model: Model::Affine, ..options }).unwrap();
            println!("{text}: {:?}, reduced forms {:?}", expected.counts, forms.counts);
            assert!(expected.counts.last() <= forms.counts.last());
        }
    }
}

#[test]
fn more_symbols_than_kernels_have_room_for_are_refused() {
    let factors = |n: usize| (0..n).map(|k| format!("(x + {k}*y)")).collect::<Vec<_>>().join("*");
    let Some(context) = contexts().into_iter().next() else { return };
    // n - 1 products, and two variables.
    let fits = plan(&factors(31), &["x", "y"]);
    assert_eq!(StandardPlan::new(&fits).most_symbols(), 32);
    let more = plan(&factors(32), &["x", "y"]);
    let refused = BoxQuery::<2>::new(&context, &more, Model::Standard).expect_err("33 symbols");
    assert!(matches!(refused, Error::Symbols { needed: 33, allowed: 32 }), "{refused}");
    // The CPU has no limit.
    assert!(StandardPlan::new(&more).evaluate(&[Interval::point(0.5_f32); 2]).is_ok());
}
