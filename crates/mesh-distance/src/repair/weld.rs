//! Vertices that lie close together become one.

use super::{dot, sub};
use crate::Mesh;
use crate::unit::Unit;
use std::collections::HashMap;

/// Makes vertices at most `tolerance` (in the unit) apart one, chains of such vertices too: the one of the smallest index stays, where it is. Returns how many
/// vanished from the triangles. Only vertices of triangles count.
pub(super) fn weld(mesh: &mut Mesh, unit: Unit, tolerance: f64) -> usize {
    if tolerance <= 0.0 {
        return 0;
    }
    let mut used = vec![false; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let cell = |p: [f64; 3]| p.map(|x| (x / tolerance).floor());
    let key = |c: [f64; 3]| c.map(|x| (x + 0.0).to_bits());
    let mut cells: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    let mut parent: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    for v in (0..mesh.positions.len()).filter(|&v| used[v]) {
        let p = unit.scaled(mesh.positions[v]);
        let own = cell(p);
        for near in 0..27 {
            let step = [near % 3, near / 3 % 3, near / 9].map(|k| f64::from(k) - 1.0);
            let listed = cells.get(&key(std::array::from_fn(|k| own[k] + step[k])));
            for &other in listed.into_iter().flatten() {
                let d = sub(unit.scaled(mesh.positions[other as usize]), p);
                if dot(d, d) <= tolerance * tolerance {
                    let (a, b) = (root(&mut parent, v as u32), root(&mut parent, other));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
        }
        cells.entry(key(own)).or_default().push(v as u32);
    }
    for v in mesh.triangles.iter_mut().flatten() {
        *v = root(&mut parent, *v);
    }
    (0..parent.len()).filter(|&v| used[v] && parent[v] as usize != v).count()
}

fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}
