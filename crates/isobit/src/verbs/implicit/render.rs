//! `implicit render`: pictures by rays. What a ray meets is computed with bounds that hold, on the CPU or a device; light is a matter of floats.

use std::path::{Path, PathBuf};

use affine_arith::{Hit, MarchOptions, Plan, Ray, march_cpu};
use serde_json::json;

use super::args::{Mode, RenderArgs};
use super::{Looked, failed};
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::verbs::{grouped, object};

/// Most windows a ray.
const STEPS: u32 = 2000;
/// Windows at the end of a search, relative to the size of the box.
const LEAST: f64 = 1.0 / 8192.0;
const BACKGROUND: [f64; 3] = [0.93, 0.94, 0.96];
const SURFACE: [f64; 3] = [0.36, 0.56, 0.82];

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn along(a: Vector, t: f64, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + t * b[k])
}

fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { [0.0, 0.0, 1.0] }
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Draws one picture or a sequence.
pub(super) fn run(args: &RenderArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let &[width, height] = &args.size[..] else {
        return Err(Failure::Usage(format!("--size: {} numbers (allowed: 2)", args.size.len())));
    };
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > 1 << 26 {
        return Err(Failure::Limit(format!("--size {width},{height}: allowed 1 to 67108864 pixels")));
    }
    let files: Vec<(PathBuf, OutputFile)> = (0..args.frames)
        .map(|i| {
            let path = numbered(&args.png, i, args.frames);
            let file = OutputFile::picture(&path)?;
            Ok((path, file))
        })
        .collect::<Result<_, Failure>>()?;
    let engine = Engine::open(common, console)?;
    let mut phases = Phases::default();
    let bar = console.bar("render", u64::from(args.frames));
    let (mut rays, mut hits, mut steps) = (0, 0, 0);
    let mut title = String::new();
    for (i, (_, file)) in files.iter().enumerate() {
        let mut scene = args.scene.clone();
        scene.time += i as f64 / f64::from(args.frames);
        let looked = scene.look(3)?;
        let scene = Scene {
            args,
            plan: looked.plan(3)?,
            engine: &engine,
            camera: Camera::new(args, &looked),
            title: &looked.title,
        };
        let drawn = scene.draw([width, height], &mut phases)?;
        (rays, hits, steps) = (rays + drawn.rays, hits + drawn.hits, steps + drawn.steps);
        phases.time("write", || file.write(|out| drawn.canvas.write_png(out)))?;
        title = looked.title;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let fields = json!({
        "operation": "render", "expression": title, "pictures": files.len(), "size": [width, height], "rays": rays, "hits": hits,
        "steps_a_ray": steps as f64 / rays.max(1) as f64, "rigorous": "no surface is passed; light is not",
    });
    let summary = format!(
        "{title}: {} pictures of {width} x {height}, {} rays, {} met the surface, {:.1} windows a ray; on {}: march {:.3} s\n  wrote {}",
        files.len(),
        grouped(rays as u64),
        grouped(hits as u64),
        steps as f64 / rays.max(1) as f64,
        engine.label(),
        phases.get("march"),
        files.iter().map(|(path, _)| path.display().to_string()).collect::<Vec<_>>().join(", "),
    );
    console.answer(object("implicit", engine.describe(), phases, fields), &summary)
}

/// The file of picture `i`.
fn numbered(path: &Path, i: u32, frames: u32) -> PathBuf {
    if frames == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{i:04}.{extension}"))
}

struct Camera {
    eye: Vector,
    right: Vector,
    up: Vector,
    forward: Vector,
    low: Vector,
    high: Vector,
    size: f64,
}

impl Camera {
    fn new(args: &RenderArgs, looked: &Looked) -> Self {
        let low = [0, 1, 2].map(|k| looked.bounds[k].0);
        let high = [0, 1, 2].map(|k| looked.bounds[k].1);
        let centre = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
        let diagonal = along(high, -1.0, low);
        let size = dot(diagonal, diagonal).sqrt();
        let (turn, lift) = (args.turn.to_radians(), args.lift.to_radians().clamp(-1.55, 1.55));
        let back = [turn.cos() * lift.cos(), turn.sin() * lift.cos(), lift.sin()];
        let forward = back.map(|x| -x);
        let right = unit(cross(forward, [0.0, 0.0, 1.0]));
        Self { eye: along(centre, 1.6 * size, back), right, up: cross(right, forward), forward, low, high, size }
    }

    /// The ray from `origin` along `direction`, cut to the box.
    fn cut(&self, origin: Vector, direction: Vector, near: f64) -> Ray {
        let (mut first, mut last) = (near, 4.0 * self.size);
        for k in 0..3 {
            if direction[k] == 0.0 {
                let outside = origin[k] < self.low[k] || origin[k] > self.high[k];
                last = if outside { -1.0 } else { last };
                continue;
            }
            let ends = [self.low[k], self.high[k]].map(|bound| (bound - origin[k]) / direction[k]);
            first = first.max(ends[0].min(ends[1]));
            last = last.min(ends[0].max(ends[1]));
        }
        let single = |v: Vector| v.map(|x| x as f32);
        Ray { origin: single(origin), direction: single(direction), near: first as f32, far: last as f32 }
    }

    /// The ray through a place of the picture, -1 to 1 upward and as far sideways as the picture is wide.
    fn through(&self, [x, y]: [f64; 2]) -> (Vector, Ray) {
        let scale = 0.36;
        let direction = unit(along(along(self.forward, scale * x, self.right), scale * y, self.up));
        (direction, self.cut(self.eye, direction, 0.0))
    }
}

struct Scene<'a> {
    args: &'a RenderArgs,
    plan: Plan,
    engine: &'a Engine,
    camera: Camera,
    title: &'a str,
}

struct Drawn {
    canvas: Canvas,
    rays: usize,
    hits: usize,
    steps: u64,
}

impl Scene<'_> {
    fn march(&self, rays: &[Ray]) -> Result<Vec<Hit>, Failure> {
        let least = (self.camera.size * LEAST) as f32;
        let options = MarchOptions { first: 64.0 * least, least, steps: STEPS };
        let found = match self.engine {
            Engine::Cpu => march_cpu(&self.plan, rays, options),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => {
                affine_arith::RayQuery::new(context, &self.plan, options).and_then(|query| query.hits(rays))
            }
        };
        found.map_err(|e| failed(self.title, e))
    }

    fn draw(&self, [width, height]: [u32; 2], phases: &mut Phases) -> Result<Drawn, Failure> {
        let (columns, rows) = (width as usize, height as usize);
        let mut light = vec![[0.0; 3]; columns * rows];
        let (mut rays_made, mut hits_made, mut steps) = (0, 0, 0);
        for sample in 0..self.args.samples {
            // Places that fill the pixel evenly however many there are (the plastic number's sequence).
            let place = |factor: f64| (0.5 + f64::from(sample) * factor).fract();
            let shift = [place(0.754_877_666_246_692_8), place(0.569_840_290_998_053_3)];
            let at = |i: usize| {
                let x = (2.0 * ((i % columns) as f64 + shift[0]) - f64::from(width)) / f64::from(height);
                let y = (f64::from(height) - 2.0 * ((i / columns) as f64 + shift[1])) / f64::from(height);
                self.camera.through([x, y])
            };
            let seen: Vec<(Vector, Ray)> = (0..columns * rows).map(at).collect();
            let rays: Vec<Ray> = seen.iter().map(|(_, ray)| *ray).collect();
            let hits = phases.time("march", || self.march(&rays))?;
            let points: Vec<Option<(Vector, Vector)>> = phases.time("light", || self.points(&seen, &hits))?;
            let shade = phases.time("march", || self.shadows(&points))?;
            for (i, hit) in hits.iter().enumerate() {
                let colour = self.colour(points[i], shade[i], seen[i].0, hit.steps);
                light[i] = along(light[i], 1.0 / f64::from(self.args.samples), colour);
                steps += u64::from(hit.steps);
            }
            rays_made += rays.len();
            hits_made += points.iter().flatten().count();
        }
        let mut canvas = Canvas::new(width, height)?;
        canvas.fill_pixels([0, 0, columns, rows], |column, row| {
            light[row * columns + column].map(|x| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
        });
        Ok(Drawn { canvas, rays: rays_made, hits: hits_made, steps })
    }

    /// Where rays met the surface, and the direction of the gradient there.
    fn points(&self, seen: &[(Vector, Ray)], hits: &[Hit]) -> Result<Vec<Option<(Vector, Vector)>>, Failure> {
        let step = self.camera.size * 1e-5;
        let value = |p: Vector| self.plan.evaluate(&p);
        let one = |((direction, ray), hit): (&(Vector, Ray), &Hit)| {
            if !hit.t.is_finite() {
                return Ok(None);
            }
            let point = along(ray.origin.map(f64::from), f64::from(hit.t), *direction);
            let mut gradient = [0.0; 3];
            for k in 0..3 {
                let mut ends = [point, point];
                ends[0][k] -= step;
                ends[1][k] += step;
                gradient[k] = value(ends[1])? - value(ends[0])?;
            }
            let normal = unit(gradient.map(|x| if x.is_finite() { x } else { 0.0 }));
            // Towards the viewer: the inside of a surface is lit like its outside.
            Ok(Some((point, if dot(normal, *direction) > 0.0 { normal.map(|x| -x) } else { normal })))
        };
        let found: Result<Vec<_>, affine_arith::Error> = seen.iter().zip(hits).map(one).collect();
        found.map_err(|e| failed(self.title, e))
    }

    fn lamp(&self) -> Vector {
        let camera = &self.camera;
        unit(along(along(camera.forward.map(|x| -x), 0.9, camera.up), -0.7, camera.right))
    }

    /// Whether the lamp is hidden.
    fn shadows(&self, points: &[Option<(Vector, Vector)>]) -> Result<Vec<bool>, Failure> {
        if !self.args.shadows || self.args.mode != Mode::Shaded {
            return Ok(vec![false; points.len()]);
        }
        let lamp = self.lamp();
        let lit: Vec<usize> = (0..points.len()).filter(|&i| points[i].is_some()).collect();
        let away = 4.0 * self.camera.size * LEAST;
        let ray = |&i: &usize| {
            let (point, normal) = points[i].unwrap_or_default();
            self.camera.cut(along(point, away, normal), lamp, 0.0)
        };
        let hits = self.march(&lit.iter().map(ray).collect::<Vec<_>>())?;
        let mut hidden = vec![false; points.len()];
        lit.iter().zip(hits).for_each(|(&i, hit)| hidden[i] = hit.t.is_finite());
        Ok(hidden)
    }

    fn colour(&self, point: Option<(Vector, Vector)>, hidden: bool, direction: Vector, steps: u32) -> Vector {
        if self.args.mode == Mode::Steps {
            let x = (f64::from(steps) / 120.0).min(1.0);
            return [x.sqrt(), x * x, 0.35 * (1.0 - x)];
        }
        let Some((_, normal)) = point else { return BACKGROUND };
        if self.args.mode == Mode::Normals {
            return normal.map(|x| 0.5 + 0.5 * x);
        }
        let lamp = self.lamp();
        let diffuse = if hidden { 0.0 } else { dot(normal, lamp).max(0.0) };
        let half = unit(along(lamp, -1.0, direction));
        let shine = if hidden { 0.0 } else { dot(normal, half).max(0.0).powi(40) };
        SURFACE.map(|c| c * (0.25 + 0.75 * diffuse) + 0.3 * shine)
    }
}
