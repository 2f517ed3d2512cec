//! affine-arith: octrees of expressions, rays through them and pictures, on the device and by the CPU reference.

use affine_arith::gallery::Scene;
use affine_arith::{
    BoxQuery, CellQuery, Expr, Interval, MarchOptions, Method, Model, Plan, Ray, RayQuery, Rounding, StandardForm,
    StandardPlan, SubdivideOptions, march_cpu, subdivide_cpu,
};
use gpu_runtime::Timestamps;

use super::Bench;
use super::outcome::Outcome;
use crate::error::Error;

/// Scenes of the gallery: polynomial, with waves, coupled.
const SCENES: [&str; 4] = ["tanglecube", "gyroid", "sphere", "torus"];

/// Compares every scene.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let (level, rays) = if bench.options.quick { (6, 1000) } else { (9, 200_000) };
    let context = bench.context;
    for scene in SCENES.into_iter().filter_map(Scene::named) {
        let expr: Expr = scene.text.parse()?;
        let plan = Plan::new(&expr, &["x", "y", "z"])?;
        bench.check(&format!("octree, {}", scene.name), |outcome| {
            let bounds = [(-scene.half, scene.half); 3];
            let options =
                SubdivideOptions { level, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 1 << 24 };
            let query = CellQuery::new(context, &plan, bounds, options)?;
            let cells = query.run(Timestamps::None)?.counts.last().copied().unwrap_or(0);
            let expected = subdivide_cpu(&plan, bounds, options)?;
            outcome.compare(&expected.indices, &query.download(cells)?, |cell| format!("cell {cell}"));
            outcome.note = format!("level {level}");
            Ok(())
        })?;
        bench.check(&format!("octree of standard forms, {}", scene.name), |outcome| {
            let options = SubdivideOptions {
                level: level - 2,
                model: Model::Standard,
                rounding: Rounding::Rigorous,
                capacity: 1 << 24,
            };
            let bounds = [(-scene.half, scene.half); 3];
            let expected = subdivide_cpu(&plan, bounds, options)?;
            let found = CellQuery::new(context, &plan, bounds, options)?.cells_on_host()?;
            outcome.compare(&expected.indices, &found.indices, |cell| format!("cell {cell}"));
            outcome.note = format!("level {}", options.level);
            Ok(())
        })?;
        bench.check(&format!("forms with a symbol for every operation, {}", scene.name), |outcome| {
            let boxes = boxes(if bench.options.quick { 4_000 } else { 400_000 }, scene.half);
            let standard = StandardPlan::new(&plan);
            let expected: Vec<_> = boxes.iter().map(|cell| standard.evaluate(cell)).collect::<Result<_, _>>()?;
            let found = BoxQuery::<3>::new(context, &plan, Model::Standard)?.standard(&boxes)?;
            let words = |forms: &[StandardForm<f32>]| forms.iter().map(form_words).collect::<Vec<_>>();
            outcome.compare(&words(&expected), &words(&found), |cell| format!("box {cell}"));
            outcome.note = format!("{} boxes", boxes.len());
            Ok(())
        })?;
        bench.check(&format!("rays, {}", scene.name), |outcome| rays_of(context, &plan, scene.half, rays, outcome))?;
    }
    Ok(())
}

/// Boxes of many widths round points of the scene.
fn boxes(count: u32, half: f64) -> Vec<[Interval<f32>; 3]> {
    let cell = |i: u32| {
        let unit = |k: u32| f64::from((i * 3 + k).wrapping_mul(0x9e37_79b9) >> 8) / f64::from(1_u32 << 24);
        let width = half * 2f64.powi(-((i % 24) as i32));
        [0, 1, 2].map(|k| {
            let centre = half * (2.0 * unit(k) - 1.0);
            Interval::from_f64(centre - width).join(Interval::from_f64(centre + width))
        })
    };
    (0..count).map(cell).collect()
}

/// Words without the sign of zeros, which no result shows.
fn form_words(form: &StandardForm<f32>) -> Vec<u32> {
    let (b, x, err) = form.parts();
    std::iter::once(b).chain(x.iter().copied()).chain([err]).map(|part| (part + 0.0).to_bits()).collect()
}

fn rays_of(
    context: &gpu_runtime::Context,
    plan: &Plan,
    half: f64,
    count: u32,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let half = half as f32;
    let side = count.isqrt();
    let ray = |i: u32| {
        let [u, v] = [i % side, i / side].map(|k| (k as f32 / side as f32 - 0.5) * 2.4 * half);
        Ray { origin: [u, v, -3.0 * half], direction: [0.05 * v, -0.04 * u, 1.0], near: 0.0, far: 6.0 * half }
    };
    let rays: Vec<Ray> = (0..side * side).map(ray).collect();
    for method in [Method::Sign, Method::Window] {
        let options = MarchOptions {
            first: 0.25 * half,
            least: 1e-3 * half,
            steps: 400,
            method,
            model: Model::Affine,
            rounding: Rounding::Rigorous,
        };
        let expected = march_cpu(plan, &rays, options)?;
        let found = RayQuery::new(context, plan, options)?.hits(&rays)?;
        let words = |hits: &[affine_arith::Hit]| -> Vec<[u32; 2]> {
            hits.iter().map(|hit| [hit.t.to_bits(), hit.steps]).collect()
        };
        outcome.compare(&words(&expected), &words(&found), |ray| format!("ray {ray}, {method:?}"));
    }
    outcome.note = format!("{} rays, two methods", rays.len());
    Ok(())
}
