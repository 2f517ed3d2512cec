//! Adversarial arithmetic: what a compiler may do to floats that are not strict, done on purpose, is caught by comparing words.
//!
//! The guarded form ends every float operation with `bits | zero`, where `zero` comes from the parameter block. With 0 that is nothing; with 1 every
//! result whose last bit is 0 becomes its neighbour away from 0: about half of all results are rounded wrongly by one float.
//! Contraction, reassociation, flushing and rounding to a neighbour are also written into the SPIR-V of the kernel ([`Liberty`]). What drivers do by
//! themselves: `without_a_strict_form_mesa_gives_other_words`, `without_a_strict_form_hardware_gives_other_words`.
//!
//! Kernels: `enclose_boxes`, written from an expression.

use affine_arith::{Affine, Interval, Plan};
use conformance::adapters::open_all;
use gpu_runtime::{Context, ContextOptions, DeviceVec, Form as Strict, Kernel, KernelEntry, Liberty, NumericsChoice};

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
fn on_device(context: &Context, kernel: &Kernel, zero: u32) -> Vec<u32> {
    let bounds: Vec<[f32; 2]> = boxes().iter().flatten().map(|range| [range.lower(), range.upper()]).collect();
    let count = boxes().len() as u32;
    let groups = count.div_ceil(64);
    let boxes = context.upload("boxes", &bounds).expect("boxes");
    let results: DeviceVec<f32> = context.zeroed("enclosures", count as usize * 4).expect("results");
    let mut recording = context.record("adversary");
    let bindings = [("boxes", boxes.bind()), ("results", results.bind())];
    recording.dispatch(kernel, &bindings, &[zero, count, groups, 0], [groups, 1, 1]).expect("a dispatch");
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

/// Forms with other words.
fn different(found: &[u32], expected: &[u32]) -> usize {
    found.chunks(4).zip(expected.chunks(4)).filter(|(found, expected)| found != expected).count()
}

/// Forms that differ from the CPU's where a liberty is taken with a form of the kernel, and at how many places it was.
fn with(context: &Context, form: Strict, liberty: Liberty, expected: &[u32]) -> (usize, usize) {
    let (kernel, places) = context.adversarial_kernel(&sample().source(), form, liberty).expect("a kernel");
    let caught = different(&on_device(context, &kernel, 0), expected);
    println!("{}, {form}: {liberty:?} at {places} places, {caught} forms differ", context.adapter().name);
    (caught, places)
}

#[test]
fn what_compilers_may_do_is_caught_without_a_strict_form_and_cannot_be_done_with_one() {
    let expected = on_host();
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Decorated]) {
        for liberty in [Liberty::Contract, Liberty::Reassociate] {
            let (caught, places) = with(&context, Strict::Off, liberty, &expected);
            // SwiftShader computes Fma as a product and a sum, so contraction changes nothing there.
            let fuses = !context.adapter().name.contains("SwiftShader");
            let seen = caught > 0 || (liberty == Liberty::Contract && !fuses);
            assert!(seen && places > 10, "{liberty:?} without a strict form");
            // Decorations forbid it; guards leave no two operations side by side.
            for form in [Strict::Decorated, Strict::Guarded] {
                assert_eq!(with(&context, form, liberty, &expected), (0, 0), "{liberty:?}, {form}");
            }
        }
    }
}

/// No form can forbid rounding to a neighbour, so every comparison must see it; flushing no comparison may see.
#[test]
fn neighbours_are_caught_and_flushing_is_not_seen() {
    let expected = on_host();
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Decorated]) {
        for form in [Strict::Decorated, Strict::Guarded] {
            let (caught, places) = with(&context, form, Liberty::Neighbour, &expected);
            assert!(caught * 10 > expected.len() / 4 * 9 && places > 50, "{form}");
            let (caught, places) = with(&context, form, Liberty::Flush, &expected);
            assert!(caught == 0 && places > 50, "{form}: flushing must not be seen");
        }
    }
}

#[test]
fn results_that_are_rounded_to_a_neighbour_are_caught() {
    let expected = on_host();
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Guarded]) {
        let name = &context.adapter().name;
        let kernel = context.kernel(&sample().source()).expect("a kernel");
        assert!(on_device(&context, &kernel, 0) == expected, "{name}: the words of the CPU");
        for zero in [1, 2, 4] {
            let caught = different(&on_device(&context, &kernel, zero), &expected);
            println!("{name}: {caught} of {} forms differ with {zero} in every result", expected.len() / 4);
            assert!(caught * 10 > expected.len() / 4 * 9, "{name}: {caught} forms");
        }
    }
}
