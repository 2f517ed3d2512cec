//! Contexts, buffers, kernels and recordings on every adapter of the machine. Skips, saying so, where there is none.

use std::time::Duration;

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{
    AdapterSelector, Constant, Context, ContextOptions, Error, Form, KernelSource, NumericsChoice, Timestamps,
    WgslModule, adapters,
};

const SAXPY: WgslModule = WgslModule {
    name: "saxpy",
    source: "
struct Params { count: u32, width: u32, scale: f32, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> xs: array<f32>;
@group(0) @binding(2) var<storage, read_write> ys: array<f32>;

@compute @workgroup_size(GROUP)
fn saxpy(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.y * params.width + id.x;
  if (i >= params.count) { return; }
  ys[i] = params.scale * xs[i] + ys[i];
}
",
};
const GROUP: u32 = 64;
const SOURCE: KernelSource<'_> =
    KernelSource { name: "saxpy", constants: &[("GROUP", Constant::U32(GROUP))], modules: &[SAXPY], trusted: false };

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    count: u32,
    width: u32,
    scale: f32,
    zero: u32,
}

fn params(count: usize) -> Params {
    Params { count: count as u32, width: 65535 * GROUP, scale: 1.7, zero: 0 }
}

fn options(index: usize) -> ContextOptions {
    ContextOptions { selector: AdapterSelector::Index(index), cache_dir: None, ..Default::default() }
}

/// Runs `test` on a context of each adapter, in each strict form.
fn each(test: impl Fn(&Context)) {
    let all = adapters();
    if all.is_empty() {
        println!("skipped: no Vulkan, Metal or DX12 adapter on this machine");
    }
    for adapter in all {
        for numerics in [NumericsChoice::Decorated, NumericsChoice::Guarded] {
            println!("{adapter}, {numerics:?}");
            match Context::new(&ContextOptions { numerics, ..options(adapter.index) }) {
                Ok(context) => test(&context),
                Err(Error::FormUnavailable { .. }) => println!("  this form is unavailable there"),
                Err(e) => panic!("{e}"),
            }
        }
    }
}

fn groups(count: usize) -> [u32; 3] {
    let groups = (count as u32).div_ceil(GROUP);
    [groups.min(65535), groups.div_ceil(65535), 1]
}

#[test]
fn a_kernel_gives_the_words_of_the_cpu() {
    each(|context| {
        let kernel = context.kernel(&SOURCE).unwrap();
        for count in [0_usize, 1, 63, 64, 65, 1000, 65535 * 64 + 1] {
            let xs: Vec<f32> = (0..count).map(|i| (i as f32 * 0.37).fract() * 3.0 - 1.0).collect();
            let ys: Vec<f32> = (0..count).map(|i| (i as f32 * 0.73).fract() - 0.5).collect();
            let expected: Vec<u32> = xs.iter().zip(&ys).map(|(x, y)| (1.7 * x + y).to_bits()).collect();
            let (dx, dy) = (context.upload("xs", &xs).unwrap(), context.upload("ys", &ys).unwrap());
            let mut recording = context.record("saxpy");
            let bindings = [("ys", dy.bind()), ("xs", dx.bind())];
            recording.dispatch(&kernel, &bindings, &params(count), groups(count)).unwrap();
            let read = recording.download(&dy);
            let got: Vec<u32> = recording.submit().unwrap().take(read).unwrap().into_iter().map(f32::to_bits).collect();
            assert_eq!(got, expected, "count {count}");
        }
    });
}

#[test]
fn buffers_of_any_length_come_back_as_they_went() {
    each(|context| {
        for count in [0_usize, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 1001] {
            let bytes: Vec<u8> = (0..count).map(|i| (i * 7) as u8).collect();
            assert_eq!(context.upload("bytes", &bytes).unwrap().download().unwrap(), bytes);
            let wide: Vec<[u16; 3]> = (0..count as u16).map(|i| [i, i ^ 7, !i]).collect();
            assert_eq!(context.upload("wide", &wide).unwrap().download().unwrap(), wide);
        }
        assert_eq!(context.zeroed::<u32>("zeros", 100).unwrap().download().unwrap(), vec![0; 100]);
        let data = context.upload("data", &[1_u32, 2, 3, 4, 5]).unwrap();
        data.write(1, &[9, 8]).unwrap();
        assert_eq!(data.download().unwrap(), [1, 9, 8, 4, 5]);
        assert!(matches!(data.write(4, &[1, 2]), Err(Error::Limit { needed: 6, allowed: 5, .. })));
        let mut recording = context.record("copies");
        let other = context.zeroed::<u32>("other", 5).unwrap();
        recording.copy(&data, 1..4, &other, 2).unwrap();
        let after_copy = recording.download(&other);
        recording.clear(&other).unwrap();
        let after_clear = recording.download(&other);
        assert!(matches!(recording.copy(&data, 3..6, &other, 0), Err(Error::Limit { needed: 6, .. })));
        let mut done = recording.submit().unwrap();
        assert_eq!(done.take(after_copy).unwrap(), [0, 0, 9, 8, 4]);
        assert_eq!(done.take(after_clear).unwrap(), [0; 5]);
    });
}

#[test]
fn a_recording_carries_data_and_clears_ranges() {
    each(|context| {
        let kernel = context.kernel(&SOURCE).unwrap();
        let ys = context.upload("ys", &[1.0_f32; 70]).unwrap();
        let mut recording = context.record("data");
        let first = recording.data::<f32>(&[]);
        let xs = recording.data(&[10.0_f32; 70]);
        recording.clear_range(&ys, 2..4).unwrap();
        assert!(matches!(recording.clear_range(&ys, 2..71), Err(Error::Limit { needed: 71, allowed: 70, .. })));
        let bindings = [("xs", xs.bind()), ("ys", ys.bind())];
        recording.dispatch(&kernel, &bindings, &params(70), [2, 1, 1]).unwrap();
        let swapped = [("ys", xs.bind()), ("xs", ys.bind())];
        let refused = recording.dispatch(&kernel, &swapped, &params(70), [2, 1, 1]).unwrap_err().to_string();
        assert!(refused.contains("writes ys"), "{refused}");
        let mut other = context.record("other");
        let foreign = [("xs", first.bind()), ("ys", ys.bind())];
        let foreign = other.dispatch(&kernel, &foreign, &params(0), [1, 1, 1]);
        assert!(matches!(foreign, Err(Error::WrongContext { .. })));
        let part = recording.download_range(&ys, 3..6);
        let read = recording.download(&ys);
        let mut done = recording.submit().unwrap();
        assert_eq!(done.take(part).unwrap(), [17.0, 18.0, 18.0]);
        let got = done.take(read).unwrap();
        let mut recording = context.record("too much");
        let _ = recording.download_range(&ys, 60..71);
        assert!(matches!(recording.submit(), Err(Error::Limit { needed: 71, .. })));
        let expected: Vec<f32> = (0..70).map(|i| if (2..4).contains(&i) { 17.0 } else { 18.0 }).collect();
        assert_eq!(got, expected);
    });
}

#[test]
fn a_recording_that_is_handed_over_in_parts_does_the_same() {
    each(|context| {
        let kernel = context.kernel(&SOURCE).unwrap();
        let ys = context.upload("ys", &[1.0_f32; 70]).unwrap();
        let add = |recording: &mut gpu_runtime::Recording, x: f32| {
            let xs = recording.data(&[x; 70]);
            recording.dispatch(&kernel, &[("xs", xs.bind()), ("ys", ys.bind())], &params(70), [2, 1, 1]).unwrap();
            xs
        };
        // What is handed over is done, though nobody waits for it.
        let mut dropped = context.record("dropped");
        add(&mut dropped, 10.0);
        dropped.flush().unwrap();
        drop(dropped);
        let mut recording = context.record("parts");
        recording.flush().unwrap();
        let first = add(&mut recording, 20.0);
        recording.flush().unwrap();
        let gone = recording.dispatch(&kernel, &[("xs", first.bind()), ("ys", ys.bind())], &params(70), [2, 1, 1]);
        assert!(matches!(gone, Err(Error::WrongContext { .. })), "{gone:?}");
        add(&mut recording, 30.0);
        let sums = recording.download(&ys);
        // Downloads keep the rest together.
        recording.flush().unwrap();
        recording.clear(&ys).unwrap();
        let zeros = recording.download(&ys);
        let mut done = recording.submit().unwrap();
        assert_eq!(done.take(sums).unwrap(), [1.0 + 17.0 + 34.0 + 51.0; 70]);
        assert_eq!(done.take(zeros).unwrap(), [0.0; 70]);
    });
}

#[test]
fn a_dispatch_that_does_not_fit_its_kernel_is_refused_by_name() {
    each(|context| {
        let kernel = context.kernel(&SOURCE).unwrap();
        let (xs, ys) = (context.zeroed::<f32>("a", 8).unwrap(), context.zeroed::<f32>("b", 8).unwrap());
        let mut recording = context.record("refusals");
        let mut try_it = |bindings: &[(&str, gpu_runtime::Binding<'_>)], groups| {
            recording.dispatch(&kernel, bindings, &params(8), groups).unwrap_err().to_string()
        };
        let missing = try_it(&[("xs", xs.bind())], [1, 1, 1]);
        assert!(missing.contains("saxpy") && missing.contains("needs buffer ys"), "{missing}");
        let unknown = try_it(&[("xs", xs.bind()), ("ys", ys.bind()), ("zs", ys.bind())], [1, 1, 1]);
        assert!(unknown.contains("has no buffer zs; it has xs, ys"), "{unknown}");
        let twice = try_it(&[("xs", xs.bind()), ("xs", xs.bind()), ("ys", ys.bind())], [1, 1, 1]);
        assert!(twice.contains("needs buffer xs once"), "{twice}");
        let many = try_it(&[("xs", xs.bind()), ("ys", ys.bind())], [1, 65536, 1]);
        assert!(many.contains("65536") && many.contains("65535"), "{many}");
        let bindings = [("xs", xs.bind()), ("ys", ys.bind())];
        let short = recording.dispatch(&kernel, &bindings, &[0_u32; 3], [1, 1, 1]).unwrap_err().to_string();
        assert!(short.contains("params has 12 bytes, the kernel declares 16"), "{short}");
        assert!(matches!(xs.bind_range(0..9), Err(Error::Limit { needed: 9, allowed: 8, .. })));
        assert!(xs.bind_range(1..2).unwrap_err().to_string().contains("starts at byte 4"));
    });
}

#[test]
fn faults_of_a_shader_name_module_and_line() {
    each(|context| {
        let bad = WgslModule { name: "bad", source: "fn f() -> u32 {\n  return oops;\n}\n" };
        let source = KernelSource { modules: &[bad, SAXPY], ..SOURCE };
        let text = context.kernel(&source).unwrap_err().to_string();
        assert!(text.contains("saxpy") && text.contains("bad:2:") && text.contains("oops"), "{text}");
    });
}

#[test]
fn limits_of_bindings_can_be_made_smaller_and_are_kept() {
    for adapter in adapters() {
        let small = ContextOptions { max_binding_bytes: Some(1024), ..options(adapter.index) };
        let context = Context::new(&small).unwrap();
        let kernel = context.kernel(&SOURCE).unwrap();
        let xs = context.zeroed::<f32>("xs", 257).unwrap();
        let mut recording = context.record("small");
        let bindings = [("xs", xs.bind()), ("ys", xs.bind())];
        let error = recording.dispatch(&kernel, &bindings, &params(257), [5, 1, 1]).unwrap_err();
        assert!(matches!(error, Error::Limit { needed: 1040, allowed: 1024, .. }), "{error}");
        let largest = context.adapter().limits.max_buffer_bytes;
        if largest < 1 << 40 {
            let error = context.zeroed::<u8>("huge", largest as usize + 1).unwrap_err();
            assert!(matches!(error, Error::Limit { .. }), "{error}");
        }
    }
}

#[test]
fn handles_of_another_context_are_refused() {
    for adapter in adapters() {
        let (a, b) = (Context::new(&options(adapter.index)).unwrap(), Context::new(&options(adapter.index)).unwrap());
        let (mine, theirs) = (a.zeroed::<f32>("mine", 4).unwrap(), b.zeroed::<f32>("theirs", 4).unwrap());
        let (kernel, foreign) = (a.kernel(&SOURCE).unwrap(), b.kernel(&SOURCE).unwrap());
        let mut recording = a.record("mixed");
        let bindings = [("xs", mine.bind()), ("ys", theirs.bind())];
        let error = recording.dispatch(&kernel, &bindings, &params(4), [1, 1, 1]).unwrap_err();
        assert!(matches!(&error, Error::WrongContext { what } if what.contains("theirs")), "{error}");
        let bindings = [("xs", mine.bind()), ("ys", mine.bind())];
        let error = recording.dispatch(&foreign, &bindings, &params(4), [1, 1, 1]).unwrap_err();
        assert!(matches!(error, Error::WrongContext { .. }), "{error}");
        let _ = recording.download(&theirs);
        assert!(matches!(recording.submit(), Err(Error::WrongContext { .. })));
        let (mut first, mut second) = (a.record("first"), a.record("second"));
        let (one, _two) = (first.download(&mine), second.download(&mine));
        assert!(matches!(second.submit().unwrap().take(one), Err(Error::WrongContext { .. })));
        // The runtime leaves the aliasing of one buffer for reading and writing to wgpu, which refuses it.
        let mut recording = a.record("aliased");
        recording.dispatch(&kernel, &bindings, &params(4), [1, 1, 1]).unwrap();
        assert!(matches!(recording.submit(), Err(Error::Validation { .. })));
    }
}

#[test]
fn a_lost_device_is_an_error_and_not_a_hang() {
    for adapter in adapters() {
        let context = Context::new(&options(adapter.index)).unwrap();
        let data = context.upload("data", &[1_u32, 2, 3]).unwrap();
        context.destroy();
        assert!(matches!(data.download(), Err(Error::DeviceLost { .. })));
        assert!(matches!(context.upload("more", &[1_u32]), Err(Error::DeviceLost { .. })));
        assert!(matches!(context.kernel(&SOURCE), Err(Error::DeviceLost { .. })));
    }
}

#[test]
fn a_device_that_takes_too_long_is_given_up() {
    const SLOW: WgslModule = WgslModule {
        name: "slow",
        source: "
struct Params { count: u32, a: u32, b: u32, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn slow(@builtin(global_invocation_id) id: vec3<u32>) {
  var x = id.x;
  for (var i = 0u; i < params.count; i++) { x = x * 1664525u + 1013904223u; x ^= x >> 7u; }
  out[id.x] = x;
}
",
    };
    for adapter in adapters().into_iter().filter(|a| !a.is_hardware()) {
        let brief = ContextOptions { timeout: Duration::from_millis(1), ..options(adapter.index) };
        // The self-test needs more than a millisecond on slow machines: leave it out.
        let context =
            Context::new(&ContextOptions { numerics: NumericsChoice::Off, subgroups: false, ..brief }).unwrap();
        let source = KernelSource { name: "slow", constants: &[], modules: &[SLOW], trusted: false };
        let kernel = context.kernel(&source).unwrap();
        let out = context.zeroed::<u32>("out", 64 * 256).unwrap();
        let mut recording = context.record("slow one");
        recording.dispatch(&kernel, &[("out", out.bind())], &[200_000_u32, 0, 0, 0], [256, 1, 1]).unwrap();
        let error = recording.submit().map(|_| ()).unwrap_err();
        assert!(matches!(&error, Error::Timeout { what, .. } if what == "slow one"), "{error}");
    }
}

/// Waits that look until the work is done, and waits that sleep at once, see the same words.
#[test]
fn waits_awake_and_asleep_are_the_same() {
    for adapter in adapters() {
        for spin in [Duration::ZERO, Duration::from_secs(60)] {
            let numerics = NumericsChoice::Off;
            let awake = ContextOptions { spin: Some(spin), numerics, subgroups: false, ..options(adapter.index) };
            let context = Context::new(&awake).unwrap();
            let kernel = context.kernel(&SOURCE).unwrap();
            let ys = context.upload("ys", &[1.0_f32; 70]).unwrap();
            for round in 1..20 {
                let mut recording = context.record("waits");
                let xs = recording.data(&[0.0_f32; 70]);
                let bindings = [("xs", xs.bind()), ("ys", ys.bind())];
                recording.dispatch(&kernel, &bindings, &params(70), [2, 1, 1]).unwrap();
                let read = recording.download(&ys);
                assert_eq!(recording.submit().unwrap().take(read).unwrap(), [1.0; 70], "round {round}");
            }
        }
    }
}

#[test]
fn timestamps_and_a_steady_state_that_allocates_nothing() {
    each(|context| {
        let kernel = context.kernel(&SOURCE).unwrap();
        let (xs, ys) = (context.zeroed::<f32>("xs", 4096).unwrap(), context.zeroed::<f32>("ys", 4096).unwrap());
        let run = |timestamps| {
            let mut recording = context.record("timed").with_timestamps(timestamps);
            for _ in 0..3 {
                let bindings = [("xs", xs.bind()), ("ys", ys.bind())];
                recording.dispatch(&kernel, &bindings, &params(4096), [64, 1, 1]).unwrap();
            }
            let read = recording.download(&ys);
            let mut done = recording.submit().unwrap();
            done.take(read).unwrap();
            done.timings().to_vec()
        };
        let names =
            |t: Vec<(String, f64)>| t.into_iter().map(|(n, s)| (n, (0.0..60.0).contains(&s))).collect::<Vec<_>>();
        if context.adapter().features.timestamps {
            assert_eq!(names(run(Timestamps::Whole)), [("timed".to_owned(), true)]);
            assert_eq!(names(run(Timestamps::EachDispatch)), vec![("saxpy".to_owned(), true); 3]);
        }
        assert!(run(Timestamps::None).is_empty());
        let before = context.allocated_bytes();
        (0..10).for_each(|_| drop(run(Timestamps::Whole)));
        assert_eq!(context.allocated_bytes(), before);
    });
}

#[test]
fn contexts_work_side_by_side() {
    for adapter in adapters() {
        std::thread::scope(|scope| {
            for seed in 0..4_u32 {
                let options = options(adapter.index);
                scope.spawn(move || {
                    let context = Context::new(&options).unwrap();
                    let data: Vec<u32> = (0..1000).map(|i| i ^ seed).collect();
                    for _ in 0..5 {
                        assert_eq!(context.upload("data", &data).unwrap().download().unwrap(), data);
                    }
                });
            }
        });
    }
}

#[test]
fn forms_are_reported() {
    for adapter in adapters() {
        let context = Context::new(&options(adapter.index)).unwrap();
        println!("{adapter}: {:?}; subgroups {:?}", context.numerics(), context.subgroups());
        assert_ne!(context.numerics().form, Form::Off);
        let off = ContextOptions { numerics: NumericsChoice::Off, ..options(adapter.index) };
        assert_eq!(Context::new(&off).unwrap().numerics().form, Form::Off);
    }
    let unknown = ContextOptions { selector: "no such card".parse().unwrap(), ..Default::default() };
    assert!(matches!(Context::new(&unknown), Err(Error::UnknownAdapter { .. })));
}
