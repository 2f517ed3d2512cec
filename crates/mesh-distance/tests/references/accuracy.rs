//! Distances against an independent computation in f64 (closest point by Voronoi regions, Ericson, Real-time collision detection, 5.1.5).

use crate::common;
use crate::common::{add, points, shared_meshes};
use mesh_distance::{Mesh, Sign, Surface, make};

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn sub(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    add(u, v, -1.0)
}

fn segment(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let ab = sub(b, a);
    let length2 = dot(ab, ab);
    let t = if length2 > 0.0 { (dot(sub(p, a), ab) / length2).clamp(0.0, 1.0) } else { 0.0 };
    let e = sub(p, add(a, ab, t));
    dot(e, e).sqrt()
}

fn triangle(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let edges = segment(p, a, b).min(segment(p, b, c)).min(segment(p, c, a));
    let (u, v) = (sub(b, a), sub(c, a));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let inside = |from: [f64; 3], to: [f64; 3]| {
        let (edge, w) = (sub(to, from), sub(p, from));
        let m = [n[1] * edge[2] - n[2] * edge[1], n[2] * edge[0] - n[0] * edge[2], n[0] * edge[1] - n[1] * edge[0]];
        dot(m, w) >= 0.0
    };
    if dot(n, n) > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        (dot(n, sub(p, a)) / dot(n, n).sqrt()).abs()
    } else {
        edges
    }
}

/// Checks the stated bound: the error is at most 8 u S, with S = half extent + distance from the centre and u = 2^-24.
///
/// Returns the largest error in units of u S.
fn check(name: &str, mesh: &Mesh, count: usize) -> f64 {
    let surface = Surface::build(mesh).unwrap();
    let frame = surface.frame();
    let extent = 2f64.powi(frame.exponent);
    let points = points(mesh, count, 11);
    let got = surface.distance_cpu(&points, Sign::None, false).unwrap();
    points.iter().zip(got).fold(0.0, |worst: f64, (p, d)| {
        let exact = (0..mesh.triangles.len()).fold(f64::INFINITY, |m, t| m.min(triangle(*p, mesh.corners(t))));
        let e = sub(*p, frame.centre);
        let unit = (extent + dot(e, e).sqrt()) * 2f64.powi(-24);
        let bound = 8.0 * unit;
        let error = (f64::from(d) - exact).abs();
        assert!(error <= bound, "{name}: {p:?} {d} {exact}: error {error:e}, allowed {bound:e}");
        worst.max(error / unit)
    })
}

#[test]
fn distances_are_accurate() {
    let mut meshes = shared_meshes();
    meshes.push(("knot".into(), make::knot(6_000)));
    meshes.push(("sphere".into(), make::sphere(2_000)));
    meshes.push(("cube".into(), make::cube(300)));
    meshes.push(("terrain".into(), make::terrain(2_000)));
    for (name, mesh) in meshes {
        println!("{name}: at most {:.2}", check(&name, &mesh, 500));
    }
}

#[test]
fn distances_to_slivers_are_as_accurate() {
    let mut random = common::Random::new(12);
    let mut worst = 0.0f64;
    for k in 0..400 {
        let thin = 2f64.powf(-(k as f64) / 12.0);
        let (a, u, v) = (random.vector(), random.vector(), random.vector());
        let c: [f64; 3] = std::array::from_fn(|i| a[i] + random.unit() * u[i] + thin * v[i]);
        // Every corner in turn is the first: needles and caps both.
        let corners = [a, add(a, u, 1.0), c];
        for turn in 0..3 {
            let mesh = Mesh::new([0, 1, 2].map(|i| corners[(i + turn) % 3]).to_vec(), vec![[0, 1, 2]]).unwrap();
            worst = worst.max(check(&format!("sliver {k}, turn {turn}"), &mesh, 300));
        }
    }
    println!("slivers: at most {worst:.2}");
}
