//! The strict forms on the stress kernel: nothing is left out, in any target, and every device gives the twin's words.

use std::collections::HashMap;

use spirv::Op;

use super::decorate::{FloatControls, FloatModes, decorate, is_float_arithmetic};
use super::stress::{STRESS, WORKGROUP, stress};
use super::words::{HEADER_WORDS, instructions};
use crate::translate::{ShaderCapabilities, Target, Translation};
use crate::{AdapterSelector, Context, ContextOptions, Error, Form, KernelSource, NumericsChoice, adapters};

const SOURCE: KernelSource<'_> = KernelSource { name: "stress", constants: &[], modules: &[STRESS], trusted: false };

fn translate(form: Form) -> Translation {
    let capabilities = ShaderCapabilities { subgroups: true, ..Default::default() };
    let target = Target { capabilities, ..Default::default() };
    Translation::new(&SOURCE, form, &target).unwrap_or_else(|fault| panic!("{fault}"))
}

fn count(words: &[u32], wanted: impl Fn(Op) -> bool) -> usize {
    instructions(words).unwrap().iter().filter(|instruction| instruction.op.is_some_and(&wanted)).count()
}

/// Float results of SPIR-V that something else than a bitcast uses.
fn unguarded(words: &[u32]) -> usize {
    let list = instructions(words).unwrap();
    let results: HashMap<u32, Op> =
        list.iter().filter_map(|i| i.op.filter(|op| is_float_arithmetic(*op)).map(|op| (i.operands[1], op))).collect();
    let leaks = |operands: &[u32]| operands.iter().filter(|id| results.contains_key(id)).count();
    // Of an arithmetic instruction the first two words are its type and itself; literals of the others are small.
    list.iter()
        .filter(|i| !matches!(i.op, Some(Op::Bitcast | Op::Name | Op::Decorate)))
        .map(|i| match i.op {
            Some(op) if is_float_arithmetic(op) => leaks(&i.operands[2..]),
            Some(Op::Constant | Op::ExtInst) => 0,
            _ => leaks(i.operands),
        })
        .sum()
}

#[test]
fn every_float_instruction_is_decorated() {
    let plain = translate(Form::Off).spirv().unwrap();
    let floats = count(&plain, is_float_arithmetic);
    let decorated = translate(Form::Decorated);
    assert_eq!(decorated.decorations().unwrap(), floats);
    let words = decorated.spirv().unwrap();
    let marked = instructions(&words).unwrap();
    let marked: Vec<u32> = marked
        .iter()
        .filter(|i| i.op == Some(Op::Decorate) && i.operands[1..] == [42])
        .map(|i| i.operands[0])
        .collect();
    let results: Vec<u32> = instructions(&plain)
        .unwrap()
        .iter()
        .filter(|i| i.op.is_some_and(is_float_arithmetic))
        .map(|i| i.operands[1])
        .collect();
    assert_eq!(marked, results);
    // Operators of stress.wgsl on floats, counted by hand: 2 + 3 + 3 + 3 + 19 + 9 + 11, function by function.
    assert_eq!(floats, 50);
    assert_eq!(translate(Form::Guarded).guards(), 50);
    assert_eq!(words.len(), plain.len() + 3 * floats);
}

#[test]
fn every_guard_is_in_every_target() {
    let guarded = translate(Form::Guarded);
    let guards = guarded.guards();
    let texts = [guarded.msl().unwrap(), guarded.hlsl().unwrap(), guarded.wgsl().unwrap()];
    for text in &texts {
        assert_eq!(text.matches("| strict_zero").count(), guards, "{text}");
        let without_one = text.replacen("| strict_zero", "", 1);
        assert_eq!(without_one.matches("| strict_zero").count(), guards - 1);
    }
    let words = guarded.spirv().unwrap();
    assert_eq!(count(&words, |op| op == Op::BitwiseOr), guards);
    assert_eq!(count(&words, is_float_arithmetic), guards);
}

#[test]
fn no_float_result_of_the_guarded_form_is_used_bare() {
    let guarded = translate(Form::Guarded).spirv().unwrap();
    assert_eq!(unguarded(&guarded), 0);
    assert!(unguarded(&translate(Form::Off).spirv().unwrap()) >= 50);
    // One guard taken out: its uses read the float result behind it.
    let list = instructions(&guarded).unwrap();
    let or = list.iter().find(|i| i.op == Some(Op::BitwiseOr)).unwrap();
    let cast_by = |id: u32| list.iter().find(|i| i.op == Some(Op::Bitcast) && i.operands[2] == id).unwrap().operands[1];
    let cast_of = |id: u32| list.iter().find(|i| i.op == Some(Op::Bitcast) && i.operands[1] == id).unwrap().operands[2];
    let (guarded_value, raw) = (cast_by(or.operands[1]), cast_of(or.operands[2]));
    let first_use = list.iter().find(|i| i.op != Some(Op::Bitcast) && i.operands.contains(&guarded_value)).unwrap();
    let mut broken = guarded.clone();
    let at = first_use.at + 1 + first_use.operands.iter().position(|id| *id == guarded_value).unwrap();
    broken[at] = raw;
    assert_eq!(unguarded(&broken), 1);
}

#[test]
fn the_guarded_wgsl_is_a_kernel_again() {
    let text = translate(Form::Guarded).wgsl().unwrap();
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text)));
    assert_eq!(module.entry_points.len(), 1);
}

#[test]
fn float_controls_are_written_for_the_widths_in_use() {
    let plain = translate(Form::Off).spirv().unwrap();
    let all = FloatModes { denorm_preserve: true, signed_zero_inf_nan_preserve: true, rounding_mode_rte: true };
    let controls = FloatControls { f32: all, f64: all };
    let decorated = decorate(&plain, &controls).unwrap();
    assert_eq!(decorated.modes, 3, "the kernel has no f64");
    let list = instructions(&decorated.words).unwrap();
    let modes: Vec<_> = list.iter().filter(|i| i.op == Some(Op::ExecutionMode)).map(|i| &i.operands[1..]).collect();
    assert_eq!(modes, [&[17, 64, 1, 1][..], &[4459, 32], &[4461, 32], &[4462, 32]]);
    let capabilities: Vec<_> = list.iter().filter(|i| i.op == Some(Op::Capability)).map(|i| i.operands[0]).collect();
    for capability in [4464, 4466, 4467] {
        assert_eq!(capabilities.iter().filter(|c| **c == capability).count(), 1);
    }
    let extension = list.iter().filter(|i| i.op == Some(Op::Extension)).count();
    assert_eq!(extension, 1 + count(&plain, |op| op == Op::Extension));
    // Sections keep their order.
    let first_other = list.iter().position(|i| i.op != Some(Op::Capability)).unwrap();
    assert!(list[first_other..].iter().all(|i| i.op != Some(Op::Capability)));
    // In SPIR-V 1.4 the extension is part of the core.
    let mut newer = plain.clone();
    newer[1] = 0x0001_0400;
    let newer = decorate(&newer, &controls).unwrap();
    assert_eq!(count(&newer.words, |op| op == Op::Extension), count(&plain, |op| op == Op::Extension));
}

#[test]
fn broken_words_are_an_error() {
    let words = translate(Form::Off).spirv().unwrap();
    let controls = FloatControls::default();
    for end in 0..words.len() {
        // Whole instructions may end anywhere; that is no fault of the walk.
        let _ = decorate(&words[..end], &controls);
    }
    assert!(decorate(&words[..HEADER_WORDS + 1], &controls).is_err());
    for at in (HEADER_WORDS..words.len()).step_by(7) {
        let mut broken = words.clone();
        broken[at] ^= 0xffff_0000;
        let _ = decorate(&broken, &controls);
    }
    let mut short = words.clone();
    let float = instructions(&words).unwrap().iter().find(|i| i.op == Some(Op::FMul)).unwrap().at;
    short.truncate(float);
    short.push((1 << 16) | Op::FMul as u32);
    assert!(decorate(&short, &controls).unwrap_err().to_string().contains("FMul"));
}

fn inputs() -> Vec<[f32; 4]> {
    let word = |i: u32| i.wrapping_mul(0x9e37_79b9) ^ i.wrapping_mul(0x85eb_ca6b).rotate_left(13);
    let unit = |i: u32| (word(i) >> 8) as f32 / (1 << 23) as f32 - 1.0;
    // Not a multiple of the workgroup: the last one has invocations without an output.
    (0..20 * WORKGROUP as u32 - 5).map(|i| std::array::from_fn(|k| unit(4 * i + k as u32))).collect()
}

fn on_device(context: &Context, inputs: &[[f32; 4]], factor: f32) -> Vec<[u32; 4]> {
    let kernel = context.kernel(&SOURCE).unwrap();
    let (from, to) = (context.upload("inputs", inputs).unwrap(), context.zeroed("outputs", inputs.len()).unwrap());
    let mut recording = context.record("stress");
    let params = [inputs.len() as u32, factor.to_bits(), 0, 0];
    let groups = [inputs.len().div_ceil(WORKGROUP) as u32, 1, 1];
    recording.dispatch(&kernel, &[("inputs", from.bind()), ("outputs", to.bind())], &params, groups).unwrap();
    let download = recording.download(&to);
    recording.submit().unwrap().take(download).unwrap()
}

#[test]
fn every_device_gives_the_words_of_the_twin() {
    if adapters().is_empty() {
        println!("skipped: no Vulkan, Metal or DX12 adapter on this machine");
    }
    let inputs = inputs();
    let expected = stress(&inputs, 0.8125);
    for adapter in adapters() {
        for numerics in [NumericsChoice::Decorated, NumericsChoice::Guarded] {
            let selector = AdapterSelector::Index(adapter.index);
            let options = ContextOptions { selector, numerics, cache_dir: None, ..Default::default() };
            let context = match Context::new(&options) {
                Ok(context) => context,
                Err(Error::FormUnavailable { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            println!("{adapter}, {numerics:?}");
            let got = on_device(&context, &inputs, 0.8125);
            let differ = (0..inputs.len()).find(|i| got[*i] != expected[*i]);
            assert_eq!(differ.map(|i| (inputs[i], got[i], expected[i])), None, "{adapter}, {numerics:?}");
        }
    }
}
