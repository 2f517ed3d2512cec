//! Meshes of f64 in formats of f32.

use std::path::Path;

use input_text::number;
use mesh_distance::Mesh;

use crate::console::Console;

/// Part of a mesh's longest side by which its vertices may move without a word.
const UNSAID: f64 = 1.0 / (1 << 20) as f64;

/// The positions in f32, and whether all are the same numbers.
pub(crate) fn positions(mesh: &Mesh) -> (Vec<[f32; 3]>, bool) {
    let single: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let same = single.iter().zip(&mesh.positions).all(|(single, p)| single.map(f64::from) == *p);
    (single, same)
}

/// Says by how much vertices move in a file of f32, for a mesh so far from the origin that this is more than its numbers' last digits.
pub(crate) fn note(path: &Path, format: &str, mesh: &Mesh, console: Console) {
    let Some(bounds) = mesh.bounds() else { return };
    let side = (0..3).map(|k| bounds.hi[k] - bounds.lo[k]).fold(0.0, f64::max);
    let moved = mesh.triangles.iter().flatten().flat_map(|v| mesh.positions[*v as usize]);
    let moved = moved.map(|x| (x - f64::from(x as f32)).abs()).fold(0.0, f64::max);
    if moved.is_finite() && moved > UNSAID * side {
        let (moved, side) = (number(moved), number(side));
        console.note(&format!(
            "{}: {format} stores f32, which moves vertices by up to {moved} (longest side {side}): the mesh lies far from the origin",
            path.display()
        ));
    }
}
