//! Voxels and batches of topology tests.

use gpu_runtime::Context;
use rayon::prelude::*;
use sparse_topology::device::{TopologyDevice, TopologyOptions};
use sparse_topology::{GridBatch, Transform};

/// A device without a limit.
pub fn device(context: &Context) -> TopologyDevice {
    TopologyDevice::new(context, &TopologyOptions::default())
}

/// A generator of words: D. Knuth's congruence (MMIX), upper half.
pub fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// `count` voxels with coordinates in [low, low + side).
pub fn cloud(seed: u64, count: usize, low: i32, side: u64) -> Vec<[i32; 3]> {
    let mut state = seed;
    (0..count).map(|_| std::array::from_fn(|_| low + (random(&mut state) % side) as i32)).collect()
}

/// A batch of an item a list; every item has a voxel size of its own.
///
/// # Panics
/// When the lists make no batch.
pub fn batch(items: &[Vec<[i32; 3]>]) -> GridBatch {
    let slices: Vec<&[[i32; 3]]> = items.iter().map(Vec::as_slice).collect();
    let transforms: Vec<Transform> =
        (0..items.len()).map(|i| Transform::uniform(0.5 + i as f64, [1.0, -2.0, 3.0])).collect();
    GridBatch::from_coordinates_cpu(&slices, &transforms).expect("a batch")
}

/// All voxels with | |ijk| - radius | <= 3, in f32.
pub fn shell(radius: u32, centre: [i32; 3]) -> Vec<[i32; 3]> {
    let reach = radius as i32 + 4;
    let inside = |x: i32, y: i32, z: i32| {
        let square = (x * x + y * y + z * z) as f32;
        (-3.0..=3.0).contains(&(square.sqrt() - radius as f32))
    };
    let slice = |x: i32| {
        let mut voxels = Vec::new();
        for y in -reach..=reach {
            let flat = x * x + y * y;
            let side = |r: i32| f64::from((r * r - flat).max(0)).sqrt() as i32;
            let (from, to) = ((side(radius as i32 - 4) - 1).max(0), side(radius as i32 + 4) + 1);
            let row = (-to..=-from).chain(from.max(1)..=to).filter(|&z| inside(x, y, z));
            voxels.extend(row.map(|z| [x + centre[0], y + centre[1], z + centre[2]]));
        }
        voxels
    };
    (-reach..=reach).into_par_iter().flat_map_iter(slice).collect()
}
