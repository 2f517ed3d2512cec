//! Adaptive subdivision of a box round the zeros of an expression in x, y and z:
//!
//! `cargo run --release -p affine-arith --example subdivide -- "x^2+y^2+z^2-1" -2 2 8 affine`

use std::time::Instant;

use affine_arith::{Expr, Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |i: usize, default: &'static str| arguments.get(i).map_or(default, String::as_str).to_owned();
    let expr: Expr = argument(0, "sqr(sqrt(x^2+y^2)-1)+z^2-0.16").parse()?;
    let bounds = (argument(1, "-2").parse()?, argument(2, "2").parse()?);
    let model = match argument(4, "affine").as_str() {
        "intervals" => Model::Intervals,
        "mixed" => Model::Mixed,
        _ => Model::Affine,
    };
    let plan = Plan::new(&expr, &["x", "y", "z"])?;
    println!("{} operations", plan.ops().len());
    let options = SubdivideOptions {
        level: argument(3, "7").parse()?,
        model,
        rounding: Rounding::Rigorous,
        capacity: 200_000_000,
    };
    let start = Instant::now();
    let cells = subdivide_cpu(&plan, [bounds; 3], options)?;
    let seconds = start.elapsed().as_secs_f64();
    let total: usize = cells.counts[1..].iter().sum();
    println!("cells at every level: {:?}", cells.counts);
    println!("{seconds:.3} s, {:.1} ns a cell", seconds * 1e9 / total as f64);
    Ok(())
}
