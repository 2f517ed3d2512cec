//! The adapters of this machine, found driver by driver.
//!
//! On systems with the Vulkan loader's driver manifests (Linux, BSD) every manifest is looked at by a process of its own
//! that sees that driver alone, and its tests run in such processes too: a driver that crashes or hangs takes nobody
//! else down. Elsewhere (Metal, DX12) one process lists all adapters.

mod debian;
mod list;
mod manifest;
mod requirement;
mod swiftshader;

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use debian::provide_compiler;
pub(crate) use requirement::Requirements;
pub(crate) use swiftshader::provide as swiftshader;

use list::Listed;

/// One adapter, with what a process needs to see it alone.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// What the driver says of it.
    pub(crate) adapter: Listed,
    /// The manifest of its Vulkan driver, where there are manifests.
    pub(crate) manifest: Option<PathBuf>,
}

impl Target {
    /// Lets a process see this adapter alone.
    pub(crate) fn restrict(&self, command: &mut Command) {
        if let Some(path) = &self.manifest {
            manifest::show(command, std::slice::from_ref(path));
        }
        command.env("ISOBIT_DEVICE", self.adapter.index.to_string());
    }
}

/// What was found, and what was not.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Every adapter, in order of manifest and index.
    pub(crate) targets: Vec<Target>,
    /// One line for each thing that is missing but was not required.
    pub(crate) skips: Vec<String>,
    /// One line for each required adapter that is missing.
    pub(crate) missing: Vec<String>,
}

impl Survey {
    /// Lets a process see every adapter that was found, and no driver that showed none.
    pub(crate) fn show_all(&self, command: &mut Command) {
        let mut manifests: Vec<PathBuf> = self.targets.iter().filter_map(|t| t.manifest.clone()).collect();
        manifests.dedup();
        if !manifests.is_empty() {
            manifest::show(command, &manifests);
        }
    }
}

/// Drivers that were found or installed; nothing was asked of them yet.
pub(crate) struct Drivers {
    manifests: Vec<PathBuf>,
    /// One line for each driver that cannot be had here.
    pub(crate) skips: Vec<String>,
}

impl Drivers {
    /// Finds the machine's drivers and adds the software drivers that can be had here.
    pub(crate) fn provide(required: &Requirements) -> Self {
        let mut skips = Vec::new();
        debian::provide_lavapipe(required, &mut skips);
        let unpacked = swiftshader::provide(&mut skips);
        let mut manifests = manifest::of_system();
        manifests.extend(unpacked);
        Self { manifests, skips }
    }

    /// Asks each driver for its adapters, by the program `conformance`, and compares them with what is required.
    pub(crate) fn survey(self, lister: &Path, required: &Requirements) -> Survey {
        let mut survey = Survey { skips: self.skips, ..Survey::default() };
        if self.manifests.is_empty() {
            survey.add(lister, None);
        }
        for path in self.manifests {
            survey.add(lister, Some(path));
        }
        let seen: Vec<&Listed> = survey.targets.iter().map(|target| &target.adapter).collect();
        survey.missing = required.missing(&seen);
        survey
    }
}

impl Survey {
    fn add(&mut self, lister: &Path, manifest: Option<PathBuf>) {
        match list::of_driver(lister, manifest.as_deref()) {
            Ok(adapters) => {
                self.targets.extend(adapters.into_iter().map(|adapter| Target { adapter, manifest: manifest.clone() }));
            }
            Err(error) => {
                let driver = manifest.map_or_else(|| "the system's drivers".into(), |path| path.display().to_string());
                self.skips.push(format!("{driver}: {error} while it listed its adapters"));
            }
        }
    }
}
