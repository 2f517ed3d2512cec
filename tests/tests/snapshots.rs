//! Translations of every kernel as snapshots, so that a newer naga or an edited kernel shows as a readable diff.
//!
//! SPIR-V is the decorated form for a device without float controls, MSL and HLSL are the guarded form. New ones are
//! stored by `cargo xtask shaders --accept`.

use conformance::kernels::{Entry, all, snapshot_names};
use gpu_runtime::translate::{ShaderCapabilities, Target, Translation};
use gpu_runtime::{Form, KernelSource};

fn translation(source: &KernelSource<'_>, form: Form) -> Translation {
    let capabilities = ShaderCapabilities { f64: false, int64: false, subgroups: true };
    let target = Target { capabilities, ..Target::default() };
    Translation::new(source, form, &target).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn translations_of_every_kernel_are_the_stored_ones() {
    let entries = all();
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(true);
    settings.bind(|| {
        for (name, Entry { source, .. }) in snapshot_names(&entries).into_iter().zip(&entries) {
            let (decorated, guarded) = (translation(source, Form::Decorated), translation(source, Form::Guarded));
            let texts = [("spv", decorated.spirv_listing()), ("msl", guarded.msl()), ("hlsl", guarded.hlsl())];
            for (ending, text) in texts {
                let text = text.unwrap_or_else(|fault| panic!("{name}.{ending}: {fault}"));
                insta::assert_snapshot!(format!("{name}.{ending}"), text);
            }
        }
    });
}

#[test]
fn every_guard_is_in_the_texts_and_every_decoration_in_the_spirv() {
    for Entry { package, source } in all() {
        let (decorated, guarded) = (translation(&source, Form::Decorated), translation(&source, Form::Guarded));
        let listing = decorated.spirv_listing().unwrap_or_else(|fault| panic!("{fault}"));
        let decorations = decorated.decorations().unwrap_or_else(|fault| panic!("{fault}"));
        let name = format!("{package} {}", source.name);
        assert_eq!(listing.matches("NoContraction").count(), decorations, "{name}: SPIR-V");
        let (msl, hlsl) = (guarded.msl(), guarded.hlsl());
        let count = |text: Result<String, _>, xor: &str| text.map(|text: String| text.matches(xor).count());
        // A guard is an exclusive or with the zero word; the kernel's own exclusive ors add to the count.
        assert!(count(msl, " ^ ").is_ok_and(|found| found >= guarded.guards()), "{name}: MSL");
        assert!(count(hlsl, " ^ ").is_ok_and(|found| found >= guarded.guards()), "{name}: HLSL");
        assert!(decorations >= guarded.guards(), "{name}: {decorations} decorations, {} guards", guarded.guards());
    }
}
