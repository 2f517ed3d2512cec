//! Which strict form a context takes, and what the start-up self-test saw.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::context::{Context, ContextOptions};
use crate::self_test::{self, FormReport, SelfTestFault};

/// A way to make float arithmetic strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// SPIR-V whose float instructions carry NoContraction, with the float-controls modes that the device has.
    Decorated,
    /// Every float result passes through an integer operation with a run-time zero.
    Guarded,
    /// WGSL as wgpu compiles it: **not strict**. Exists so that tests can show that they would notice.
    Off,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Decorated => "decorated",
            Form::Guarded => "guarded",
            Form::Off => "off",
        })
    }
}

/// Which form a context is asked to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumericsChoice {
    /// The fastest form that passes the self-test: decorated, then guarded.
    #[default]
    Auto,
    /// The decorated form or an error.
    Decorated,
    /// The guarded form or an error.
    Guarded,
    /// No strict form and no self-test: a control for tests, whose results carry no promise.
    Off,
}

impl FromStr for NumericsChoice {
    type Err = String;

    /// `auto`, `decorated`, `guarded` or `off`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(NumericsChoice::Auto),
            "decorated" => Ok(NumericsChoice::Decorated),
            "guarded" => Ok(NumericsChoice::Guarded),
            "off" => Ok(NumericsChoice::Off),
            other => Err(format!("unknown numerics \"{other}\" (auto, decorated, guarded, off)")),
        }
    }
}

/// What became of one form on one device.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FormOutcome {
    /// Every word equal to the CPU's.
    Passed(FormReport),
    /// The first word that differs.
    Failed(SelfTestFault),
    /// The device cannot take this form.
    Unavailable(String),
    /// The options excluded it.
    NotTried,
}

impl fmt::Display for FormOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormOutcome::Passed(report) => write!(f, "passed ({report})"),
            FormOutcome::Failed(fault) => write!(f, "failed: {fault}"),
            FormOutcome::Unavailable(why) => write!(f, "unavailable: {why}"),
            FormOutcome::NotTried => f.write_str("not tried"),
        }
    }
}

/// The verdict of the self-test.
///
/// It is evidence about this device and driver, not a proof: the guarantee rests on what NoContraction and
/// RoundingModeRTE promise, or on the guards (`docs/numerics.md`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Numerics {
    /// The form of every kernel of the context.
    pub form: Form,
    /// What the decorated form did.
    pub decorated: FormOutcome,
    /// What the guarded form did.
    pub guarded: FormOutcome,
}

impl Numerics {
    pub(crate) fn untested() -> Self {
        Numerics { form: Form::Off, decorated: FormOutcome::NotTried, guarded: FormOutcome::NotTried }
    }
}

/// Smallest and largest subgroup that a kernel can meet on this device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubgroupInfo {
    /// Smallest number of lanes.
    pub min_size: u32,
    /// Largest number of lanes.
    pub max_size: u32,
}

/// Tests the forms that `options` allow and picks the first that passes.
pub(crate) fn choose(context: &Context, options: &ContextOptions) -> Result<(Numerics, Option<SubgroupInfo>), Error> {
    let adapter = context.adapter().name.clone();
    let mut numerics = Numerics::untested();
    let forms: &[Form] = match options.numerics {
        NumericsChoice::Auto => &[Form::Decorated, Form::Guarded],
        NumericsChoice::Decorated => &[Form::Decorated],
        NumericsChoice::Guarded => &[Form::Guarded],
        NumericsChoice::Off => &[],
    };
    for &form in forms {
        let outcome = outcome(context, form)?;
        match form {
            Form::Decorated => numerics.decorated = outcome,
            _ => numerics.guarded = outcome,
        }
    }
    let passed = |o: &FormOutcome| matches!(o, FormOutcome::Passed(_));
    numerics.form = match forms {
        [] => Form::Off,
        _ if passed(&numerics.decorated) => Form::Decorated,
        _ if passed(&numerics.guarded) => Form::Guarded,
        _ => return Err(refusal(adapter, forms, &numerics)),
    };
    let subgroups = if options.subgroups && context.adapter().features.subgroups {
        self_test::run_lanes(context, numerics.form)?
    } else {
        None
    };
    Ok((numerics, subgroups))
}

fn outcome(context: &Context, form: Form) -> Result<FormOutcome, Error> {
    if form == Form::Decorated && !context.adapter().features.passthrough {
        return Ok(FormOutcome::Unavailable("the device takes no SPIR-V".into()));
    }
    Ok(match self_test::run(context, form)? {
        Ok(report) => FormOutcome::Passed(report),
        Err(fault) => FormOutcome::Failed(fault),
    })
}

/// The self-test of f64 in the form of the context; [`FormOutcome::NotTried`] where that is none.
pub(crate) fn doubles(context: &Context) -> Result<FormOutcome, Error> {
    let (adapter, features) = (context.adapter(), context.adapter().features);
    if !features.f64 || !features.int64 {
        let lacking = if features.f64 { "integers" } else { "floats" };
        let what = format!("arithmetic in f64 on {}, {lacking}", adapter.name);
        return Err(Error::Limit { what, needed: 64, allowed: 32, unit: "bits" });
    }
    let form = context.numerics().form;
    if form == Form::Off {
        return Ok(FormOutcome::NotTried);
    }
    match self_test::run_doubles(context, form)? {
        Ok(report) => Ok(FormOutcome::Passed(report)),
        Err(fault) => {
            let (adapter, form) = (adapter.name.clone(), format!("{form}, f64"));
            Err(Error::SelfTest { adapter, form, fault: Box::new(fault) })
        }
    }
}

/// Why no form is left: the fault of the last form tried, or that there was none to try.
fn refusal(adapter: String, forms: &[Form], numerics: &Numerics) -> Error {
    let of = |form: Form| if form == Form::Decorated { &numerics.decorated } else { &numerics.guarded };
    for &form in forms.iter().rev() {
        match of(form) {
            FormOutcome::Failed(fault) => {
                return Error::SelfTest { adapter, form: form.to_string(), fault: Box::new(fault.clone()) };
            }
            FormOutcome::Unavailable(reason) => {
                return Error::FormUnavailable { adapter, form: form.to_string(), reason: reason.clone() };
            }
            FormOutcome::Passed(_) | FormOutcome::NotTried => {}
        }
    }
    Error::FormUnavailable { adapter, form: "any".into(), reason: "no form was tried".into() }
}
