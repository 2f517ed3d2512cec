//! affine-arith: pictures of implicit surfaces by rays, shaded on the device.

use std::time::{Duration, Instant};

use affine_arith::gallery::Scene;
use affine_arith::{Camera, Method, Model, Plan, RenderOptions, RenderQuery, Rounding, Shading, render_cpu};
use conformance::error::Error;
use gpu_runtime::{AdapterSelector, Context, ContextOptions, Form, NumericsChoice, Timestamps};

use crate::clock::Clock;
use crate::table::{markdown, median};

/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(300);
const SIZE: [u32; 2] = [1024, 768];
/// Times of the animation.
const TIMES: [f64; 8] = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];

/// Scene of the gallery, what pixels show, shadows, how windows are chosen.
const ROWS: [(&str, Shading, bool, Method); 6] = [
    ("metaballs", Shading::Light, false, Method::Window),
    ("metaballs", Shading::Light, true, Method::Window),
    ("metaballs", Shading::Steps, false, Method::Window),
    ("metaballs", Shading::Light, false, Method::Sign),
    ("torus", Shading::Light, false, Method::Window),
    // Last: six waves are the most to compile.
    ("gyroid", Shading::Light, false, Method::Window),
];

/// A picture of the size that the CPU draws, too: a gyroid takes it 0.2 ms a pixel.
const SMALL: [u32; 2] = [128, 96];

/// Pictures, 1024 x 768, one sample a pixel, a row each as it is measured: the median over the animation of the device's clock round all
/// dispatches. `done` gets the table so far.
///
/// # Errors
/// Of the device, and of `done`.
pub fn table(
    context: &Context,
    clock: &mut Clock,
    repeats: u16,
    against_cpu: bool,
    mut done: impl FnMut(&str) -> Result<(), Error>,
) -> Result<String, Error> {
    let mut rows = Vec::new();
    let mut text = String::new();
    for (name, shading, shadows, method) in ROWS {
        let Some(scene) = Scene::named(name) else { continue };
        eprintln!("{name}, {shading:?}, {method:?} ..");
        let [width, height] = SIZE;
        let options = RenderOptions {
            width,
            height,
            shading,
            shadows,
            method,
            model: Model::Affine,
            rounding: Rounding::Rigorous,
            steps: 2000,
            first_sample: 0,
            samples: 1,
        };
        rows.push(row(context, clock, scene, &options, repeats, against_cpu)?);
        text = page(&rows);
        done(&text)?;
    }
    Ok(text)
}

fn row(
    context: &Context,
    clock: &mut Clock,
    scene: &Scene,
    options: &RenderOptions,
    repeats: u16,
    against_cpu: bool,
) -> Result<Vec<String>, Error> {
    let expr: affine_arith::Expr = scene.text.parse()?;
    let moving = expr.variables().iter().any(|name| name == "t");
    let plan = Plan::new(&expr, &["x", "y", "z", "t"][..if moving { 4 } else { 3 }])?;
    let camera = Camera::round([-scene.half; 3], [scene.half; 3], -1.05, 0.49, 1.6);
    let started = Instant::now();
    let query = RenderQuery::new(context, &plan, options)?;
    let ready = started.elapsed().as_secs_f64() * 1e3;
    let alone = alone(context, &plan, options)?;
    let up = clock.warm_up(WARM_UP)?;
    let (mut whole, mut each): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    let mut windows = 0.0;
    for _ in 0..repeats.div_ceil(4) {
        for time in TIMES {
            let (picture, timings) = query.draw(time, &camera, 0, Timestamps::Whole)?;
            whole.push(timings.first().map_or(0.0, |(_, seconds)| seconds * 1e3));
            windows = picture.windows as f64 / f64::from(options.width * options.height);
        }
    }
    for time in TIMES {
        let timings = query.draw(time, &camera, 0, Timestamps::EachDispatch)?.1;
        each.resize(timings.len(), Vec::new());
        each.iter_mut().zip(&timings).for_each(|(times, (_, seconds))| times.push(seconds * 1e6));
    }
    let equal = if against_cpu {
        let small = RenderOptions { width: SMALL[0], height: SMALL[1], ..*options };
        let expected = render_cpu(&plan, TIMES[3], &camera, &small, &mut Vec::new())?;
        let found = RenderQuery::new(context, &plan, &small)?.draw(TIMES[3], &camera, 0, Timestamps::None)?.0;
        if expected == found { "equal" } else { "DIFFERENT" }
    } else {
        "-"
    };
    let dispatches: Vec<String> = each.into_iter().map(|times| format!("{:.0}", median(times))).collect();
    Ok(vec![
        scene.name.to_owned(),
        format!("{:?}{}", options.shading, if options.shadows { ", shadows" } else { "" }).to_lowercase(),
        format!("{:?}", options.method).to_lowercase(),
        format!("{:.3}", median(whole)),
        format!("{windows:.1}"),
        dispatches.join(" "),
        format!("{ready:.0}"),
        alone,
        equal.to_owned(),
        up.map_or_else(|| "-".to_owned(), |clock| format!("{clock:.2}")),
    ])
}

/// Milliseconds of each kernel, compiled one after another in a context of its own, which keeps none.
fn alone(context: &Context, plan: &Plan, options: &RenderOptions) -> Result<String, Error> {
    let selector = AdapterSelector::Index(context.adapter().index);
    let numerics = match context.numerics().form {
        Form::Decorated => NumericsChoice::Decorated,
        _ => NumericsChoice::Guarded,
    };
    let fresh = Context::new(&ContextOptions { selector, numerics, cache_dir: None, ..ContextOptions::default() })?;
    let mut times = Vec::new();
    for kernel in RenderQuery::kernels(plan, options.model, options.rounding)? {
        let started = Instant::now();
        fresh.kernel(&kernel.source())?;
        times.push(format!("{:.0}", started.elapsed().as_secs_f64() * 1e3));
    }
    Ok(times.join(" "))
}

fn page(rows: &[Vec<String>]) -> String {
    let head = [
        "picture",
        "pixels show",
        "method",
        "ms",
        "windows a ray",
        "us a dispatch",
        "ready, ms",
        "kernels alone, ms",
        "to the CPU",
        "clock",
    ];
    markdown(&head, rows)
        + "\nPictures, 1024 x 768, one sample; ms: the device's clock round all of them, median over the \
           animation. A dispatch: rays, march, slopes, normals, (shadows,) colours. ready: kernels written and compiled side by side, buffers; kernels alone: rays, march with slopes, normals, colours, one after another. to the CPU: words of a picture of 128 x 96.\n"
}
