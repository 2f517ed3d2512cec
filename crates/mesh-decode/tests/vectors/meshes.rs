//! Procedural meshes, and the sources of the full corpus.

use std::path::Path;

use crate::common;

pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

fn mesh(name: &str, positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh { name: name.to_owned(), positions, triangles }
}

/// A height field over n x n vertices.
pub(crate) fn waves(n: u32) -> Mesh {
    let position = |k: u32| {
        let (x, y) = ((k % n) as f32 / n as f32, (k / n) as f32 / n as f32);
        [4.0 * x, 4.0 * y, 0.3 * (9.0 * x).sin() * (7.0 * y + 2.0 * x).cos() + 0.02 * (91.0 * x * y).sin()]
    };
    let quad = |k: u32| {
        let a = k / (n - 1) * n + k % (n - 1);
        [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
    };
    mesh("waves", (0..n * n).map(position).collect(), (0..(n - 1) * (n - 1)).flat_map(quad).collect())
}

/// Meshes that are easy to get wrong.
pub(crate) fn awkward() -> Vec<Mesh> {
    let fan = (0..200).map(|k| [0, 1 + k, 1 + (k + 1) % 200]).collect();
    let circle = |k: u32| [(k as f32 * 0.0314159).cos(), (k as f32 * 0.0314159).sin(), 0.1];
    let corner = |k: u32| [(k * 7 % 31) as f32, (k * 13 % 29) as f32, (k * 17 % 23) as f32 - 9.0];
    vec![
        mesh("empty", vec![], vec![]),
        mesh("unused vertices", vec![[9.0; 3]; 5], vec![]),
        mesh("one triangle", vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [100.0; 3]], vec![[0, 2, 1]]),
        mesh("three on an edge", (0..6).map(corner).collect(), vec![[0, 1, 2], [1, 0, 3], [0, 1, 4], [3, 4, 5]]),
        mesh("twice and reversed", (0..3).map(corner).collect(), vec![[0, 1, 2], [1, 2, 0], [2, 1, 0], [0, 1, 2]]),
        mesh("degenerate", (0..4).map(corner).collect(), vec![[0, 0, 0], [1, 1, 2], [2, 3, 2], [0, 1, 2]]),
        mesh("flat point", vec![[3.25; 3]; 3], vec![[0, 1, 2]]),
        mesh("fan", (0..201).map(circle).collect(), fan),
        mesh("soup", (0..900).map(corner).collect(), (0..300).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()),
        waves(40),
    ]
}

/// A source mesh of the full corpus.
pub(crate) fn source(folder: &Path, name: &str) -> Mesh {
    let words = |ending: &str| -> Vec<u32> {
        let bytes = common::read(&folder.join(format!("source/{name}{ending}")));
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    let positions = words(".verts.f32").chunks(3).map(|p| [p[0], p[1], p[2]].map(f32::from_bits)).collect();
    mesh(name, positions, words(".tris.u32").chunks(3).map(|t| [t[0], t[1], t[2]]).collect())
}
