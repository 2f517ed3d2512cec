//! Distances on the CPU and on the best device of this machine, compared as words.

use gpu_runtime::{AdapterSelector, Context, ContextOptions};
use mesh_distance::{DeviceSurface, Sign, Surface, make};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = make::torus(5_000);
    let surface = Surface::build(&mesh)?;
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.7, 0.7, 0.0]];
    let cpu = surface.distance_cpu(&points, Sign::PseudoNormal, false)?;

    // `Gpu` takes a software driver too; the default options take hardware only.
    let options = ContextOptions { selector: AdapterSelector::Gpu, ..ContextOptions::default() };
    let context = Context::new(&options)?;
    let device = DeviceSurface::upload(&context, &surface)?;
    let gpu = device.distance(&points, Sign::PseudoNormal, false)?;

    println!("{}, {} form", context.adapter(), context.numerics().form);
    for ((point, cpu), gpu) in points.iter().zip(&cpu).zip(&gpu) {
        println!("{point:?}: {cpu} ({:#010x}) and {gpu} ({:#010x})", cpu.to_bits(), gpu.to_bits());
        assert_eq!(cpu.to_bits(), gpu.to_bits());
    }
    Ok(())
}
