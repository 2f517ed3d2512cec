//! Cell counts of known scenes, and the cells themselves against sampled sign changes.

use std::time::Instant;

use affine_arith::{Cells, Error, Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};

const TANGLECUBE: &str = "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8";
const GYROID: &str = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)";
const TORUS: &str = "sqr(sqrt(x^2+y^2)-1)+z^2-0.16";
const HEART: &str = "(x^2+9/4*y^2+z^2-1)^3 - x^2*z^3 - 9/80*y^2*z^3";

fn options(level: u32, model: Model) -> SubdivideOptions {
    SubdivideOptions { level, model, rounding: Rounding::Rigorous, capacity: 100_000_000 }
}

fn cells(text: &str, half: f64, level: u32, model: Model) -> Cells<3> {
    let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("x, y and z");
    let start = Instant::now();
    let cells = subdivide_cpu(&plan, [(-half, half); 3], options(level, model)).expect("within the capacity");
    let seconds = start.elapsed().as_secs_f64();
    let total: usize = cells.counts[1..].iter().sum();
    println!("{model:?} {:?}: {seconds:.3} s, {:.0} ns a cell", &cells.counts[1..], seconds * 1e9 / total as f64);
    cells
}

#[test]
fn counts_stay_below_the_known_ones() {
    let tanglecube = cells(TANGLECUBE, 3.0, 7, Model::Affine).counts;
    let gyroid = cells(GYROID, 6.0, 6, Model::Affine).counts;
    let known = [8, 64, 480, 1456, 4936, 18664, 72496];
    assert!(tanglecube[1..].iter().zip(known).all(|(ours, known)| *ours <= known), "{tanglecube:?}");
    let known = [8, 64, 512, 2678, 10514, 41060];
    assert!(gyroid[1..].iter().zip(known).all(|(ours, known)| *ours <= known), "{gyroid:?}");
    let torus = cells(TORUS, 2.0, 6, Model::Mixed).counts;
    assert!(torus[4] <= 344 && torus[5] <= 1560 && torus[6] <= 5904, "{torus:?}");
    let heart = cells(HEART, 1.5, 6, Model::Mixed).counts;
    assert!(heart[4] <= 744 && heart[5] <= 2648 && heart[6] <= 9196, "{heart:?}");
    cells(TORUS, 2.0, 6, Model::Affine);
    cells(HEART, 1.5, 6, Model::Affine);
    cells(TANGLECUBE, 3.0, 7, Model::Intervals);
}

/// Text, half the size of the box, and the same function in f64.
type Scene<'a> = (&'a str, f64, &'a dyn Fn([f64; 3]) -> f64);

/// Whether a function of the text is not positive, or not negative, on a grid of points of the cell; its cells must be kept.
fn changes_sign(f: impl Fn([f64; 3]) -> f64, half: f64, cell: [u16; 3], level: u32) -> bool {
    let size = 2.0 * half / f64::from(1_u32 << level);
    let points = (0..27).map(|q| [q % 3, q / 3 % 3, q / 9].map(|k| f64::from(k) * 0.5));
    let values = points.map(|p| f(std::array::from_fn(|k| -half + size * (f64::from(cell[k]) + p[k]))));
    let (mut low, mut high) = (false, false);
    values.for_each(|v| (low, high) = (low || v <= 0.0, high || v >= 0.0));
    low && high
}

#[test]
fn no_cell_with_a_sign_change_is_dropped() {
    let tanglecube = |[x, y, z]: [f64; 3]| [x, y, z].iter().map(|c| c.powi(4) - 5.0 * c * c).sum::<f64>() + 11.8;
    let gyroid = |[x, y, z]: [f64; 3]| x.sin() * y.cos() + y.sin() * z.cos() + z.sin() * x.cos();
    let scenes: [Scene<'_>; 2] = [(TANGLECUBE, 3.0, &tanglecube), (GYROID, 6.0, &gyroid)];
    for (text, half, f) in scenes {
        for model in [Model::Intervals, Model::Affine, Model::Mixed] {
            let level = 5;
            let kept: std::collections::HashSet<[u16; 3]> =
                cells(text, half, level, model).indices.into_iter().collect();
            let mut crossed = 0;
            for i in 0..1_u32 << (3 * level) {
                let cell = [0, 1, 2].map(|k| (i >> (level * k) & 31) as u16);
                if changes_sign(f, half, cell, level) {
                    crossed += 1;
                    assert!(kept.contains(&cell), "{model:?}: {cell:?} of {text}");
                }
            }
            assert!(crossed > 4_000 && crossed <= kept.len(), "{crossed} of {}", kept.len());
        }
    }
}

/// Bits of the indices interleaved, the first axis lowest.
fn morton<const D: usize>(cell: [u16; D]) -> u64 {
    (0..16 * D).fold(0, |code, bit| code | u64::from(cell[bit % D] >> (bit / D) & 1) << bit)
}

#[test]
fn cells_come_in_morton_order_in_every_dimension() {
    let cells = cells(TORUS, 2.0, 6, Model::Affine).indices;
    assert!(cells.is_sorted_by(|a, b| morton(*a) < morton(*b)));
    let curve = Plan::new(&"x^2+y^2+x*y-(x*y)^2/2-1/4".parse().expect("an expression"), &["x", "y"]).expect("x and y");
    let found = subdivide_cpu(&curve, [(-2.0, 2.0); 2], options(10, Model::Affine)).expect("within the capacity");
    println!("{:?}", found.counts);
    // What vusvna keeps, and the cells with a sampled sign change.
    for (level, most, least) in [(4, 44, 34), (6, 138, 130), (8, 530, 518), (10, 2082, 2070)] {
        assert!((least..=most).contains(&found.counts[level]), "level {level}: {}", found.counts[level]);
    }
    assert!(found.indices.is_sorted_by(|a, b| morton(*a) < morton(*b)));
    let line = Plan::new(&"x^2-2".parse().expect("an expression"), &["x"]).expect("x");
    let found = subdivide_cpu(&line, [(0.0, 4.0)], options(16, Model::Affine)).expect("within the capacity");
    assert!(found.indices.len() <= 2, "{:?}", found.indices);
    let root = 2f64.sqrt() / 4.0 * 65536.0;
    assert!(found.indices.iter().any(|[i]| f64::from(*i) <= root && root <= f64::from(*i) + 1.0));
}

#[test]
fn bad_input_is_refused_with_the_numbers() {
    let plan = Plan::new(&"x+y".parse().expect("an expression"), &["x", "y"]).expect("x and y");
    let run = |bounds: [(f64, f64); 2], options| subdivide_cpu(&plan, bounds, options).expect_err("bad input");
    let good = options(4, Model::Affine);
    assert!(matches!(run([(0.0, 1.0), (1.0, 1.0)], good), Error::Bounds { axis: 1, .. }));
    assert!(matches!(run([(0.0, f64::NAN), (0.0, 1.0)], good), Error::Bounds { axis: 0, .. }));
    assert!(matches!(run([(0.0, f64::INFINITY), (0.0, 1.0)], good), Error::Bounds { axis: 0, .. }));
    assert!(matches!(run([(0.0, 1.0); 2], options(17, Model::Affine)), Error::Level { level: 17, allowed: 16 }));
    let small = SubdivideOptions { capacity: 5, ..good };
    let full = run([(-1.0, 1.0); 2], small);
    assert!(matches!(full, Error::Capacity { allowed: 5, needed, .. } if needed > 5), "{full}");
    assert!(matches!(subdivide_cpu(&plan, [(0.0, 1.0); 3], good), Err(Error::Count { got: 2, needed: 3, .. })));
}
