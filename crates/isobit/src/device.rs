//! Where a verb computes: the CPU twins, or an adapter opened and tested by gpu-runtime.

#[cfg(feature = "gpu")]
use gpu_runtime::{AdapterSelector, Context, ContextOptions, NumericsChoice};
use serde_json::{Value, json};

use crate::cli::Common;
use crate::console::Console;
use crate::failure::Failure;

/// What computes.
pub(crate) enum Engine {
    /// The CPU twins.
    Cpu,
    /// An adapter that passed its self-test.
    #[cfg(feature = "gpu")]
    Gpu(Context),
}

impl Engine {
    /// Opens what `--device` names. `auto` takes the CPU, with one line on stderr, where no hardware adapter passes.
    pub(crate) fn open(common: &Common, console: Console) -> Result<Self, Failure> {
        match common.device.trim().to_ascii_lowercase().as_str() {
            "cpu" => Ok(Self::Cpu),
            "" | "auto" => Ok(open_adapter("auto", common).unwrap_or_else(|reason| {
                console.note(&format!("computing on the CPU: {reason}"));
                Self::Cpu
            })),
            asked => open_adapter(asked, common),
        }
    }

    /// For a verb, or a kind of input, that has no device part: what `--device` names must be there all the same, and one line on stderr says
    /// that it is not used. `what` has none.
    pub(crate) fn unused(common: &Common, console: Console, what: &str) -> Result<(), Failure> {
        match common.device.trim().to_ascii_lowercase().as_str() {
            "" | "auto" | "cpu" => Ok(()),
            asked => {
                open_adapter(asked, common)?;
                console.note(&format!("computing on the CPU: {what} has no device part (asked: {asked})"));
                Ok(())
            }
        }
    }

    /// The `device` object of the answer.
    pub(crate) fn describe(&self) -> Value {
        match self {
            Self::Cpu => json!({"name": "cpu", "type": "cpu", "backend": "cpu", "driver": "none", "numerics": "ieee"}),
            #[cfg(feature = "gpu")]
            Self::Gpu(context) => {
                let adapter = context.adapter();
                json!({
                    "name": adapter.name,
                    "type": adapter.device_type.to_string(),
                    "backend": adapter.backend,
                    "driver": adapter.driver,
                    "numerics": context.numerics().form.to_string(),
                })
            }
        }
    }

    /// A few words for the summary.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Cpu => "cpu".to_owned(),
            #[cfg(feature = "gpu")]
            Self::Gpu(context) => format!("{} ({})", context.adapter().name, context.numerics().form),
        }
    }
}

#[cfg(feature = "gpu")]
fn open_adapter(asked: &str, common: &Common) -> Result<Engine, Failure> {
    let options = ContextOptions {
        selector: asked.parse::<AdapterSelector>().unwrap_or_default(),
        numerics: common.numerics.into(),
        ..ContextOptions::default()
    };
    Context::new(&options).map(Engine::Gpu).map_err(Failure::from)
}

#[cfg(not(feature = "gpu"))]
fn open_adapter(asked: &str, _: &Common) -> Result<Engine, Failure> {
    let asked = if asked == "auto" { String::new() } else { format!("no device \"{asked}\": ") };
    Err(Failure::Device(format!("{asked}this program was built without the feature `gpu` (allowed: cpu)")))
}

#[cfg(feature = "gpu")]
impl From<crate::cli::Numerics> for NumericsChoice {
    fn from(choice: crate::cli::Numerics) -> Self {
        match choice {
            crate::cli::Numerics::Auto => Self::Auto,
            crate::cli::Numerics::Decorated => Self::Decorated,
            crate::cli::Numerics::Guarded => Self::Guarded,
        }
    }
}

#[cfg(feature = "gpu")]
impl From<gpu_runtime::Error> for Failure {
    fn from(error: gpu_runtime::Error) -> Self {
        match error {
            gpu_runtime::Error::OutOfMemory { .. } | gpu_runtime::Error::Limit { .. } => Self::Limit(error.to_string()),
            _ => Self::Device(error.to_string()),
        }
    }
}
