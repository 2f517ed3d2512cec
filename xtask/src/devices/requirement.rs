//! Which adapters must be there: `--require` and ISOBIT_REQUIRE.

use super::list::Listed;

/// Names that must each match an adapter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requirements {
    names: Vec<String>,
}

impl Requirements {
    /// The names of the option and of the environment variable together, each a list with commas.
    pub(crate) fn new(option: &[String], variable: Option<&str>) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in option.iter().flat_map(|list| list.split(',')).chain(variable.unwrap_or("").split(',')) {
            let name = name.trim().to_lowercase();
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        Self { names }
    }

    /// Whether an adapter of this name is required.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.names.iter().any(|wanted| aliases(wanted).contains(&name))
    }

    /// One line for each name that no adapter matches.
    pub(super) fn missing(&self, adapters: &[&Listed]) -> Vec<String> {
        let unmatched = self.names.iter().filter(|name| !adapters.iter().any(|adapter| matches(name, adapter)));
        unmatched.map(|name| format!("required adapter `{name}` is not on this machine")).collect()
    }
}

/// Mesa calls the same driver by two names: lavapipe is the Vulkan driver, llvmpipe the rasteriser it names itself after.
fn aliases(name: &str) -> Vec<&str> {
    match name {
        "lavapipe" | "llvmpipe" => vec!["lavapipe", "llvmpipe"],
        other => vec![other],
    }
}

/// Whether a name occurs in an adapter's name or driver, in any case.
fn matches(name: &str, adapter: &Listed) -> bool {
    let text = format!("{} {}", adapter.name, adapter.driver).to_lowercase();
    aliases(name).iter().any(|alias| text.contains(alias))
}

#[cfg(test)]
mod tests {
    use super::{Listed, Requirements};

    fn adapter(name: &str) -> Listed {
        Listed { index: 0, name: name.into(), kind: "Software".into(), backend: "Vulkan".into(), driver: String::new() }
    }

    #[test]
    fn names_match_in_any_case_and_lavapipe_is_llvmpipe() {
        let llvmpipe = adapter("llvmpipe (LLVM 15.0.6, 256 bits)");
        let swiftshader = adapter("SwiftShader Device (Subzero)");
        let required = Requirements::new(&["Lavapipe,".into()], Some("swiftshader, LAVAPIPE"));
        assert!(required.missing(&[&llvmpipe, &swiftshader]).is_empty());
        assert!(required.wants("llvmpipe"));
        assert_eq!(required.missing(&[&llvmpipe]), ["required adapter `swiftshader` is not on this machine"]);
        assert_eq!(required.missing(&[]).len(), 2);
    }

    #[test]
    fn nothing_is_required_by_default() {
        let required = Requirements::new(&[], None);
        assert!(!required.wants("lavapipe"));
        assert!(required.missing(&[]).is_empty());
    }
}
