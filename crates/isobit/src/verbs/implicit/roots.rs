//! `implicit roots`: boxes that hold the solutions of one to three equations.

use affine_arith::{Error, Expr, Plan, RootBox, RootOptions, isolate_roots};
use input_text::number;
use serde_json::{Value, json};

use super::args::RootsArgs;
use super::failed;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::verbs::{counted, numbers_given, object};

/// Isolates the roots.
pub(super) fn run(args: &RootsArgs, console: Console) -> Result<(), Failure> {
    let texts: Vec<&str> = args.expressions.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
    match texts.len() {
        1 => isolate::<1>(&texts, args, console),
        2 => isolate::<2>(&texts, args, console),
        3 => isolate::<3>(&texts, args, console),
        n => Err(Failure::Usage(format!("{n} expressions (allowed: 1 to 3, separated by `;`)"))),
    }
}

fn isolate<const D: usize>(texts: &[&str], args: &RootsArgs, console: Console) -> Result<(), Failure> {
    if args.bounds.len() != 2 * D {
        return Err(Failure::Usage(format!("--bounds: {}", numbers_given(args.bounds.len(), &(2 * D).to_string()))));
    }
    let plan = |text: &&str| {
        let expr: Expr = text.parse().map_err(|e| failed(text, e))?;
        Plan::new(&expr, &["x", "y", "z"][..D]).map_err(|e| failed(text, e))
    };
    let plans: Vec<Plan> = texts.iter().map(plan).collect::<Result<_, Failure>>()?;
    let Ok(plans) = <[Plan; D]>::try_from(plans) else {
        return Err(Failure::Usage(format!("{} expressions (allowed: {D})", texts.len())));
    };
    let bounds = std::array::from_fn(|k| (args.bounds[k], args.bounds[D + k]));
    let options = RootOptions { width: args.width, capacity: args.capacity };
    let mut phases = Phases::default();
    let roots = console.wait("roots", || phases.time("isolate", || isolate_roots(&plans, bounds, options)));
    let roots = roots.map_err(|e| refused(args, e))?;
    let boxes: Vec<Value> = roots
        .iter()
        .map(|r| json!({"box": r.ranges.map(|(lo, hi)| [lo + 0.0, hi + 0.0]).as_slice(), "certain": r.certain}))
        .collect();
    let certain = roots.iter().filter(|root| root.certain).count();
    let boxes_said = counted(roots.len() as u64, "box holds", "boxes hold");
    let mut summary = format!("{}: {boxes_said} every root, {certain} of them one for certain", args.expressions);
    roots.iter().for_each(|root| summary += &line(root));
    let fields = json!({"operation": "roots", "expressions": texts, "roots": boxes});
    console.answer(object("implicit", Engine::Cpu.describe(), phases, fields), &summary)
}

/// A failure of the search: when it ends early, with the option that lets it go on.
fn refused(args: &RootsArgs, error: Error) -> Failure {
    match error {
        Error::Capacity { allowed, .. } => {
            let boxes = counted(allowed as u64, "box", "boxes");
            let what = format!("more than {boxes} to look at (--capacity allows more, --width ends sooner)");
            Failure::Limit(format!("{}: {what}", args.expressions))
        }
        error => failed(&args.expressions, error),
    }
}

fn line<const D: usize>(root: &RootBox<D>) -> String {
    let axis = |k: usize| {
        let (lo, hi) = root.ranges[k];
        format!("{} in [{}, {}]", ["x", "y", "z"][k], number(lo), number(hi))
    };
    let ranges: Vec<String> = (0..D).map(axis).collect();
    format!("\n  {}{}", ranges.join(", "), if root.certain { "" } else { " (possible)" })
}
