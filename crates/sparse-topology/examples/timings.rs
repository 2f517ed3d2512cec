//! Times of operations on a spherical shell of about ten million voxels: `cargo run --release -p sparse-topology --no-default-features --example timings [RADIUS] [HALF]`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use sparse_topology::{GridBatch, Neighbours, Transform};

/// All voxels at most `half` from a sphere.
fn shell(radius: f64, half: f64) -> Vec<[i32; 3]> {
    let (inner, outer) = ((radius - half).powi(2).ceil() as i64, (radius + half).powi(2) as i64);
    let reach = (radius + half) as i32;
    let mut voxels = Vec::new();
    for x in -reach..=reach {
        for y in -reach..=reach {
            let square = i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y);
            if square > outer {
                continue;
            }
            voxels.extend((-reach..=reach).filter_map(|z| {
                let square = square + i64::from(z) * i64::from(z);
                (inner..=outer).contains(&square).then_some([x, y, z])
            }));
        }
    }
    voxels
}

/// Processor time of all threads in milliseconds, where the system tells it: unlike the wall time it does not depend on what else the machine does.
fn processor_ms() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-6
}

/// Median and best of nine wall times and mean processor time, in milliseconds.
fn time<T>(name: &str, mut f: impl FnMut() -> Result<T, sparse_topology::Error>) -> Result<T, sparse_topology::Error> {
    let mut times = Vec::new();
    let processor = processor_ms();
    for _ in 0..9 {
        let start = Instant::now();
        black_box(f()?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let processor = (processor_ms() - processor) / times.len() as f64;
    times.sort_by(f64::total_cmp);
    println!("{name:<28} median {:8.2} ms, best {:8.2} ms, processor {processor:8.2} ms", times[4], times[0]);
    f()
}

fn main() -> Result<(), Box<dyn Error>> {
    let argument = |index: usize, default: f64| std::env::args().nth(index).map_or(Ok(default), |text| text.parse());
    let voxels = shell(argument(1, 364.0)?, argument(2, 3.0)?);
    let transform = [Transform::default()];
    let grid = time("from coordinates", || GridBatch::from_coordinates_cpu(&[&voxels], &transform))?;
    println!("{} voxels, {} leaves, {} lower nodes", grid.voxels(), grid.leaves(), grid.nodes().lower_nodes());
    for factor in [[2, 2, 2], [3, 3, 3], [2, 2, 1], [2, 3, 4], [8, 8, 8]] {
        time(&format!("coarsen {factor:?}"), || grid.coarsen_cpu(factor))?;
    }
    time("subsample [2, 2, 2]", || grid.subsample_cpu([2; 3]))?;
    time("refine [2, 2, 2]", || grid.refine_cpu([2; 3]))?;
    for stride in 1..4 {
        time(&format!("conv 3, stride {stride}"), || grid.conv_cpu([3; 3], [stride; 3]))?;
    }
    for neighbours in [Neighbours::Face, Neighbours::Edge, Neighbours::Vertex] {
        time(&format!("dilate {neighbours:?}"), || grid.dilate_cpu(neighbours, 1))?;
        time(&format!("erode {neighbours:?}"), || grid.erode_cpu(neighbours, 1))?;
    }
    let moved = grid.pad_cpu([2; 3], [2; 3])?;
    time("union with a moved copy", || GridBatch::union_cpu(&[&grid, &moved]))?;
    time("intersection", || GridBatch::intersection_cpu(&[&grid, &moved]))?;
    time("dual", || grid.dual_cpu())?;
    time("clip", || grid.clip_cpu([0; 3], [1000; 3]))?;
    time("rows of all coordinates", || grid.coordinates_to_index_cpu(0, &voxels))?;
    Ok(())
}
