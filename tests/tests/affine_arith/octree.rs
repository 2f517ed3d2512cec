//! Subdivisions on every adapter, in both strict forms, against the CPU's cells.
//!
//! Kernels: `octree_head`, `octree_scan`, `octree_expand`, with tests of cells that are written from expressions.

use affine_arith::{CellQuery, Cells, Error, Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};
use conformance::adapters::{on_every_adapter, open_all};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};

const TANGLECUBE: &str = "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8";
const GYROID: &str = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)";
/// Products and squares of several variables, constants that are no f32, and a division.
const COUPLED: &str = "sqr(x*y + z) - 0.3*x*z + sqr(sqr(x + y*z))/3 - 0.7";
/// A root of two variables.
const TORUS: &str = "sqr(sqrt(x^2+y^2)-1)+z^2-0.16";
/// Magnitudes on both sides of the range: guards for small products and for entire forms.
const WILD: &str = "x*y*1e17*(y/3 - x*z)*1e18 - sqr(x*1e-20*y)*1e-12 + (1/x)*y*z*1e16";

fn plan(text: &str, variables: &[&str]) -> Plan {
    Plan::new(&text.parse().expect("an expression"), variables).expect("its variables")
}

fn options(level: u32) -> SubdivideOptions {
    SubdivideOptions { level, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 3_000_000 }
}

fn compare<const D: usize>(context: &Context, plan: &Plan, bounds: [(f64, f64); D], level: u32, expected: &Cells<D>) {
    compare_model(context, plan, bounds, options(level), expected);
}

fn compare_model<const D: usize>(
    context: &Context,
    plan: &Plan,
    bounds: [(f64, f64); D],
    options: SubdivideOptions,
    expected: &Cells<D>,
) {
    let level = options.level;
    let query = CellQuery::new(context, plan, bounds, options).unwrap();
    let found = query.cells_on_host().unwrap();
    assert_eq!(found.counts, expected.counts);
    assert!(found.indices == expected.indices, "cells differ at level {level}");
    let left = query.coordinates(found.indices.len()).unwrap().download().unwrap();
    let words = found.indices.iter().flat_map(|cell| [0, 1, 2].map(|k| cell.get(k).map_or(0, |i| i32::from(*i))));
    assert!(left.into_iter().eq(words), "coordinates differ at level {level}");
}

#[test]
fn octrees_give_the_cells_of_the_cpu() {
    let scenes =
        [(TANGLECUBE, 3.0, 8), (GYROID, 6.0, 7), (COUPLED, 1.5, 6), (TORUS, 2.0, 5), (WILD, 0.75, 4), ("x", 1.0, 5)];
    let made = scenes.map(|(text, half, level)| {
        let plan = plan(text, &["x", "y", "z"]);
        let cells = subdivide_cpu(&plan, [(-half, half); 3], options(level)).unwrap();
        println!("{text}: {:?}", cells.counts);
        assert!(cells.indices.len() > 100, "{:?}", cells.counts);
        (plan, half, level, cells)
    });
    on_every_adapter(|context| {
        for (plan, half, level, cells) in &made {
            compare(context, plan, [(-half, *half); 3], *level, cells);
        }
    });
}

/// Intervals, and forms with intervals beside them: what the first table of docs/affine-arith.md counts.
#[test]
fn octrees_of_other_models_give_the_cells_of_the_cpu() {
    let heart = "(x^2+9/4*y^2+z^2-1)^3-x^2*z^3-9/80*y^2*z^3";
    let wild = "min(x*y, z/(x + 3*y)) - 0.1*max(x*z, y)";
    let scenes = [(TORUS, 2.0, 5, 1560), (heart, 1.5, 4, 672), (wild, 1.0, 4, 0)];
    for (text, half, level, cells_of_mixed) in scenes {
        let plan = plan(text, &["x", "y", "z"]);
        let bounds = [(-half, half); 3];
        let made = [Model::Intervals, Model::Mixed].map(|model| {
            let options = SubdivideOptions { model, ..options(level) };
            (options, subdivide_cpu(&plan, bounds, options).unwrap())
        });
        // The torus has every variable once: intervals are as good there.
        let fewer = made[0].1.indices.len() - made[1].1.indices.len();
        assert_eq!(fewer == 0, text == TORUS, "{fewer}");
        assert!(cells_of_mixed == 0 || made[1].1.indices.len() == cells_of_mixed, "{:?}", made[1].1.counts);
        // Software devices take long to compile a heart: in the form that they get by default.
        for context in open_all(&ContextOptions::default(), &[NumericsChoice::Auto]) {
            for (options, cells) in &made {
                compare_model(&context, &plan, bounds, *options, cells);
            }
        }
    }
}

/// Every number of axes, and values that are no operation of several of them.
#[test]
fn other_models_have_every_dimension() {
    let (line, curve) = (plan("x^2-2", &["x"]), plan("x*y-sqrt(x+y)/4", &["x", "y"]));
    let (axis, none) = (plan("y", &["x", "y", "z"]), plan("1+0*x", &["x"]));
    on_every_adapter(|context| {
        for model in [Model::Intervals, Model::Mixed] {
            let options = |level| SubdivideOptions { model, ..options(level) };
            let (one, two, three) = ([(0.0, 4.0)], [(0.0, 4.0); 2], [(-1.0, 2.0); 3]);
            compare_model(context, &line, one, options(16), &subdivide_cpu(&line, one, options(16)).unwrap());
            compare_model(context, &none, one, options(5), &subdivide_cpu(&none, one, options(5)).unwrap());
            compare_model(context, &curve, two, options(7), &subdivide_cpu(&curve, two, options(7)).unwrap());
            compare_model(context, &axis, three, options(4), &subdivide_cpu(&axis, three, options(4)).unwrap());
        }
    });
}

/// The levels that the contract names. A minute or more on a software device.
#[test]
#[ignore = "long: cargo nextest run -p conformance --test affine_arith --run-ignored only"]
fn deep_octrees_give_the_cells_of_the_cpu() {
    for (text, half) in [(TANGLECUBE, 3.0), (GYROID, 6.0)] {
        let plan = plan(text, &["x", "y", "z"]);
        let cells = subdivide_cpu(&plan, [(-half, half); 3], options(9)).unwrap();
        let equal = |context: Context| compare(&context, &plan, [(-half, half); 3], 9, &cells);
        open_all(&ContextOptions::default(), &[NumericsChoice::Auto]).into_iter().for_each(equal);
    }
}

#[test]
fn every_level_and_dimension_gives_the_cells_of_the_cpu() {
    let curve = plan("x^2+y^2+x*y-(x*y)^2/2-1/4", &["x", "y"]);
    let line = plan("x^2-2", &["x"]);
    let none = plan("x^2+y^2+z^2+1", &["x", "y", "z"]);
    on_every_adapter(|context| {
        for level in [0, 1, 3, 4, 5, 6, 9, 11] {
            let bounds = [(-2.0, 2.0); 2];
            compare(context, &curve, bounds, level, &subdivide_cpu(&curve, bounds, options(level)).unwrap());
        }
        compare(context, &line, [(0.0, 4.0)], 16, &subdivide_cpu(&line, [(0.0, 4.0)], options(16)).unwrap());
        let empty = subdivide_cpu(&none, [(-2.0, 2.0); 3], options(6)).unwrap();
        assert!(empty.indices.is_empty());
        compare(context, &none, [(-2.0, 2.0); 3], 6, &empty);
    });
}

#[test]
fn devices_without_subgroups_give_the_same_cells() {
    let plan = plan(TANGLECUBE, &["x", "y", "z"]);
    let cells = subdivide_cpu(&plan, [(-3.0, 3.0); 3], options(7)).unwrap();
    let without = ContextOptions { subgroups: false, ..ContextOptions::default() };
    for context in open_all(&without, &[NumericsChoice::Auto]) {
        assert!(context.subgroups().is_none());
        compare(&context, &plan, [(-3.0, 3.0); 3], 7, &cells);
    }
}

#[test]
fn a_capacity_that_is_exceeded_is_an_error_with_the_numbers_of_the_cpu() {
    let plan = plan(TANGLECUBE, &["x", "y", "z"]);
    on_every_adapter(|context| {
        for capacity in [0, 7, 100, 2000, 6000, 72_447] {
            let options = SubdivideOptions { capacity, ..options(7) };
            let expected = subdivide_cpu(&plan, [(-3.0, 3.0); 3], options).unwrap_err().to_string();
            let query = CellQuery::new(context, &plan, [(-3.0, 3.0); 3], options).unwrap();
            let found = query.cells_on_host().unwrap_err();
            assert!(matches!(found, Error::Capacity { .. }));
            assert_eq!(found.to_string(), expected);
        }
        let grown = affine_arith::subdivide(context, &plan, [(-3.0, 3.0); 3], options(8)).unwrap().cells;
        assert_eq!(grown, subdivide_cpu(&plan, [(-3.0, 3.0); 3], options(8)).unwrap());
        let fits = SubdivideOptions { capacity: 72_448, ..options(7) };
        let query = CellQuery::new(context, &plan, [(-3.0, 3.0); 3], fits).unwrap();
        // A query runs as often as wanted.
        let first = query.cells_on_host().unwrap();
        assert_eq!((first.indices.len(), &first), (72_448, &query.cells_on_host().unwrap()));
    });
}
