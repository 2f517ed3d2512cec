//! `implicit`: implicit curves and surfaces from expressions, with bounds that hold. `enclose`: bounds of expressions over boxes.

pub(crate) mod args;
mod enclose;
mod map;
mod render;
mod roots;
pub(super) mod tree;

use affine_arith::gallery::{SCENES, Scene};
use affine_arith::{Error, Expr, Plan};
use serde_json::json;

use self::args::{ImplicitArgs, Operation, SceneArgs};
use super::object;
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;

pub(crate) use enclose::run as enclose;

/// Runs an operation on an expression.
pub(crate) fn run(args: &ImplicitArgs, common: &Common, console: Console) -> Result<(), Failure> {
    match (&args.operation, &args.map) {
        (Some(Operation::List), _) => list(console),
        (Some(Operation::Octree(args)), _) => tree::run::<3>(args, None, common, console),
        (Some(Operation::Quadtree(args)), _) => tree::run::<2>(&args.tree, args.z, common, console),
        (Some(Operation::Render(args)), _) => render::run(args, common, console),
        (Some(Operation::Roots(args)), _) => roots::run(args, console),
        (Some(Operation::Enclose(args)), _) => enclose(args, console),
        (None, Some(args)) => map::run(args, console),
        (None, None) => Err(Failure::Usage("an expression and --png FILE, or an operation, is needed".to_owned())),
    }
}

fn list(console: Console) -> Result<(), Failure> {
    let scenes: Vec<_> = SCENES
        .iter()
        .map(|s| json!({"name": s.name, "about": s.about, "expression": s.text, "half": s.half}))
        .collect();
    let width = SCENES.iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = SCENES
        .iter()
        .map(|s| format!("{:<width$}  {}, within {}\n{:width$}  {}", s.name, s.about, s.half, "", s.text))
        .collect();
    let answer = object("implicit", Engine::Cpu.describe(), Phases::default(), json!({"scenes": scenes}));
    console.answer(answer, &lines.join("\n"))
}

/// A failure of the library on an expression.
pub(crate) fn failed(what: &str, error: Error) -> Failure {
    match error {
        Error::Capacity { .. } => Failure::Limit(format!("{what}: {error}")),
        #[cfg(feature = "gpu")]
        Error::Device(error) => Failure::from(error),
        Error::Parse { column, message } => Failure::Input(format!("{what}:{column}: {message}")),
        _ => Failure::Input(format!("{what}: {error}")),
    }
}

/// An expression with its box.
pub(super) struct Looked {
    expr: Expr,
    /// Name of the scene, or the expression itself.
    pub(super) title: String,
    pub(super) bounds: Vec<(f64, f64)>,
}

impl SceneArgs {
    /// The expression at its time, over a box of `axes` axes.
    pub(super) fn look(&self, axes: usize) -> Result<Looked, Failure> {
        if self.time.count > 1 {
            return Err(Failure::Usage("--time T0:T1:N: sequences are for `implicit render` alone".to_owned()));
        }
        let looked = self.read(axes)?;
        let expr = looked.expr.with_value("t", self.time.at(0)).map_err(|e| failed(&looked.title, e))?;
        Ok(Looked { expr, ..looked })
    }

    /// The expression with its time left free, over a box of three axes.
    fn look_moving(&self) -> Result<Looked, Failure> {
        self.read(3)
    }

    fn read(&self, axes: usize) -> Result<Looked, Failure> {
        let scene = Scene::named(self.expression.trim());
        let text = scene.map_or(self.expression.as_str(), |scene| scene.text);
        let title = scene.map_or(text, |scene| scene.name).to_owned();
        let expr: Expr = text.parse().map_err(|e| failed(&title, e))?;
        let half = scene.map_or(2.0, |scene| scene.half);
        let bounds = match &self.bounds[..] {
            [] => vec![(-half, half); axes],
            numbers if numbers.len() == 2 * axes => (0..axes).map(|k| (numbers[k], numbers[axes + k])).collect(),
            numbers => {
                return Err(Failure::Usage(format!("--bounds: {} numbers (allowed: {})", numbers.len(), 2 * axes)));
            }
        };
        Ok(Looked { expr, title, bounds })
    }
}

impl Looked {
    /// The section at z; a height that is missing is named.
    fn at_height(self, z: Option<f64>) -> Result<Self, Failure> {
        let Some(z) = z else {
            let free = self.expr.variables().iter().any(|name| name == "z");
            let what = || format!("{}: z is free in the plane (give its value: --z Z)", self.title);
            return if free { Err(Failure::Usage(what())) } else { Ok(self) };
        };
        if !z.is_finite() {
            return Err(Failure::Usage(format!("--z: not a finite number ({z})")));
        }
        let expr = self.expr.with_value("z", z).map_err(|e| failed(&self.title, e))?;
        Ok(Self { expr, ..self })
    }

    /// The plan in the first variables of x, y, z.
    pub(super) fn plan(&self, axes: usize) -> Result<Plan, Failure> {
        Plan::new(&self.expr, &["x", "y", "z"][..axes]).map_err(|e| failed(&self.title, e))
    }
}
