//! Triangle records and pseudo-normals remade on the device, in f32 and in f64.

use gpu_runtime::Context;
use mesh_distance::kernels::real::{Real, Record};
use mesh_distance::{Surface, make};

use super::Bench;
use super::outcome::Outcome;
use crate::adapters::has_f64;
use crate::error::Error;
use crate::kernels::remake_triangle::{on_device, on_host, words};

/// Remakes the records of a knot on the device.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let triangles = if bench.options.quick { 10_000 } else { 1_000_000 };
    let context = bench.context;
    bench.check("triangle records and normals remade", |outcome| {
        compare::<f32>(context, Surface::build(&make::knot(triangles))?.records(), outcome)
    })?;
    if has_f64(context) {
        bench.check("triangle records and normals remade in f64", |outcome| {
            compare::<f64>(context, Surface::build_double(&make::knot(triangles))?.records(), outcome)
        })?;
    }
    Ok(())
}

fn compare<R: Real>(context: &Context, records: &[R::Record], outcome: &mut Outcome) -> Result<(), Error> {
    let corners: Vec<_> = records.iter().map(Record::corners).collect();
    // 176 bytes of results a triangle in f64: pieces below a binding of 128 MiB.
    for piece in corners.chunks(1 << 19) {
        let (expected, got) = (on_host(piece), on_device(context, piece)?);
        outcome.compare(&words(&expected), &words(&got), |index| format!("triangle {index}"));
    }
    outcome.note = format!("{} triangles, 22 numbers each", corners.len());
    Ok(())
}
