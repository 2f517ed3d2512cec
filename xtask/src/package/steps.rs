//! The steps.

use std::path::Path;
use std::process::{Command, Stdio};

use super::metadata::{metadata, release};
use super::{CPU, Options, Outcome, checkout};
use crate::error::{Error, Result};
use crate::{shell, workspace};

const WASM: &str = "wasm32-unknown-unknown";
/// Most bytes of a packed crate that the registry takes.
const MOST: u64 = 10 << 20;

/// `cargo package` of every published crate at once: cargo orders them and lets each be built from what was packed of the others (Rust 1.90).
pub(super) fn package(options: &Options) -> Result<Outcome> {
    let metadata = metadata()?;
    if let Some(name) = metadata.incomplete() {
        return Ok(Outcome::Failed(format!("{name} lacks a description, a licence or a rust-version")));
    }
    let names: Vec<&str> = metadata.published().iter().map(|package| package.name.as_str()).collect();
    // The folder goes away when the step ends.
    let clean = if options.allow_dirty { None } else { Some(checkout::clone()?) };
    let root = clean.as_ref().map_or_else(workspace::root, |folder| folder.path().to_owned());
    let target = workspace::target().join("packed");
    if target.join("package").exists() {
        // Packages of earlier versions.
        std::fs::remove_dir_all(target.join("package")).map_err(crate::error::in_file(&target))?;
    }
    let mut command = shell::cargo();
    command.current_dir(&root).arg("package").arg("--target-dir").arg(&target);
    command.args(names.iter().flat_map(|name| ["-p", *name]));
    let flags = [(options.no_verify, "--no-verify"), (options.allow_dirty, "--allow-dirty")];
    command.args(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag));
    shell::run(&mut command)?;
    let packed = checkout::packages(&target)?;
    packed.iter().for_each(|(name, bytes)| println!("{name}: {bytes} bytes"));
    if let Some((name, bytes)) = packed.iter().find(|(_, bytes)| *bytes > MOST) {
        return Ok(Outcome::Failed(format!("{name} has {bytes} bytes (allowed: {MOST})")));
    }
    let (count, bytes) = (packed.len(), packed.iter().map(|(_, bytes)| bytes).sum::<u64>());
    if count != names.len() {
        return Ok(Outcome::Failed(format!("{count} crates packed (expected {})", names.len())));
    }
    let how = if options.no_verify { "not built" } else { "each built from what was packed" };
    let from = if options.allow_dirty { "the tree as it is" } else { "a clean checkout" };
    Ok(Outcome::Good(format!("{count} crates of {from}, {bytes} bytes, {how}")))
}

/// No crate of the CPU half may bring wgpu or naga in.
pub(super) fn without_wgpu() -> Result<Outcome> {
    for name in CPU.iter().chain(&["isobit"]) {
        let mut command = shell::cargo();
        command.args(["tree", "-p", name, "--no-default-features", "-e", "normal", "--prefix", "none", "-f", "{p}"]);
        let tree = shell::output(&mut command)?;
        let first = |line: &str| line.split(' ').next().unwrap_or("").to_owned();
        if let Some(found) = tree.lines().map(first).find(|p| p == "wgpu" || p == "naga" || p == "gpu-runtime") {
            return Ok(Outcome::Failed(format!("{name} brings {found} in without the feature gpu")));
        }
    }
    Ok(Outcome::Good(format!("{} crates have neither wgpu nor naga without the feature gpu", CPU.len() + 1)))
}

/// The CPU halves build without warnings.
pub(super) fn gpu_off() -> Result<Outcome> {
    crate::ci::clippy_without_gpu()?;
    Ok(Outcome::Good(format!("{} crates build without the feature gpu", CPU.len() + 1)))
}

/// The CPU halves for the browser.
pub(super) fn wasm() -> Result<Outcome> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    let folder = shell::output(command.args(["--print", "target-libdir", "--target", WASM]))?;
    if !Path::new(folder.trim()).is_dir() {
        return Ok(Outcome::NotRun(format!("the target {WASM} is not installed (`rustup target add {WASM}`)")));
    }
    for name in CPU {
        let mut command = shell::cargo();
        shell::run(command.args(["check", "--quiet", "-p", name, "--no-default-features", "--target", WASM]))?;
    }
    Ok(Outcome::Good(format!("{} crates are checked for {WASM}", CPU.len())))
}

/// What the published crates need says of itself that it builds with the oldest Rust that they name.
pub(super) fn oldest_rust_of_dependencies() -> Result<Outcome> {
    let metadata = metadata()?;
    let oldest = metadata.published().iter().filter_map(|package| release(package.rust_version.as_deref()?)).min();
    let Some(oldest) = oldest else { return Ok(Outcome::Failed("no published crate names a rust-version".into())) };
    let needed = metadata.needed();
    let newer = |version: &Option<String>| version.as_deref().and_then(release).is_some_and(|found| found > oldest);
    let list: Vec<String> = needed
        .iter()
        .filter(|package| newer(&package.rust_version))
        .map(|p| format!("{} {} needs {}", p.name, p.version, p.rust_version.as_deref().unwrap_or_default()))
        .collect();
    let silent = needed.iter().filter(|package| package.rust_version.is_none()).count();
    let [major, minor] = oldest;
    Ok(match list.is_empty() {
        true => Outcome::Good(format!("{} packages at Rust {major}.{minor}, {silent} say nothing", needed.len())),
        false => Outcome::Failed(format!("newer than Rust {major}.{minor}: {}", list.join(", "))),
    })
}

/// The published crates with the oldest Rust that they name, where it is installed.
pub(super) fn oldest_rust() -> Result<Outcome> {
    let metadata = metadata()?;
    let Some(version) = metadata.published().iter().find_map(|package| package.rust_version.clone()) else {
        return Ok(Outcome::Failed("no published crate names a rust-version".into()));
    };
    let Some(cargo) = cargo_of(&version) else {
        let how = format!("`rustup toolchain install {version}`");
        return Ok(Outcome::NotRun(format!("Rust {version} is not installed ({how})")));
    };
    let names: Vec<&str> = metadata.published().iter().map(|package| package.name.as_str()).collect();
    let mut command = Command::new(&cargo[0]);
    command.args(&cargo[1..]).current_dir(workspace::root()).args(["check", "--quiet"]);
    command.args(names.iter().flat_map(|name| ["-p", *name]));
    // Products of two compilers do not mix.
    command.arg("--target-dir").arg(workspace::target().join("oldest"));
    // Those of the cargo that started us.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    shell::run(&mut command)?;
    Ok(Outcome::Good(format!("{} crates are checked with Rust {version}", names.len())))
}

/// The words that start cargo of a release: the one at hand if it is of that release, else rustup's.
fn cargo_of(version: &str) -> Option<Vec<String>> {
    let of_release = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("--version").stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let found = text.split(' ').nth(1).and_then(release);
        (found == release(version)).then(|| words.iter().map(|word| (*word).to_owned()).collect())
    };
    of_release(&["cargo"]).or_else(|| of_release(&["rustup", "run", version, "cargo"]))
}

/// Licences, duplicates and sources by `deny.toml`.
pub(super) fn licences() -> Result<Outcome> {
    let Some(mut command) = deny() else { return Ok(no_deny()) };
    shell::run(command.args(["check", "licenses", "bans", "sources"]))?;
    Ok(Outcome::Good("licences, bans and sources by deny.toml".into()))
}

/// Advisories of what the crates depend on; they are fetched.
pub(super) fn advisories() -> Result<Outcome> {
    let Some(mut command) = deny() else { return Ok(no_deny()) };
    command.args(["check", "advisories"]);
    let line = shell::line(&command);
    println!("$ {line}");
    let output = command.output().map_err(|source| Error::Start { command: line.clone(), source })?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    eprint!("{text}");
    Ok(match output.status.success() {
        true => Outcome::Good("no advisory of a dependency".into()),
        // The line that sums a check up; without it there was no list to check against.
        false if text.contains("advisories FAILED") => {
            return Err(Error::Command { command: line, status: output.status.to_string() });
        }
        false => Outcome::NotRun("the advisories could not be fetched".into()),
    })
}

fn no_deny() -> Outcome {
    Outcome::NotRun("cargo-deny is not installed (`cargo install cargo-deny --locked`)".into())
}

fn deny() -> Option<Command> {
    shell::exists("cargo-deny").then(|| {
        let mut command = shell::cargo();
        command.arg("deny");
        command
    })
}

#[cfg(test)]
mod tests {
    use super::cargo_of;

    #[test]
    fn a_release_that_is_not_there_has_no_cargo() {
        assert_eq!(cargo_of("1.0"), None);
        assert_eq!(cargo_of("none at all"), None);
    }
}
