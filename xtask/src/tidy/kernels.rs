//! Every kernel has a conformance test and snapshots of its translations.
//!
//! A kernel is an entry point of a WGSL file. A file of `tests/tests` tests it when it names it (in code, or in the list of
//! covered kernels at its head). Files that begin with `// Test kernel` belong to a unit test and are left out, and so are
//! those of `benches/`, which keep a device busy and decide nothing.

use super::{Finding, twins};
use crate::workspace::SourceFile;

/// How a file begins that a unit test alone compiles.
const TEST_KERNEL: &str = "// Test kernel";

/// The endings of a kernel's three snapshots; kernels of f64 have the first one, as Metal has no f64.
const TRANSLATIONS: [&str; 3] = ["spv", "msl", "hlsl"];

/// Checks the entry points of all crates.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let kernels = sources.iter().filter(|source| source.extension() == "wgsl");
    let left_out = |source: &SourceFile| source.text.starts_with(TEST_KERNEL) || source.path.starts_with("benches/");
    for wgsl in kernels.filter(|source| !left_out(source)) {
        for (line, kernel) in twins::entry_points(&wgsl.text) {
            let tested = sources.iter().any(|source| is_test(&source.path) && has_word(&source.text, &kernel));
            if !tested {
                let message = format!("no file of tests/tests names the kernel `{kernel}`");
                findings.push(Finding::fault(&wgsl.path, line, message));
            }
            let translations = if has_word(&wgsl.text, "f64") { &TRANSLATIONS[..1] } else { &TRANSLATIONS[..] };
            for ending in translations {
                let snapshot = format!("__{kernel}.{ending}.snap");
                let variant = format!("__{kernel}@");
                let stored = |path: &str| {
                    path.starts_with("tests/tests/snapshots/")
                        && (path.ends_with(&snapshot)
                            || path.contains(&variant) && path.contains(&format!(".{ending}.")))
                };
                if !sources.iter().any(|source| stored(&source.path)) {
                    findings.push(Finding::fault(&wgsl.path, line, format!("no snapshot *{snapshot}")));
                }
            }
        }
    }
    findings
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/tests/") && path.ends_with(".rs")
}

/// Whether a name occurs as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    const KERNEL: &str = "fn helper() {}\n@compute @workgroup_size(64)\nfn scan_tile() {}\n";
    const SNAPSHOTS: [(&str, &str); 3] = [
        ("tests/tests/snapshots/snapshots__gpu_runtime__scan_tile.spv.snap", ""),
        ("tests/tests/snapshots/snapshots__gpu_runtime__scan_tile.msl.snap", ""),
        ("tests/tests/snapshots/snapshots__gpu_runtime__scan_tile@64.hlsl.snap", ""),
    ];

    #[test]
    fn a_kernel_without_test_or_snapshot_fails() {
        let test = ("tests/tests/scan.rs", "//! Kernels: `scan_tile`.\n");
        let kernel = ("crates/r/src/scan_tile.wgsl", KERNEL);
        let all: Vec<_> = SNAPSHOTS.into_iter().chain([test, kernel]).collect();
        assert_eq!(faults(check, &all), [""; 0]);

        let missing = faults(check, &[kernel, ("tests/tests/scan.rs", "// scan_tiles\n")]);
        assert_eq!(missing.len(), 4, "{missing:?}");
        assert!(missing[0].contains("scan_tile.wgsl:3: fault: no file of tests/tests names the kernel `scan_tile`"));
        assert_eq!(faults(check, &[kernel, test, SNAPSHOTS[0], SNAPSHOTS[1]]).len(), 1);
        let of_test = format!("// Test kernel: a trap.\n{KERNEL}");
        assert_eq!(faults(check, &[("crates/r/src/trap.wgsl", &of_test)]), [""; 0]);
        assert_eq!(faults(check, &[("benches/src/spin.wgsl", KERNEL)]), [""; 0]);
    }
}
