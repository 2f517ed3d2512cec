//! sparse-topology on every adapter, in both strict forms, against the CPU references, as words; and the test vectors.
//!
//! Kernels: `reach_upper`, `reach_lower`, `sum_upper`, `rank_upper`, `sum_lower`, `rank_lower`, `gather_leaves`, `filter_leaves`, `leaf_rows`, `prune_leaves`,
//! `clip_leaves`.

use std::path::{Path, PathBuf};

use conformance::adapters::on_every_adapter;
use conformance::voxels::device;
use sparse_topology::corpus;

/// Runs the cases of a folder on a device.
fn run(dir: &Path, at_least: usize) {
    on_every_adapter(|context| {
        let device = device(context);
        let report = corpus::run_with(dir, &|operation, input| {
            let found = operation.apply_device(&device, input);
            if let Ok(found) = &found {
                // Not only the same voxels: the same words.
                let expected = operation.apply_cpu(input)?;
                assert!(*found == expected, "{operation:?}");
            }
            found
        });
        let report = report.expect("a corpus");
        let lines: Vec<String> = report.differences.iter().map(|d| format!("{}: {}", d.id, d.what)).collect();
        assert!(lines.is_empty(), "{} of {} differ:\n{}", lines.len(), report.cases, lines.join("\n"));
        assert!(report.cases >= at_least, "{report:?}");
    });
}

#[test]
fn own_vectors() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sparse-topology/tests/data"), 208);
}

#[test]
fn shared_vectors() {
    let shared = std::env::var_os("ISOBIT_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let dir = shared.join("corpus/sparse-topology");
    if !dir.is_dir() {
        println!("skipped: no ../shared (optional test data)");
        return;
    }
    run(&dir, 1302);
}
