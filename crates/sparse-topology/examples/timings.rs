//! Times of operations on a spherical shell of about ten million voxels: `cargo run --release -p sparse-topology --no-default-features --example timings [RADIUS]`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use sparse_topology::{GridBatch, Neighbours, Transform};

/// All voxels at most 3 from a sphere.
fn shell(radius: i32) -> Vec<[i32; 3]> {
    let (inner, outer) = (i64::from(radius - 3).pow(2), i64::from(radius + 3).pow(2));
    let reach = radius + 3;
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

/// Median and best of nine, in milliseconds.
fn time<T>(name: &str, mut f: impl FnMut() -> Result<T, sparse_topology::Error>) -> Result<T, sparse_topology::Error> {
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = Instant::now();
        black_box(f()?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!("{name:<28} median {:8.2} ms, best {:8.2} ms", times[4], times[0]);
    f()
}

fn main() -> Result<(), Box<dyn Error>> {
    let radius = std::env::args().nth(1).map_or(Ok(364), |text| text.parse())?;
    let voxels = shell(radius);
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
