//! Compilers that share nothing with naga look at the guarded texts of all kernels: Tint (Dawn, Chrome) at the WGSL, DXC at the HLSL.
//!
//! Both come out of packages, which is where a build of them for Linux is to be had; a machine without npm or pip skips them with a line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::artifacts::{Artifacts, CONFORMANCE};
use crate::error::{Result, in_file};
use crate::{devices, shell, workspace};

/// Dawn for Node (MIT; Dawn itself BSD-3-Clause).
const WEBGPU: &str = "webgpu@0.6.2";
/// A package (MIT) whose sources hold libdxcompiler (University of Illinois/NCSA).
const COMPUSHADY: &str = "compushady==0.17.5";

/// Compiles the WGSL with Tint.
pub(crate) fn tint(built: &Artifacts) -> Result<()> {
    if !shell::exists("npm") || !shell::exists("node") {
        println!("skipped Tint: npm and node are not on this machine");
        return Ok(());
    }
    let mut skips = Vec::new();
    // Dawn needs an adapter to make a device, and takes this one.
    let Some(icd) = devices::swiftshader(&mut skips) else {
        println!("skipped Tint: {}", skips.join("; "));
        return Ok(());
    };
    let folder = workspace::target().join("tint");
    let texts = texts(built, &folder)?;
    if !folder.join("node_modules/webgpu").is_dir() {
        let mut npm = Command::new("npm");
        shell::run(npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(WEBGPU))?;
    }
    // Node looks for packages beside the script.
    let script = folder.join("validate.mjs");
    fs::copy(workspace::root().join("tests/tint/validate.mjs"), &script).map_err(in_file(&script))?;
    shell::run(Command::new("node").arg(&script).arg(&texts).env("VK_DRIVER_FILES", icd))
}

/// Compiles the HLSL with DXC.
pub(crate) fn dxc(built: &Artifacts) -> Result<()> {
    let library = match std::env::consts::ARCH {
        arch @ ("x86_64" | "aarch64") if cfg!(target_os = "linux") => format!("libdxcompiler_{arch}.so.3.7"),
        arch => {
            println!("skipped DXC: the package has no library for {} on {arch}", std::env::consts::OS);
            return Ok(());
        }
    };
    if !shell::exists("python3") {
        println!("skipped DXC: python3 is not on this machine");
        return Ok(());
    }
    let folder = workspace::target().join("dxc");
    let texts = texts(built, &folder)?;
    let library = folder.join(library);
    if !library.is_file() {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest"]).arg(&folder);
        if let Err(error) = shell::run(pip.arg(COMPUSHADY)) {
            println!("skipped DXC: {error}");
            return Ok(());
        }
        unpack(&folder, &library)?;
    }
    let script = workspace::root().join("tests/dxc/compile.py");
    shell::run(Command::new("python3").arg(&script).arg(&library).arg(&texts))
}

/// Takes the library out of the package that was fetched into `folder`.
fn unpack(folder: &Path, library: &Path) -> Result<()> {
    let [package, version] = COMPUSHADY.split_once("==").map_or([COMPUSHADY, ""], |(name, version)| [name, version]);
    let stem = format!("{package}-{version}");
    let archive = folder.join(format!("{stem}.tar.gz"));
    let name = library.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(folder).args(["--strip-components=3"]);
    shell::run(tar.arg(format!("{stem}/compushady/backends/{name}")))?;
    fs::remove_file(&archive).map_err(in_file(&archive))
}

/// Writes the texts of all kernels into a folder under `folder`.
fn texts(built: &Artifacts, folder: &Path) -> Result<PathBuf> {
    let texts = folder.join("texts");
    if texts.is_dir() {
        fs::remove_dir_all(&texts).map_err(in_file(&texts))?;
    }
    fs::create_dir_all(folder).map_err(in_file(folder))?;
    shell::run(Command::new(&built.program(CONFORMANCE)?.path).args(["texts", "--out"]).arg(&texts))?;
    Ok(texts)
}
