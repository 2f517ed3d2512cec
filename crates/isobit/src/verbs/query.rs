//! `query`: distance, closest point, triangle and feature of listed points, and what else is chosen.

pub(crate) mod columns;
mod tables;

use mesh_distance::{Answers, Criterion, MaxDistance, Question, WindingOptions, is_miss};
use serde_json::json;

use self::tables::Table;
use super::{counted, object, read_mesh};
use crate::cli::{Common, QueryArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{Precision, Sign, extension};
use crate::output::OutputFile;
use crate::signed_grid::{Column, Number};

/// Answers the points and writes what was asked for.
pub(crate) fn run(args: &QueryArgs, common: &Common, console: Console) -> Result<(), Failure> {
    match args.precision {
        Precision::F32 => answer::<f32>(args, common, console),
        Precision::F64 => answer::<f64>(args, common, console),
    }
}

fn answer<R: Column>(args: &QueryArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let out = args.out.as_ref().map(|path| OutputFile::check(path)).transpose()?;
    if let Some(path) = &args.out {
        columns::check_extension(path)?;
    }
    if args.beta.is_some() && !args.outputs.winding() {
        return Err(Failure::Usage("--beta is of winding numbers (allowed: with --outputs winding)".to_owned()));
    }
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    let finite = |x: f64| if x.is_finite() { Ok(x) } else { Err(format!("not a finite number ({x})")) };
    let points = phases.time("points", || {
        crate::table::triples(&args.points, |array, i| finite(array.float(i)), crate::options::finite)
    })?;
    let engine = Engine::open(common, console)?;
    let (sign, sign_reason) = super::sign_for(args.sign, &args.mesh, &mesh.report(), console)?;
    let question = question(args, sign)?;
    let failed = |e| Failure::of_mesh(&args.points, e);
    let surface = phases.time("build", || R::surface(&mesh)).map_err(|e| Failure::of_mesh(&args.mesh, e))?;
    let options = args.beta.map_or_else(WindingOptions::default, |beta| WindingOptions::new(beta, Criterion::Radius));
    let wanted = args.outputs.winding().then_some(options);
    let (answers, winding): (Answers<R>, Vec<f64>) = match &engine {
        Engine::Cpu => {
            let answers = phases.time("query", || surface.query_cpu(&points, &question)).map_err(failed)?;
            let number = |options| phases.time("winding", || surface.winding_cpu(&points, options));
            (answers, wanted.map_or(Ok(Vec::new()), number).map_err(failed)?)
        }
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => {
            let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
            let device = uploaded.map_err(|e| Failure::of_mesh(&args.mesh, e))?;
            let answers = phases.time("query", || device.query(&points, &question)).map_err(failed)?;
            let number = |options| phases.time("winding", || device.winding(&points, options));
            (answers, wanted.map_or(Ok(Vec::new()), number).map_err(failed)?)
        }
    };
    if let (Some(path), Some(file)) = (&args.out, out) {
        let table = Table::new(&points, &args.outputs, &answers, &winding);
        phases.time("write", || file.write(|out| table.write(&extension(path), out)))?;
    }
    let fields = fields(&answers, mesh.triangles.len(), sign, &sign_reason);
    let mut summary = format!(
        "{}: {}, {} inside, {} missed, on {}: {:.3} s",
        args.mesh.display(),
        counted(points.len() as u64, "point", "points"),
        fields["inside"],
        fields["missed"],
        engine.label(),
        phases.get("query")
    );
    if let Some(path) = &args.out {
        summary += &format!("\n  wrote {}", path.display());
    }
    console.answer(object("query", engine.describe(), phases, fields), &summary)
}

/// What is asked of each point.
fn question(args: &QueryArgs, sign: Sign) -> Result<Question<'static>, Failure> {
    if sign == Sign::None && args.outputs.inside() {
        return Err(Failure::Usage(
            "--sign none tells no inside (allowed: a sign that does, or other --outputs)".to_owned(),
        ));
    }
    Ok(Question {
        outputs: args.outputs.chosen(),
        sign: sign.into(),
        max_distance: args.max_distance.map_or(MaxDistance::Unlimited, MaxDistance::All),
        motion: None,
    })
}

fn fields<R: Number>(answers: &Answers<R>, triangles: usize, sign: Sign, sign_reason: &str) -> serde_json::Value {
    let hits = answers.distance.iter().zip(&answers.triangle).filter(|(_, t)| !is_miss(**t)).map(|(d, _)| *d);
    let least = hits.clone().reduce(|x, y| if y < x { y } else { x });
    json!({
        "triangles": triangles,
        "points": answers.distance.len(),
        "inside": answers.inside.iter().filter(|inside| **inside).count(),
        "missed": answers.triangle.iter().filter(|t| is_miss(**t)).count(),
        "min": least.map(Into::<serde_json::Value>::into),
        "max": hits.reduce(|x, y| if y > x { y } else { x }).map(Into::<serde_json::Value>::into),
        "sign": sign.name(),
        "sign_reason": sign_reason,
        "precision": R::NAME,
    })
}
