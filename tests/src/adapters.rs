//! The devices of a test: every adapter that the process sees, in each strict form.

use std::io::Write;
use std::sync::OnceLock;

use gpu_runtime::{AdapterInfo, AdapterSelector, Context, ContextOptions, Error, NumericsChoice, adapters};

/// Both strict forms; where a device takes no SPIR-V there is one.
pub const STRICT_FORMS: [NumericsChoice; 2] = [NumericsChoice::Decorated, NumericsChoice::Guarded];

/// One context for each adapter under test and each strict form that it has.
///
/// The adapters are all that the process sees, or the one that ISOBIT_DEVICE names. They are opened once and shared by all
/// tests of the process. Without an adapter the list is empty, and a line on standard error says so.
///
/// # Panics
/// When an adapter is there but fails its self-test or cannot be opened, and when ISOBIT_DEVICE names none: both are
/// failures of the test that asks.
pub fn contexts() -> &'static [Context] {
    static CONTEXTS: OnceLock<Vec<Context>> = OnceLock::new();
    CONTEXTS.get_or_init(|| open_all(&ContextOptions::default(), &STRICT_FORMS))
}

/// Opens new contexts with other options: for tests of limits, of forms without subgroups, of lost devices.
///
/// `options.selector` and `options.numerics` are replaced.
///
/// # Panics
/// As [`contexts`].
pub fn open_all(options: &ContextOptions, forms: &[NumericsChoice]) -> Vec<Context> {
    open_each(options, |_| forms)
}

/// One context for each adapter and strict form, as [`open_all`], for kernels that are long: SwiftShader, whose compiler takes several times as long for the guarded
/// form, gets the form that it has by default.
///
/// # Panics
/// As [`open_all`].
pub fn open_long() -> Vec<Context> {
    open_each(&ContextOptions::default(), |info| {
        if info.name.contains("SwiftShader") { &[NumericsChoice::Auto] } else { &STRICT_FORMS }
    })
}

fn open_each<'a>(options: &ContextOptions, forms: impl Fn(&AdapterInfo) -> &'a [NumericsChoice]) -> Vec<Context> {
    let infos = selected();
    if infos.is_empty() {
        // Straight to standard error: the harness hides what a passing test prints.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no adapter, so nothing is compared with the CPU");
    }
    let mut contexts = Vec::new();
    for info in &infos {
        for &numerics in forms(info) {
            let selector = AdapterSelector::Index(info.index);
            // A pipeline cache on disk would let one test see what another run compiled.
            let options = ContextOptions { selector, numerics, cache_dir: None, ..options.clone() };
            match Context::new(&options) {
                Ok(context) => contexts.push(context),
                Err(Error::FormUnavailable { form, reason, .. }) => {
                    let _ = writeln!(std::io::stderr(), "SKIPPED: form {form} on {}: {reason}", info.name);
                }
                Err(error) => panic!("{info}: {error}"),
            }
        }
    }
    contexts
}

/// One context for each strict form of one adapter; a form that it does not have is left out with a line on standard error.
///
/// # Errors
/// Those of [`Context::new`].
pub fn open_strict(selector: &AdapterSelector, options: &ContextOptions) -> Result<Vec<Context>, Error> {
    let with = |selector: AdapterSelector, numerics: NumericsChoice| {
        Context::new(&ContextOptions { selector, numerics, ..options.clone() })
    };
    let first = with(selector.clone(), NumericsChoice::Auto)?;
    let selector = AdapterSelector::Index(first.adapter().index);
    let mut contexts = Vec::new();
    for form in STRICT_FORMS {
        match with(selector.clone(), form) {
            Ok(context) => contexts.push(context),
            Err(error @ Error::FormUnavailable { .. }) => eprintln!("SKIPPED: {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(contexts)
}

/// Runs a check on every context of [`contexts`]; what it prints before a failure names the device.
///
/// # Panics
/// When the check does.
pub fn on_every_adapter(check: impl Fn(&Context)) {
    for context in contexts() {
        println!("on {}, {}", context.adapter().name, context.numerics().form);
        check(context);
    }
}

/// The adapters under test.
fn selected() -> Vec<AdapterInfo> {
    let all = adapters();
    match std::env::var("ISOBIT_DEVICE") {
        Ok(name) if !name.is_empty() => {
            let options = ContextOptions { selector: AdapterSelector::from_env(), ..ContextOptions::default() };
            let context = Context::new(&options).unwrap_or_else(|error| panic!("ISOBIT_DEVICE={name}: {error}"));
            let index = context.adapter().index;
            all.into_iter().filter(|info| info.index == index).collect()
        }
        _ => all,
    }
}

/// The adapters that the process sees, a JSON object each: index, name, type, backend, driver.
pub fn listing() -> Vec<String> {
    let object = |info: AdapterInfo| {
        serde_json::json!({
            "index": info.index,
            "name": info.name,
            "type": info.device_type.to_string(),
            "backend": info.backend,
            "driver": info.driver,
        })
    };
    adapters().into_iter().map(|info| object(info).to_string()).collect()
}

/// Whether a device computes in f64: it needs 64-bit floats and, for their bits, 64-bit integers.
pub fn has_f64(context: &Context) -> bool {
    let features = context.adapter().features;
    features.f64 && features.int64
}
