//! Translations of every kernel as snapshots, so that a newer naga or an edited kernel shows as a readable diff.
//!
//! SPIR-V is the decorated form for a device without float controls, MSL and HLSL are the guarded form. One set of constants
//! is shown for each list of modules. New snapshots are stored by `cargo xtask shaders --accept`.

use conformance::kernels::{Entry, all, distinct, snapshot_names};
use gpu_runtime::translate::{ShaderCapabilities, Target, Translation};
use gpu_runtime::{Form, KernelEntry};

fn translation(kernel: &KernelEntry, form: Form) -> Translation {
    let f64 = has_f64(kernel);
    let capabilities = ShaderCapabilities { f64, int64: f64, subgroups: true };
    let target = Target { capabilities, ..Target::default() };
    Translation::new(&kernel.source(), form, &target).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Kernels of f64 ask for what others must not need.
fn has_f64(kernel: &KernelEntry) -> bool {
    kernel.modules.iter().any(|module| module.name == "strict_double")
}

/// The languages of a kernel: Metal has no f64, and HLSL's is not kept.
fn endings(kernel: &KernelEntry) -> &'static [&'static str] {
    if has_f64(kernel) { &["spv"] } else { &["spv", "msl", "hlsl"] }
}

#[test]
fn translations_of_every_kernel_are_the_stored_ones() {
    let entries = distinct(all());
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(true);
    settings.bind(|| {
        for (name, Entry { kernel, .. }) in snapshot_names(&entries).into_iter().zip(&entries) {
            let (decorated, guarded) = (translation(kernel, Form::Decorated), translation(kernel, Form::Guarded));
            let texts = [("spv", decorated.spirv_listing()), ("msl", guarded.msl()), ("hlsl", guarded.hlsl())];
            for (ending, text) in texts.into_iter().take(endings(kernel).len()) {
                let text = text.unwrap_or_else(|fault| panic!("{name}.{ending}: {fault}"));
                insta::assert_snapshot!(format!("{name}.{ending}"), text);
            }
        }
    });
}

#[test]
fn no_snapshot_is_left_of_a_kernel_that_is_gone() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let entries = distinct(all());
    let mut expected: Vec<String> = snapshot_names(&entries)
        .iter()
        .zip(&entries)
        .flat_map(|(name, entry)| {
            endings(&entry.kernel).iter().map(move |ending| format!("snapshots__{name}.{ending}.snap"))
        })
        .collect();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut found: Vec<String> = names.filter(|name| name.ends_with(".snap")).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "`cargo xtask shaders --accept` puts them right");
}

/// Inclusive ors with the zero word, as a scalar or spread over a vector.
fn guards_in(text: &str) -> usize {
    let after = text.split("| ").skip(1);
    after.filter(|rest| rest.split(')').next().is_some_and(|operand| operand.contains("strict_zero"))).count()
}

#[test]
fn every_guard_is_in_the_texts_and_every_decoration_in_the_spirv() {
    let mut guards = 0;
    for Entry { package, kernel } in all() {
        let (decorated, guarded) = (translation(&kernel, Form::Decorated), translation(&kernel, Form::Guarded));
        let listing = decorated.spirv_listing().unwrap_or_else(|fault| panic!("{fault}"));
        let decorations = decorated.decorations().unwrap_or_else(|fault| panic!("{fault}"));
        let name = format!("{package} {}", kernel.name);
        assert_eq!(listing.matches("NoContraction").count(), decorations, "{name}: SPIR-V");
        let (msl, hlsl) = (guarded.msl(), guarded.hlsl());
        guards += guarded.guards();
        if has_f64(&kernel) {
            assert!(msl.is_err(), "{name}: Metal has no f64");
            continue;
        }
        assert_eq!(msl.map(|text| guards_in(&text)).ok(), Some(guarded.guards()), "{name}: MSL");
        assert_eq!(hlsl.map(|text| guards_in(&text)).ok(), Some(guarded.guards()), "{name}: HLSL");
    }
    assert!(guards > 100, "{guards} guards in all: the kernels have lost their arithmetic");
}
