//! `fuzz`: mutates the inputs of a reader of untrusted bytes. The targets lie in `fuzz/`, a workspace of its own, since libFuzzer needs a nightly toolchain.

use crate::error::{Error, Result};
use crate::shell;
use crate::workspace;

/// A program of `fuzz/fuzz_targets`.
struct Target {
    /// Its name there.
    name: &'static str,
    /// A folder of files to start from, if any.
    seeds: Option<&'static str>,
}

/// One row a target.
const TARGETS: [Target; 12] = [
    Target { name: "nvdb", seeds: Some("crates/sparse-topology/tests/data") },
    Target { name: "nvdb_fields", seeds: None },
    Target { name: "meshlets", seeds: Some("crates/mesh-decode/tests/data") },
    Target { name: "dgf_fields", seeds: None },
    Target { name: "stride_fields", seeds: None },
    Target { name: "md1_fields", seeds: None },
    Target { name: "meshopt_fields", seeds: None },
    Target { name: "meshopt_streams", seeds: None },
    Target { name: "meshlet_encoders", seeds: None },
    Target { name: "meshes", seeds: Some("fuzz/seeds/meshes") },
    Target { name: "compressed_gltf", seeds: Some("fuzz/seeds/compressed_gltf") },
    Target { name: "expressions", seeds: Some("fuzz/seeds/expressions") },
];

/// Options of `fuzz`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The target; all, one after the other, when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(TARGETS.map(|target| target.name)))]
    target: Option<String>,
    /// Minutes for each target.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    minutes: u64,
}

/// Runs the targets; a failing input is kept under `target/fuzz` and named by the fuzzer.
pub(crate) fn run(options: &Options) -> Result<()> {
    if !shell::exists("cargo-fuzz") {
        return Err(Error::Unexpected {
            what: "cargo-fuzz".into(),
            found: "not installed".into(),
            expected: "`cargo install cargo-fuzz`, and a nightly toolchain".into(),
        });
    }
    let named = |target: &&Target| options.target.as_deref().is_none_or(|name| name == target.name);
    for target in TARGETS.iter().filter(named) {
        fuzz(target, options.minutes)?;
    }
    Ok(())
}

fn fuzz(target: &Target, minutes: u64) -> Result<()> {
    let root = workspace::root();
    let kept = workspace::target().join("fuzz");
    let (corpus, failures) = (kept.join("corpus").join(target.name), kept.join("failures").join(target.name));
    for folder in [&corpus, &failures] {
        std::fs::create_dir_all(folder).map_err(crate::error::in_file(folder))?;
    }
    // Not `shell::cargo`: the cargo that started us belongs to one toolchain, and rustup's proxy is to choose another.
    let mut command = std::process::Command::new("cargo");
    command.current_dir(&root).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").args([
        "+nightly",
        "fuzz",
        "run",
        "--fuzz-dir",
    ]);
    command.arg(root.join("fuzz")).arg("--target-dir").arg(kept.join("build")).arg(target.name).arg(&corpus);
    command.args(target.seeds.map(|seeds| root.join(seeds)));
    command.arg("--").arg(format!("-max_total_time={}", minutes * 60)).args([
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-len_control=0",
    ]);
    command.arg(format!("-artifact_prefix={}/", failures.display()));
    shell::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use crate::workspace::root;

    #[test]
    fn the_table_names_the_targets_that_are_there() {
        let folder = std::fs::read_dir(root().join("fuzz/fuzz_targets")).expect("the targets");
        let file = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut found: Vec<_> = folder.map(|entry| file(entry).to_string_lossy().replace(".rs", "")).collect();
        found.sort();
        let mut named = TARGETS.map(|target| target.name.to_owned()).to_vec();
        named.sort();
        assert_eq!(found, named);
        let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("the manifest");
        for target in &TARGETS {
            assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}", target.name);
            assert!(target.seeds.is_none_or(|seeds| root().join(seeds).is_dir()), "{}", target.name);
        }
    }
}
