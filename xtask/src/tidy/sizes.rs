//! Files of at most 600 lines (400 is a reason to split), functions of at most 60, kernels of at most 200.
//!
//! Tests are excepted: `tests/` folders, test modules, and files named `tests.rs` or `*_tests.rs`. So are tables: files
//! named `*_table.rs`.

use super::{Finding, rust};
use crate::workspace::SourceFile;

const WARN_LINES: usize = 400;
const MAX_LINES: usize = 600;
const WARN_FUNCTION_LINES: usize = 60;

/// Checks every Rust and WGSL file.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    let checked = sources.iter().filter(|source| matches!(source.extension(), "rs" | "wgsl") && !is_excepted(source));
    checked.flat_map(check_file).collect()
}

fn is_excepted(source: &SourceFile) -> bool {
    let name = source.name();
    let in_tests = source.path.split('/').rev().skip(1).any(|folder| folder == "tests");
    // The package `conformance` lies in a folder named tests, but its library is no test.
    let is_library = source.path.starts_with("tests/src/");
    (in_tests && !is_library) || name == "tests.rs" || name.ends_with("_tests.rs") || name.ends_with("_table.rs")
}

fn check_file(source: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let parsed = if source.extension() == "rs" { syn::parse_file(&source.text).ok() } else { None };
    let tests: usize = parsed.iter().flat_map(rust::test_modules).map(|(first, last)| last + 1 - first).sum();
    let lines = source.text.lines().count() - tests;
    if lines > MAX_LINES {
        findings.push(Finding::fault(&source.path, 0, format!("{lines} lines (at most {MAX_LINES}): split it")));
    } else if lines > WARN_LINES {
        findings.push(Finding::warning(&source.path, 0, format!("{lines} lines (more than {WARN_LINES}): split it")));
    }
    for function in parsed.iter().flat_map(rust::functions).filter(|function| !function.test) {
        let lines = function.last + 1 - function.first;
        if lines > WARN_FUNCTION_LINES {
            let message = format!("`{}` has {lines} lines (more than {WARN_FUNCTION_LINES})", function.name);
            findings.push(Finding::warning(&source.path, function.first, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::{faults, findings};

    #[test]
    fn a_long_file_fails_and_its_tests_do_not_count() {
        let long = "const A: u32 = 0;\n".repeat(601);
        assert_eq!(faults(check, &[("a.rs", &long)]), ["a.rs:0: fault: 601 lines (at most 600): split it"]);
        assert_eq!(faults(check, &[("a.wgsl", &long)]).len(), 1);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert!(findings(check, &[("a.rs", &tests), ("tests/a.rs", &long), ("x_table.rs", &long)]).is_empty());
        assert_eq!(faults(check, &[("tests/src/a.rs", &long)]).len(), 1);
    }

    #[test]
    fn a_long_function_warns() {
        let long = format!("fn long() {{\n{}}}\n", "    step();\n".repeat(59));
        let found = findings(check, &[("a.rs", &long)]);
        assert_eq!(found[0].to_string(), "a.rs:1: warning: `long` has 61 lines (more than 60)");
        let short = format!("fn short() {{\n{}}}\n", "    step();\n".repeat(58));
        assert!(findings(check, &[("a.rs", &short)]).is_empty());
    }
}
