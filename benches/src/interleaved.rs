//! Two builds of the same program timed against each other in one run: their processes alternate, so that both see the same drift of clocks.
//!
//! Each process prints lines of `key=value` words (`.._summary`, of `bench query` and `bench decode`); keys that end in `min_us` and `median_us` are compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use conformance::error::Error;

use crate::table::{markdown, median};

/// Options of a comparison.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The first program.
    #[arg(long, value_name = "FILE")]
    pub a: PathBuf,
    /// The second program.
    #[arg(long, value_name = "FILE")]
    pub b: PathBuf,
    /// Processes of each.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// One row for each figure.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What both are called with, such as: -- decode dgf --device gpu.
    #[arg(last = true, required = true)]
    pub arguments: Vec<String>,
}

/// Figures of one program: by name the values of all rounds.
type Figures = BTreeMap<String, Vec<f64>>;

/// Runs both in turn, prints the figures with their ratios, and writes them.
///
/// # Errors
/// [`Error::File`] for a program that does not start; [`Error::Corpus`] for one that fails or prints no figures.
pub fn start(options: &Options) -> Result<(), Error> {
    let mut figures = [Figures::new(), Figures::new()];
    for round in 0..options.rounds {
        eprintln!("round {} of {} ..", round + 1, options.rounds);
        // Who begins alternates as well.
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        for which in order {
            let program = [&options.a, &options.b][which];
            let text = output(program, &options.arguments)?;
            let found = read_figures(&text);
            if found.is_empty() {
                let what = format!("{}: no line of key=value with min_us or median_us", program.display());
                return Err(Error::Corpus(what));
            }
            for (name, value) in found {
                figures[which].entry(name).or_default().push(value);
            }
        }
    }
    let rows = compare(&figures);
    if let Some(path) = &options.out {
        conformance::report::write_whole(path, csv(&rows))?;
    }
    println!("{}", table(&rows));
    Ok(())
}

fn output(program: &Path, arguments: &[String]) -> Result<String, Error> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|source| Error::File { path: program.to_owned(), source })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Corpus(format!("{}: {}: {said}", program.display(), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The figures of a program's output, under the words of their line that are no figures.
fn read_figures(text: &str) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if !words.next().is_some_and(|word| word.ends_with("_summary")) {
            continue;
        }
        let pairs: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
        let is_figure = |key: &str| key.ends_with("min_us") || key.ends_with("median_us");
        let names = pairs.iter().filter(|(key, _)| !key.ends_with("_us") && *key != "rows");
        let names: Vec<&str> = names.map(|(_, value)| *value).collect();
        for (key, value) in pairs.iter().filter(|(key, _)| is_figure(key)) {
            if let Ok(value) = value.parse() {
                found.push((format!("{} {key}", names.join(" ")), value));
            }
        }
    }
    found
}

/// A figure of both programs: the median over the rounds and the least.
struct Compared {
    name: String,
    median: [f64; 2],
    least: [f64; 2],
    rounds: usize,
}

fn compare([a, b]: &[Figures; 2]) -> Vec<Compared> {
    let both = a.iter().filter_map(|(name, a)| b.get(name).map(|b| (name, a, b)));
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    both.map(|(name, a, b)| Compared {
        name: name.clone(),
        median: [median(a.clone()), median(b.clone())],
        least: [least(a), least(b)],
        rounds: a.len().min(b.len()),
    })
    .collect()
}

fn csv(rows: &[Compared]) -> String {
    let mut text = "figure,rounds,a_median_us,b_median_us,a_over_b,a_least_us,b_least_us,least_a_over_b\n".to_owned();
    for row in rows {
        let ([a, b], [c, d]) = (row.median, row.least);
        text += &format!("{},{},{a:.2},{b:.2},{:.4},{c:.2},{d:.2},{:.4}\n", row.name, row.rounds, a / b, c / d);
    }
    text
}

fn table(rows: &[Compared]) -> String {
    let cells = rows.iter().map(|row| {
        let ([a, b], [c, d]) = (row.median, row.least);
        vec![row.name.clone(), format!("{a:.1}"), format!("{b:.1}"), format!("{:.3}", a / b), format!("{:.3}", c / d)]
    });
    markdown(&["figure", "a, us", "b, us", "a / b", "least a / b"], &cells.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{Figures, compare, csv, read_figures};

    #[test]
    fn figures_are_read_and_compared() {
        let text = "## head\nr1_query_summary format=dgf rows=3 warm_0.1_min_us=2.5 warm_0.1_median_us=4\n\
                    other format=x a_min_us=1\ndecode_summary format=md1 copies=8 one_min_us=7 one_us=9\n";
        let found = read_figures(text);
        let expected = [("dgf warm_0.1_min_us", 2.5), ("dgf warm_0.1_median_us", 4.0), ("md1 8 one_min_us", 7.0)];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
        let of = |values: &[f64]| Figures::from([("k".to_owned(), values.to_vec())]);
        let rows = compare(&[of(&[4.0, 6.0, 5.0]), of(&[10.0, 2.0, 20.0])]);
        assert_eq!((rows[0].median, rows[0].least, rows[0].rounds), ([5.0, 10.0], [4.0, 2.0], 3));
        assert!(csv(&rows).ends_with("k,3,5.00,10.00,0.5000,4.00,2.00,2.0000\n"), "{}", csv(&rows));
    }
}
