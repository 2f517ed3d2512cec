//! Subdivision on a device: kernels written from a plan, every level there, the cells of the CPU in the CPU's order.

mod cells;
mod coordinates;
mod emit;
mod enclose;
mod expression;
mod march;
mod nest;
mod octree;
mod program;
mod render;
mod schedule;
mod standard;
mod table;
mod tape;
mod value;
mod words;

pub use enclose::{BoxQuery, FormAndRange};
pub use march::RayQuery;
pub use octree::{CellCounts, CellQuery, Subdivided, subdivide};
pub use program::kernels;
pub use render::RenderQuery;
pub use words::WordQuery;

use gpu_runtime::{KernelEntry, WgslModule};

use crate::subdivide::{Columns, Model, Rounding, Test};
use crate::{Interval, Mixed, Plan};

/// Tests of expressions that use every operation a kernel can have.
fn samples() -> Vec<Vec<WgslModule>> {
    let texts = [
        "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8",
        "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)",
        "x*y*1e30*(y/3 - x*z) - sqr(x + 1e15*y*z)*1e-30",
        "sqr(sqrt(x^2+y^2)-1)+z^2-0.16",
    ];
    let module = |text: &str| {
        let plan = text.parse().and_then(|expr| Plan::new(&expr, &["x", "y", "z"])).ok()?;
        let columns = Columns::new(&plan, &[(-3.0, 3.0); 3], 3);
        emit::test_modules(&Test::new::<3>(&plan, &columns.ranges, Rounding::Rigorous), 3).ok()
    };
    let torus = texts[3].parse().and_then(|expr| Plan::new(&expr, &["x", "y", "z"])).ok();
    let mixed = torus.as_ref().and_then(|plan| cells::cell_test::<Mixed<f32, 3>, 3>(plan, &[(-2.0, 2.0); 3], 1).ok());
    let ranges = torus.as_ref().and_then(|plan| cells::cell_test::<Interval<f32>, 3>(plan, &[(-2.0, 2.0); 3], 1).ok());
    let standard = torus.as_ref().and_then(|plan| standard::standard_test::<3>(plan, &[(-2.0, 2.0); 3], 1).ok());
    let tests = [mixed, ranges, standard];
    texts.into_iter().filter_map(module).chain(tests.into_iter().flatten().map(|test| test.modules)).collect()
}

/// Kernels over boxes; the library as a whole is looked at where its text is.
fn box_samples() -> Vec<KernelEntry> {
    let texts = [
        ("x*y - min(x, y)", Model::Affine),
        ("x/y + sqrt(x)", Model::Intervals),
        ("max(x*y, sqrt(x)) - abs(y)", Model::Mixed),
        ("min(x*y, x/3) - sqrt(x)*sqrt(y) + 0.1*sqr(x)", Model::Standard),
    ];
    let entry = |(text, model): (&str, Model)| {
        let plan = text.parse().and_then(|expr| Plan::new(&expr, &["x", "y"])).ok()?;
        enclose::entry::<2, f32>(&plan, model).ok()
    };
    let double = "x/y + sqrt(x*y)".parse().and_then(|expr| Plan::new(&expr, &["x", "y"]));
    let double = double.and_then(|plan| enclose::entry::<2, f64>(&plan, Model::Mixed)).ok();
    let moving = "x^2+y^2+z^2-cos(t)".parse().and_then(|expr| Plan::new(&expr, &["x", "y", "z", "t"]));
    let rays =
        [(Model::Affine, Rounding::Rigorous), (Model::Mixed, Rounding::Rigorous), (Model::Affine, Rounding::Ignore)];
    let ray = |(model, rounding)| {
        march::MarchKernel::new(moving.as_ref().ok()?, model, rounding).ok().map(|march| march.entry())
    };
    let rays = rays.into_iter().filter_map(ray);
    let words = words::entry(crate::Unary::Sqrt).ok();
    texts.into_iter().filter_map(entry).chain(rays).chain(words).chain(render::entries()).chain(double).collect()
}

#[cfg(test)]
mod tests {
    use super::{box_samples, samples};

    /// Samples that cannot be written are left out of linting and snapshots without a word: here they are missed.
    #[test]
    fn every_sample_has_its_kernels() {
        assert_eq!(samples().len(), 7);
        let count = |name: &str| box_samples().iter().filter(|entry| entry.name == name).count();
        // Forms, intervals, both, standard forms; forms and intervals in f64.
        assert_eq!(count("enclose_boxes"), 5);
        assert!(count("march_rays") >= 3 && count("enclose_words") == 1);
    }
}
