//! From points to what a sparse convolution needs: `cargo run -p sparse-topology --no-default-features --example points_to_maps [OUT.nvdb]`.
//!
//! Points become voxels, the grid is coarsened for the next level, the neighbour pairs of a 3^3 convolution with stride 2 are listed, a convolution of one channel runs over them, and both grids go to a file.

use std::error::Error;
use std::path::PathBuf;

use sparse_topology::{GridBatch, Transform, nvdb};

fn main() -> Result<(), Box<dyn Error>> {
    // A spiral of a thousand points, voxels of side 0.05.
    let point = |i: u32| {
        let t = i as f32 * 0.02;
        [t.cos(), t.sin(), 0.1 * t]
    };
    let points: Vec<[f32; 3]> = (0..1000).map(point).collect();
    let grid = GridBatch::from_points_cpu(&[&points], &[Transform::uniform(0.05, [0.0; 3])])?;
    let coarse = grid.coarsen_cpu([2; 3])?;
    println!("{} points, {} voxels, {} after coarsening by 2", points.len(), grid.voxels(), coarse.voxels());

    // Row i of the features belongs to voxel i in canonical order.
    let (kernel, stride) = ([3; 3], [2; 3]);
    let output = grid.conv_cpu(kernel, stride)?;
    let pairs = grid.conv_pairs_cpu(&output, kernel, stride)?;
    let features = vec![1.0_f32; grid.voxels() as usize];
    let weights: Vec<f32> = (0..27).map(|tap| 1.0 / (1.0 + tap as f32)).collect();
    let mut sums = vec![0.0_f32; output.voxels() as usize];
    for pair in &pairs {
        sums[pair.out_row as usize] += weights[pair.tap as usize] * features[pair.in_row as usize];
    }
    // Backward: the same pairs, in and out exchanged.
    let mut gradient = vec![0.0_f32; features.len()];
    for pair in &pairs {
        gradient[pair.in_row as usize] += weights[pair.tap as usize] * sums[pair.out_row as usize];
    }
    println!("{} pairs, {} output voxels", pairs.len(), output.voxels());

    if let Some(path) = std::env::args_os().nth(1).map(PathBuf::from) {
        let batch = GridBatch::concatenate(&[&grid, &output])?;
        nvdb::write_file(&path, &batch, &["input", "output"], &nvdb::WriteOptions::default())?;
        println!("{}: {} grids", path.display(), batch.items());
    }
    Ok(())
}
