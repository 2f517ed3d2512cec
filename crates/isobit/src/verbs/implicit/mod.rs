//! `implicit`: implicit curves and surfaces from expressions, with bounds that hold. `enclose`: bounds of expressions over boxes.

pub(crate) mod args;
mod enclose;
mod map;
mod render;
mod roots;
pub(super) mod tree;

use affine_arith::gallery::{SCENES, Scene};
use affine_arith::{Error, Expr, Plan, variable_column};
use input_text::sentence;
use serde_json::json;

use self::args::{ImplicitArgs, Operation, SceneArgs};
use super::{counted, object};
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
    let column = |name: &str| variable_column(what, name);
    let what = sentence(what);
    match error {
        Error::Capacity { .. } => Failure::Limit(format!("{what}: {error}")),
        #[cfg(feature = "gpu")]
        Error::Device(error) => Failure::from(error),
        Error::Parse { column, message } => Failure::Input(format!("{what}:{column}: {message}")),
        // Of the options that have these names.
        Error::Bounds { .. } => Failure::Usage(format!("--{error}")),
        Error::Width { .. } => Failure::Usage(format!("--{error}")),
        Error::UnknownVariable { ref name, .. } => match column(name) {
            Some(column) => Failure::Input(format!("{what}:{column}: {error}")),
            None => Failure::Input(format!("{what}: {error}")),
        },
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
            return Err(sequence());
        }
        self.still(self.read(&[axes])?)
    }

    /// The expression at its time, over a box of one axis at least where x alone varies in a picture, else of two; of a third the picture shows
    /// nothing.
    pub(super) fn look_flat(&self) -> Result<Looked, Failure> {
        if self.time.count > 1 {
            return Err(sequence());
        }
        let (expr, ..) = self.parsed()?;
        let curve = expr.variables().iter().all(|name| ["t", "x", "z"].contains(&name.as_str()));
        self.still(self.read(if curve { &[1, 2, 3] } else { &[2, 3] })?)
    }

    /// The expression with its time left free, over a box of three axes.
    fn look_moving(&self) -> Result<Looked, Failure> {
        self.read(&[3])
    }

    fn still(&self, looked: Looked) -> Result<Looked, Failure> {
        let expr = looked.expr.with_value("t", self.time.at(0)).map_err(|e| failed(&looked.title, e))?;
        Ok(Looked { expr, ..looked })
    }

    /// The expression, its title and half the side of its box.
    fn parsed(&self) -> Result<(Expr, String, f64), Failure> {
        let scene = Scene::named(self.expression.trim());
        let text = scene.map_or(self.expression.as_str(), |scene| scene.text);
        let title = scene.map_or(text, |scene| scene.name).to_owned();
        let expr = text.parse().map_err(|e| failed(&title, e))?;
        Ok((expr, title, scene.map_or(2.0, |scene| scene.half)))
    }

    /// The expression with its box, which may have any of these numbers of axes.
    fn read(&self, axes: &[usize]) -> Result<Looked, Failure> {
        let (expr, title, half) = self.parsed()?;
        let given = self.bounds.len();
        let bounds = match axes.iter().find(|&&n| given == 2 * n) {
            None if given == 0 => vec![(-half, half); axes.iter().copied().max().unwrap_or(0)],
            Some(&n) => (0..n).map(|k| (self.bounds[k], self.bounds[n + k])).collect(),
            None => {
                let name = |n: &usize| {
                    format!("{} ({})", 2 * n, ["", "x0,x1", "x0,y0,x1,y1", "x0,y0,z0,x1,y1,z1"][(*n).min(3)])
                };
                let allowed: Vec<String> = axes.iter().map(name).collect();
                let given = counted(given as u64, "number", "numbers");
                let what = format!("--bounds: {given} (allowed for {title}: {})", allowed.join(", "));
                return Err(Failure::Usage(what));
            }
        };
        Ok(Looked { expr, title, bounds })
    }
}

/// Why a verb refuses several times.
fn sequence() -> Failure {
    Failure::Usage("--time T0:T1:N: sequences are for `implicit render` alone".to_owned())
}

/// What is said when an expression, or the kind of numbers it is evaluated with, has no kernel: with the option that leads to a device.
#[cfg(feature = "gpu")]
pub(super) fn without_kernel(error: &Error) -> String {
    match error {
        Error::NotOnDevice { what } => format!("computing on the CPU: devices have no {what}"),
        Error::Symbols { .. } => {
            format!("computing on the CPU: {error} (--method mixed and --method affine have no limit)")
        }
        error => format!("computing on the CPU: {error}"),
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
