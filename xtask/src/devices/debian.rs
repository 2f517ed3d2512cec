//! What the tests need from the packages of Debian and Ubuntu: Mesa's software Vulkan driver, lavapipe, and a C++ compiler.

use std::fs;
use std::process::{Command, Stdio};

use super::{Requirements, manifest};
use crate::error::{Error, Result};
use crate::shell;

/// The driver and the Vulkan loader.
const DRIVER: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];
/// Builds meshoptimizer, with which tests and benches compare.
const COMPILER: [&str; 1] = ["g++"];

/// Installs lavapipe where this system has no Vulkan driver, or lacks lavapipe and it is required.
///
/// That is done on Debian and Ubuntu as root alone; elsewhere the command is printed and noted as a skip.
pub(super) fn provide_lavapipe(required: &Requirements, skips: &mut Vec<String>) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let manifests = manifest::of_system();
    let has_lavapipe = manifests.iter().any(|path| path.to_string_lossy().contains("lvp_icd"));
    if !manifests.is_empty() && (has_lavapipe || !required.wants("lavapipe")) {
        return;
    }
    let why = if manifests.is_empty() { "no Vulkan driver" } else { "no lavapipe" };
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !is_debian_like(&release) || !is_root() {
        let command = install_hint(&release);
        skips.push(format!("{why} on this machine: `{command}` installs one; the rest is tested without it"));
        return;
    }
    if let Err(error) = install(why, &DRIVER) {
        skips.push(format!("lavapipe could not be installed: {error}"));
    }
}

/// Installs a C++ compiler where there is none: on Debian and Ubuntu as root alone.
///
/// # Errors
/// What is missing and how to get it.
pub(crate) fn provide_compiler() -> Result<()> {
    let named = std::env::var_os("CXX").is_some();
    if named || !cfg!(target_os = "linux") || shell::exists("c++") {
        return Ok(());
    }
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !is_debian_like(&release) || !is_root() {
        return Err(Error::NoCompiler { hint: compiler_hint(&release) });
    }
    install("no C++ compiler", &COMPILER)
}

fn install(why: &str, packages: &[&str]) -> Result<()> {
    println!("{why} on this machine: installing {} with apt", packages.join(" "));
    apt(&["update", "-q"])?;
    apt(&[&["install", "-q", "-y", "--no-install-recommends"][..], packages].concat())
}

fn apt(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).stdout(Stdio::null());
    shell::run(&mut command)
}

/// Whether `/etc/os-release` names Debian, Ubuntu or a system derived from one of them.
fn is_debian_like(release: &str) -> bool {
    is_like(release, &["debian", "ubuntu"])
}

/// Whether `/etc/os-release` names one of these systems, or one derived from them.
fn is_like(release: &str, systems: &[&str]) -> bool {
    let fields = release.lines().filter_map(|line| line.split_once('='));
    fields
        .filter(|(key, _)| matches!(*key, "ID" | "ID_LIKE"))
        .flat_map(|(_, value)| value.trim_matches('"').split_whitespace())
        .any(|word| systems.contains(&word))
}

/// The command that installs the driver on this system.
fn install_hint(release: &str) -> &'static str {
    if is_debian_like(release) {
        "sudo apt-get install mesa-vulkan-drivers libvulkan1"
    } else if is_like(release, &["fedora", "rhel"]) {
        "sudo dnf install mesa-vulkan-drivers vulkan-loader"
    } else if is_like(release, &["arch"]) {
        "sudo pacman -S vulkan-swrast vulkan-icd-loader"
    } else if is_like(release, &["alpine"]) {
        "sudo apk add mesa-vulkan-swrast vulkan-loader"
    } else {
        "your package manager's Mesa Vulkan drivers (lavapipe) and Vulkan loader"
    }
}

/// The command that installs a C++ compiler on this system.
fn compiler_hint(release: &str) -> &'static str {
    if is_debian_like(release) {
        "`sudo apt-get install g++` installs one"
    } else if is_like(release, &["fedora", "rhel"]) {
        "`sudo dnf install gcc-c++` installs one"
    } else {
        "your package manager has one: g++ or clang++"
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::{compiler_hint, install_hint, is_debian_like};

    #[test]
    fn debian_and_its_derivatives_are_known() {
        assert!(is_debian_like("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(is_debian_like("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian_like("ID=fedora\nNAME=\"not debian\"\n"));
        assert!(!is_debian_like(""));
    }

    #[test]
    fn every_system_gets_a_command() {
        assert!(install_hint("ID=fedora\n").contains("dnf"));
        assert!(install_hint("ID=ubuntu\n").contains("apt-get"));
        assert!(install_hint("ID=plan9\n").contains("lavapipe"));
        assert!(compiler_hint("ID=debian\n").contains("apt-get install g++"));
        assert!(compiler_hint("ID=plan9\n").contains("clang++"));
    }
}
