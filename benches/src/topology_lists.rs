//! sparse-topology: batches from coordinates that are on the device: the whole call, which waits four times for numbers.

use std::time::{Duration, Instant};

use conformance::error::Error;
use sparse_topology::GridBatch;
use sparse_topology::device::{DeviceGrid, TopologyDevice};

use crate::clock::Clock;
use crate::table::median;
use crate::topology::{Plan, Row};

/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(150);

/// Builds the batch again from its coordinates. Whether it is the same batch, and the row.
pub(crate) fn from_coordinates(
    device: &TopologyDevice,
    clock: &mut Clock,
    plan: &Plan<'_>,
    batch: &GridBatch,
) -> Result<(Row, bool), Error> {
    let mut counts = Vec::new();
    let mut words = Vec::new();
    for item in 0..batch.items() {
        let voxels = batch.coordinates(item)?;
        counts.push(voxels.len() as u64);
        words.extend(voxels.into_iter().flatten());
    }
    let list = device.context().upload("coordinates", &words)?;
    drop(words);
    let once = || DeviceGrid::from_coordinates_on(device, &list, &counts, batch.transforms());
    once()?;
    let rate = clock.warm_up(WARM_UP)?;
    let mut walls = Vec::new();
    for _ in 0..plan.repeats {
        let started = Instant::now();
        once()?;
        walls.push(started.elapsed().as_secs_f64() * 1e3);
    }
    device.reset_peak();
    let before = device.memory().grids;
    let grid = once()?;
    let memory = device.memory();
    let row = Row {
        input: String::new(),
        operation: "from coordinates".into(),
        source: grid.voxels(),
        voxels: grid.voxels(),
        leaves: grid.leaves(),
        shortest: walls.iter().copied().fold(f64::INFINITY, f64::min),
        milliseconds: median(walls),
        kernels: Vec::new(),
        goal: None,
        nanovdb: None,
        scratch: memory.peak_scratch,
        grids: memory.peak_grids - before,
        clock: rate,
    };
    let same = !plan.check || grid.download()? == *batch;
    Ok((row, same))
}
