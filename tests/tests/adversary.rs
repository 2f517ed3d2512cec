//! Adversarial arithmetic: what a compiler may do to floats that are not strict, done on purpose, is caught by comparing words.
//!
//! The guarded form ends every float operation with `bits | zero`, where `zero` comes from the parameter block. With 0 that is nothing; with 1 every
//! result whose last bit is 0 becomes its neighbour away from 0: about half of all results are rounded wrongly by one float.
//! Reassociation and contraction are what drivers do by themselves: see `without_a_strict_form_mesa_gives_other_words` and
//! `without_a_strict_form_hardware_gives_other_words`. Flushing must not be caught: devices that flush give the same words.
//!
//! Kernels: `enclose_boxes`, written from an expression.

use affine_arith::{Affine, Interval, Plan};
use conformance::adapters::open_all;
use gpu_runtime::{Context, ContextOptions, DeviceVec, KernelEntry, NumericsChoice};

/// The first sample of a kernel over boxes, and its expression.
const SAMPLE: &str = "x*y - min(x, y)";

type Form = Affine<f32, 2>;

fn sample() -> KernelEntry {
    let entries = affine_arith::device_kernels();
    entries.into_iter().find(|entry| entry.name == "enclose_boxes").expect("a kernel over boxes")
}

fn boxes() -> Vec<[Interval<f32>; 2]> {
    let range = |i: u32, k: u32| {
        let centre = ((i * (37 + 12 * k) + 11 * k) % 101) as f32 * 0.173 - 8.3;
        let half = ((i * 7 + k) % 13 + 1) as f32 * 0.0371;
        Interval::new(centre - half, centre + half).expect("ordered")
    };
    (0..500).map(|i| [range(i, 0), range(i, 1)]).collect()
}

/// The words of the forms, with `zero` in the parameter block.
fn on_device(context: &Context, zero: u32) -> Vec<u32> {
    let kernel = context.kernel(&sample().source()).expect("a kernel");
    let bounds: Vec<[f32; 2]> = boxes().iter().flatten().map(|range| [range.lower(), range.upper()]).collect();
    let count = boxes().len() as u32;
    let groups = count.div_ceil(64);
    let boxes = context.upload("boxes", &bounds).expect("boxes");
    let results: DeviceVec<f32> = context.zeroed("enclosures", count as usize * 4).expect("results");
    let mut recording = context.record("adversary");
    let bindings = [("boxes", boxes.bind()), ("results", results.bind())];
    recording.dispatch(&kernel, &bindings, &[zero, count, groups, 0], [groups, 1, 1]).expect("a dispatch");
    let read = recording.download(&results);
    words(&recording.submit().expect("submitted").take(read).expect("results"))
}

/// Words without the sign of zeros.
fn words(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| (value + 0.0).to_bits()).collect()
}

fn on_host() -> Vec<u32> {
    let plan = Plan::new(&SAMPLE.parse().expect("an expression"), &["x", "y"]).expect("in x, y");
    let forms = boxes().into_iter().flat_map(|[x, y]| {
        let form = plan.evaluate(&[Form::variable(0, x), Form::variable(1, y)]).expect("two variables");
        let (b, [first, second], err) = form.parts();
        [b, first, second, err]
    });
    words(&forms.collect::<Vec<_>>())
}

#[test]
fn results_that_are_rounded_to_a_neighbour_are_caught() {
    let expected = on_host();
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Guarded]) {
        let name = &context.adapter().name;
        assert!(on_device(&context, 0) == expected, "{name}: the words of the CPU");
        for zero in [1, 2, 4] {
            let found = on_device(&context, zero);
            let caught = found.chunks(4).zip(expected.chunks(4)).filter(|(found, expected)| found != expected).count();
            println!("{name}: {caught} of {} forms differ with {zero} in every result", expected.len() / 4);
            assert!(caught * 10 > expected.len() / 4 * 9, "{name}: {caught} forms");
        }
    }
}
