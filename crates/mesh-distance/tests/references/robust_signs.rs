//! Winding numbers and robust signs against solid angles in f64, and against each other.

use crate::common::{Random, points, shared_meshes};
use mesh_distance::{Criterion, Mesh, Sign, Surface, WindingOptions, make};
use std::f64::consts::PI;

/// Winding number by the f64 formula over all triangles, and a bound of the angle's condition: small near edges.
fn oracle(mesh: &Mesh, p: [f64; 3]) -> f64 {
    let angle = |t: usize| {
        let [a, b, c] = mesh.corners(t).map(|v| std::array::from_fn::<f64, 3, _>(|k| v[k] - p[k]));
        let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        let [la, lb, lc] = [a, b, c].map(|v| dot(v, v).sqrt());
        2.0 * volume.atan2(la * lb * lc + dot(a, b) * lc + dot(a, c) * lb + dot(b, c) * la)
    };
    (0..mesh.triangles.len()).map(angle).sum::<f64>() / (4.0 * PI)
}

fn meshes() -> Vec<(String, Mesh)> {
    let cube = make::cube(48);
    let holed = Mesh::new(cube.positions.clone(), cube.triangles[1..].to_vec()).unwrap();
    let mut double = make::sphere(300);
    double.triangles.extend(double.triangles.clone());
    let mut all = vec![
        ("sphere".into(), make::sphere(1_000)),
        ("knot".into(), make::knot(2_000)),
        ("holed cube".into(), holed),
        ("double sphere".into(), double),
        ("terrain".into(), make::terrain(500)),
        ("one triangle".into(), Mesh::new(cube.positions.clone(), cube.triangles[..1].to_vec()).unwrap()),
    ];
    all.extend(shared_meshes().into_iter().filter(|(_, mesh)| mesh.triangles.len() < 30_000));
    all
}

fn distances(surface: &Surface, points: &[[f64; 3]], sign: Sign) -> Vec<f32> {
    surface.distance_cpu(points, sign, false).unwrap()
}

#[test]
fn exact_winding_numbers_are_those_of_f64() {
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let points = points(&mesh, 300, 11);
        let unsigned = distances(&surface, &points, Sign::None);
        let got = surface.winding_cpu(&points, WindingOptions::EXACT).unwrap();
        let size = 2f64.powi(surface.frame().exponent);
        for ((p, d), w) in points.iter().zip(unsigned).zip(got) {
            // On the surface itself f32 coordinates decide the side.
            if f64::from(d) > 1e-5 * size {
                let want = oracle(&mesh, *p);
                assert!(
                    (w - want).abs() < 2e-4 + 3e-9 / (f64::from(d) / size).powi(2),
                    "{name} {p:?} at {d}: {w}, f64 {want}"
                );
            }
        }
    }
}

#[test]
fn expansions_stay_within_the_stated_error() {
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let points = points(&mesh, 300, 12);
        let exact = surface.winding_cpu(&points, WindingOptions::EXACT).unwrap();
        for (criterion, allowed) in [(Criterion::Radius, 0.12), (Criterion::Diagonal, 0.03)] {
            let fast = surface.winding_cpu(&points, WindingOptions::new(2.0, criterion)).unwrap();
            let worst = exact.iter().zip(&fast).fold(0.0f64, |m, (e, f)| m.max((e - f).abs()));
            println!("{name}, {criterion:?}: largest error {worst:.2e}");
            assert!(worst < allowed, "{name} {criterion:?}: {worst}");
            let tight = surface.winding_cpu(&points, WindingOptions::new(20.0, criterion)).unwrap();
            let worst = exact.iter().zip(&tight).fold(0.0f64, |m, (e, f)| m.max((e - f).abs()));
            assert!(worst < 2e-3, "{name} {criterion:?}, beta 20: {worst}");
        }
    }
}

#[test]
fn the_winding_sign_is_the_sign_of_the_exact_sum() {
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let points = points(&mesh, 600, 13);
        let bits = |sign| distances(&surface, &points, sign).iter().map(|d| d.to_bits()).collect::<Vec<_>>();
        let (fast, slow) = (bits(Sign::Winding), bits(Sign::SolidAngle));
        let wrong = fast.iter().zip(&slow).position(|(f, s)| f != s);
        assert!(wrong.is_none(), "{name}: {:?}", wrong.map(|i| (points[i], fast[i], slow[i])));
    }
}

#[test]
fn on_closed_meshes_all_signs_agree() {
    for mesh in [make::sphere(1_000), make::knot(2_000), make::cube(48), make::torus(800)] {
        let surface = Surface::build(&mesh).unwrap();
        let points = points(&mesh, 2_000, 14);
        let expected = distances(&surface, &points, Sign::PseudoNormal);
        for sign in [Sign::Winding, Sign::Rays] {
            for ((p, e), d) in points.iter().zip(&expected).zip(distances(&surface, &points, sign)) {
                assert_eq!(e.abs(), d.abs(), "{sign:?} {p:?}");
                assert!(e.abs() < 1e-6 || (*e < 0.0) == (d < 0.0), "{sign:?} {p:?}: {d}, pseudo-normal {e}");
            }
        }
    }
}

#[test]
fn rays_through_edges_and_corners_do_not_flip() {
    // Every ray along an axis from these points runs through edges, corners or along faces.
    let cube = make::cube(48);
    let surface = Surface::build(&cube).unwrap();
    let step = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5];
    let points: Vec<[f64; 3]> = (0..343).map(|i| [step[i % 7], step[i / 7 % 7], step[i / 49]]).collect();
    for sign in [Sign::Rays, Sign::Winding, Sign::SolidAngle] {
        for (p, d) in points.iter().zip(distances(&surface, &points, sign)) {
            let inside = p.iter().all(|&x| x > 0.0 && x < 1.0);
            assert_eq!(d < 0.0, inside, "{sign:?} {p:?}: {d}");
            assert!(d != 0.0 || d.to_bits() == 0, "{sign:?} {p:?}: -0");
        }
    }
}

/// A thread that waits for help with the first answer takes up other queries of the same surface meanwhile.
#[test]
fn threads_that_ask_a_new_surface_first_do_not_wait_for_each_other() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let mesh = make::sphere(50_000);
        for _ in 0..20 {
            let surface = Surface::build(&mesh).unwrap();
            let ask = || assert!(surface.winding_cpu(&[[0.1, 0.2, 0.3]], WindingOptions::default()).unwrap()[0] > 0.5);
            // 1: the first query begins; 2: it has its answer.
            let stage = AtomicU32::new(0);
            let wait_for = |wanted| {
                while stage.load(Ordering::Acquire) < wanted {
                    std::thread::yield_now();
                }
            };
            pool.scope(|scope| {
                scope.spawn(|scope| {
                    wait_for(1);
                    std::thread::sleep(std::time::Duration::from_millis(1));
                    // They stay in this thread's list until another thread takes them.
                    (0..8).for_each(|_| scope.spawn(|_| ask()));
                    wait_for(2);
                });
                scope.spawn(|_| {
                    stage.store(1, Ordering::Release);
                    ask();
                    stage.store(2, Ordering::Release);
                });
            });
        }
        done.send(()).unwrap();
    });
    let waited = ended.recv_timeout(std::time::Duration::from_secs(60));
    assert!(waited.is_ok(), "{waited:?}");
}

#[test]
fn a_missing_facet_leaves_both_robust_signs_right_away_from_the_hole() {
    let whole = shared_meshes()
        .into_iter()
        .find(|(name, _)| name == "cube-02.stl")
        .map_or_else(|| make::cube(192), |(_, mesh)| mesh);
    let bounds = whole.bounds().unwrap();
    let size: [f64; 3] = std::array::from_fn(|k| bounds.hi[k] - bounds.lo[k]);
    let mut random = Random::new(15);
    for missing in [0, whole.triangles.len() / 2, whole.triangles.len() - 1] {
        let mut holed = whole.clone();
        let hole = holed.corners(missing);
        holed.triangles.remove(missing);
        let surface = Surface::build(&holed).unwrap();
        let inward = whole.report().inward_components > 0;
        let points: Vec<[f64; 3]> = (0..3_000)
            .map(|_| std::array::from_fn(|k| bounds.lo[k] + size[k] * (0.5 + 0.75 * random.unit())))
            .collect();
        let edge = (0..3).map(|k| (hole[0][k] - hole[1][k]).powi(2)).sum::<f64>().sqrt();
        for sign in [Sign::Winding, Sign::Rays] {
            for (p, d) in points.iter().zip(distances(&surface, &points, sign)) {
                let inside = (0..3).all(|k| p[k] > bounds.lo[k] && p[k] < bounds.hi[k]);
                let near = hole.iter().any(|v| (0..3).map(|k| (v[k] - p[k]).powi(2)).sum::<f64>().sqrt() < 2.0 * edge);
                assert!(near || inward || (d < 0.0) == inside, "{sign:?} without {missing}: {p:?} {d}");
            }
        }
    }
}
