//! Rays, ray parity, marks and bands in f64: asking every triangle, points a billionth from the surface, and whole grids.

use crate::common::{Random, add, points, shared_meshes};
use mesh_distance::kernels::real::Real;
use mesh_distance::mark::{CUT, Cut, INSIDE, OUTSIDE, cut_brute_force};
use mesh_distance::ray::{Ray, RayHits, ray_all_brute_force};
use mesh_distance::{Grid, Mesh, Sign, Surface, make};
use std::ops::ControlFlow;

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

/// Rays anywhere, at vertices, along edges and axes, from the surface.
fn rays(mesh: &Mesh, count: usize) -> Vec<Ray> {
    let mut random = Random::new(11);
    let bounds = mesh.bounds().unwrap();
    let one = |i: usize| {
        let from = std::array::from_fn(|k| bounds.lo[k] + (1.5 * random.unit() + 0.5) * (bounds.hi[k] - bounds.lo[k]));
        let [a, b, _] = mesh.corners(random.below(mesh.triangles.len()));
        let axes = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 1.0]];
        let direction = match i % 5 {
            0 => random.vector(),
            1 => add(a, from, -1.0),
            2 => add(b, a, -1.0),
            3 => axes[random.below(5)],
            _ => add(random.vector(), from, -0.3),
        };
        let direction = if direction == [0.0; 3] { [1.0; 3] } else { direction };
        let limit = if i % 7 == 2 { 1.0 } else { f64::INFINITY };
        Ray { origin: if i % 6 == 3 { a } else { from }, direction, limit }
    };
    (0..count).map(one).collect()
}

fn meshes() -> Vec<(String, Mesh)> {
    let mut damaged = make::cube(48);
    damaged.triangles.extend((0..26).map(|v| [v, v, (v + 1) % 26]));
    damaged.triangles.extend(damaged.triangles.clone());
    let mut far = make::knot(2_000);
    far.positions.iter_mut().for_each(|p| *p = add(*p, [1e5, 1e5, 3.5e3], 1.0));
    let made = [("knot", make::knot(4_000)), ("far knot", far), ("damaged", damaged), ("sphere", make::sphere(900))];
    made.into_iter().map(|(name, mesh)| (name.to_owned(), mesh)).chain(shared_meshes()).collect()
}

#[test]
fn searches_equal_asking_every_triangle() {
    for (name, mesh) in meshes() {
        let surface = Surface::build_double(&mesh).unwrap();
        let rays = rays(&mesh, 300);
        let expected = ray_all_brute_force(&surface, &rays).unwrap();
        assert_eq!(surface.ray_all_cpu(&rays).unwrap(), expected, "{name}");
        let of = |all: &RayHits<f64>, i: usize| all.hits[all.offsets[i] as usize..all.offsets[i + 1] as usize].to_vec();
        let (firsts, counts) = (surface.ray_first_cpu(&rays).unwrap(), surface.ray_count_cpu(&rays).unwrap());
        let any = surface.ray_any_cpu(&rays).unwrap();
        for (i, ray) in rays.iter().enumerate() {
            let all = of(&expected, i);
            let found = (firsts[i], counts[i] as usize, any[i]);
            assert_eq!(found, (all.first().copied(), all.len(), !all.is_empty()), "{name} {ray:?}");
            assert!(all.windows(2).all(|pair| pair[0].t <= pair[1].t), "{name} {ray:?}");
            assert!(all.iter().all(|hit| hit.t >= 0.0 && hit.t <= ray.limit), "{name} {ray:?}");
        }
    }
}

#[test]
fn hits_lie_where_the_ray_was_sent() {
    let mut random = Random::new(3);
    for (name, mesh) in [("knot", make::knot(3_000)), ("sphere", make::sphere(500))] {
        let surface = Surface::build_double(&mesh).unwrap();
        for _ in 0..300 {
            let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
            let target: [f64; 3] = std::array::from_fn(|k| 0.5 * a[k] + 0.3 * b[k] + 0.2 * c[k]);
            let origin = random.vector().map(|x| 9.0 * x);
            let ray = Ray::new(origin, add(target, origin, -1.0));
            let all = surface.ray_all_cpu(&[ray]).unwrap();
            let error = |t: f64, p: [f64; 3]| add(p, target, -1.0).iter().fold((t - 1.0).abs(), |m, x| m.max(x.abs()));
            let least = all.hits.iter().map(|hit| error(hit.t, hit.point)).fold(f64::INFINITY, f64::min);
            // A triangle seen nearly edge-on moves a hit along it by many times the rounding.
            assert!(least < 1e-12, "{name} {ray:?}: {least:e}");
        }
    }
}

#[test]
fn every_sign_tells_the_sides_a_billionth_from_the_surface() {
    let mut random = Random::new(9);
    for (name, mesh) in [("sphere", make::sphere(2_000)), ("cube", make::cube(192)), ("knot", make::knot(2_000))] {
        let surface = Surface::build_double(&mesh).unwrap();
        let mut both = Vec::new();
        for _ in 0..400 {
            let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
            let middle: [f64; 3] = std::array::from_fn(|k| 0.4 * a[k] + 0.35 * b[k] + 0.25 * c[k]);
            let (u, v) = (add(b, a, -1.0), add(c, a, -1.0));
            let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let size = n.iter().map(|x| x * x).sum::<f64>().sqrt();
            both.extend([add(middle, n, 1e-9 / size), add(middle, n, -1e-9 / size)]);
        }
        for sign in [Sign::Rays, Sign::PseudoNormal, Sign::Winding, Sign::SolidAngle] {
            let distances = surface.distance_cpu(&both, sign, false).unwrap();
            for (pair, p) in distances.chunks(2).zip(both.chunks(2)) {
                assert!(pair[0] > 0.0 && pair[1] < 0.0, "{name} {sign:?} {p:?}: {pair:?}");
                assert!(pair.iter().all(|d| (d.abs() - 1e-9).abs() < 1e-14), "{name} {sign:?}: {pair:?}");
            }
        }
        // The sign changes nothing else, and both agree but for points whose distance is rounding.
        let listed = points(&mesh, 500, 4);
        let [rays, normals] =
            [Sign::Rays, Sign::PseudoNormal].map(|sign| surface.distance_cpu(&listed, sign, false).unwrap());
        for ((x, y), p) in rays.iter().zip(&normals).zip(&listed) {
            assert!(x.to_bits() == y.to_bits() || (x.abs() == y.abs() && x.abs() < 1e-14), "{name} {p:?}: {x:e} {y:e}");
        }
    }
}

#[test]
fn marks_equal_asking_every_triangle() {
    for (name, mesh) in meshes() {
        let surface = Surface::build_double(&mesh).unwrap();
        let grid = Grid::around(&mesh.bounds().unwrap(), [9, 8, 7], 0.2).unwrap();
        let distances = surface.grid_distance_cpu(&grid, Sign::Rays, false, GO_ON).unwrap();
        let cut = cut_brute_force(&surface, &grid).unwrap();
        let side = |cut: bool, d: f64| {
            if cut {
                CUT
            } else if d.is_sign_negative() {
                INSIDE
            } else {
                OUTSIDE
            }
        };
        let expected: Vec<u8> = cut.iter().zip(&distances).map(|(cut, d)| side(*cut, *d)).collect();
        assert_eq!(surface.mark_cpu(&grid, Sign::Rays, Cut::Surface, GO_ON).unwrap(), expected, "{name}");
        let near = |d: &f64| side(d.abs() <= grid.half_diagonal(), *d);
        let expected: Vec<u8> = distances.iter().map(near).collect();
        assert_eq!(surface.mark_cpu(&grid, Sign::Rays, Cut::Diagonal, GO_ON).unwrap(), expected, "{name}");
        let distances = surface.grid_distance_cpu(&grid, Sign::Winding, false, GO_ON).unwrap();
        let expected: Vec<u8> = distances.iter().map(near).collect();
        assert_eq!(surface.mark_cpu(&grid, Sign::Winding, Cut::Diagonal, GO_ON).unwrap(), expected, "{name}");
    }
}

/// A triangle that stands 2^-30 of the cell beside it: f32 cannot tell, f64 can.
#[test]
fn a_cell_is_not_cut_by_a_triangle_a_hair_beside_it() {
    let x = 1.0 + 2f64.powi(-30);
    let mesh =
        Mesh::new(vec![[x, -3.0, -3.0], [x, 5.0, -3.0], [x, -3.0, 5.0], [-4.0, 0.0, 0.0]], vec![[0, 1, 2], [3, 3, 3]])
            .unwrap();
    let grid = Grid { lo: [0.0; 3], cell: [1.0; 3], counts: [2, 1, 1] };
    assert_eq!(cut_brute_force(&Surface::build(&mesh).unwrap(), &grid).unwrap(), [true, true]);
    assert_eq!(cut_brute_force(&Surface::build_double(&mesh).unwrap(), &grid).unwrap(), [false, true]);
}

#[test]
fn bands_equal_whole_grids() {
    for (name, mesh) in meshes() {
        let surface = Surface::build_double(&mesh).unwrap();
        let bounds = mesh.bounds().unwrap();
        let grid = Grid::around(&bounds, [40, 37, 35], 0.2).unwrap();
        for (part, sign) in [(0.01, Sign::PseudoNormal), (0.05, Sign::Rays), (0.0, Sign::None), (0.02, Sign::Winding)] {
            if sign == Sign::Winding && mesh.triangles.len() > 20_000 {
                continue;
            }
            let width = part * (0..3).fold(0.0f64, |m, k| m.max(bounds.hi[k] - bounds.lo[k]));
            let whole = surface.grid_distance_cpu(&grid, sign, false, GO_ON).unwrap();
            let band = surface.band_cpu(&grid, width, sign, GO_ON).unwrap();
            let expected: Vec<(u32, u64)> =
                whole.iter().zip(0..).filter(|(d, _)| d.abs() <= width).map(|(d, cell)| (cell, d.to_bits())).collect();
            let found: Vec<(u32, u64)> =
                band.cells.iter().zip(&band.distance).map(|(cell, d)| (*cell, d.to_bits())).collect();
            assert_eq!(found, expected, "{name} {part} {sign:?}");
        }
    }
    assert_eq!(<f64 as Real>::MARGIN, 2f64.powi(-47));
}
