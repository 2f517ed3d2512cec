//! wgpu and naga are named by `crates/gpu-runtime` alone.

use super::Finding;
use crate::workspace::SourceFile;

const HOME: &str = "crates/gpu-runtime/";
const NAMES: [&str; 2] = ["wgpu", "naga"];

/// Checks the Rust files and manifests of every other package.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with(HOME)) {
        let names: fn(&str, &str) -> bool = match source.extension() {
            "rs" => code_names,
            // The manifest of the workspace holds the one shared version of each.
            "toml" if source.name() == "Cargo.toml" && source.path != "Cargo.toml" => manifest_names,
            _ => continue,
        };
        for (number, line) in source.text.lines().enumerate() {
            for name in NAMES.into_iter().filter(|name| names(line, name)) {
                findings.push(Finding::fault(&source.path, number + 1, format!("names {name}; only gpu-runtime may")));
            }
        }
    }
    findings
}

/// Whether the code of a line uses a path of this crate.
fn code_names(line: &str, name: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    let path = code.match_indices(&format!("{name}::")).any(|(at, _)| !follows_a_word(code, at));
    path || code.trim_start().trim_start_matches("pub ").starts_with(&format!("use {name};"))
}

/// Whether the text before a place ends in a letter of the same word.
fn follows_a_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a line of a manifest depends on this crate.
fn manifest_names(line: &str, name: &str) -> bool {
    let rest = line.trim_start().strip_prefix(name);
    rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    #[test]
    fn naming_wgpu_elsewhere_fails() {
        // In halves, so that this file does not name what it looks for.
        let bad = format!("fn f(d: &{}::Device) {{}}\n", "wgpu");
        let bad = bad.as_str();
        let by_us = format!("use gpu_runtime::{}::Device;\n", "wgpu");
        assert_eq!(
            faults(check, &[("crates/a/src/a.rs", bad)]),
            ["crates/a/src/a.rs:1: fault: names wgpu; only gpu-runtime may"]
        );
        assert_eq!(faults(check, &[("crates/a/Cargo.toml", "naga.workspace = true\n")]).len(), 1);
        assert_eq!(faults(check, &[("xtask/src/a.rs", &by_us)]).len(), 1);
        let good = [
            ("crates/gpu-runtime/src/a.rs", bad),
            ("crates/a/src/b.rs", "// of wgpu in prose\nuse my_naga_oil::x;\n"),
            ("Cargo.toml", "wgpu = { version = \"30\" }\n"),
        ];
        assert!(faults(check, &good).is_empty());
    }
}
