//! Surfaces that are known in closed form: closed, turned outward, and how far vertices are off them.

use std::collections::HashMap;

use super::{Contour, contour};
use crate::{Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};

fn surface(text: &str, half: f64, level: u32) -> Contour {
    let plan = Plan::new(&text.parse().expect("a surface"), &["x", "y", "z"]).expect("in x, y, z");
    let options = SubdivideOptions { level, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 100_000 };
    let bounds = [(-half, half); 3];
    let cells = subdivide_cpu(&plan, bounds, options).expect("within the capacity");
    contour(&plan, bounds, level, &cells.indices).expect("three variables")
}

/// The enclosed volume and Euler's number of a closed surface; every edge is used once in either sense.
fn volume(mesh: &Contour) -> (f64, i64) {
    let mut edges = HashMap::new();
    let mut volume = 0.0;
    for t in &mesh.triangles {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
        }
        let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
    }
    assert!(edges.values().all(|sum| *sum == 0), "an edge is not shared by two triangles");
    (volume, mesh.positions.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64)
}

#[test]
fn a_sphere_is_closed_round_and_turned_outward() {
    let mesh = surface("x^2+y^2+z^2-1", 1.5, 5);
    let (volume, euler) = volume(&mesh);
    // The volume of the ball, from inside out; chords of cells 0.094 wide are inside it.
    assert!((volume - 4.18879).abs() < 0.02, "{volume}");
    assert_eq!(euler, 2);
}

fn farthest(mesh: &Contour, distance: impl Fn([f64; 3]) -> f64) -> f64 {
    mesh.positions.iter().map(|p| distance(*p).abs()).fold(0.0, f64::max)
}

/// Means of zeros that were found by one linear step were up to 3.3e-3 (sphere) and 1.1e-2 (torus) off at level 5, a quarter of that at level 6. Coarser
/// cells of the torus have corners of one sign that do not hang together.
#[test]
fn vertices_are_on_the_surface() {
    let sphere = |p: [f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0;
    let torus = |[x, y, z]: [f64; 3]| ((x * x + y * y).sqrt() - 1.0).hypot(z) - 0.4;
    for level in [5, 6] {
        for text in ["x^2+y^2+z^2-1", "(x^2+y^2+z^2)^3-1"] {
            let off = farthest(&surface(text, 1.5, level), sphere);
            assert!(off < 1e-13, "{text}, level {level}: {off:e}");
        }
        let mesh = surface("sqr(sqrt(x^2+y^2)-1)+z^2-0.16", 1.6, level);
        assert_eq!(volume(&mesh).1, 0);
        let off = farthest(&mesh, torus);
        assert!(off < 1e-13, "torus, level {level}: {off:e}");
    }
}

/// Two planes closer than a cell: a vertex that they share is between them.
#[test]
fn sheets_that_share_a_cell_share_its_vertex() {
    let mesh = surface("(x-y-z-0.4)*(x-y-z-0.6)", 1.0, 2);
    let sums: Vec<f64> = mesh.positions.iter().map(|[x, y, z]| x - y - z).collect();
    assert!(sums.iter().all(|sum| *sum > 0.4 - 1e-13 && *sum < 0.6 + 1e-13), "{sums:?}");
    let on = |plane: f64| sums.iter().filter(|sum| (*sum - plane).abs() < 1e-13).count();
    let between = sums.len() - on(0.4) - on(0.6);
    assert!(on(0.4) > 5 && on(0.6) > 5 && between > 5, "{} {} {between}", on(0.4), on(0.6));
}
