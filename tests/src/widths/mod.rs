//! How wide the results of affine-arith are: medians beside those of vusvna 1.0.2 for the same kinds of inputs, and every elementary function at narrow inputs
//! and at points. Needs no device.

mod inputs;
mod model;
mod rows;

use std::fmt::Write;
use std::path::PathBuf;

use affine_arith::{Affine, Interval, Mixed, Plan};
use rayon::prelude::*;

use crate::error::Error;
use crate::report;
use inputs::{Input, Random, Truth};
use rows::{Domain, FUNCTIONS, ROWS, Row};

/// Options of `conformance widths`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Inputs of every median.
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(16..))]
    pub inputs: u32,
    /// Rows whose names contain this; then no report is written.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    pub out: PathBuf,
}

/// Measures and writes the report.
///
/// # Errors
/// [`Error::Affine`] of an expression, and errors of the files.
pub fn run(options: &Options) -> Result<(), Error> {
    let chosen = |label: &str| options.only.as_ref().is_none_or(|text| label.contains(text.as_str()));
    let count = options.inputs as usize;
    let mut text = head(count);
    for (stream, row) in ROWS.iter().enumerate().filter(|(_, row)| chosen(row.label)) {
        let line = compared(row, stream, count)?;
        print!("{line}");
        text += &line;
    }
    text += &model::table(count, chosen)?;
    text += FUNCTIONS_HEAD;
    for (stream, (function, domain)) in FUNCTIONS.iter().enumerate().filter(|(_, (name, _))| chosen(name)) {
        let line = narrow(function, *domain, ROWS.len() + stream, count)?;
        print!("{line}");
        text += &line;
    }
    if options.only.is_none() {
        let path = options.out.join(format!("{}-affine-widths.md", report::today()));
        report::write_whole(&path, text)?;
        println!("report: {}", path.display());
    }
    Ok(())
}

fn head(count: usize) -> String {
    format!(
        "# Widths of affine-arith\n\n| | |\n|---|---|\n| commit | {} |\n| day | {} |\n\n\
         Medians of (width of the form's range)/(width of the true range), beside those of vusvna 1.0.2 (its column first). {count} inputs a median; true ranges from 257 values, 33 by 33 of two \
         variables, in f64.\n\
         *Own*: vusvna's own inputs (magnitudes from 1e-4 to 300, points, tiny and huge ones, half of them with error terms), 33 values a variable. *1e-4*, *0.1*, *2*: widths of inputs without error terms, \
         centres in [-10, 10], or [1.5, 20] for roots, logarithms, powers, quotients and remainders of two, within a branch of tangent or cotangent. *Points*: median width in floats of the value.\n\
         **Bold**: more than 0.5 % above. Draws differ, which moves a median by some 0.5 %.\n\n\
         | | own | | points | | 1e-4 | | 0.1 | | 2 | |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        report::commit(),
        report::today()
    )
}

const FUNCTIONS_HEAD: &str = "\n## Narrow inputs and points\n\nInputs about 1e-4 wide. *Above*: by how many floats of the largest value the widest result exceeds 1.10 times the true width, by the form alone and with the \
    interval beside it (`Mixed`), and the share of inputs at which the form alone exceeds it by more than 4. *Points*: width in floats of the value at points, median and largest: of the form, and of the interval.\n\n\
    | | median ratio | above, form | share beyond 4 | above, beside | points, form | points, interval |\n|---|---|---|---|---|---|---|\n";

fn plan(text: &str) -> Result<Plan, Error> {
    let failed = |error| Error::Affine(Box::new(error));
    text.parse().and_then(|expr| Plan::new(&expr, &["x", "y"])).map_err(failed)
}

/// The range of a plan's form, and the true one by `samples` values a variable.
fn measured(plan: &Plan, inputs: [Input; 2], samples: usize) -> (Interval<f32>, Truth) {
    let forms = [inputs[0].form(0), inputs[1].form(1)];
    let range = plan.evaluate(&forms).map_or(Interval::ENTIRE, |form: Affine<f32, 2>| form.interval());
    (range, truth(plan, inputs, samples))
}

fn truth(plan: &Plan, [x, y]: [Input; 2], samples: usize) -> Truth {
    let at = |x: f64, y: f64| plan.evaluate(&[x, y]).unwrap_or(f64::NAN);
    let second = plan.sets().iter().any(|set| set & 2 != 0);
    if second {
        return Truth::of(x.samples(33).flat_map(|x| y.samples(33).map(move |y| at(x, y))));
    }
    Truth::of(x.samples(samples).map(|x| at(x, 0.0)))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A row of the first table.
fn compared(row: &Row, stream: usize, count: usize) -> Result<String, Error> {
    let plan = plan(row.text)?;
    let many = |each: &(dyn Fn(&mut Random) -> Option<f64> + Sync)| {
        let values = (0..count).into_par_iter().filter_map(|i| each(&mut Random::of(stream, i)));
        median(values.collect())
    };
    let own = many(&|random| {
        let inputs = [random.mixture(), random.mixture()];
        let (range, truth) = measured(&plan, inputs, 33);
        truth.ratio(range)
    });
    let drawn =
        |random: &mut Random, width: f64| [0; 2].map(|_| Input { range: random.range(row.domain, width), error: 0.0 });
    let points = many(&|random| {
        let inputs = drawn(random, 0.0);
        let (range, truth) = measured(&plan, inputs, 2);
        truth.floats_wide(range)
    });
    let [narrow, medium, wide] = [1e-4, 0.1, 2.0].map(|width| {
        many(&|random| {
            let (range, truth) = measured(&plan, drawn(random, width), 257);
            truth.ratio(range)
        })
    });
    let mut line = format!("| {} ", row.label);
    let [first, second, third] = row.medians;
    let pairs = [(row.own, own), (row.point, points), (first, narrow), (second, medium), (third, wide)];
    for (k, (theirs, ours)) in pairs.into_iter().enumerate() {
        let shown = |value: f64| match value {
            _ if value.is_nan() => "-".to_owned(),
            _ if k == 1 => format!("{value:.1}"),
            _ => format!("{value:.3}"),
        };
        let [theirs, bold] = [shown(theirs), if ours > 1.005 * theirs { "**".into() } else { String::new() }];
        let _ = write!(line, "| {theirs} | {bold}{}{bold} ", shown(ours));
    }
    Ok(line + "|\n")
}

/// A row of the second table.
fn narrow(text: &str, domain: Domain, stream: usize, count: usize) -> Result<String, Error> {
    let plan = plan(text)?;
    let rows: Vec<_> = (0..count)
        .into_par_iter()
        .map(|i| {
            let mut random = Random::of(stream, i);
            let input = |range| Input { range, error: 0.0 };
            let narrow = input(random.range(domain, 1e-4));
            let point = input(random.range(domain, 0.0));
            let (form, truth) = measured(&plan, [narrow; 2], 257);
            let beside = plan.evaluate(&[Mixed::<f32, 2>::variable(0, narrow.range); 2]);
            let beside = beside.map_or(Interval::ENTIRE, |mixed| mixed.interval());
            let (at_point, value) = measured(&plan, [point; 2], 2);
            let tight = plan.evaluate(&[point.range; 2]).unwrap_or(Interval::ENTIRE);
            let above = |range| truth.floats_above(range, 1.10);
            (truth.ratio(form), [above(form), above(beside), value.floats_wide(at_point), value.floats_wide(tight)])
        })
        .collect();
    let ratio = median(rows.iter().filter_map(|(ratio, _)| *ratio).collect());
    let column = |k: usize| rows.iter().filter_map(|(_, row)| row[k]).collect::<Vec<f64>>();
    let most = |k: usize| column(k).into_iter().fold(f64::NEG_INFINITY, f64::max);
    let beyond = column(0).into_iter().filter(|above| *above > 4.0).count();
    let share = 100.0 * beyond as f64 / count as f64;
    Ok(format!(
        "| {text} | {ratio:.3} | {:.2} | {share:.2} % | {:.2} | {:.1}, {:.1} | {:.1}, {:.1} |\n",
        most(0),
        most(1),
        median(column(2)),
        most(2),
        median(column(3)),
        most(3)
    ))
}
