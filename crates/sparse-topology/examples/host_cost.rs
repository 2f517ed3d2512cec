//! What a call on a small grid costs the host: nanoseconds of this thread's own time on a processor, and of the whole call.
//!
//! `cargo run --release -p sparse-topology --example host_cost [CALLS] [DEVICE]`

use std::time::Instant;

use gpu_runtime::{Context, ContextOptions};
use sparse_topology::device::{Chain, DeviceGrid, StepId, TopologyDevice, TopologyOptions};
use sparse_topology::{Error, GridBatch, Neighbours, Transform};

/// Nanoseconds that this thread has run (Linux); 0 elsewhere.
fn thread_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

type Build = fn(&mut Chain, &DeviceGrid) -> Result<StepId, Error>;

fn main() -> Result<(), Error> {
    let calls: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(400);
    let selector = std::env::args().nth(2).unwrap_or_else(|| "auto".into()).parse().unwrap_or_default();
    let context = Context::new(&ContextOptions { selector, ..ContextOptions::default() })?;
    let device = TopologyDevice::new(&context, &TopologyOptions::default());
    let voxels: Vec<[i32; 3]> = (0..100).map(|i| [i, -i, i / 2]).collect();
    let one = GridBatch::from_coordinates_cpu(&[&voxels], &[Transform::default()])?;
    let many = GridBatch::concatenate(&[&one; 64])?;
    let cases: [(&str, &GridBatch, Build); 6] = [
        ("coarsen 2", &one, |c, g| c.coarsen(g, [2; 3])),
        ("coarsen 2 four times", &one, |c, g| {
            let mut last = c.coarsen(g, [2; 3])?;
            for _ in 0..3 {
                last = c.coarsen(last, [2; 3])?;
            }
            Ok(last)
        }),
        ("dilate 26", &one, |c, g| c.dilate(g, Neighbours::Vertex, 1)),
        ("erode 26", &one, |c, g| c.erode(g, Neighbours::Vertex, 1)),
        ("coarsen 2 of 64", &many, |c, g| c.coarsen(g, [2; 3])),
        ("dilate 26 of 64", &many, |c, g| c.dilate(g, Neighbours::Vertex, 1)),
    ];
    println!("{}", context.adapter().name);
    for (name, batch, build) in cases {
        let grid = DeviceGrid::upload(&device, batch)?;
        let call = || -> Result<(), Error> {
            let mut chain = device.chain();
            let step = build(&mut chain, &grid)?;
            chain.finish([step]).map(|_| ())
        };
        (0..20).try_for_each(|_| call())?;
        let (started, before) = (Instant::now(), thread_time());
        (0..calls).try_for_each(|_| call())?;
        let (host, wall) = (thread_time() - before, started.elapsed().as_nanos() as u64);
        println!("{name:24} host {:>8} ns, wall {:>8} ns", host / u64::from(calls), wall / u64::from(calls));
    }
    Ok(())
}
