//! Rays through implicit surfaces: the device's hits against the CPU's, as words, on every adapter and in both forms.
//!
//! Kernel: `march_rays`, written from an expression.

use affine_arith::{Hit, MarchOptions, Plan, Ray, RayQuery, march_cpu};
use conformance::adapters::open_all;
use gpu_runtime::{ContextOptions, NumericsChoice};

fn rays() -> Vec<Ray> {
    let ray = |i: u32| {
        let (x, y) = ((i % 13) as f32 * 0.19 - 1.1, (i / 13) as f32 * 0.23 - 1.1);
        Ray { origin: [x, y, -4.0], direction: [0.05 * y, -0.04 * x, 1.0], near: 0.0, far: 8.0 }
    };
    (0..131).map(ray).collect()
}

fn words(hits: &[Hit]) -> Vec<(u32, u32)> {
    hits.iter().map(|hit| (hit.t.to_bits(), hit.steps)).collect()
}

#[test]
fn rays_meet_surfaces_where_those_of_the_cpu_do() {
    let options = MarchOptions { first: 1.0, least: 1e-3, steps: 200 };
    let expr = "x^2+y^2+z^2-1".parse().expect("a sphere");
    let plan = Plan::new(&expr, &["x", "y", "z"]).expect("in x, y, z");
    let expected = march_cpu(&plan, &rays(), options).expect("three variables");
    assert!(expected.iter().any(|hit| hit.t < 8.0) && expected.iter().any(|hit| hit.t.is_infinite()));
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Decorated, NumericsChoice::Guarded]) {
        let query = RayQuery::new(&context, &plan, options).expect("a kernel");
        let found = query.hits(&rays()).expect("hits");
        assert_eq!(words(&found), words(&expected), "{}", context.adapter().name);
        assert!(query.hits(&[]).expect("no rays").is_empty());
    }
}
