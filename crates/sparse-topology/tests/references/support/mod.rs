//! The independent reference: sets of coordinates, one voxel at a time.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeSet;

use proptest::prelude::*;
use sparse_topology::{GridBatch, Transform};

/// A voxel.
pub type Voxel = [i32; 3];
/// The voxels of an item.
pub type Set = BTreeSet<Voxel>;

/// The canonical order by its definition: signed tile, then the slots of the three levels.
pub fn canonical(set: &Set) -> Vec<Voxel> {
    let level = |v: &Voxel, shift: u32, bits: u32| v.map(|c| (c >> shift) & ((1 << bits) - 1));
    let mut list: Vec<Voxel> = set.iter().copied().collect();
    list.sort_by_key(|v| (v.map(|c| c >> 12), level(v, 7, 5), level(v, 3, 4), level(v, 0, 3)));
    list
}

/// A batch of the sets.
pub fn batch(sets: &[Set]) -> GridBatch {
    let lists: Vec<Vec<Voxel>> = sets.iter().map(|s| s.iter().rev().copied().collect()).collect();
    let slices: Vec<&[Voxel]> = lists.iter().map(Vec::as_slice).collect();
    GridBatch::from_coordinates_cpu(&slices, &vec![Transform::default(); sets.len()]).expect("a batch")
}

/// Every item of the batch holds exactly its set, in canonical order.
pub fn assert_sets(batch: &GridBatch, sets: &[Set]) {
    assert_eq!(batch.items(), sets.len());
    for (item, set) in sets.iter().enumerate() {
        assert_eq!(batch.coordinates(item).expect("an item"), canonical(set), "item {item}");
    }
}

/// The sum of two coordinates.
pub fn add(a: Voxel, b: Voxel) -> Voxel {
    std::array::from_fn(|k| a[k] + b[k])
}

/// All coordinates of an inclusive box.
pub fn cube(lo: Voxel, hi: Voxel) -> Vec<Voxel> {
    let mut out = Vec::new();
    for x in lo[0]..=hi[0] {
        for y in lo[1]..=hi[1] {
            for z in lo[2]..=hi[2] {
                out.push([x, y, z]);
            }
        }
    }
    out
}

/// The sum of a set with offsets.
pub fn minkowski(set: &Set, offsets: &[Voxel]) -> Set {
    set.iter().flat_map(|&v| offsets.iter().map(move |&o| add(v, o))).collect()
}

/// A set of voxels near the boundaries of nodes: tight clusters around a few centres.
pub fn any_set() -> impl Strategy<Value = Set> {
    let centre = prop::sample::select(vec![0, 8, 127, 4096, -4096, 70_000, -5]);
    let cluster = ([centre.clone(), centre.clone(), centre], prop::collection::vec([-9..9_i32, -9..9, -9..9], 0..40));
    let dense = ([-9..9_i32, -9..9, -9..9], [1..7_i32, 1..7, 1..7])
        .prop_map(|(lo, size)| cube(lo, std::array::from_fn(|k| lo[k] + size[k])));
    (prop::collection::vec(cluster, 0..3), prop::option::of(dense)).prop_map(|(clusters, dense)| {
        let spread = clusters.into_iter().flat_map(|(c, offsets)| offsets.into_iter().map(move |o| add(c, o)));
        spread.chain(dense.unwrap_or_default()).collect()
    })
}

/// A batch of up to four sets, empty ones among them.
pub fn any_sets() -> impl Strategy<Value = Vec<Set>> {
    prop::collection::vec(any_set(), 0..4)
}
