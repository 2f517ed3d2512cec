//! Rays: watertight, ordered, equal to asking every triangle, and to an independent intersection in f64.

use crate::common::{Random, add, shared_meshes};
use mesh_distance::ray::{Ray, RayHits, ray_all_brute_force};
use mesh_distance::{Error, Mesh, Surface, make};

/// Rays of many kinds: anywhere, at vertices, along edges, along axes, from the surface.
fn rays(mesh: &Mesh, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let bounds = mesh.bounds().unwrap();
    let one = |i: usize| {
        let from = std::array::from_fn(|k| bounds.lo[k] + (1.5 * random.unit() + 0.5) * (bounds.hi[k] - bounds.lo[k]));
        let [a, b, _] = mesh.corners(random.below(mesh.triangles.len()));
        let length = 10f64.powi((i % 13) as i32 - 6);
        let direction = match i % 6 {
            0 => random.vector(),
            1 => add(a, from, -1.0),
            2 => add(b, a, -1.0),
            3 => {
                [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 1.0]][random.below(5)]
            }
            _ => add(random.vector(), from, -0.3),
        };
        let direction = if direction == [0.0; 3] { [1.0; 3] } else { direction };
        let origin = if i % 7 == 3 { a } else { from };
        let limit = if i % 5 == 2 { 1.0 / length } else { f64::INFINITY };
        Ray { origin, direction: direction.map(|x| x * length), limit }
    };
    (0..count).map(one).collect()
}

fn check(name: &str, mesh: &Mesh, count: usize) {
    let surface = Surface::build(mesh).unwrap();
    let rays = rays(mesh, count, 5);
    let expected = ray_all_brute_force(&surface, &rays).unwrap();
    assert_eq!(surface.ray_all_cpu(&rays).unwrap(), expected, "{name}");
    let of = |all: &RayHits, i: usize| all.hits[all.offsets[i] as usize..all.offsets[i + 1] as usize].to_vec();
    let firsts = surface.ray_first_cpu(&rays).unwrap();
    let counts = surface.ray_count_cpu(&rays).unwrap();
    let any = surface.ray_any_cpu(&rays).unwrap();
    for (i, ray) in rays.iter().enumerate() {
        let all = of(&expected, i);
        assert_eq!(firsts[i], all.first().copied(), "{name} {ray:?}");
        assert_eq!(counts[i] as usize, all.len(), "{name} {ray:?}");
        assert_eq!(any[i], !all.is_empty(), "{name} {ray:?}");
        assert!(all.iter().all(|hit| f64::from(hit.t) <= ray.limit && hit.t >= 0.0), "{name} {ray:?}");
        assert!(all.windows(2).all(|pair| pair[0].t <= pair[1].t), "{name} {ray:?}");
    }
}

#[test]
fn searches_equal_asking_every_triangle() {
    let mut damaged = make::cube(48);
    damaged.triangles.extend((0..26).map(|v| [v, v, (v + 1) % 26]));
    damaged.triangles.extend(damaged.triangles.clone());
    for (name, mesh) in
        [("knot", make::knot(4_000)), ("cube", make::cube(48)), ("damaged", damaged), ("sphere", make::sphere(900))]
    {
        check(name, &mesh, 3_000);
    }
    for (name, mesh) in shared_meshes() {
        check(&name, &mesh, 200);
    }
}

#[test]
fn a_closed_surface_is_met_an_even_number_of_times_from_outside_whatever_is_hit_exactly() {
    for (name, mesh) in [("cube", make::cube(48)), ("sphere", make::sphere(900)), ("torus", make::torus(800))] {
        let surface = Surface::build(&mesh).unwrap();
        // Origins on a lattice that vertices, edge middles and face middles share; targets exactly vertices, middles, centres.
        let lattice: Vec<[f64; 3]> = (0..343)
            .map(|i| [i % 7, i / 7 % 7, i / 49].map(|k| f64::from(k) - 3.0))
            .map(|p| p.map(|x| x + 0.5))
            .collect();
        let outside: Vec<[f64; 3]> = lattice.into_iter().filter(|p| p.iter().any(|x| x.abs() > 2.2)).collect();
        let mut rays = Vec::new();
        for (i, &origin) in outside.iter().enumerate() {
            for t in (i % 3..mesh.triangles.len()).step_by(17) {
                let [a, b, c] = mesh.corners(t);
                let middle = add(a, add(b, a, -1.0), 0.5);
                for target in [a, middle, add(middle, add(c, middle, -1.0), 0.25)] {
                    rays.push(Ray::new(origin, add(target, origin, -1.0)));
                }
            }
            for k in 0..3 {
                let mut axis = [0.0; 3];
                axis[k] = if i % 2 == 1 { 1.0 } else { -1.0 };
                rays.push(Ray::new(origin, axis));
            }
        }
        let counts = surface.ray_count_cpu(&rays).unwrap();
        assert!(counts.iter().filter(|c| **c > 0).count() > 1000, "{name}");
        for (ray, count) in rays.iter().zip(counts) {
            assert_eq!(count % 2, 0, "{name}: {ray:?} {count}");
        }
    }
}

#[test]
fn the_parity_of_any_ray_tells_inside() {
    // Open3D 5105 and 5669: rays along diagonals and axes of a cube meet edges and vertices exactly.
    let cube = make::cube(48);
    let surface = Surface::build(&cube).unwrap();
    let directions =
        (0..27).filter(|k| *k != 13).map(|k| [k % 3, k / 3 % 3, k / 9].map(|x| f64::from(x) - 1.0)).collect::<Vec<_>>();
    for i in 0..9 * 9 * 9 {
        // Eighths of the cube from -1/2 to 3/2, moved off the faces: many share a plane, line or vertex with edges.
        let p = [i % 9, i / 9 % 9, i / 81].map(|k| f64::from(k) * 0.25 - 0.5);
        if p.iter().any(|x| *x == 0.0 || *x == 1.0) {
            continue;
        }
        let inside = p.iter().all(|x| *x > 0.0 && *x < 1.0);
        let rays: Vec<Ray> = directions.iter().map(|d| Ray::new(p, *d)).collect();
        for (ray, count) in rays.iter().zip(surface.ray_count_cpu(&rays).unwrap()) {
            assert_eq!(count % 2 == 1, inside, "{ray:?}: {count}");
        }
    }
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Parameters of all triangles met, in f64 by volumes (Moeller, Trumbore 1997); `None` when one is too near an edge or the origin to be sure.
fn independent(mesh: &Mesh, ray: &Ray) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    for t in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(t);
        let (u, v, s) = (add(b, a, -1.0), add(c, a, -1.0), add(ray.origin, a, -1.0));
        let p = cross(ray.direction, v);
        let volume = dot(u, p);
        let scale = dot(ray.direction, ray.direction).sqrt() * dot(u, u).sqrt() * dot(v, v).sqrt();
        if volume.abs() < 1e-4 * scale {
            return None;
        }
        let q = cross(s, u);
        let (x, y, z) = (dot(s, p) / volume, dot(ray.direction, q) / volume, dot(v, q) / volume);
        let margin = x.min(y).min(1.0 - x - y);
        if margin.abs() < 1e-4 || (margin > 0.0 && z.abs() < 1e-5) {
            return None;
        }
        if margin > 0.0 && z > 0.0 {
            found.push(z);
        }
    }
    found.sort_by(f64::total_cmp);
    Some(found)
}

#[test]
fn hits_agree_with_an_independent_computation() {
    let mut compared = 0;
    for mesh in [make::cube(48), make::sphere(300), make::torus(300)] {
        let surface = Surface::build(&mesh).unwrap();
        let mut random = Random::new(9);
        let mut one = || {
            let origin = random.vector().map(|x| 3.0 * x);
            Ray::new(origin, add(random.vector().map(|x| 0.1 * x), origin, -0.1))
        };
        let rays: Vec<Ray> = (0..2_000).map(|_| one()).collect();
        let all = surface.ray_all_cpu(&rays).unwrap();
        for (i, ray) in rays.iter().enumerate() {
            let Some(expected) = independent(&mesh, ray) else { continue };
            let hits = &all.hits[all.offsets[i] as usize..all.offsets[i + 1] as usize];
            assert_eq!(hits.len(), expected.len(), "{ray:?}");
            compared += expected.len();
            for (hit, t) in hits.iter().zip(&expected) {
                assert!((f64::from(hit.t) - t).abs() < 1e-4 * (1.0 + t), "{ray:?} {hit:?} {t}");
                let [a, b, c] = mesh.corners(hit.triangle as usize);
                let normal = cross(add(b, a, -1.0), add(c, a, -1.0));
                assert_eq!(hit.front, dot(normal, ray.direction) < 0.0, "{ray:?} {hit:?}");
                let away = add(hit.point, add(ray.origin, ray.direction, f64::from(hit.t)), -1.0);
                assert!(dot(away, away).sqrt() < 1e-5, "{ray:?} {hit:?}");
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn directions_of_any_length_and_limits() {
    let surface = Surface::build(&make::cube(12)).unwrap();
    for length in [1e-300, 1e-30, 1.0, 3.0, 1e30, 1e300, f64::MIN_POSITIVE / 8.0] {
        let ray = Ray::new([-1.0, 0.3, 0.4], [length, 0.0, 0.0]);
        let hit = surface.ray_first_cpu(&[ray]).unwrap()[0].unwrap();
        let away = add(hit.point, [0.0, 0.3, 0.4], -1.0);
        assert!(dot(away, away).sqrt() < 1e-7, "{length:e} {hit:?}");
        assert_eq!(hit.t, (1.0 / length) as f32, "{length:e}");
    }
    let count =
        |limit| surface.ray_count_cpu(&[Ray { limit, ..Ray::new([-1.0, 0.3, 0.4], [2.0, 0.0, 0.0]) }]).unwrap()[0];
    assert_eq!([0.0, 0.49, 0.5, 0.9, 1.0, 2.0].map(count), [0, 0, 1, 1, 2, 2]);
    // On the surface, either way.
    let on = surface
        .ray_first_cpu(&[Ray::new([0.0, 0.3, 0.4], [1.0, 0.0, 0.0]), Ray::new([0.0, 0.3, 0.4], [-1.0, 0.0, 0.0])]);
    assert!(on.unwrap().iter().all(|hit| hit.unwrap().t.to_bits() == 0));
}

#[test]
fn triangles_without_area_are_never_met_and_bad_rays_are_errors() {
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 5.0, 5.0]];
    let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 0, 1], [3, 3, 3]]).unwrap();
    let surface = Surface::build(&mesh).unwrap();
    let at = |target: [f64; 3]| Ray::new([0.5, 0.25, 3.0], add(target, [0.5, 0.25, 3.0], -1.0));
    let rays =
        [at([0.5, 0.0, 0.0]), at([1.0, 0.0, 0.0]), at([0.0, 5.0, 5.0]), Ray::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0])];
    assert_eq!(surface.ray_count_cpu(&rays).unwrap(), [0; 4]);
    let error = |ray| surface.ray_any_cpu(&[rays[0], ray]).unwrap_err();
    assert!(matches!(error(Ray::new([f64::NAN, 0.0, 0.0], [1.0; 3])), Error::NotFinite { index: 1, .. }));
    let text = error(Ray::new([0.0; 3], [0.0; 3])).to_string();
    assert_eq!(text, "ray 1: direction [0.0, 0.0, 0.0], allowed are finite vectors but 0");
    let text = error(Ray { limit: -1.0, ..rays[0] }).to_string();
    assert_eq!(text, "ray 1: limit -1, allowed are numbers from 0");
    assert!(error(Ray::new([0.0; 3], [1.0, f64::INFINITY, 0.0])).to_string().contains("inf"));
}
