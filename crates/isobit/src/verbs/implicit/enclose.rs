//! `enclose`: bounds of an expression over boxes.

use std::path::Path;

use affine_arith::{Affine, Expr, Interval, Mixed, Plan, Real, Standard};
use input_text::token;
use serde_json::json;

use super::args::{EncloseArgs, EncloseModel, Precision};
use super::failed;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::lines::Lines;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;
use crate::table::{Array, read_text};
use crate::verbs::{counted, numbers_given, object};

/// Variables that an expression may have.
const MOST: usize = 4;

/// Encloses the expression over every box.
pub(crate) fn run(args: &EncloseArgs, console: Console) -> Result<(), Failure> {
    let out = args.out.as_deref().map(output).transpose()?;
    let expr: Expr = args.expression.parse().map_err(|e| failed(&args.expression, e))?;
    let names = expr.variables();
    if names.len() > MOST {
        return Err(Failure::Usage(format!("{} variables (allowed: up to {MOST})", names.len())));
    }
    let plan = Plan::new(&expr, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let plan = plan.map_err(|e| failed(&args.expression, e))?;
    let mut phases = Phases::default();
    let rows = phases.time("read", || rows(&args.boxes, &names))?;
    let bounds = phases.time("enclose", || match args.precision {
        Precision::F32 => all::<f32>(&plan, args, &rows),
        Precision::F64 => all::<f64>(&plan, args, &rows),
    })?;
    let mut text = String::new();
    for (lo, hi) in &bounds {
        text += &format!("{lo:?},{hi:?}\n").to_lowercase();
    }
    let empty = bounds.iter().filter(|(lo, _)| lo.is_nan()).count();
    if let Some(file) = out {
        phases.time("write", || file.write(|out| out.write_all(text.as_bytes())))?;
    }
    let entire = bounds.iter().filter(|(lo, hi)| lo.is_infinite() && hi.is_infinite()).count();
    let fields = json!({
        "expression": args.expression, "variables": names, "boxes": bounds.len(), "entire": entire, "empty": empty,
        "rigorous": true,
        "bounds": if args.out.is_none() { bounds.iter().map(|(lo, hi)| json!([format!("{lo:?}"), format!("{hi:?}")])).collect() } else { Vec::new() },
    });
    let summary = match &args.out {
        Some(path) => {
            let boxes = counted(bounds.len() as u64, "box", "boxes");
            format!("{}: {boxes}, {entire} entire, {empty} empty\n  wrote {}", args.expression, path.display())
        }
        // A person is told in a word.
        None => text.replace("nan,nan", "empty"),
    };
    console.answer(object("enclose", Engine::Cpu.describe(), phases, fields), &summary)
}

fn output(path: &Path) -> Result<OutputFile, Failure> {
    match extension(path).as_str() {
        "csv" => OutputFile::check(path),
        _ => Err(refuse_extension(path, ".csv")),
    }
}

/// How columns of lower and upper bounds are called, with `{}` for the variable.
const BOUNDS: [[&str; 2]; 6] = [
    ["{}_lo", "{}_hi"],
    ["{}_min", "{}_max"],
    ["{}min", "{}max"],
    ["lo_{}", "hi_{}"],
    ["min_{}", "max_{}"],
    ["{}_lower", "{}_upper"],
];

/// The numbers of the boxes: lower and upper bound of each variable in turn.
fn rows(path: &Path, variables: &[String]) -> Result<Vec<Vec<f64>>, Failure> {
    let columns = 2 * variables.len();
    let of = || match variables {
        [] => "no variable".to_owned(),
        names => format!("lower and upper bounds of {}", names.join(", ")),
    };
    let wrong = |row: usize, what: String| Failure::Input(format!("{}:{}: {what}", path.display(), row + 1));
    match extension(path).as_str() {
        "npy" => {
            let array = Array::read(path)?;
            if array.shape.len() != 2 || array.shape[1] != columns as u64 {
                return Err(Failure::file(
                    path,
                    format_args!("shape {:?}, needed n x {columns}: {}", array.shape, of()),
                ));
            }
            let values: Vec<f64> = (0..array.len()).map(|i| array.float(i)).collect();
            Ok(values.chunks(columns.max(1)).map(<[f64]>::to_vec).collect())
        }
        "csv" => {
            let text = read_text(path)?;
            let list =
                |pair: [&str; 2]| variables.iter().flat_map(|v| pair.map(|name| name.replace("{}", v))).collect();
            let lines = Lines::of(&text).choose(&BOUNDS.map(list)).map_err(|what| Failure::file(path, what))?;
            let mut rows = Vec::new();
            for row in lines.rows() {
                let (line, words) = row.map_err(|what| Failure::file(path, what))?;
                let number = |word: &&str| {
                    word.parse::<f64>().map_err(|_| wrong(line - 1, format!("not a number ({})", token(word))))
                };
                let row = words.iter().map(number).collect::<Result<Vec<f64>, Failure>>()?;
                if row.len() != columns {
                    return Err(wrong(line - 1, numbers_given(row.len(), &format!("{columns}: {}", of()))));
                }
                rows.push(row);
            }
            Ok(rows)
        }
        _ => Err(refuse_extension(path, ".csv, .npy")),
    }
}

/// Bounds of every box: entire ones are infinite, empty ones no numbers.
fn all<T: Real>(plan: &Plan, args: &EncloseArgs, rows: &[Vec<f64>]) -> Result<Vec<(f64, f64)>, Failure> {
    let one = |(i, row): (usize, &Vec<f64>)| {
        let named = |e| failed(&format!("{}:{}", args.boxes.display(), i + 1), e);
        let ranges: Vec<Interval<T>> =
            row.chunks_exact(2).map(|pair| range(pair)).collect::<Result<_, _>>().map_err(named)?;
        let value = value(plan, args.model, &ranges).map_err(named)?;
        if value.is_empty() {
            return Ok((f64::NAN, f64::NAN));
        }
        // Zeros have one sign.
        Ok((value.lower().to_f64() + 0.0, value.upper().to_f64() + 0.0))
    };
    rows.iter().enumerate().map(one).collect()
}

fn range<T: Real>(pair: &[f64]) -> Result<Interval<T>, affine_arith::Error> {
    Interval::new(pair[0], pair[1])?;
    Ok(Interval::from_f64(pair[0]).join(Interval::from_f64(pair[1])))
}

fn value<T: Real>(
    plan: &Plan,
    model: EncloseModel,
    ranges: &[Interval<T>],
) -> Result<Interval<T>, affine_arith::Error> {
    let numbered = || ranges.iter().enumerate();
    Ok(match model {
        EncloseModel::Interval => plan.evaluate(ranges)?,
        EncloseModel::Affine => {
            plan.evaluate(&numbered().map(|(k, r)| Affine::<T, MOST>::variable(k, *r)).collect::<Vec<_>>())?.interval()
        }
        EncloseModel::Mixed => {
            plan.evaluate(&numbered().map(|(k, r)| Mixed::<T, MOST>::variable(k, *r)).collect::<Vec<_>>())?.interval()
        }
        EncloseModel::Aa => {
            plan.evaluate(&ranges.iter().map(|r| Standard::variable(*r)).collect::<Vec<_>>())?.interval()
        }
    })
}
