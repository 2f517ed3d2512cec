//! sparse-topology: every operation on batches of shells, scattered voxels and empty items, on the device and by the CPU reference.

use sparse_topology::device::{Chain, DeviceGrid, Input, StepId};
use sparse_topology::{GridBatch, Neighbours};

use super::Bench;
use super::outcome::Outcome;
use crate::error::Error;
use crate::voxels;

pub(crate) type OnDevice = fn(&mut Chain, &DeviceGrid, &DeviceGrid) -> Result<StepId, sparse_topology::Error>;
pub(crate) type OnCpu = fn(&GridBatch, &GridBatch) -> Result<GridBatch, sparse_topology::Error>;

pub(crate) const OPERATIONS: [(&str, OnDevice, OnCpu); 14] = [
    ("coarsen 2", |c, g, _| c.coarsen(g, [2; 3]), |g, _| g.coarsen_cpu([2; 3])),
    ("coarsen 2,3,4", |c, g, _| c.coarsen(g, [2, 3, 4]), |g, _| g.coarsen_cpu([2, 3, 4])),
    ("refine 2", |c, g, _| c.refine(g, [2; 3]), |g, _| g.refine_cpu([2; 3])),
    ("refine 3,1,2", |c, g, _| c.refine(g, [3, 1, 2]), |g, _| g.refine_cpu([3, 1, 2])),
    ("dilate 6", |c, g, _| c.dilate(g, Neighbours::Face, 1), |g, _| g.dilate_cpu(Neighbours::Face, 1)),
    ("dilate 18", |c, g, _| c.dilate(g, Neighbours::Edge, 2), |g, _| g.dilate_cpu(Neighbours::Edge, 2)),
    ("dilate 26", |c, g, _| c.dilate(g, Neighbours::Vertex, 1), |g, _| g.dilate_cpu(Neighbours::Vertex, 1)),
    ("erode 6", |c, g, _| c.erode(g, Neighbours::Face, 1), |g, _| g.erode_cpu(Neighbours::Face, 1)),
    ("erode 26", |c, g, _| c.erode(g, Neighbours::Vertex, 1), |g, _| g.erode_cpu(Neighbours::Vertex, 1)),
    ("conv 3 s1", |c, g, _| c.conv(g, [3; 3], [1; 3]), |g, _| g.conv_cpu([3; 3], [1; 3])),
    ("conv 3,5,2 s2,1,3", |c, g, _| c.conv(g, [3, 5, 2], [2, 1, 3]), |g, _| g.conv_cpu([3, 5, 2], [2, 1, 3])),
    ("union", |c, g, h| c.union(&[Input::from(g), h.into()]), |g, h| GridBatch::union_cpu(&[g, h])),
    (
        "intersection",
        |c, g, h| c.intersection(&[Input::from(g), h.into()]),
        |g, h| GridBatch::intersection_cpu(&[g, h]),
    ),
    ("difference", |c, g, h| c.difference(&[Input::from(g), h.into()]), |g, h| GridBatch::difference_cpu(&[g, h])),
];

/// Compares every operation.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let (radius, count) = if bench.options.quick { (12, 500) } else { (100, 200_000) };
    let items = [
        voxels::shell(radius, [0; 3]),
        Vec::new(),
        voxels::cloud(1, count, -2000, 4000),
        voxels::shell(radius / 3, [-5000, 70_000, 9]),
    ];
    let moved: Vec<Vec<[i32; 3]>> =
        items.iter().map(|item| item.iter().map(|[x, y, z]| [x + 3, *y, z - 1]).collect()).collect();
    let (one, other) = (voxels::batch(&items), voxels::batch(&moved));
    let device = voxels::device(bench.context);
    let (source, second) = (DeviceGrid::upload(&device, &one)?, DeviceGrid::upload(&device, &other)?);
    for (name, on_device, on_cpu) in OPERATIONS {
        bench.check(&format!("topology, {name}"), |outcome| {
            let mut chain = device.chain();
            let step = on_device(&mut chain, &source, &second)?;
            let [found] = chain.finish([step])?;
            same(&on_cpu(&one, &other)?, &found.download()?, outcome)
        })?;
    }
    Ok(())
}

fn same(expected: &GridBatch, found: &GridBatch, outcome: &mut Outcome) -> Result<(), Error> {
    for item in 0..expected.items().max(found.items()) {
        let (e, f) = (expected.coordinates(item)?, found.coordinates(item)?);
        outcome.compare(&e, &f, |row| format!("item {item}, row {row}"));
    }
    outcome.compare(&[expected == found], &[true], |_| "structure".into());
    outcome.note = format!("{} voxels in {} items", expected.voxels(), expected.items());
    Ok(())
}
