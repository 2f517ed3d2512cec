//! No tolerance in a comparison of CPU and GPU: the package `conformance` compares words.
//!
//! An oracle in higher precision cannot give the same words as f32, so a line that compares with one says so by the
//! comment `// oracle: WHY`.

use super::Finding;
use crate::workspace::SourceFile;

/// What a comparison with a tolerance looks like.
const PATTERNS: [&str; 9] =
    [".abs() <", ".abs()<", ".abs() >", "abs_diff", "EPSILON", "epsilon", "relative_eq", "approx", "tolerance"];

/// Checks the Rust files and the manifest of the package `conformance`.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    let tests = sources.iter().filter(|source| {
        source.path.starts_with("tests/") && (source.extension() == "rs" || source.name() == "Cargo.toml")
    });
    tests.flat_map(check_file).collect()
}

fn check_file(source: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        if comment.trim_start().starts_with("oracle: ") {
            continue;
        }
        if let Some(pattern) = PATTERNS.into_iter().find(|pattern| code.contains(pattern)) {
            let message = format!("`{pattern}`: compare words, or say `// oracle: WHY` on the line");
            findings.push(Finding::fault(&source.path, number + 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    #[test]
    fn a_tolerance_fails_unless_it_is_an_oracles() {
        let bad = "fn same(a: f32, b: f32) -> bool {\n    (a - b).abs() < 1e-6\n}\n";
        let expected = "tests/tests/a.rs:2: fault: `.abs() <`: compare words, or say `// oracle: WHY` on the line";
        assert_eq!(faults(check, &[("tests/tests/a.rs", bad)]), [expected]);
        assert_eq!(faults(check, &[("tests/Cargo.toml", "[dev-dependencies]\napprox = \"0.5\"\n")]).len(), 1);
        let oracle = "let near = (a - b).abs() < 1e-6; // oracle: f64 against the f32 twin\n// an epsilon in prose\n";
        assert!(faults(check, &[("tests/tests/a.rs", oracle), ("crates/c/src/a.rs", bad)]).is_empty());
    }
}
