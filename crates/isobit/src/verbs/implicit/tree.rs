//! `implicit octree`, `implicit quadtree`: cells round a surface or a curve, and the surface.

use std::io::Write;
use std::path::Path;

use affine_arith::{Cells, Contour, Plan, Rounding, SubdivideOptions, contour, subdivide_cpu};
use mesh_distance::{Mesh, write_mesh};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::args::TreeArgs;
#[cfg(feature = "gpu")]
use super::without_kernel;
use super::{Looked, failed};
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::picture::mesh::MeshFigure;
use crate::picture::plot::{Plot, RIGHT};
use crate::table::write_header;
use crate::verbs::{counted, grouped, object};

/// Pixels along the longest side of the plot of a quadtree, at least and at most.
const SIDE: usize = 720;
const MOST_PIXELS: usize = 2048;

/// Subdivides, and writes what was asked for; in the plane at the height `z`.
pub(super) fn run<const D: usize>(
    args: &TreeArgs,
    z: Option<f64>,
    common: &Common,
    console: Console,
) -> Result<(), Failure> {
    let name = if D == 3 { "octree" } else { "quadtree" };
    let out = args.out.as_deref().map(|path| Ok::<_, Failure>((path, output::<D>(path)?))).transpose()?;
    let png = args.png.as_deref().map(OutputFile::picture).transpose()?;
    let looked = args.scene.look(D)?;
    let looked = if D == 2 { looked.at_height(z)? } else { looked };
    let plan = looked.plan(D)?;
    let mut bounds = [(0.0, 0.0); D];
    bounds.copy_from_slice(&looked.bounds);
    let (model, rounding) = args.model(&plan)?;
    let options = SubdivideOptions { level: args.level, model, rounding, capacity: args.capacity };
    let engine = Engine::open(common, console)?;
    let mut phases = Phases::default();
    let (found, engine) = console.wait(name, || {
        let (cells, engine) = subdivide(&plan, bounds, options, engine, console, &looked.title, &mut phases)?;
        let hash = phases.time("hash", || hash(&cells));
        let wants_mesh = D == 3 && (png.is_some() || out.as_ref().is_some_and(|(path, _)| extension(path) != "npy"));
        let mesh = match wants_mesh {
            true => Some(phases.time("contour", || surface(&plan, &looked, args.level, &cells))?),
            false => None,
        };
        let no_mesh = Contour::default();
        let drawn = mesh.as_ref().unwrap_or(&no_mesh);
        if let Some((path, file)) = &out {
            phases.time("write", || write(path, file, &cells, drawn))?;
        }
        if let Some(file) = &png {
            let canvas = phases.time("picture", || match D {
                3 => picture(&looked, args.level, drawn),
                _ => plane_picture(&looked, args.level, &cells),
            })?;
            file.write(|out| canvas.write_png(out))?;
        }
        Ok::<_, Failure>((Found { cells, hash, mesh }, engine))
    })?;
    answer(args, &looked, &options, z, found, (&engine, phases, console))
}

/// What a subdivision gave.
struct Found<const D: usize> {
    cells: Cells<D>,
    hash: String,
    /// The surface, where it is wanted.
    mesh: Option<Contour>,
}

fn answer<const D: usize>(
    args: &TreeArgs,
    looked: &Looked,
    options: &SubdivideOptions,
    z: Option<f64>,
    found: Found<D>,
    (engine, phases, console): (&Engine, Phases, Console),
) -> Result<(), Failure> {
    let Found { cells, hash, mesh } = found;
    let (active, rigorous) = (&cells.counts, options.rounding == Rounding::Rigorous);
    let mut fields = json!({
        "operation": if D == 3 { "octree" } else { "quadtree" },
        "expression": looked.title,
        "bounds": looked.bounds.iter().map(|(lo, hi)| [lo, hi]).collect::<Vec<_>>(),
        "level": args.level,
        "method": format!("{:?}", options.model).to_lowercase(),
        "rounding": if rigorous { "rigorous" } else { "ignore" },
        "rigorous": rigorous,
        "active": active,
        "hash": hash,
    });
    if let Some(z) = z {
        fields["z"] = json!(z);
    }
    let mut summary = format!(
        "{}: {} of {} cells at level {}, on {}: {:.3} s\n  by level: {}",
        looked.title,
        grouped(active.last().copied().unwrap_or(0) as u64),
        grouped(1_u64 << (D as u32 * args.level)),
        args.level,
        engine.label(),
        phases.get("subdivide"),
        active.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    );
    if !rigorous {
        summary += "\n  NOT rigorous: rounding errors are ignored, cells may be missing";
    }
    if let Some(mesh) = mesh {
        fields["vertices"] = json!(mesh.positions.len());
        fields["triangles"] = json!(mesh.triangles.len());
        let count = counted(mesh.triangles.len() as u64, "triangle", "triangles");
        summary += &format!("\n  surface: {count} (from signs at the corners of cells: not rigorous)");
    }
    for path in args.out.iter().chain(&args.png) {
        summary += &format!("\n  wrote {}", path.display());
    }
    console.answer(object("implicit", engine.describe(), phases, fields), &summary)
}

/// Where the cells or the surface go.
fn output<const D: usize>(path: &Path) -> Result<OutputFile, Failure> {
    let allowed: &[&str] = if D == 3 { &["npy", "stl", "obj", "ply"] } else { &["npy"] };
    let extension = extension(path);
    if !allowed.contains(&extension.as_str()) {
        let list: Vec<String> = allowed.iter().map(|ending| format!(".{ending}")).collect();
        return Err(refuse_extension(path, &list.join(", ")));
    }
    OutputFile::check(path)
}

fn subdivide<const D: usize>(
    plan: &Plan,
    bounds: [(f64, f64); D],
    options: SubdivideOptions,
    engine: Engine,
    console: Console,
    title: &str,
    phases: &mut Phases,
) -> Result<(Cells<D>, Engine), Failure> {
    #[cfg(feature = "gpu")]
    if let Engine::Gpu(context) = &engine {
        match affine_arith::subdivide(context, plan, bounds, options) {
            Err(error @ (affine_arith::Error::NotOnDevice { .. } | affine_arith::Error::Symbols { .. })) => {
                console.note(&without_kernel(&error));
                let cells = phases.time("subdivide", || subdivide_cpu(plan, bounds, options));
                return Ok((cells.map_err(|e| failed(title, e))?, Engine::Cpu));
            }
            Err(error) => return Err(failed(title, error)),
            Ok(found) => {
                phases.add("prepare", found.prepare_seconds);
                phases.add("subdivide", found.run_seconds);
                return Ok((found.cells, engine));
            }
        }
    }
    let _ = console;
    let cells = phases.time("subdivide", || subdivide_cpu(plan, bounds, options));
    Ok((cells.map_err(|e| failed(title, e))?, engine))
}

/// SHA-256 of the indices as u32, little-endian.
fn hash<const D: usize>(cells: &Cells<D>) -> String {
    let mut hash = Sha256::new();
    for cell in &cells.indices {
        hash.update(cell.map(|i| u32::from(i).to_le_bytes()).as_flattened());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn surface<const D: usize>(plan: &Plan, looked: &Looked, level: u32, cells: &Cells<D>) -> Result<Contour, Failure> {
    let bounds = [0, 1, 2].map(|k| looked.bounds.get(k).copied().unwrap_or((0.0, 1.0)));
    let indices: Vec<[u16; 3]> =
        cells.indices.iter().map(|cell| [0, 1, 2].map(|k| cell.get(k).copied().unwrap_or(0))).collect();
    contour(plan, bounds, level, &indices).map_err(|e| failed(&looked.title, e))
}

fn write<const D: usize>(path: &Path, file: &OutputFile, cells: &Cells<D>, mesh: &Contour) -> Result<(), Failure> {
    match extension(path).as_str() {
        "npy" => file.write(|out| {
            write_header("'<u4'", &[cells.indices.len() as u64, D as u64], out)?;
            cells
                .indices
                .iter()
                .try_for_each(|cell| out.write_all(cell.map(|i| u32::from(i).to_le_bytes()).as_flattened()))
        }),
        _ => {
            let mesh = Mesh::new(mesh.positions.clone(), mesh.triangles.clone()).map_err(|e| Failure::file(path, e))?;
            write_surface(path, file, &mesh)
        }
    }
}

/// Writes a surface as its ending says.
pub(in crate::verbs) fn write_surface(path: &Path, file: &OutputFile, mesh: &Mesh) -> Result<(), Failure> {
    match extension(path).as_str() {
        "ply" => file.write(|out| ply(mesh, out)),
        _ => file.write_at(|temporary| write_mesh(temporary, mesh).map_err(|e| Failure::file(path, e))),
    }
}

/// Binary little-endian PLY: f64 positions, u32 vertex indices.
fn ply(mesh: &Mesh, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}\n", mesh.positions.len())?;
    write!(out, "property double x\nproperty double y\nproperty double z\n")?;
    write!(out, "element face {}\nproperty list uchar uint vertex_indices\nend_header\n", mesh.triangles.len())?;
    for position in &mesh.positions {
        out.write_all(position.map(f64::to_le_bytes).as_flattened())?;
    }
    for triangle in &mesh.triangles {
        out.write_all(&[3])?;
        out.write_all(triangle.map(u32::to_le_bytes).as_flattened())?;
    }
    Ok(())
}

fn picture(looked: &Looked, level: u32, mesh: &Contour) -> Result<Canvas, Failure> {
    let subtitle = format!("level {level}, {}", counted(mesh.triangles.len() as u64, "triangle", "triangles"));
    let figure = MeshFigure {
        vertices: &mesh.positions,
        triangles: &mesh.triangles,
        title: &looked.title,
        subtitle: &subtitle,
        unit: "unit",
        parts: &[],
        names: &[],
        quads: false,
    };
    figure.draw()
}

/// The cells that are left, dark on white: a pixel of several is dark when one of them is left.
fn plane_picture<const D: usize>(looked: &Looked, level: u32, cells: &Cells<D>) -> Result<Canvas, Failure> {
    let side = 1_usize << level;
    let largest = (side * (SIDE / side).max(1)).min(MOST_PIXELS) as f64;
    let (low, high) = ([0, 1].map(|k| looked.bounds[k].0), [0, 1].map(|k| looked.bounds[k].1));
    let plot = Plot::of_equal_scales(low, high, [largest; 2], ["x", "y"], "");
    let [width, height] = plot.size();
    let mut kept = vec![false; width * height];
    for cell in &cells.indices {
        let span = |k: usize, pixels: usize| {
            let at = cell.get(k).map_or(0, |i| usize::from(*i));
            let first = at * pixels / side;
            first..((at + 1) * pixels / side).max(first + 1).min(pixels)
        };
        let columns = span(0, width);
        span(1, height).for_each(|row| kept[row * width..][columns.clone()].fill(true));
    }
    let mut canvas = plot.canvas(RIGHT)?;
    plot.fill(&mut canvas, |column, row| if kept[row * width + column] { [40, 66, 120] } else { [244, 244, 240] });
    plot.axes(&mut canvas);
    let (left, all) = (grouped(cells.indices.len() as u64), grouped(1_u64 << (2 * level)));
    plot.titles(&mut canvas, &looked.title, &format!("level {level}: {left} of {all} cells may hold zeros (dark)"));
    Ok(canvas)
}
