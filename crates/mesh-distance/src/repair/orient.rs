//! One orientation for each component.

use super::{cross, dot, sub};
use crate::Mesh;
use crate::edges::Edges;
use crate::unit::Unit;

/// What was turned.
pub(super) struct Turned {
    pub(super) triangles: usize,
    pub(super) components: usize,
    pub(super) unorientable: usize,
}

/// Orients components, connected across edges of exactly two triangles, from their first triangle on; closed ones of negative volume as a
/// whole the other way.
pub(super) fn orient(mesh: &mut Mesh, unit: Unit, edges: &Edges) -> Turned {
    let centre = mesh.bounds().map_or([0.0; 3], |b| std::array::from_fn(|k| b.lo[k] * 0.5 + b.hi[k] * 0.5));
    let count = mesh.triangles.len();
    // For each triangle whether it is to be turned, once it is reached.
    let mut turn: Vec<Option<bool>> = vec![None; count];
    let mut turned = Turned { triangles: 0, components: 0, unorientable: 0 };
    let mut members = Vec::new();
    for first in 0..count {
        if turn[first].is_some() {
            continue;
        }
        turn[first] = Some(false);
        members.clear();
        members.push(first);
        let (mut next, mut conflict, mut open) = (0, false, false);
        while next < members.len() {
            let t = members[next];
            next += 1;
            for half in 3 * t..3 * t + 3 {
                let halves = edges.halves(edges.of_half[half] as usize);
                open |= halves.len() % 2 == 1;
                let &[a, b] = halves else { continue };
                let other = if a as usize == half { b as usize } else { a as usize };
                // Two triangles agree when they run along their edge in opposite directions.
                let wanted = turn[t].map(|turn| turn ^ (start(mesh, half) == start(mesh, other)));
                match turn[other / 3] {
                    None => {
                        turn[other / 3] = wanted;
                        members.push(other / 3);
                    }
                    found => conflict |= found != wanted,
                }
            }
        }
        turned.triangles += members.iter().filter(|&&t| turn[t] == Some(true)).count();
        turned.unorientable += usize::from(conflict);
        let volume: f64 = members.iter().map(|&t| signed_volume(mesh, unit, t, centre, turn[t] == Some(true))).sum();
        if !conflict && !open && volume < 0.0 {
            turned.components += 1;
            members.iter().for_each(|&t| turn[t] = turn[t].map(|turn| !turn));
        }
    }
    for (t, turn) in mesh.triangles.iter_mut().zip(turn) {
        if turn == Some(true) {
            t.swap(1, 2);
        }
    }
    turned
}

/// The vertex that a half-edge starts at.
fn start(mesh: &Mesh, half: usize) -> u32 {
    mesh.triangles[half / 3][half % 3]
}

fn signed_volume(mesh: &Mesh, unit: Unit, t: usize, centre: [f64; 3], turned: bool) -> f64 {
    let [a, b, c] = mesh.corners(t).map(|p| unit.scaled(sub(p, centre)));
    let volume = dot(a, cross(b, c)) / 6.0;
    if turned { -volume } else { volume }
}
