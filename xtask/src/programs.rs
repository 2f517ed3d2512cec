//! `conformance` and `bench`: programs of their own, built for release, which also run without cargo and the sources.
//!
//! To certify a machine that has neither, carry `target/release/conformance` and `target/release/bench` there.

use crate::error::Result;
use crate::shell;

/// Options of the program, passed on as they are.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// Options of the program (`--help` lists them).
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    rest: Vec<String>,
}

/// Builds and runs a verb of a package's program.
pub(crate) fn run(options: &Options, package: &str, program: &str, verb: &str) -> Result<()> {
    crate::devices::provide_compiler()?;
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--release", "--package", package, "--bin", program, "--", verb]);
    command.args(&options.rest).env("ISOBIT_COMMIT", commit());
    shell::run(&mut command)
}

/// Runs the sweeps: of all crates, or with `functions` first those of the functions of affine-arith.
pub(crate) fn conformance(options: &Options) -> Result<()> {
    let (verb, rest) = match &options.rest[..] {
        [first, rest @ ..] if first == "functions" => ("functions", rest.to_vec()),
        words => ("sweep", words.to_vec()),
    };
    run(&Options { rest }, "conformance", "conformance", verb)
}

/// Runs the benches: of all crates in one table, or of the crate that is named first; some have more than one (`mesh-distance --signs`, `--queries`, `--one-core`,
/// `mesh-decode --query`, `--compression`).
pub(crate) fn bench(options: &Options) -> Result<()> {
    let (verb, rest) = bench_verb(&options.rest);
    run(&Options { rest }, "benches", "bench", verb)
}

fn bench_verb(words: &[String]) -> (&'static str, Vec<String>) {
    let Some((package, rest)) = words.split_first() else { return ("all", Vec::new()) };
    // The crate's verb, and the options that choose another one.
    let (verb, others): (_, &[(&str, &str)]) = match package.as_str() {
        "affine-arith" => ("affine", &[]),
        "mesh-decode" => ("decode", &[("--query", "query"), ("--compression", "compression")]),
        "mesh-distance" => ("run", &[("--signs", "signs"), ("--queries", "queries"), ("--one-core", "one-core")]),
        "sparse-topology" => ("topology", &[]),
        _ => return ("all", words.to_vec()),
    };
    let named = others.iter().find(|(option, _)| rest.iter().any(|word| word == option));
    let rest = rest.iter().filter(|word| named.is_none_or(|(option, _)| word != option)).cloned().collect();
    (named.map_or(verb, |(_, verb)| *verb), rest)
}

/// The commit of the sources, marked when they were changed since.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        let output = command.args(arguments).current_dir(crate::workspace::root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let Some(hash) = git(&["rev-parse", "--short=12", "HEAD"]) else { return "unknown".into() };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|lines| !lines.is_empty());
    if changed { format!("{hash} with changes") } else { hash }
}

#[cfg(test)]
mod tests {
    use super::bench_verb;

    #[test]
    fn the_words_choose_the_verb() {
        let ask = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            let (verb, rest) = bench_verb(&words);
            format!("{verb} {}", rest.join(" "))
        };
        assert_eq!(ask("mesh-decode --query --device gpu"), "query --device gpu");
        assert_eq!(ask("mesh-decode --compression --bits 12"), "compression --bits 12");
        assert_eq!(ask("mesh-decode dgf --device gpu"), "decode dgf --device gpu");
        assert_eq!(ask("mesh-distance --device gpu"), "run --device gpu");
        assert_eq!(ask("mesh-distance --device gpu --signs"), "signs --device gpu");
        assert_eq!(ask("sparse-topology --check"), "topology --check");
        assert_eq!(ask("--quick"), "all --quick");
        assert_eq!(ask(""), "all ");
    }
}
