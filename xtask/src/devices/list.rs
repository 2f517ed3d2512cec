//! Listing adapters in a process of their own.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::manifest;
use crate::error::{Error, Result};
use crate::shell;

/// What a driver says of one adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Its place in the order of the process that listed it.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// Discrete GPU, software and so on.
    pub(crate) kind: String,
    /// Vulkan, Metal, DX12.
    pub(crate) backend: String,
    /// Driver and version.
    pub(crate) driver: String,
}

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, {}, driver {})", self.name, self.kind, self.backend, self.driver)
    }
}

/// Prints the adapters that this process sees, one JSON object a line.
pub(crate) fn print() -> Result<()> {
    for info in gpu_runtime::adapters() {
        let listed = Listed {
            index: info.index,
            name: info.name.clone(),
            kind: format!("{:?}", info.device_type),
            backend: info.backend.clone(),
            driver: info.driver.clone(),
        };
        let line = serde_json::to_string(&listed).map_err(|error| unexpected("adapter", &error.to_string()))?;
        println!("{line}");
    }
    Ok(())
}

/// Lists the adapters that a process sees through one driver, or through whatever the system has.
pub(super) fn of_driver(path: Option<&Path>) -> Result<Vec<Listed>> {
    let program = std::env::current_exe().map_err(|source| Error::Start { command: "xtask".into(), source })?;
    let mut command = Command::new(program);
    command.arg("list-adapters");
    if let Some(path) = path {
        manifest::show(&mut command, &[path.to_path_buf()]);
    }
    parse(&shell::output(&mut command)?)
}

fn parse(lines: &str) -> Result<Vec<Listed>> {
    let parsed = lines.lines().filter(|line| line.starts_with('{'));
    parsed.map(|line| serde_json::from_str(line).map_err(|e| unexpected(line, &e.to_string()))).collect()
}

fn unexpected(what: &str, found: &str) -> Error {
    Error::Unexpected { what: what.into(), found: found.into(), expected: "a JSON object of one adapter".into() }
}

#[cfg(test)]
mod tests {
    use super::{Listed, parse};

    #[test]
    fn lines_of_a_driver_between_the_objects_are_passed_over() {
        let listed = Listed {
            index: 1,
            name: "SwiftShader Device (Subzero)".into(),
            kind: "Software".into(),
            backend: "Vulkan".into(),
            driver: "SwiftShader driver 5.0.0".into(),
        };
        let line = serde_json::to_string(&listed).expect("plain strings");
        let lines = format!("libVulkan.cpp:3958 WARNING: UNSUPPORTED\n{line}\n");
        assert_eq!(parse(&lines).expect("one object"), [listed]);
        assert!(parse("{\"index\": -1}").is_err());
    }
}
