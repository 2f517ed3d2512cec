//! The test vectors of the repository, and those of `../shared` where they are.

use std::path::{Path, PathBuf};

use sparse_topology::corpus;

fn run(dir: &Path, at_least: (usize, usize)) {
    let report = corpus::run(dir).expect("a corpus");
    let lines: Vec<String> = report.differences.iter().map(|d| format!("{}: {}", d.id, d.what)).collect();
    assert!(lines.is_empty(), "{} of {} differ:\n{}", lines.len(), report.cases, lines.join("\n"));
    assert!(report.cases >= at_least.0 && report.files >= at_least.1, "{report:?}");
    println!("{} inputs, {} cases, {} files", report.inputs, report.cases, report.files);
}

#[test]
fn own_vectors() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"), (208, 4));
}

#[test]
fn shared_vectors() {
    let shared = std::env::var_os("ISOBIT_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let dir = shared.join("corpus/sparse-topology");
    if !dir.is_dir() {
        println!("skipped: no ../shared (optional test data)");
        return;
    }
    run(&dir, (1302, 7));
}

/// A wrong expectation is reported, so the two tests above can fail.
#[test]
fn a_changed_expectation_is_reported() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let dir = std::env::temp_dir().join(format!("sparse-topology-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let text = std::fs::read_to_string(from.join("manifest.json")).expect("a manifest");
    let changed = text.replace("\"factor\": [9, 9, 9]", "\"factor\": [9, 9, 8]");
    assert_ne!(text, changed);
    std::fs::write(dir.join("manifest.json"), changed).expect("a file");
    std::fs::copy(from.join("data.i32"), dir.join("data.i32")).expect("a file");
    let report = corpus::run(&dir).expect("a corpus");
    std::fs::remove_dir_all(&dir).expect("a folder");
    assert!(!report.differences.is_empty());
    assert!(report.differences.iter().all(|d| d.id.starts_with("coarsen")), "{:?}", report.differences);
}
