//! `report`: what is wrong with a mesh, and which signs can be trusted on it.

use std::fmt::Write;

use input_text::number;
use mesh_distance::MeshReport;
use serde_json::{Value, json};

use super::{counted, grouped, object, read_mesh};
use crate::cli::ReportArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{Sign, SignChoice};

/// Prints the report; a mesh with defects is no failure.
pub(crate) fn run(args: &ReportArgs, console: Console) -> Result<(), Failure> {
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    let report = phases.time("report", || mesh.report());
    let fields = json!({"report": report_json(&report)?});
    let summary = format!("{}: {}", args.mesh.display(), summary(&report));
    console.answer(object("report", Engine::Cpu.describe(), phases, fields), &summary)
}

/// The `report` object: the counts, and for each sign whether it can be relied on and why.
pub(crate) fn report_json(report: &MeshReport) -> Result<Value, Failure> {
    let failed = |e: serde_json::Error| Failure::Input(format!("report: cannot be written as JSON ({e})"));
    let mut object = serde_json::to_value(report).map_err(failed)?;
    let mut trust = serde_json::Map::new();
    for sign in Sign::ALL {
        let verdict = serde_json::to_value(report.trust(sign.into())).map_err(failed)?;
        trust.insert(sign.name().to_owned(), verdict);
    }
    object["trust"] = Value::Object(trust);
    Ok(object)
}

/// How many, and what is said of some.
fn components(report: &MeshReport) -> String {
    let mut text = format!("{}, {} inward", grouped(report.component_count as u64), report.inward_components);
    for (count, what) in
        [(report.cavities, "of them round a hollow"), (report.overlapping_components, "whose boxes overlap")]
    {
        if count > 0 {
            text += &format!(", {} {what}", grouped(count as u64));
        }
    }
    text
}

fn summary(report: &MeshReport) -> String {
    let [triangles, vertices] = [report.triangles as u64, report.vertices as u64];
    let (triangles, vertices) = (counted(triangles, "triangle", "triangles"), counted(vertices, "vertex", "vertices"));
    let mut text = format!("{triangles}, {vertices}");
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {name:<22} {value}");
    };
    if let Some(b) = report.bounds {
        line("box", format!("{:?} to {:?}", b.lo, b.hi));
    }
    let measure = |what: &str, value: f64| {
        let beyond = report.out_of_range.iter().find(|found| found.what == what);
        beyond.map_or_else(|| number(value), |found| format!("{}, beyond 64-bit floats", found.value))
    };
    line("area", measure("area", report.area));
    line("volume", measure("volume", report.volume));
    line("components", components(report));
    for (name, count) in [
        ("boundary edges", report.boundary_edges),
        ("edges of > 2 triangles", report.multiple_edges),
        ("inconsistent edges", report.inconsistent_edges),
        ("zero-area triangles", report.zero_area_triangles),
        ("duplicate triangles", report.duplicate_triangles),
        ("folded edges", report.folded_edges),
    ] {
        line(name, grouped(count as u64));
    }
    for sign in [Sign::PseudoNormal, Sign::Winding, Sign::Rays] {
        let trust = report.trust(sign.into());
        let verdict = if trust.reliable { "reliable" } else { "not reliable" };
        line(&format!("sign {}", sign.name()), format!("{verdict}: {}", trust.reason));
    }
    let (sign, _) = SignChoice::Auto.of(report);
    line("sign auto", sign.name().to_owned());
    text
}
