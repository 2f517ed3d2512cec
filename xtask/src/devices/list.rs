//! Listing adapters in a process of their own: `conformance adapters`.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::manifest;
use crate::error::{Error, Result};
use crate::shell;

/// What a driver says of one adapter: a line of `conformance adapters`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Listed {
    /// Its place in the order of the process that listed it.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// Discrete GPU, software and so on.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Vulkan, Metal, DX12.
    pub(crate) backend: String,
    /// Driver and version.
    pub(crate) driver: String,
}

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, {}, {})", self.name, self.kind, self.backend, self.driver)
    }
}

/// Lists the adapters that a process sees through one driver, or through whatever the system has.
pub(super) fn of_driver(lister: &Path, driver: Option<&Path>) -> Result<Vec<Listed>> {
    let mut command = Command::new(lister);
    command.arg("adapters");
    if let Some(path) = driver {
        manifest::show(&mut command, &[path.to_path_buf()]);
    }
    parse(&shell::output(&mut command)?)
}

fn parse(lines: &str) -> Result<Vec<Listed>> {
    let parsed = lines.lines().filter(|line| line.starts_with('{'));
    parsed.map(|line| serde_json::from_str(line).map_err(|error| unexpected(line, &error))).collect()
}

fn unexpected(line: &str, error: &serde_json::Error) -> Error {
    let expected = "a JSON object of one adapter".into();
    Error::Unexpected { what: "a line of `conformance adapters`".into(), found: format!("{error} in {line}"), expected }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_of_a_driver_between_the_objects_are_passed_over() {
        let line = r#"{"index":1,"name":"llvmpipe","type":"software","backend":"vulkan","driver":"Mesa 22"}"#;
        let listed = parse(&format!("libVulkan.cpp:3958 WARNING: UNSUPPORTED\n{line}\n")).expect("one object");
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].to_string(), "llvmpipe (software, vulkan, Mesa 22)");
        assert!(parse("{\"index\": -1}").is_err());
    }
}
