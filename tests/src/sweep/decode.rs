//! mesh-decode: files of every format that has an encoder, and damaged copies of them, decoded on the device and by the CPU reference.

use gpu_runtime::Context;
use mesh_decode::{DeviceFile, File, Outputs, VertexOutput, open};
use mesh_distance::make;

use super::Bench;
use super::outcome::Outcome;
use crate::encoders::ENCODERS;
use crate::error::Error;

/// Compares every format.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let (triangles, damaged) = if bench.options.quick { (20_000, 20) } else { (1_000_000, 20) };
    let context = bench.context;
    let (large, small) = (make::terrain(triangles), make::knot(2000));
    let positions =
        |mesh: &mesh_distance::Mesh| -> Vec<[f32; 3]> { mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect() };
    for (name, encode) in ENCODERS {
        bench.check(&format!("decode {name}"), |outcome| {
            compare(context, &open(&encode(&positions(&large), &large.triangles)?)?, outcome)?;
            let good = encode(&positions(&small), &small.triangles)?;
            let (mut state, mut opened) = (9_u32, 0);
            for _ in 0..damaged {
                let mut bytes = good.clone();
                for _ in 0..4 {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let at = (state >> 8) as usize % bytes.len();
                    bytes[at] ^= 1 << (state >> 29);
                }
                let Ok(file) = open(&bytes) else { continue };
                opened += 1;
                compare(context, &file, outcome)?;
            }
            outcome.note = format!("{} triangles; {opened} damaged copies that open", large.triangles.len());
            Ok(())
        })?;
    }
    Ok(())
}

fn compare(context: &Context, file: &File, outcome: &mut Outcome) -> Result<(), Error> {
    let expected = file.decode_cpu(Outputs::ALL);
    let device = DeviceFile::upload(context, file)?;
    let all = device.select_all()?;
    let mesh = device.decode(&all, VertexOutput::Positions)?;
    let grid = device.decode(&all, VertexOutput::Grid)?;
    let bits = |positions: &[[f32; 3]]| -> Vec<[u32; 3]> { positions.iter().map(|p| p.map(f32::to_bits)).collect() };
    outcome.compare(&expected.statuses, &mesh.statuses.download()?, |unit| format!("status of unit {unit}"));
    outcome.compare(&expected.triangles, &mesh.triangles.download()?, |t| format!("triangle {t}"));
    outcome.compare(&expected.vertex_references, &mesh.references.download()?, |v| format!("reference {v}"));
    outcome.compare(&bits(&expected.positions), &bits(&mesh.positions.download()?), |v| format!("position {v}"));
    outcome.compare(&expected.grid, &grid.grid.download()?, |v| format!("grid vertex {v}"));
    Ok(())
}
