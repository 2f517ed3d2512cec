//! `implicit render`: pictures by rays. What a ray meets has bounds that hold; light is arithmetic with the same words on the CPU and on devices.

use std::path::{Path, PathBuf};

use affine_arith::{
    Camera, MAX_PIXELS, Picture, Plan, RenderOptions, Rounding, SubdivideOptions, render_cpu, subdivide_cpu,
};
use serde_json::json;

use super::args::{RayMethod, RenderArgs, RoundingChoice};
use super::{Looked, failed};
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::verbs::{counted, grouped, numbers_given, object};

/// Most windows a ray.
const STEPS: u32 = 2000;

/// Draws one picture or a sequence.
pub(super) fn run(args: &RenderArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let options = options(args)?;
    let looked = args.scene.look_moving()?;
    let camera = args.camera(&looked)?;
    let files: Vec<(PathBuf, OutputFile)> = (0..args.scene.time.count)
        .map(|i| {
            let path = numbered(&args.png, i, args.scene.time.count);
            let file = OutputFile::picture(&path)?;
            Ok((path, file))
        })
        .collect::<Result<_, Failure>>()?;
    let engine = Engine::open(common, console)?;
    let mut phases = Phases::default();
    let mut names = vec!["x", "y", "z"];
    if looked.expr.variables().iter().any(|name| name == "t") {
        names.push("t");
    }
    let plan = Plan::new(&looked.expr, &names).map_err(|e| failed(&looked.title, e))?;
    let painter =
        phases.time("prepare", || Painter::new(&engine, &plan, &options)).map_err(|e| failed(&looked.title, e))?;
    let bar = console.bar("render", u64::from(args.scene.time.count));
    let (mut hits, mut windows) = (0, 0);
    for (i, (_, file)) in files.iter().enumerate() {
        let time = args.scene.time.at(i as u32);
        let picture = phases
            .time("render", || painter.draw(&plan, time, &camera, &options))
            .map_err(|e| failed(&looked.title, e))?;
        (hits, windows) = (hits + picture.hits, windows + picture.windows);
        let canvas = canvas(&picture, &options)?;
        phases.time("write", || file.write_now(|out| canvas.write_png(out)))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    answer(&looked, &files, &options, [hits as u64, windows], &engine, phases, console)
}

fn answer(
    looked: &Looked,
    files: &[(PathBuf, OutputFile)],
    options: &RenderOptions,
    [hits, windows]: [u64; 2],
    engine: &Engine,
    phases: Phases,
    console: Console,
) -> Result<(), Failure> {
    let rays = files.len() as u64 * u64::from(options.width) * u64::from(options.height);
    let rigorous = options.rounding == Rounding::Rigorous;
    let a_ray = windows as f64 / rays.max(1) as f64;
    let fields = json!({
        "operation": "render", "expression": looked.title, "pictures": files.len(), "size": [options.width, options.height],
        "samples": options.samples, "rays": rays, "hits": hits, "windows_a_ray": a_ray,
        "march": format!("{:?}", options.method).to_lowercase(),
        "method": format!("{:?}", options.model).to_lowercase(), "rounding": if rigorous { "rigorous" } else { "ignore" },
        "rigorous": if rigorous { "no surface is passed; light is not" } else { "not: rounding errors are ignored" },
    });
    let summary = format!(
        "{}: {} of {} x {}, of {} rays of the last samples {} met the surface, {a_ray:.1} windows a ray; on {}: {:.3} s\n  wrote {}",
        looked.title,
        counted(files.len() as u64, "picture", "pictures"),
        options.width,
        options.height,
        grouped(rays),
        grouped(hits),
        engine.label(),
        phases.get("render"),
        files.iter().map(|(path, _)| path.display().to_string()).collect::<Vec<_>>().join(", "),
    );
    let loose = "\n  NOT rigorous: rounding errors are ignored, a surface may be passed";
    let summary = if rigorous { summary } else { summary + loose };
    console.answer(object("implicit", engine.describe(), phases, fields), &summary)
}

fn options(args: &RenderArgs) -> Result<RenderOptions, Failure> {
    let &[width, height] = &args.size[..] else {
        return Err(Failure::Usage(format!("--size: {}", numbers_given(args.size.len(), "2"))));
    };
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Failure::Limit(format!("--size {width},{height}: allowed 1 to {MAX_PIXELS} pixels")));
    }
    if args.rounding == RoundingChoice::Ignore && args.method != RayMethod::Affine {
        return Err(Failure::Usage(
            "--rounding ignore: for --method affine alone (the others are always rigorous)".to_owned(),
        ));
    }
    Ok(RenderOptions {
        width,
        height,
        shading: args.mode.shading(),
        shadows: args.shadows,
        method: args.march.method(),
        model: args.method.model(),
        rounding: args.rounding.rounding(),
        steps: STEPS,
        first_sample: 0,
        samples: args.samples,
    })
}

impl RenderArgs {
    /// The viewer of `--camera`.
    fn camera(&self, looked: &Looked) -> Result<Camera, Failure> {
        let &[turn, lift, ref distance @ ..] = &self.camera[..] else {
            return Err(Failure::Usage(format!("--camera: {}", numbers_given(self.camera.len(), "2, 3"))));
        };
        let distance = distance.first().copied();
        let far = distance.is_none_or(|distance| (0.6..=100.0).contains(&distance));
        if self.camera.len() > 3 || !self.camera.iter().all(|x| x.is_finite()) || !far {
            let what = "--camera: allowed 2 or 3 finite numbers, the distance 0.6 to 100 diagonals of the box";
            return Err(Failure::Usage(what.to_owned()));
        }
        let corner = |pick: fn(&(f64, f64)) -> f64| [0, 1, 2].map(|k| pick(&looked.bounds[k]));
        let (low, high) = (corner(|range| range.0), corner(|range| range.1));
        if !(0..3).all(|k| low[k] < high[k] && low[k].abs() < 1e6 && high[k].abs() < 1e6) {
            return Err(Failure::Input(format!(
                "--bounds {low:?} to {high:?}: needed increasing, below 1e6 in magnitude"
            )));
        }
        let (turn, lift) = (turn.to_radians(), lift.to_radians());
        if let Some(distance) = distance {
            return Ok(Camera::round(low, high, turn, lift, distance));
        }
        let (inner_low, inner_high) = self.occupied(looked).unwrap_or((low, high));
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1]);
        let near = Camera::fitted(inner_low, inner_high, turn, lift, aspect);
        // Rays still go through the whole box.
        Ok(Camera { low: low.map(|x| x as f32), high: high.map(|x| x as f32), ..near })
    }

    /// The part of the box in which the surface is, by a coarse octree; none for a sequence, and where that finds nothing or fails.
    fn occupied(&self, looked: &Looked) -> Option<([f64; 3], [f64; 3])> {
        const LEVEL: u32 = 5;
        if self.scene.time.count > 1 {
            return None;
        }
        let expr = looked.expr.with_value("t", self.scene.time.at(0)).ok()?;
        let plan = Plan::new(&expr, &["x", "y", "z"]).ok()?;
        let options = SubdivideOptions {
            level: LEVEL,
            model: plan.suggested_model(),
            rounding: Rounding::Rigorous,
            capacity: 1 << (3 * LEVEL),
        };
        let bounds = <[(f64, f64); 3]>::try_from(&looked.bounds[..]).ok()?;
        let cells = subdivide_cpu(&plan, bounds, options).ok()?;
        let end =
            |k: usize, index: u16| bounds[k].0 + (bounds[k].1 - bounds[k].0) * f64::from(index) / f64::from(1 << LEVEL);
        let side = |k: usize| {
            let indices = cells.indices.iter().map(|cell| cell[k]);
            Some((end(k, indices.clone().min()?), end(k, indices.max()? + 1)))
        };
        let sides = [side(0)?, side(1)?, side(2)?];
        Some((sides.map(|s| s.0), sides.map(|s| s.1)))
    }
}

/// The file of picture `i`.
fn numbered(path: &Path, i: u32, count: u32) -> PathBuf {
    if count == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{i:04}.{extension}"))
}

/// What draws.
enum Painter {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu(Box<affine_arith::RenderQuery>),
}

impl Painter {
    fn new(engine: &Engine, plan: &Plan, options: &RenderOptions) -> Result<Self, affine_arith::Error> {
        match engine {
            Engine::Cpu => {
                let _ = (plan, options);
                Ok(Self::Cpu)
            }
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => {
                affine_arith::RenderQuery::new(context, plan, options).map(|query| Self::Gpu(Box::new(query)))
            }
        }
    }

    fn draw(
        &self,
        plan: &Plan,
        time: f64,
        camera: &Camera,
        options: &RenderOptions,
    ) -> Result<Picture, affine_arith::Error> {
        match self {
            Self::Cpu => render_cpu(plan, time, camera, options, &mut Vec::new()),
            #[cfg(feature = "gpu")]
            Self::Gpu(query) => query.draw(time, camera, 0, gpu_runtime::Timestamps::None).map(|(picture, _)| picture),
        }
    }
}

fn canvas(picture: &Picture, options: &RenderOptions) -> Result<Canvas, Failure> {
    let (columns, rows) = (options.width as usize, options.height as usize);
    let mut canvas = Canvas::new(options.width, options.height)?;
    canvas.fill_pixels([0, 0, columns, rows], |column, row| {
        let [red, green, blue, _] = picture.pixels[row * columns + column].to_le_bytes();
        [red, green, blue]
    });
    Ok(canvas)
}
