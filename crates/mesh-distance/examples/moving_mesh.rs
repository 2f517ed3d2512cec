//! A surface that moves on a device: a torus that bends a little more in every step, its distances asked again and again.
//!
//! `cargo run --release -p mesh-distance --example moving_mesh`. Positions go to the device as f32, as a simulation there would leave
//! them; nothing else goes there or back but 32 bytes a step and the distances. Every step is compared with a surface built on the CPU.

use gpu_runtime::{AdapterSelector, Context, ContextOptions, Timestamps};
use mesh_distance::{DeviceSurface, Mesh, Sign, Surface, make};

/// The vertices, bent by so much.
fn bent(mesh: &Mesh, amount: f64) -> Vec<[f32; 3]> {
    let bend = |p: &[f64; 3]| [p[0], p[1], p[2] + amount * p[0] * p[0]].map(|x| x as f32);
    mesh.positions.iter().map(bend).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut mesh = make::torus(5_000);
    let rest = mesh.clone();
    let points: Vec<[f64; 3]> =
        (0..1000).map(|i| [i % 10, i / 10 % 10, i / 100].map(|k| f64::from(k) * 0.3 - 1.35)).collect();
    // Any adapter, software ones too.
    let options = ContextOptions { selector: AdapterSelector::Gpu, ..ContextOptions::default() };
    let context = Context::new(&options)?;
    let mut surface = DeviceSurface::upload_movable(&context, &Surface::build(&mesh)?)?;
    let positions = context.upload("positions", &bent(&mesh, 0.0))?;
    for step in 0..5 {
        let moved = bent(&rest, f64::from(step) * 0.1);
        positions.write(0, &moved)?;
        surface.update_positions_on(&positions, Timestamps::None)?;
        let distances = surface.distance(&points, Sign::PseudoNormal, false)?;

        mesh.positions = moved.iter().map(|p| p.map(f64::from)).collect();
        let expected = Surface::build(&mesh)?.distance_cpu(&points, Sign::PseudoNormal, false)?;
        assert!(distances.iter().zip(&expected).all(|(d, e)| d.to_bits() == e.to_bits()));
        let inside = distances.iter().filter(|d| **d < 0.0).count();
        println!("step {step}: {inside} of {} points inside, the words of a surface built on the CPU", points.len());
    }
    Ok(())
}
