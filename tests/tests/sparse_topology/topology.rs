//! sparse-topology on every adapter, in both strict forms, against the CPU references, as words; and the test vectors.
//!
//! Kernels: `reach_upper`, `reach_lower`, `sum_upper`, `rank_upper`, `sum_lower`, `rank_lower`, `gather_leaves`, `filter_leaves`, `leaf_rows`, `prune_leaves`,
//! `clip_leaves`, `find_rows`, `tap_pairs`, `pair_rows`, `voxel_codes`.

use std::path::{Path, PathBuf};

use conformance::adapters::on_every_adapter;
use conformance::voxels::device;
use sparse_topology::corpus::{self, Engine, Operation};
use sparse_topology::{Error, GridBatch, Transform};

/// Runs the cases of a folder on a device.
fn run(dir: &Path, at_least: [usize; 2]) {
    on_every_adapter(|context| {
        let report = corpus::run_with(dir, &device(context));
        let report = report.expect("a corpus");
        let lines: Vec<String> = report.differences.iter().map(|d| format!("{}: {}", d.id, d.what)).collect();
        assert!(lines.is_empty(), "{} of {} differ:\n{}", lines.len(), report.cases, lines.join("\n"));
        assert!(report.cases >= at_least[0] && report.lists >= at_least[1], "{report:?}");
    });
}

#[test]
fn own_vectors() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sparse-topology/tests/data"), [208, 60]);
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
    run(&dir, [1302, 500]);
}

/// An engine with the right voxels and other transforms: what a device that forgets them would be.
struct Forgetful;

impl Engine for Forgetful {
    fn apply(&self, operation: &Operation, input: &GridBatch) -> Result<GridBatch, Error> {
        let mut batch = operation.apply_cpu(input)?;
        for item in 0..batch.items() {
            batch.set_transform(item, Transform::uniform(0.75, [9.0; 3]))?;
        }
        Ok(batch)
    }

    fn twin(&self) -> bool {
        true
    }
}

/// The two tests above can fail: not only voxels are compared.
#[test]
fn other_words_are_reported() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sparse-topology/tests/data");
    let report = corpus::run_with(&dir, &Forgetful).expect("a corpus");
    let named = report.differences.iter().filter(|d| d.what.contains("not the words")).count();
    assert!(named > 100 && named == report.differences.len(), "{named} of {}", report.differences.len());
}
