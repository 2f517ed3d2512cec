//! `package`: what the registry would get, the CPU half without wgpu, the CPU half for WebAssembly, licences.

use crate::error::{Error, Result};
use crate::shell;

/// The crates that are published, dependencies first.
const CRATES: [&str; 8] = [
    "host-memory",
    "gpu-shaders",
    "gpu-runtime",
    "mesh-distance",
    "affine-arith",
    "mesh-decode",
    "sparse-topology",
    "isobit",
];
/// The crates whose feature `gpu` can be off and that run in a browser then.
pub(crate) const CPU: [&str; 5] = ["gpu-shaders", "mesh-distance", "affine-arith", "mesh-decode", "sparse-topology"];
const WASM: &str = "wasm32-unknown-unknown";

/// Options of `package`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack without building what was packed.
    #[arg(long)]
    no_verify: bool,
    /// Pack a tree with changes that are not committed.
    #[arg(long)]
    allow_dirty: bool,
}

/// Every step runs, also after one has failed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let steps: [(&str, &dyn Fn() -> Result<()>); 5] = [
        ("package", &|| package(options)),
        ("without wgpu", &without_wgpu),
        ("CPU half", &crate::ci::clippy_without_gpu),
        ("WebAssembly", &wasm),
        ("licences", &licences),
    ];
    let mut failed = Vec::new();
    for (name, step) in steps {
        println!("== {name}");
        if let Err(error) = step() {
            eprintln!("error: {error}");
            failed.push(name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Error::StepsFailed { steps: failed.join(", ") }) }
}

fn package(options: &Options) -> Result<()> {
    let mut command = shell::cargo();
    command.arg("package").args(CRATES.iter().flat_map(|name| ["-p", *name]));
    let flags = [(options.no_verify, "--no-verify"), (options.allow_dirty, "--allow-dirty")];
    command.args(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag));
    shell::run(&mut command)
}

/// No crate of the CPU half may bring wgpu or naga in.
fn without_wgpu() -> Result<()> {
    for name in CPU.iter().chain(&["isobit"]) {
        let mut command = shell::cargo();
        command.args(["tree", "-p", name, "--no-default-features", "-e", "normal", "--prefix", "none", "-f", "{p}"]);
        let tree = shell::output(&mut command)?;
        let first = |line: &str| line.split(' ').next().unwrap_or("").to_owned();
        if let Some(found) = tree.lines().map(first).find(|p| p == "wgpu" || p == "naga" || p == "gpu-runtime") {
            let (what, expected) = (format!("{name} without the feature gpu"), "neither wgpu nor naga".to_owned());
            return Err(Error::Unexpected { what, found, expected });
        }
    }
    println!("no crate has wgpu or naga without the feature gpu");
    Ok(())
}

/// The CPU halves for the browser; said in a line where the target is not installed.
fn wasm() -> Result<()> {
    let mut command = std::process::Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let folder = shell::output(command.args(["--print", "target-libdir", "--target", WASM]))?;
    if !std::path::Path::new(folder.trim()).is_dir() {
        println!("skipped: the target {WASM} is not installed (`rustup target add {WASM}`)");
        return Ok(());
    }
    for name in CPU {
        let mut command = shell::cargo();
        shell::run(command.args(["check", "--quiet", "-p", name, "--no-default-features", "--target", WASM]))?;
    }
    Ok(())
}

/// Licences, duplicates and sources by `deny.toml`; advisories where the network has them.
fn licences() -> Result<()> {
    if !shell::exists("cargo-deny") {
        println!("skipped: cargo-deny is not installed (`cargo install cargo-deny --locked`)");
        return Ok(());
    }
    shell::run(shell::cargo().args(["deny", "check", "licenses", "bans", "sources"]))
}
