//! A scene ready to be drawn on a device.

use affine_arith::gallery::{SCENES, Scene};
use affine_arith::{Camera, Expr, Model, Picture, Plan, RenderOptions, RenderQuery, Rounding};
use gpu_runtime::{AdapterSelector, Context, ContextOptions, Timestamps};

use crate::view::View;
use crate::{Arguments, Failure};

/// Windows a ray at most.
const STEPS: u32 = 2000;

/// A scene, its kernels, and the options that they draw with.
pub(crate) struct Painter {
    context: Context,
    plan: Plan,
    query: RenderQuery,
    options: RenderOptions,
    pub(crate) title: String,
    pub(crate) half: f64,
    /// Whether the expression depends on the time.
    pub(crate) moves: bool,
}

impl Painter {
    pub(crate) fn new(arguments: &Arguments) -> Result<Self, Failure> {
        let scene = Scene::named(&arguments.scene);
        let text = scene.map_or(arguments.scene.as_str(), |scene| scene.text);
        let half = arguments.half.or(scene.map(|scene| scene.half)).unwrap_or(2.0);
        if !(half > 0.0 && half < 1e6) {
            return Err(format!("--half {half}: allowed above 0, below 1e6").into());
        }
        let unknown = |error: affine_arith::Error| match scene {
            Some(_) => error.to_string(),
            None => format!("{error}; scenes: {}", SCENES.map(|scene| scene.name).join(", ")),
        };
        let expr: Expr = text.parse().map_err(unknown)?;
        let moves = expr.variables().iter().any(|name| name == "t");
        let plan = Plan::new(&expr, &["x", "y", "z", "t"]).map_err(unknown)?;
        let options = RenderOptions {
            width: arguments.size[0],
            height: arguments.size[1],
            shading: arguments.mode.shading(),
            shadows: !arguments.no_shadows,
            method: arguments.method.method(),
            model: Model::Affine,
            rounding: if arguments.fast { Rounding::Ignore } else { Rounding::Rigorous },
            steps: STEPS,
            first_sample: 0,
            samples: arguments.samples,
        };
        let selector = arguments.device.clone().unwrap_or_else(AdapterSelector::from_env);
        let context = Context::new(&ContextOptions { selector, ..ContextOptions::default() })?;
        let query = RenderQuery::new(&context, &plan, &options)?;
        Ok(Self { context, plan, query, options, title: arguments.scene.clone(), half, moves })
    }

    /// Name of the device.
    pub(crate) fn device(&self) -> &str {
        &self.context.adapter().name
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        [self.options.width, self.options.height]
    }

    /// Buffers for pictures of another size; kernels are known.
    pub(crate) fn resize(&mut self, [width, height]: [u32; 2]) -> Result<(), Failure> {
        if self.size() != [width, height] {
            self.options = RenderOptions { width, height, ..self.options };
            self.query = RenderQuery::new(&self.context, &self.plan, &self.options)?;
        }
        Ok(())
    }

    /// Draws what a view shows, adding to the samples before `first`; also the device's seconds, where it has a clock.
    pub(crate) fn draw(&mut self, view: &View, first: u32) -> Result<(Picture, Option<f64>), Failure> {
        let options = RenderOptions {
            shading: view.mode.shading(),
            method: view.march.method(),
            samples: view.samples,
            ..self.options
        };
        self.query.change(&options)?;
        let camera: Camera = view.camera(self.half);
        let (picture, timings) = self.query.draw(view.time, &camera, first, Timestamps::Whole)?;
        Ok((picture, timings.first().map(|(_, seconds)| *seconds)))
    }
}
