//! Building all tests and finding the binaries.
//!
//! This program itself depends on no crate of the workspace, so it is built in seconds. Whatever needs a device lies in
//! binaries of the workspace, and all of those come from one build with one set of features: another selection of
//! packages would make cargo compile wgpu a second time.

use std::path::PathBuf;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::shell;

/// The package whose tests compare the CPU with adapters; its program lists adapters and runs the long sweeps.
pub(crate) const CONFORMANCE: &str = "conformance";

/// One compiled binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    /// The package it belongs to.
    pub(crate) package: String,
    /// The target's name: the library's, the program's, or the file's in `tests/`.
    pub(crate) target: String,
    /// The package's folder, in which cargo runs it.
    pub(crate) folder: PathBuf,
    /// The file to run.
    pub(crate) path: PathBuf,
    /// Whether it is a test harness; else a program.
    pub(crate) test: bool,
}

/// What one build made.
#[derive(Debug)]
pub(crate) struct Artifacts {
    binaries: Vec<Binary>,
}

impl Artifacts {
    /// Builds the tests and programs of the whole workspace.
    pub(crate) fn build() -> Result<Self> {
        crate::devices::provide_compiler()?;
        let mut command = shell::cargo();
        // Examples are compiled by clippy, and linked by those who run them.
        command.args(["test", "--workspace", "--tests", "--no-run", "--message-format=json-render-diagnostics"]);
        println!("$ {}", shell::line(&command));
        let artifacts = Self::parse(&shell::output(&mut command)?);
        // Without it nothing can be said of adapters, whatever else was built.
        artifacts.program(CONFORMANCE)?;
        Ok(artifacts)
    }

    /// The test binaries, in order of package and target.
    pub(crate) fn tests(&self) -> impl Iterator<Item = &Binary> {
        self.binaries.iter().filter(|binary| binary.test)
    }

    /// The program of this name.
    pub(crate) fn program(&self, name: &str) -> Result<&Binary> {
        self.find(|binary| !binary.test && binary.target == name, name)
    }

    /// The test binary of a file in `tests/tests`.
    pub(crate) fn conformance_test(&self, target: &str) -> Result<&Binary> {
        self.find(|b| b.test && b.package == CONFORMANCE && b.target == target, target)
    }

    fn find(&self, wanted: impl Fn(&Binary) -> bool, name: &str) -> Result<&Binary> {
        let missing = || Error::Unexpected {
            what: "the build of the tests".into(),
            found: format!("{} binaries, no `{name}`", self.binaries.len()),
            expected: name.into(),
        };
        self.binaries.iter().find(|binary| wanted(binary)).ok_or_else(missing)
    }

    /// The binaries among cargo's messages.
    fn parse(messages: &str) -> Self {
        let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut binaries: Vec<Binary> = messages.filter_map(|message| binary(&message)).collect();
        binaries.sort_by(|a, b| (&a.package, &a.target).cmp(&(&b.package, &b.target)));
        Self { binaries }
    }
}

fn binary(message: &Value) -> Option<Binary> {
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    Some(Binary {
        package: package_name(message["package_id"].as_str()?)?,
        target: message["target"]["name"].as_str()?.to_string(),
        folder: manifest.parent()?.to_path_buf(),
        path: PathBuf::from(message["executable"].as_str()?),
        test: message["profile"]["test"].as_bool()?,
    })
}

/// The name in a package id: `path+file:///w/tests#conformance@0.1.0`, or `path+file:///w/benches#0.1.0` when it equals
/// the folder's.
fn package_name(id: &str) -> Option<String> {
    let (url, fragment) = id.rsplit_once('#')?;
    let name = match fragment.split_once('@') {
        Some((name, _)) => name,
        None => url.rsplit('/').next()?,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Artifacts, package_name};

    const MESSAGES: &str = r#"
{"reason":"compiler-artifact","package_id":"path+file:///w/tests#conformance@0.1.0","manifest_path":"/w/tests/Cargo.toml","target":{"name":"scan"},"profile":{"test":true},"executable":"/w/t/scan-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/benches#0.1.0","manifest_path":"/w/benches/Cargo.toml","target":{"name":"benches"},"profile":{"test":true},"executable":"/w/t/benches-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/tests#conformance@0.1.0","manifest_path":"/w/tests/Cargo.toml","target":{"name":"conformance"},"profile":{"test":false},"executable":"/w/t/conformance"}
{"reason":"compiler-artifact","package_id":"path+file:///w/shaders#gpu-shaders@0.1.0","manifest_path":"/w/shaders/Cargo.toml","target":{"name":"gpu_shaders"},"profile":{"test":false},"executable":null}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn binaries_are_found_among_the_messages() {
        let found = Artifacts::parse(MESSAGES);
        let names: Vec<_> = found.tests().map(|b| (b.package.as_str(), b.target.as_str())).collect();
        assert_eq!(names, [("benches", "benches"), ("conformance", "scan")]);
        assert_eq!(found.program("conformance").map(|b| b.path.clone()).ok(), Some("/w/t/conformance".into()));
        assert!(found.conformance_test("scan").is_ok_and(|b| b.folder.ends_with("tests")));
        let error = found.program("isobit").expect_err("not built").to_string();
        assert!(error.contains("3 binaries, no `isobit`"), "{error}");
    }

    #[test]
    fn package_ids_of_both_forms_give_the_name() {
        assert_eq!(package_name("path+file:///w/crates/isobit#0.1.0").as_deref(), Some("isobit"));
        assert_eq!(package_name("path+file:///w/shaders#gpu-shaders@0.1.0").as_deref(), Some("gpu-shaders"));
    }
}
