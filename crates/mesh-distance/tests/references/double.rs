//! Distances in f64: brute force, an independent computation in pairs of f64, and f32 within its bound.

use crate::common;
use crate::common::{add, points, shared_meshes};
use mesh_distance::{Grid, Mesh, Sign, Surface, brute_force, make};
use std::ops::{Add, ControlFlow, Mul, Sub};

/// A sum of two f64, some 100 bits: the oracle's numbers.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Pair(f64, f64);

impl Pair {
    fn of(high: f64, low: f64) -> Pair {
        let s = high + low;
        Pair(s, low - (s - high))
    }

    fn divided_by(self, y: Pair) -> Pair {
        let q = self.0 / y.0;
        let r = self - y * Pair(q, 0.0);
        let q2 = r.0 / y.0;
        let r = r - y * Pair(q2, 0.0);
        Pair::of(q, q2) + Pair(r.0 / y.0, 0.0)
    }

    fn root(self) -> f64 {
        if self.0 <= 0.0 {
            return 0.0;
        }
        let s = self.0.sqrt();
        s + (self - Pair(s, 0.0) * Pair(s, 0.0)).0 / (2.0 * s)
    }
}

impl Add for Pair {
    type Output = Pair;
    fn add(self, y: Pair) -> Pair {
        let s = self.0 + y.0;
        let part = s - self.0;
        let e = (self.0 - (s - part)) + (y.0 - part);
        Pair::of(s, e + (self.1 + y.1))
    }
}

impl Sub for Pair {
    type Output = Pair;
    fn sub(self, y: Pair) -> Pair {
        self + Pair(-y.0, -y.1)
    }
}

impl Mul for Pair {
    type Output = Pair;
    fn mul(self, y: Pair) -> Pair {
        let p = self.0 * y.0;
        Pair::of(p, self.0.mul_add(y.0, -p) + (self.0 * y.1 + self.1 * y.0))
    }
}

type Vector = [Pair; 3];

fn dot(u: Vector, v: Vector) -> Pair {
    (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2]
}

fn minus(u: Vector, v: Vector) -> Vector {
    std::array::from_fn(|k| u[k] - v[k])
}

fn cross(u: Vector, v: Vector) -> Vector {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn segment(p: Vector, a: Vector, b: Vector) -> Pair {
    let (ab, ap) = (minus(b, a), minus(p, a));
    let length2 = dot(ab, ab);
    let mut t = Pair(0.0, 0.0);
    if length2.0 > 0.0 {
        t = dot(ap, ab).divided_by(length2);
        t = if t.0 < 0.0 { Pair(0.0, 0.0) } else { t };
        t = if t > Pair(1.0, 0.0) { Pair(1.0, 0.0) } else { t };
    }
    let e: Vector = std::array::from_fn(|k| ap[k] - ab[k] * t);
    dot(e, e)
}

/// Squared distance to a triangle: its plane where the projection falls inside, else its edges.
fn triangle(p: Vector, [a, b, c]: [Vector; 3]) -> Pair {
    let n = cross(minus(b, a), minus(c, a));
    let inside = |from: Vector, to: Vector| dot(cross(n, minus(to, from)), minus(p, from)).0 >= 0.0;
    if dot(n, n).0 > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        let h = dot(n, minus(p, a));
        return (h * h).divided_by(dot(n, n));
    }
    [segment(p, a, b), segment(p, b, c), segment(p, c, a)]
        .into_iter()
        .fold(Pair(f64::INFINITY, 0.0), |m, x| if x < m { x } else { m })
}

fn exact(mesh: &Mesh, p: [f64; 3]) -> f64 {
    let pair = |v: [f64; 3]| v.map(|x| Pair(x, 0.0));
    let squares = (0..mesh.triangles.len()).map(|t| triangle(pair(p), mesh.corners(t).map(pair)));
    squares.fold(Pair(f64::INFINITY, 0.0), |m, x| if x < m { x } else { m }).root()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Half extent + distance from the centre.
fn reach(surface: &Surface<f64>, p: [f64; 3]) -> f64 {
    let e = add(p, surface.frame().centre, -1.0);
    2f64.powi(surface.frame().exponent) + (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt()
}

fn made() -> Vec<(String, Mesh)> {
    let made = [
        ("knot", make::knot(3_000)),
        ("sphere", make::sphere(1_000)),
        ("cube", make::cube(300)),
        ("terrain", make::terrain(1_000)),
    ];
    made.into_iter().map(|(name, mesh)| (name.to_string(), mesh)).collect()
}

#[test]
fn the_search_equals_brute_force() {
    for (name, mesh) in made().into_iter().chain(shared_meshes()) {
        let surface = Surface::build_double(&mesh).unwrap();
        let points = points(&mesh, if mesh.triangles.len() > 10_000 { 200 } else { 1_000 }, 3);
        let expected = brute_force::closest(&surface, &points, Sign::PseudoNormal).unwrap();
        let got = surface.closest_cpu(&points, Sign::PseudoNormal).unwrap();
        assert_eq!(expected, got, "{name}");
        let distances = surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        assert!(distances.iter().zip(&expected).all(|(d, e)| d.to_bits() == e.distance.to_bits()), "{name}");
        let grid = Grid::around(&mesh.bounds().unwrap(), [6, 5, 7], 0.25).unwrap();
        let by_search =
            surface.grid_distance_cpu(&grid, Sign::PseudoNormal, true, &|_, _| ControlFlow::Continue(())).unwrap();
        let by_all = brute_force::grid_distance(&surface, &grid, Sign::PseudoNormal, true).unwrap();
        assert_eq!(bits(&by_search), bits(&by_all), "{name}");
    }
}

/// The stated bound of f64: 8 * 2^-53 (half extent + distance from the centre), and a rounding of the coordinates when they are centred.
#[test]
fn distances_are_accurate() {
    for (name, mesh) in made().into_iter().chain(shared_meshes()) {
        let surface = Surface::build_double(&mesh).unwrap();
        let points = points(&mesh, if mesh.triangles.len() > 10_000 { 40 } else { 300 }, 11);
        let got = surface.distance_cpu(&points, Sign::None, false).unwrap();
        let mut worst = 0.0f64;
        for (p, d) in points.iter().zip(got) {
            let unit = reach(&surface, *p) * 2f64.powi(-53);
            let error = (d - exact(&mesh, *p)).abs();
            assert!(error <= 12.0 * unit, "{name}: {p:?} {d}: error {error:e}, allowed {:e}", 12.0 * unit);
            worst = worst.max(error / unit);
        }
        println!("{name}: at most {worst:.2}");
    }
}

#[test]
fn slivers_are_as_accurate() {
    let mut random = common::Random::new(12);
    let mut worst = 0.0f64;
    for k in 0..300 {
        let thin = 2f64.powf(-(k as f64) / 5.0);
        let (a, u, v) = (random.vector(), random.vector(), random.vector());
        let c: [f64; 3] = std::array::from_fn(|i| a[i] + random.unit() * u[i] + thin * v[i]);
        let corners = [a, add(a, u, 1.0), c];
        for turn in 0..3 {
            let mesh = Mesh::new([0, 1, 2].map(|i| corners[(i + turn) % 3]).to_vec(), vec![[0, 1, 2]]).unwrap();
            let surface = Surface::build_double(&mesh).unwrap();
            let points = points(&mesh, 100, 5);
            for (p, d) in points.iter().zip(surface.distance_cpu(&points, Sign::None, false).unwrap()) {
                let unit = reach(&surface, *p) * 2f64.powi(-53);
                let error = (d - exact(&mesh, *p)).abs();
                assert!(error <= 12.0 * unit, "sliver {k}, turn {turn}: {p:?} {d}: {error:e}");
                worst = worst.max(error / unit);
            }
        }
    }
    println!("slivers: at most {worst:.2}");
}

/// The stated bound of f32 against f64: 12 * 2^-24 (half extent + distance from the centre); also far from the origin.
#[test]
fn single_precision_stays_within_its_bound() {
    let offset = [1e5, 1e5, 3.5e3];
    for (name, mesh) in made().into_iter().chain(shared_meshes()) {
        let moved = Mesh::new(mesh.positions.iter().map(|p| add(*p, offset, 1.0)).collect(), mesh.triangles.clone());
        for (place, mesh) in [("", mesh), (" far away", moved.unwrap())] {
            let (single, double) = (Surface::build(&mesh).unwrap(), Surface::build_double(&mesh).unwrap());
            let points = points(&mesh, 1_000, 17);
            let one = single.distance_cpu(&points, Sign::None, false).unwrap();
            let two = double.distance_cpu(&points, Sign::None, false).unwrap();
            let mut worst = 0.0f64;
            for ((p, a), b) in points.iter().zip(one).zip(two) {
                let unit = reach(&double, *p) * 2f64.powi(-24);
                let error = (f64::from(a) - b).abs();
                assert!(error <= 12.0 * unit, "{name}{place}: {p:?} {a} {b}: error {error:e}");
                worst = worst.max(error / unit);
            }
            println!("{name}{place}: at most {worst:.2}");
        }
    }
}

#[test]
fn signs_agree_with_single_precision_and_others_are_refused() {
    for (name, mesh) in made() {
        if name == "terrain" {
            continue;
        }
        let (single, double) = (Surface::build(&mesh).unwrap(), Surface::build_double(&mesh).unwrap());
        let points = points(&mesh, 2_000, 23);
        let one = single.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        let two = double.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        let mut inside = 0;
        for ((p, a), b) in points.iter().zip(one).zip(two) {
            // Nearer than the error of f32 there is no side to agree on.
            if b.abs() > 12.0 * reach(&double, *p) * 2f64.powi(-24) {
                assert_eq!(a < 0.0, b < 0.0, "{name}: {p:?} {a} {b}");
                inside += usize::from(b < 0.0);
            }
        }
        assert!(inside > 50, "{name}: {inside}");
    }
}

#[test]
fn unsigned_and_signed_have_one_magnitude() {
    let surface = Surface::build_double(&make::cube(12)).unwrap();
    let d = surface.distance_cpu(&[[0.5; 3], [0.5, 0.5, 1.1], [0.5, 0.5, 1.0]], Sign::PseudoNormal, false).unwrap();
    assert_eq!(d[0], -0.5);
    assert!((d[1] - 0.1).abs() < 1e-15, "{}", d[1]);
    assert_eq!(d[2].to_bits(), 0);
}
