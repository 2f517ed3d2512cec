//! `pipeline octree`: an expression to voxels, to a surface, and to its deviation from a mesh.

use std::ops::ControlFlow;
use std::path::Path;

use affine_arith::{Plan, SubdivideOptions, contour};
use input_text::number;
use isobit::pipeline;
use mesh_distance::{Deviation, Mesh};
use serde_json::{Value, json};
use sparse_topology::GridBatch;

use super::args::OctreeArgs;
use super::failed;
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;
use crate::verbs::implicit::tree::write_surface;
use crate::verbs::topology::describe;
use crate::verbs::{counted, deviation, implicit, object, read_mesh};

/// Builds the voxels and what else is asked for.
pub(super) fn run(args: &OctreeArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let place = args.grids.place()?;
    let surface_place = args.surface.as_deref().map(surface_place).transpose()?;
    let mut phases = Phases::default();
    let other = args.against.as_deref().map(|path| phases.time("read", || read_mesh(path, console))).transpose()?;
    let looked = args.scene.look(3)?;
    let plan = looked.plan(3)?;
    let mut bounds = [(0.0, 0.0); 3];
    bounds.copy_from_slice(&looked.bounds);
    let engine = Engine::open(common, console)?;
    let job = Job { args, plan: &plan, bounds, title: &looked.title };
    let mut fields = json!({"operation": "octree", "expression": looked.title, "level": args.level, "bounds": bounds});
    let mut lines = Vec::new();
    let (grids, engine) = console.wait("octree", || {
        let (grid, second, engine) = job.voxels(engine, console, &mut phases)?;
        if surface_place.is_some() || other.is_some() {
            let mesh = phases.time("contour", || job.surface(&grid))?;
            fields["triangles"] = json!(mesh.triangles.len());
            lines.push(format!("surface: {}", counted(mesh.triangles.len() as u64, "triangle", "triangles")));
            if let (Some(file), Some(path)) = (&surface_place, &args.surface) {
                phases.time("write", || write_surface(path, file, &mesh))?;
                lines.push(format!("wrote {}", path.display()));
            }
            if let (Some(other), Some(path)) = (&other, &args.against) {
                let (said, line) = job.measured(&mesh, (other, path), &engine, &mut phases, console)?;
                fields["deviation"] = said;
                lines.push(line);
            }
        }
        let grids = args.grids.write(&place, &looked.title, &grid, second.as_ref(), &mut phases)?;
        Ok::<_, Failure>((grids, engine))
    })?;
    let mut summary = format!("{}: {}", looked.title, describe::summary(&grids));
    summary += &format!("\n  on {}: voxels {:.3} s", engine.label(), phases.get("voxels"));
    for line in lines {
        summary += &format!("\n  {line}");
    }
    summary += &format!("\n  wrote {}", args.grids.out.display());
    fields["topology"] = grids;
    console.answer(object("pipeline", engine.describe(), phases, fields), &summary)
}

fn surface_place(path: &Path) -> Result<OutputFile, Failure> {
    match extension(path).as_str() {
        "stl" | "obj" | "ply" => OutputFile::check(path),
        _ => Err(refuse_extension(path, ".stl, .obj, .ply")),
    }
}

struct Job<'a> {
    args: &'a OctreeArgs,
    plan: &'a Plan,
    bounds: [(f64, f64); 3],
    title: &'a str,
}

impl Job<'_> {
    /// The voxels, the second grid, and what computed: expressions that kernels do not have go to the CPU.
    fn voxels(
        &self,
        engine: Engine,
        console: Console,
        phases: &mut Phases,
    ) -> Result<(GridBatch, Option<GridBatch>, Engine), Failure> {
        let model = self.args.method.model(self.plan);
        let options = SubdivideOptions {
            level: self.args.level,
            model,
            rounding: affine_arith::Rounding::Rigorous,
            capacity: self.args.capacity,
        };
        let morphology = self.args.grids.morphology();
        let failed = |e| failed(Path::new(self.title), e);
        #[cfg(feature = "gpu")]
        if let Engine::Gpu(context) = &engine {
            let topology = sparse_topology::device::TopologyDevice::new(context, &Default::default());
            let made = phases.time("voxels", || pipeline::octree_grid(&topology, self.plan, self.bounds, options));
            match made {
                Err(pipeline::Error::Affine(error))
                    if matches!(
                        *error,
                        affine_arith::Error::NotOnDevice { .. } | affine_arith::Error::Symbols { .. }
                    ) =>
                {
                    console.note(&implicit::without_kernel(&error));
                }
                Err(error) => return Err(failed(error)),
                Ok(grid) => {
                    let second = phases.time("second", || super::second_on(morphology, &grid)).map_err(failed)?;
                    let grid = phases.time("read back", || grid.download()).map_err(|e| failed(e.into()))?;
                    return Ok((grid, second, engine));
                }
            }
        }
        let _ = (console, engine);
        let grid = phases.time("voxels", || pipeline::octree_grid_cpu(self.plan, self.bounds, options));
        let grid = grid.map_err(failed)?;
        let second = phases.time("second", || super::second(morphology, &grid)).map_err(failed)?;
        Ok((grid, second, Engine::Cpu))
    }

    /// The surface through the voxels.
    fn surface(&self, grid: &GridBatch) -> Result<Mesh, Failure> {
        let voxels = grid.coordinates(0).map_err(|e| failed(Path::new(self.title), e.into()))?;
        // Levels end at 16, so the indices fit.
        let mut cells: Vec<[u16; 3]> = voxels.iter().map(|v| v.map(|i| i as u16)).collect();
        cells.sort_unstable_by_key(|cell| morton(*cell));
        let found = contour(self.plan, self.bounds, self.args.level, &cells);
        let found = found.map_err(|e| implicit::failed(self.title, e))?;
        Mesh::new(found.positions, found.triangles).map_err(|e| Failure::file(Path::new(self.title), e))
    }

    /// The deviation from another mesh, as a field and as a line.
    fn measured(
        &self,
        mesh: &Mesh,
        (other, path): (&Mesh, &Path),
        engine: &Engine,
        phases: &mut Phases,
        console: Console,
    ) -> Result<(Value, String), Failure> {
        if mesh.triangles.is_empty() {
            let what = format!(
                "no surface in the box at level {} (0 triangles): nothing to measure against {}",
                self.args.level,
                path.display()
            );
            return Err(Failure::file(Path::new(self.title), what));
        }
        let found = phases.time("deviation", || self.deviation(mesh, other, engine));
        let found = found.map_err(|e| Failure::of_mesh(path, e))?;
        let reached = deviation::reached(&found, self.tolerance(), console);
        Ok(told(&found, path, reached))
    }

    /// Largest gap between the bounds of the deviation.
    fn tolerance(&self) -> f64 {
        let cell = pipeline::octree_transform(self.bounds, self.args.level).voxel_size;
        self.args.tolerance.unwrap_or(0.1 * cell.into_iter().fold(0.0, f64::max))
    }

    fn deviation(&self, mesh: &Mesh, other: &Mesh, engine: &Engine) -> Result<Deviation, mesh_distance::Error> {
        let tolerance = self.tolerance();
        // An interrupt ends the program by itself; progress never stops the work.
        let progress = |_: usize, _: usize| ControlFlow::Continue(());
        match engine {
            Engine::Cpu => mesh_distance::deviation_cpu(mesh, other, tolerance, &progress),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => mesh_distance::deviation(context, mesh, other, tolerance, &progress),
        }
    }
}

/// The order of an octree's cells: bits of x, y and z in turn.
fn morton(cell: [u16; 3]) -> u64 {
    (0..16).map(|bit| (0..3).map(|k| (u64::from(cell[k]) >> bit & 1) << (3 * bit + k)).sum::<u64>()).sum()
}

fn told(found: &Deviation, path: &Path, reached: bool) -> (Value, String) {
    let [lower, upper] = found.hausdorff();
    let directed = |d: &mesh_distance::Directed| json!({"lower": d.lower, "upper": d.upper, "points": d.queries});
    let fields = json!({
        "against": path.display().to_string(),
        "surface_to_mesh": directed(&found.forward),
        "mesh_to_surface": directed(&found.backward),
        "hausdorff": {"lower": lower, "upper": upper},
        "reached": reached,
    });
    (fields, format!("Hausdorff distance to {}: {} to {}", path.display(), number(lower), number(upper)))
}
