//! Cell counts of known scenes, and the cells themselves against sampled sign changes.

use std::time::Instant;

use affine_arith::{Cells, Error, Expr, Model, Plan, Scalar, SubdivideOptions, subdivide_cpu};

const TANGLECUBE: &str = "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8";
const GYROID: &str = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)";
const TORUS: &str = "sqr(sqrt(x^2+y^2)-1)+z^2-0.16";
const HEART: &str = "(x^2+9/4*y^2+z^2-1)^3 - x^2*z^3 - 9/80*y^2*z^3";

fn options(level: u32, model: Model) -> SubdivideOptions {
    SubdivideOptions { level, model, capacity: 100_000_000 }
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
