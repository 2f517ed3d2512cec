//! Rays through implicit surfaces: the device's hits against the CPU's, as words, on every adapter and in both forms.
//!
//! Kernels: `march_rays`, written for the functions of an expression; `camera_rays`, `surface_points`, `shade_pixels`.

use affine_arith::{
    Camera, Hit, MarchOptions, Method, Model, Plan, Ray, RayQuery, RenderOptions, RenderQuery, Rounding, Shading,
    march_cpu, render_cpu,
};
use conformance::adapters::{on_every_adapter, open_long};
use gpu_runtime::{Context, Form, Timestamps};

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
    for method in [Method::Sign, Method::Window] {
        compare("x^2+y^2+z^2-1", method, Model::Affine, Rounding::Rigorous);
    }
}

/// Intervals, and forms with intervals beside them.
#[test]
fn rays_of_other_models_meet_surfaces_where_those_of_the_cpu_do() {
    compare("sqr(sqrt(x^2+y^2)-1)+z^2-0.16", Method::Window, Model::Mixed, Rounding::Rigorous);
    compare("x^2+y^2+z^2-1", Method::Window, Model::Mixed, Rounding::Rigorous);
    compare("x^2+y^2+z^2-1", Method::Sign, Model::Intervals, Rounding::Rigorous);
}

/// More values at a time than workgroup memory has slots for: they are private then.
#[test]
fn rays_of_many_values_at_a_time_meet_surfaces_where_those_of_the_cpu_do() {
    let square = |k: usize| format!("sqr(x+{}*y)", k % 24 + 1);
    let products: Vec<String> = (0..24).map(|k| format!("{}*{}", square(k), square(k + 7))).collect();
    let text = format!("z^2 - 0.5 + ({})*0.00001", products.join("+"));
    compare(&text, Method::Window, Model::Affine, Rounding::Rigorous);
}

/// Rounding errors not counted: not rigorous, and the same words all the same.
#[test]
fn rays_that_ignore_rounding_meet_surfaces_where_those_of_the_cpu_do() {
    compare("x^2+y^2-z*z*(0-1)-1/(1+x*y/64)", Method::Window, Model::Affine, Rounding::Ignore);
}

fn compare(text: &str, method: Method, model: Model, rounding: Rounding) {
    let options = MarchOptions { first: 1.0, least: 1e-3, steps: 200, method, model, rounding };
    let expr = text.parse().expect("a surface");
    let plan = Plan::new(&expr, &["x", "y", "z"]).expect("in x, y, z");
    let expected = march_cpu(&plan, &rays(), options).expect("three variables");
    assert!(expected.iter().any(|hit| hit.t < 8.0) && expected.iter().any(|hit| hit.t.is_infinite()));
    let check = |context: &Context| {
        let query = RayQuery::new(context, &plan, options).expect("a kernel");
        let found = query.hits(&rays()).expect("hits");
        assert_eq!(words(&found), words(&expected), "{}", context.adapter().name);
        assert!(query.hits(&[]).expect("no rays").is_empty());
    };
    // Forms with intervals beside them are twice as long.
    if model == Model::Mixed { open_long().iter().for_each(check) } else { on_every_adapter(check) }
}

/// Whole pictures: rays, hits, normals, shadows, colours, and samples that are added up.
#[test]
fn pictures_are_those_of_the_cpu() {
    let expr = "1/(0.1+sqr(x-0.5*cos(t))+sqr(y)+z^2) + 1/(0.1+sqr(x+0.5)+sqr(y-0.3*sin(t))+z^2) - 4"
        .parse()
        .expect("metaballs");
    let plan = Plan::new(&expr, &["x", "y", "z", "t"]).expect("in x, y, z, t");
    let camera = Camera::round([-1.5; 3], [1.5; 3], -1.0, 0.4, 1.2);
    // Software devices take seconds for each set of kernels: one shading in both forms.
    let contexts = open_long();
    let cases = [
        (Shading::Light, true, true, Model::Affine, Rounding::Rigorous),
        (Shading::Normals, false, false, Model::Mixed, Rounding::Rigorous),
        (Shading::Steps, false, false, Model::Affine, Rounding::Ignore),
    ];
    for (shading, shadows, both, model, rounding) in cases {
        let options = RenderOptions {
            width: 37,
            height: 29,
            shading,
            shadows,
            method: Method::Window,
            model,
            rounding,
            steps: 300,
            first_sample: 0,
            samples: 2,
        };
        let expected = [0.3, 1.1].map(|time| {
            let mut light = Vec::new();
            let first = render_cpu(&plan, time, &camera, &options, &mut light).expect("a picture");
            let later = RenderOptions { first_sample: 2, ..options };
            [first, render_cpu(&plan, time, &camera, &later, &mut light).expect("a picture")]
        });
        assert!(expected[0][0].hits > 40 && expected[0][0].hits < 1000, "{}", expected[0][0].hits);
        assert_ne!(expected[0][0].pixels, expected[0][1].pixels);
        for context in contexts.iter().filter(|context| both || context.numerics().form == Form::Decorated) {
            let query = RenderQuery::new(context, &plan, &options).expect("kernels");
            for (time, expected) in [0.3, 1.1].into_iter().zip(&expected) {
                for (first, expected) in [0, 2].into_iter().zip(expected) {
                    let (found, _) = query.draw(time, &camera, first, Timestamps::None).expect("a picture");
                    assert!(found == *expected, "{}: {shading:?} at {time}", context.adapter().name);
                }
            }
        }
    }
}
