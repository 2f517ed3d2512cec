//! Triangle records and pseudo-normals remade on the device.

use mesh_distance::{Surface, make};

use super::Bench;
use crate::error::Error;
use crate::kernels::remake_triangle::{on_device, on_host};

/// Remakes the records of a knot on the device.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let triangles = if bench.options.quick { 10_000 } else { 1_000_000 };
    let context = bench.context;
    bench.check("triangle records and normals remade", |outcome| {
        let surface = Surface::build(&make::knot(triangles))?;
        let corners: Vec<_> = surface.records().iter().map(|record| [record.a, record.b, record.c]).collect();
        // 96 bytes of words a triangle: pieces below a binding of 128 MiB.
        for piece in corners.chunks(1 << 20) {
            outcome.compare(&on_host(piece), &on_device(context, piece)?, |index| format!("triangle {index}"));
        }
        outcome.note = format!("{} triangles, 24 words each", corners.len());
        Ok(())
    })
}
