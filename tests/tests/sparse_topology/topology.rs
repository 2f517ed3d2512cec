//! sparse-topology on every adapter, in both strict forms, against the CPU references, as words; and the test vectors.
//!
//! Kernels: `reach_upper`, `reach_lower`, `sum_upper`, `rank_upper`, `sum_lower`, `rank_lower`, `gather_leaves`, `filter_leaves`, `leaf_rows`, `prune_leaves`,
//! `clip_leaves`, `find_rows`, `tap_pairs`, `pair_rows`, `voxel_codes`.

use std::path::{Path, PathBuf};

use conformance::adapters::on_every_adapter;
use conformance::voxels::device;
use sparse_topology::corpus::{self, Engine, Operation};
use sparse_topology::device::TopologyDevice;
use sparse_topology::{AxisOrder, Error, GridBatch, Pair};

/// Not only the same voxels: the same words.
struct Words(TopologyDevice);

impl Engine for Words {
    fn apply(&self, operation: &Operation, input: &GridBatch) -> Result<GridBatch, Error> {
        let found = self.0.apply(operation, input);
        if let Ok(found) = &found {
            assert!(*found == operation.apply_cpu(input)?, "{operation:?}");
        }
        found
    }

    fn rows(&self, input: &GridBatch, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        self.0.rows(input, item, queries)
    }

    fn pairs(&self, operation: &Operation, input: &GridBatch, output: &GridBatch) -> Result<Vec<Pair>, Error> {
        self.0.pairs(operation, input, output)
    }

    fn codes(
        &self,
        input: &GridBatch,
        item: usize,
        offset: [i32; 3],
        hilbert: bool,
        order: AxisOrder,
    ) -> Result<Vec<u64>, Error> {
        self.0.codes(input, item, offset, hilbert, order)
    }
}

/// Runs the cases of a folder on a device.
fn run(dir: &Path, at_least: [usize; 2]) {
    on_every_adapter(|context| {
        let report = corpus::run_with(dir, &Words(device(context)));
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
