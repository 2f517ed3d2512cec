//! `implicit EXPR --png`: proven signs over the plane, bounds over the line.

use affine_arith::{Interval, Mixed, Plan, Sign, sign_map};
use serde_json::json;

use super::args::MapArgs;
use super::{Looked, failed};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::verbs::{grouped, object};

const NEGATIVE: [u8; 3] = [138, 170, 214];
const POSITIVE: [u8; 3] = [247, 243, 232];
const UNKNOWN: [u8; 3] = [36, 36, 44];

/// Draws the map.
pub(super) fn run(args: &MapArgs, console: Console) -> Result<(), Failure> {
    let file = OutputFile::picture(&args.png)?;
    let mut looked = args.scene().look(2).or_else(|_| args.scene().look(3))?;
    looked.expr = looked.expr.with_value("z", args.z).map_err(|e| failed(&looked.title, e))?;
    let names = looked.expr.variables();
    let mut phases = Phases::default();
    let curve = names.iter().all(|name| name == "x");
    let (canvas, fields, summary) =
        if curve { line(args, &looked, &mut phases)? } else { plane(args, &looked, &mut phases)? };
    file.write(|out| canvas.write_png(out))?;
    let summary = format!("{}: {summary}\n  wrote {}", looked.title, args.png.display());
    console.answer(object("implicit", Engine::Cpu.describe(), phases, fields), &summary)
}

type Drawn = (Canvas, serde_json::Value, String);

fn plane(args: &MapArgs, looked: &Looked, phases: &mut Phases) -> Result<Drawn, Failure> {
    let plan = looked.plan(2)?;
    let bounds = [looked.bounds[0], looked.bounds[1]];
    let signs = phases.time("signs", || sign_map(&plan, bounds, args.level)).map_err(|e| failed(&looked.title, e))?;
    let side = 1_usize << args.level;
    let scale = (512 / side).max(1);
    let mut canvas = Canvas::new((side * scale) as u32, (side * scale) as u32)?;
    canvas.fill_pixels([0, 0, side * scale, side * scale], |column, row| {
        match signs[(side - 1 - row / scale) * side + column / scale] {
            Sign::Negative => NEGATIVE,
            Sign::Positive => POSITIVE,
            Sign::Unknown => UNKNOWN,
        }
    });
    let count = |wanted: Sign| signs.iter().filter(|sign| **sign == wanted).count();
    let (negative, positive, unknown) = (count(Sign::Negative), count(Sign::Positive), count(Sign::Unknown));
    let fields = json!({
        "operation": "signs", "expression": looked.title, "level": args.level, "negative": negative, "positive": positive, "unknown": unknown,
        "rigorous": true,
    });
    let [n, p, u] = [negative, positive, unknown].map(|count| grouped(count as u64));
    Ok((
        canvas,
        fields,
        format!(
            "of {} pixels {n} are negative (blue), {p} positive (light), {u} may hold zeros (dark)",
            grouped(signs.len() as u64)
        ),
    ))
}

/// Ranges of the function over the pieces of the line.
fn ranges(plan: &Plan, (lower, upper): (f64, f64), pieces: usize) -> Result<Vec<(f64, f64)>, affine_arith::Error> {
    let end = |i: usize| lower + (upper - lower) * (i as f64 / pieces as f64);
    let piece = |i: usize| {
        let cell = Interval::new(end(i), end(i + 1))?;
        let value = plan.evaluate(&[Mixed::<f64, 1>::variable(0, cell)])?.interval();
        Ok((value.lower(), value.upper()))
    };
    (0..pieces).map(piece).collect()
}

fn line(args: &MapArgs, looked: &Looked, phases: &mut Phases) -> Result<Drawn, Failure> {
    let plan = looked.plan(1)?;
    let pieces = 1_usize << args.level;
    let found =
        phases.time("bounds", || ranges(&plan, looked.bounds[0], pieces)).map_err(|e| failed(&looked.title, e))?;
    let finite: Vec<f64> = found.iter().flat_map(|(lo, hi)| [*lo, *hi]).filter(|x| x.is_finite()).collect();
    let (low, high) = finite.iter().fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(*x), high.max(*x)));
    let (low, high) = if low < high { (low, high) } else { (-1.0, 1.0) };
    let (width, height) = (900_usize, 600_usize);
    let mut canvas = Canvas::new(width as u32, height as u32)?;
    let row_of = |y: f64| (((high - y.clamp(low, high)) / (high - low)) * (height - 1) as f64) as usize;
    let zero = row_of(0.0);
    canvas.fill_pixels([0, 0, width, height], |column, row| {
        let (lo, hi) = found[column * pieces / width];
        let inside = lo <= hi && row_of(hi) <= row && row <= row_of(lo);
        match (inside, row == zero) {
            (true, _) if lo <= 0.0 && hi >= 0.0 => [196, 104, 52],
            (true, _) => NEGATIVE,
            (false, true) => [120, 120, 128],
            (false, false) => POSITIVE,
        }
    });
    let crossing = found.iter().filter(|(lo, hi)| *lo <= 0.0 && *hi >= 0.0).count();
    let fields = json!({
        "operation": "bounds", "expression": looked.title, "pieces": pieces, "crossing": crossing, "low": low, "high": high, "rigorous": true,
    });
    Ok((canvas, fields, format!("bounds over {pieces} pieces, {low} to {high}; {crossing} may hold zeros (orange)")))
}
