//! Building all tests and finding the binaries.

use std::path::PathBuf;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::shell;

/// One compiled test binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestBinary {
    /// The package it belongs to.
    pub(crate) package: String,
    /// The target's name: the library's, or the file's in `tests/`.
    pub(crate) target: String,
    /// The package's folder, in which cargo runs it.
    pub(crate) folder: PathBuf,
    /// The file to run.
    pub(crate) path: PathBuf,
}

/// Builds the tests of the whole workspace by one call, so that every package sees the same features.
pub(crate) fn build() -> Result<Vec<TestBinary>> {
    let mut command = shell::cargo();
    command.args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]);
    println!("$ {}", shell::line(&command));
    let binaries = parse(&shell::output(&mut command)?);
    if binaries.is_empty() {
        let (what, found) = ("the build of the tests".into(), "no test binary".into());
        return Err(Error::Unexpected { what, found, expected: "at least one".into() });
    }
    Ok(binaries)
}

/// The test binaries among cargo's messages, in order of package and target.
fn parse(messages: &str) -> Vec<TestBinary> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut binaries: Vec<TestBinary> = messages.filter_map(|message| test_binary(&message)).collect();
    binaries.sort_by(|a, b| (&a.package, &a.target).cmp(&(&b.package, &b.target)));
    binaries
}

fn test_binary(message: &Value) -> Option<TestBinary> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    Some(TestBinary {
        package: package_name(message["package_id"].as_str()?)?,
        target: message["target"]["name"].as_str()?.to_string(),
        folder: manifest.parent()?.to_path_buf(),
        path: PathBuf::from(message["executable"].as_str()?),
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
    use super::{package_name, parse};

    const MESSAGES: &str = r#"
{"reason":"compiler-artifact","package_id":"path+file:///w/tests#conformance@0.1.0","manifest_path":"/w/tests/Cargo.toml","target":{"name":"scan"},"profile":{"test":true},"executable":"/w/t/scan-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/benches#0.1.0","manifest_path":"/w/benches/Cargo.toml","target":{"name":"benches"},"profile":{"test":true},"executable":"/w/t/benches-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/tests#conformance@0.1.0","manifest_path":"/w/tests/Cargo.toml","target":{"name":"conformance"},"profile":{"test":false},"executable":null}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn only_test_binaries_are_taken() {
        let found = parse(MESSAGES);
        let names: Vec<_> = found.iter().map(|b| (b.package.as_str(), b.target.as_str())).collect();
        assert_eq!(names, [("benches", "benches"), ("conformance", "scan")]);
        assert_eq!(found[1].folder.to_str(), Some("/w/tests"));
    }

    #[test]
    fn package_ids_of_both_forms_give_the_name() {
        assert_eq!(package_name("path+file:///w/crates/isobit#0.1.0").as_deref(), Some("isobit"));
        assert_eq!(package_name("path+file:///w/shaders#gpu-shaders@0.1.0").as_deref(), Some("gpu-shaders"));
    }
}
