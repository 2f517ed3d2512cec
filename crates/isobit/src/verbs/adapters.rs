//! `adapters`: what devices this machine has, what they allow, and whether both strict forms pass their self-test.

use serde_json::{Value, json};

use super::object;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;

/// Lists the adapters; none is a good answer too.
pub(crate) fn run(console: Console) -> Result<(), Failure> {
    let mut phases = Phases::default();
    let found = list(console, &mut phases);
    let mut summary = String::new();
    for adapter in &found {
        summary.push_str(&adapter.summary);
    }
    if found.is_empty() {
        summary.push_str(if cfg!(feature = "gpu") {
            "no adapters: no Vulkan, Metal or Direct3D 12 driver answers; every verb runs on the CPU\n"
        } else {
            "no adapters: this program was built without the feature `gpu`; every verb runs on the CPU\n"
        });
    }
    let adapters: Vec<Value> = found.into_iter().map(|a| a.object).collect();
    console.answer(object("adapters", Engine::Cpu.describe(), phases, json!({"adapters": adapters})), &summary)
}

/// One adapter in both forms of the answer.
struct Listed {
    object: Value,
    summary: String,
}

#[cfg(not(feature = "gpu"))]
fn list(_: Console, _: &mut Phases) -> Vec<Listed> {
    Vec::new()
}

#[cfg(feature = "gpu")]
fn list(console: Console, phases: &mut Phases) -> Vec<Listed> {
    let adapters = phases.time("list", gpu_runtime::adapters);
    let mut describe = |adapter| phases.time("self_test", || gpu::describe(adapter));
    console.wait("self-tests", || adapters.iter().map(&mut describe).collect())
}

#[cfg(feature = "gpu")]
mod gpu {
    use gpu_runtime::{AdapterInfo, AdapterSelector, Context, ContextOptions, NumericsChoice};
    use serde_json::{Value, json};

    use super::Listed;
    use crate::memory::readable;

    /// What the start-up self-test says about one adapter: a line for each form, the form chosen, lanes verified.
    struct Verdict {
        decorated: String,
        guarded: String,
        /// In the form chosen, where the device has f64.
        doubles: Option<String>,
        chosen: Option<String>,
        subgroups: Option<(u32, u32)>,
    }

    fn test(index: usize) -> Verdict {
        let options = |numerics| ContextOptions {
            selector: AdapterSelector::Index(index),
            numerics,
            ..ContextOptions::default()
        };
        match Context::new(&options(NumericsChoice::Auto)) {
            Ok(context) => Verdict {
                doubles: doubles(&context),
                decorated: context.numerics().decorated.to_string(),
                guarded: context.numerics().guarded.to_string(),
                chosen: Some(context.numerics().form.to_string()),
                subgroups: context.subgroups().map(|s| (s.min_size, s.max_size)),
            },
            // No form passed, or the device would not open: each form on its own says why.
            Err(_) => {
                let why = |form| match Context::new(&options(form)) {
                    Ok(_) => "passed".to_owned(),
                    Err(error) => error.to_string(),
                };
                let (decorated, guarded) = (why(NumericsChoice::Decorated), why(NumericsChoice::Guarded));
                Verdict { decorated, guarded, doubles: None, chosen: None, subgroups: None }
            }
        }
    }

    fn doubles(context: &Context) -> Option<String> {
        let features = context.adapter().features;
        let said = || context.doubles().map_or_else(|error| error.to_string(), |outcome| outcome.to_string());
        (features.f64 && features.int64).then(said)
    }

    pub(super) fn describe(adapter: &AdapterInfo) -> Listed {
        let verdict = test(adapter.index);
        let (l, f) = (&adapter.limits, &adapter.features);
        let object = json!({
            "index": adapter.index,
            "name": adapter.name,
            "type": adapter.device_type.to_string(),
            "backend": adapter.backend,
            "driver": adapter.driver,
            "limits": {
                "max_binding_bytes": l.max_binding_bytes,
                "max_buffer_bytes": l.max_buffer_bytes,
                "max_storage_buffers": l.max_storage_buffers,
                "max_workgroup_invocations": l.max_workgroup_invocations,
                "max_workgroup_bytes": l.max_workgroup_bytes,
                "max_workgroups_per_dimension": l.max_workgroups_per_dimension,
                "binding_alignment_bytes": l.binding_alignment_bytes,
                "subgroup_size": [l.subgroup_size.0, l.subgroup_size.1],
            },
            "features": {
                "f64": f.f64,
                "int64": f.int64,
                "subgroups": f.subgroups,
                "timestamps": f.timestamps,
                "passthrough": f.passthrough,
                "pipeline_cache": f.pipeline_cache,
            },
            "self_test": {"decorated": verdict.decorated, "guarded": verdict.guarded, "f64": verdict.doubles},
            "numerics": verdict.chosen,
            "subgroups": verdict.subgroups.map_or(Value::Null, |(low, high)| json!([low, high])),
        });
        let named = [
            ("f64", f.f64),
            ("int64", f.int64),
            ("subgroups", f.subgroups),
            ("timestamps", f.timestamps),
            ("passthrough", f.passthrough),
            ("pipeline cache", f.pipeline_cache),
        ];
        let features: Vec<&str> = named.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
        let summary = format!(
            "{adapter}\n  limits     binding {}, buffer {}, {} storage buffers, {} invocations, {} of workgroup memory\n  \
             features   {}\n  decorated  {}\n  guarded    {}\n  f64        {}\n  chosen     {}\n",
            readable(l.max_binding_bytes),
            readable(l.max_buffer_bytes),
            l.max_storage_buffers,
            l.max_workgroup_invocations,
            readable(u64::from(l.max_workgroup_bytes)),
            if features.is_empty() { "none".to_owned() } else { features.join(", ") },
            verdict.decorated,
            verdict.guarded,
            verdict.doubles.as_deref().unwrap_or("none"),
            verdict.chosen.as_deref().unwrap_or("none: this adapter is not used"),
        );
        Listed { object, summary }
    }
}
