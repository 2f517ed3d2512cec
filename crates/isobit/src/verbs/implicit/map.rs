//! `implicit EXPR --png`: proven signs over the plane, bounds over the line.

use affine_arith::{Interval, Mixed, Plan, Sign, sign_map};
use input_text::number;
use serde_json::json;

use super::args::MapArgs;
use super::{Looked, failed};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::picture::plot::{Plot, RIGHT, covered};
use crate::verbs::{grouped, object};

const NEGATIVE: [u8; 3] = [138, 170, 214];
const POSITIVE: [u8; 3] = [247, 243, 232];
const UNKNOWN: [u8; 3] = [36, 36, 44];
const CROSSING: [u8; 3] = [196, 104, 52];
const ZERO: [u8; 3] = [120, 120, 128];
/// Pixels along the longest side of a plot, at least.
const SIDE: usize = 720;

/// Draws the map.
pub(super) fn run(args: &MapArgs, console: Console) -> Result<(), Failure> {
    let file = OutputFile::picture(&args.png)?;
    let mut looked = args.scene().look_flat()?;
    let deep = looked.expr.variables().iter().any(|name| name == "z");
    looked.expr = looked.expr.with_value("z", args.z).map_err(|e| failed(&looked.title, e))?;
    let names = looked.expr.variables();
    let mut phases = Phases::default();
    let curve = names.iter().all(|name| name == "x");
    let place = if deep { format!(", z = {}", number(args.z)) } else { String::new() };
    let (canvas, fields, summary) =
        if curve { line(args, &looked, &place, &mut phases)? } else { plane(args, &looked, &place, &mut phases)? };
    file.write(|out| canvas.write_png(out))?;
    let summary = format!("{}: {summary}\n  wrote {}", looked.title, args.png.display());
    console.answer(object("implicit", Engine::Cpu.describe(), phases, fields), &summary)
}

type Drawn = (Canvas, serde_json::Value, String);

fn plane(args: &MapArgs, looked: &Looked, place: &str, phases: &mut Phases) -> Result<Drawn, Failure> {
    let plan = looked.plan(2)?;
    let bounds = [looked.bounds[0], looked.bounds[1]];
    let signs = phases.time("signs", || sign_map(&plan, bounds, args.level)).map_err(|e| failed(&looked.title, e))?;
    let side = 1_usize << args.level;
    let count = |wanted: Sign| signs.iter().filter(|sign| **sign == wanted).count();
    let (negative, positive, unknown) = (count(Sign::Negative), count(Sign::Positive), count(Sign::Unknown));
    let [n, p, u] = [negative, positive, unknown].map(|count| grouped(count as u64));
    let said = format!("{n} are negative (blue), {p} positive (light), {u} may hold zeros (dark)");
    // Shorter than what is printed: the line is no wider than the picture.
    let caption =
        format!("{side} \u{d7} {side} cells: {n} negative (blue), {p} positive, {u} perhaps zero (dark){place}");
    let canvas = phases.time("draw", || draw_plane(looked, side, &signs, &caption))?;
    let fields = json!({
        "operation": "signs", "expression": looked.title, "bounds": bounds.map(|(low, high)| [low, high]), "level": args.level,
        "negative": negative, "positive": positive, "unknown": unknown, "rigorous": true,
    });
    Ok((canvas, fields, format!("of {} cells {said}", grouped(signs.len() as u64))))
}

/// The cells of the plane; a pixel of several is dark when they differ.
fn draw_plane(looked: &Looked, side: usize, signs: &[Sign], said: &str) -> Result<Canvas, Failure> {
    let (low, high) = ([0, 1].map(|k| looked.bounds[k].0), [0, 1].map(|k| looked.bounds[k].1));
    let largest = (side * (SIDE / side).max(1)) as f64;
    let plot = Plot::of_equal_scales(low, high, [largest; 2], ["x", "y"], "");
    let [width, height] = plot.size();
    let mut canvas = plot.canvas(RIGHT)?;
    plot.fill(&mut canvas, |column, row| {
        let rows = covered(row, height, side);
        let mut cells = rows.flat_map(|j| covered(column, width, side).map(move |i| signs[j * side + i]));
        let first = cells.next().unwrap_or(Sign::Unknown);
        match if cells.all(|sign| sign == first) { first } else { Sign::Unknown } {
            Sign::Negative => NEGATIVE,
            Sign::Positive => POSITIVE,
            Sign::Unknown => UNKNOWN,
        }
    });
    plot.axes(&mut canvas);
    plot.titles(&mut canvas, &looked.title, said);
    Ok(canvas)
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

/// Smallest and largest of the numbers for which `take` holds; the first above the second when there are none.
fn extremes(found: &[(f64, f64)], take: impl Fn(f64) -> bool) -> (f64, f64) {
    let values = found.iter().flat_map(|(lo, hi)| [*lo, *hi]).filter(|x| take(*x));
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

fn line(args: &MapArgs, looked: &Looked, place: &str, phases: &mut Phases) -> Result<Drawn, Failure> {
    let plan = looked.plan(1)?;
    let pieces = 1_usize << args.level;
    let found =
        phases.time("bounds", || ranges(&plan, looked.bounds[0], pieces)).map_err(|e| failed(&looked.title, e))?;
    let (low, high) = extremes(&found, |x| !x.is_nan());
    let crossing = found.iter().filter(|(lo, hi)| *lo <= 0.0 && *hi >= 0.0).count();
    let between = if low <= high { format!("{} to {}", number(low), number(high)) } else { "empty".to_owned() };
    let said = format!("bounds over {pieces} pieces, {between}; {crossing} may hold zeros (orange)");
    let canvas = phases.time("draw", || draw_line(looked, &found, &format!("{said}{place}")))?;
    let (lower, upper) = looked.bounds[0];
    let fields = json!({
        "operation": "bounds", "expression": looked.title, "bounds": [[lower, upper]], "pieces": pieces, "crossing": crossing, "low": low,
        "high": high, "rigorous": true,
    });
    Ok((canvas, fields, said))
}

/// The ranges over the line: an axis with zero, and room above and below.
fn draw_line(looked: &Looked, found: &[(f64, f64)], said: &str) -> Result<Canvas, Failure> {
    let (low, high) = extremes(found, f64::is_finite);
    let (low, high) = (low.min(0.0), high.max(0.0));
    let (low, high) = if low < high && (high - low).is_finite() { (low, high) } else { (-1.0, 1.0) };
    let room = 0.05 * (high - low);
    let (low, high) = (low - room, high + room);
    let (lower, upper) = looked.bounds[0];
    let mut plot = Plot::of_equal_scales([0.0; 2], [3.0, 2.0], [780.0, 520.0], ["x", "bounds"], "");
    (plot.low, plot.high) = ([lower, low], [upper, high]);
    let [width, height] = plot.size();
    let mut canvas = plot.canvas(RIGHT)?;
    let row_of = |y: f64| ((y.clamp(low, high) - low) / (high - low) * (height - 1) as f64).round() as usize;
    let zero = row_of(0.0);
    let columns: Vec<Option<(f64, f64)>> = (0..width)
        .map(|column| {
            let ends = extremes(&found[covered(column, width, found.len())], |x| !x.is_nan());
            (ends.0 <= ends.1).then_some(ends)
        })
        .collect();
    plot.fill(&mut canvas, |column, row| match columns[column] {
        // At least two rows, so that a curve is seen.
        Some((lo, hi)) if row_of(lo) <= row && row <= row_of(hi).max(row_of(lo) + 1) => {
            if lo <= 0.0 && hi >= 0.0 {
                CROSSING
            } else {
                NEGATIVE
            }
        }
        _ if row == zero => ZERO,
        _ => POSITIVE,
    });
    plot.axes(&mut canvas);
    plot.titles(&mut canvas, &looked.title, said);
    Ok(canvas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_room_above_and_below() {
        let looked = |text: &str| Looked {
            expr: text.parse().expect("an expression"),
            title: text.to_owned(),
            bounds: vec![(-1.0, 1.0)],
        };
        let canvas = draw_line(&looked("1"), &[(1.0, 1.0); 8], "").expect("a picture");
        let rows: Vec<usize> =
            canvas.rgb().enumerate().filter(|(_, c)| *c == NEGATIVE).map(|(at, _)| at / canvas.width()).collect();
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        assert!(first > 78 + 15 && last - first == 1, "{first} {last}");
        assert_eq!(extremes(&[(1.0, 2.0), (f64::NAN, f64::NAN)], |x| !x.is_nan()), (1.0, 2.0));
    }

    #[test]
    fn a_box_that_is_no_square_is_drawn_as_wide_as_it_is() {
        let looked = Looked {
            expr: "x".parse().expect("an expression"),
            title: "x".to_owned(),
            bounds: vec![(-1.0, 3.0), (-1.0, 1.0)],
        };
        let signs: Vec<Sign> = (0..256).map(|i| if i % 16 < 4 { Sign::Negative } else { Sign::Positive }).collect();
        let canvas = draw_plane(&looked, 16, &signs, "").expect("a picture");
        let count = |colour: [u8; 3]| canvas.rgb().filter(|c| *c == colour).count() as f64;
        let ratio = count(POSITIVE) / count(NEGATIVE);
        assert!((2.8..3.2).contains(&ratio), "{ratio}");
        assert!(
            (canvas.width() as f64) > 1.5 * (canvas.rgb().count() as f64 / canvas.width() as f64),
            "wider than high"
        );
    }
}
