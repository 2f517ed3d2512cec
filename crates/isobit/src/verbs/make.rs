//! `make`: procedural meshes.

use mesh_distance::{make, write_mesh};
use serde_json::json;

use super::{counted, object, write_failed};
use crate::cli::{MakeArgs, Shape};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;

/// Bytes a triangle takes while it is made and written: indices, half a vertex or more, and the file's record.
const BYTES_A_TRIANGLE: u64 = 200;

/// Makes the mesh and writes it.
pub(crate) fn run(args: &MakeArgs, console: Console) -> Result<(), Failure> {
    let path = &args.out;
    if !matches!(extension(path).as_str(), "stl" | "obj" | "ply") {
        return Err(refuse_extension(path, ".stl, .obj, .ply"));
    }
    let file = OutputFile::check(path)?;
    let needed = (args.triangles as u64).checked_mul(BYTES_A_TRIANGLE);
    crate::memory::require(&format!("{} triangles", args.triangles), needed)?;
    let mut phases = Phases::default();
    let mesh = phases.time("make", || match args.shape {
        Shape::Knot => make::knot(args.triangles),
        Shape::Sphere => make::sphere(args.triangles),
        Shape::Torus => make::torus(args.triangles),
        Shape::Box => make::cube(args.triangles),
        Shape::Terrain => make::terrain(args.triangles),
    });
    phases
        .time("write", || file.write_at(|temporary| write_mesh(temporary, &mesh).map_err(|e| write_failed(path, e))))?;
    let count = mesh.triangles.len();
    let fields = json!({"triangles": count, "vertices": mesh.positions.len(), "out": path.display().to_string()});
    let summary = format!("{}: {}", path.display(), counted(count as u64, "triangle", "triangles"));
    console.answer(object("make", Engine::Cpu.describe(), phases, fields), &summary)
}
