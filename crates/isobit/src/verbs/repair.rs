//! `repair`: a mesh without degenerate and duplicate triangles and gaps of rounding size, oriented outward.

use mesh_distance::{RepairOptions, Repaired, write_mesh};
use serde_json::json;

use super::report::report_json;
use super::{counted, object, read_mesh, write_failed};
use crate::cli::RepairArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;

/// Repairs the mesh, says what was done, and writes it.
pub(crate) fn run(args: &RepairArgs, console: Console) -> Result<(), Failure> {
    let path = &args.out;
    if !matches!(extension(path).as_str(), "stl" | "obj" | "ply") {
        return Err(refuse_extension(path, ".stl, .obj, .ply"));
    }
    let options = RepairOptions::new(args.area, args.weld).map_err(|e| Failure::Usage(e.to_string()))?;
    let file = OutputFile::check(path)?;
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    let repaired = phases.time("repair", || mesh.repair(&options));
    let (repaired, done) = repaired.map_err(|e| Failure::of_mesh(&args.mesh, e))?;
    if repaired.triangles.is_empty() {
        return Err(Failure::file(&args.mesh, format_args!("no triangle is left of {}", mesh.triangles.len())));
    }
    // Turning all components outward, as FOSSIL does, makes hollows solid.
    let hollows = if done.components_turned > 0 { mesh.report().cavities } else { 0 };
    warn(args, &done, hollows, console);
    if extension(path) == "stl" {
        crate::single::note(path, "STL", &repaired, console);
    }
    phases.time("write", || {
        file.write_at(|temporary| write_mesh(temporary, &repaired).map_err(|e| write_failed(path, e)))
    })?;
    let counts = serde_json::to_value(&done).map_err(|e| Failure::Input(format!("repair: no JSON ({e})")))?;
    let fields = json!({
        "triangles": repaired.triangles.len(),
        "vertices": repaired.positions.len(),
        "done": counts,
        "report": report_json(&repaired.report())?,
        "out": path.display().to_string(),
    });
    let summary = summary(args, &done, repaired.triangles.len());
    console.answer(object("repair", Engine::Cpu.describe(), phases, fields), &summary)
}

/// One note for each kind of defect, as FOSSIL's sanitize does.
fn warn(args: &RepairArgs, done: &Repaired, hollows: usize, console: Console) {
    for (count, what) in [
        (done.degenerate_triangles_removed, ["degenerate triangle", "degenerate triangles", "removed"]),
        (done.vertices_welded, ["vertex", "vertices", "welded"]),
        (done.duplicate_triangles_removed, ["duplicate triangle", "duplicate triangles", "removed"]),
        (done.triangles_turned, ["triangle", "triangles", "turned"]),
        (done.components_turned, ["component", "components", "turned outward"]),
        (hollows, ["of these components", "of these components", "bounded a hollow of another, which is solid now"]),
        (done.unorientable_components, ["component", "components", "without a consistent orientation"]),
        (done.boundary_edges_left, ["boundary edge", "boundary edges", "left"]),
    ] {
        if count > 0 {
            let [one, many, done] = what;
            console.note(&format!("{}: {} {done}", args.mesh.display(), counted(count as u64, one, many)));
        }
    }
}

fn summary(args: &RepairArgs, done: &Repaired, triangles: usize) -> String {
    let what = if done.nothing() { "nothing to do" } else { "repaired" };
    format!(
        "{}: {what}; {}\n  removed {} degenerate, {} duplicate; welded {} vertices; turned {} triangles, {} components; {} boundary edges left\n  wrote {}",
        args.mesh.display(),
        counted(triangles as u64, "triangle", "triangles"),
        done.degenerate_triangles_removed,
        done.duplicate_triangles_removed,
        done.vertices_welded,
        done.triangles_turned,
        done.components_turned,
        done.boundary_edges_left,
        args.out.display(),
    )
}
