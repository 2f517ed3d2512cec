//! What every encoder checks of its input, and vertices numbered by their first use in strips.

use crate::error::Error;
use crate::strips::StripTriangle;

/// Triangles that fit an encoder: 32-bit body addresses, and source ids with a rotation.
const MAX_TRIANGLES: usize = 1 << 26;

/// Every index must name a vertex.
pub(crate) fn check_triangles(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<(), Error> {
    if triangles.len() > MAX_TRIANGLES {
        let (needed, allowed) = (triangles.len() as u64, MAX_TRIANGLES as u64);
        return Err(Error::TooLarge { what: "triangles", needed, allowed });
    }
    let count = positions.len();
    match triangles.iter().position(|t| t.iter().any(|v| *v as usize >= count)) {
        Some(index) => Err(Error::Input {
            what: "vertices of triangle",
            index: index as u64,
            value: format!("{:?}", triangles[index]),
            allowed: format!("indices below {count}"),
        }),
        None => Ok(()),
    }
}

/// The triangles of a meshlet with local vertices, and the vertex of the mesh behind each.
pub(crate) fn localise(list: &[u32], triangles: &[[u32; 3]]) -> (Vec<[u16; 3]>, Vec<u32>) {
    let mut used: Vec<u32> = list.iter().flat_map(|t| triangles[*t as usize]).collect();
    used.sort_unstable();
    used.dedup();
    let local = |v: u32| used.partition_point(|u| *u < v) as u16;
    (list.iter().map(|t| triangles[*t as usize].map(local)).collect(), used)
}

/// The index entries of strips: vertices numbered by first use.
#[derive(Default)]
pub(crate) struct Entries {
    /// Whether an entry is a first use.
    pub(crate) first_use: Vec<bool>,
    /// For each repeat its vertex's number, and the vertices used so far.
    pub(crate) repeats: Vec<(u32, u32)>,
    /// Local vertices in order with their context (a, b, c), none at a restart.
    pub(crate) vertices: Vec<(u16, Option<[u16; 3]>)>,
}

/// Numbers the vertices of strips; the first triangle counts as a restart.
pub(crate) fn collect_entries(strips: &[StripTriangle]) -> Entries {
    let mut entries = Entries::default();
    let mut number = [u16::MAX; 256];
    let mut before = [0; 3];
    for (k, strip) in strips.iter().enumerate() {
        let restart = strip.restart || k == 0;
        for &vertex in &strip.corners[if restart { 0 } else { 2 }..] {
            let seen = &mut number[usize::from(vertex)];
            entries.first_use.push(*seen == u16::MAX);
            if *seen == u16::MAX {
                *seen = entries.vertices.len() as u16;
                let opposite = before[usize::from(strip.edge)];
                let context = [strip.corners[0], strip.corners[1], opposite];
                entries.vertices.push((vertex, (!restart).then_some(context)));
            } else {
                entries.repeats.push((u32::from(*seen), entries.vertices.len() as u32));
            }
        }
        before = strip.corners;
    }
    entries
}
