//! A mesh to a sparse grid with distances, on a device where there is one, and the same words on the CPU.
//!
//! `cargo run --release -p isobit --example mesh_to_grid -- part.stl part.nvdb`; without arguments, a knot.

use std::ops::ControlFlow;

use gpu_runtime::{AdapterSelector, Context, ContextOptions};
use isobit::pipeline::{Morphology, band_grid, band_grid_cpu};
use mesh_distance::{DeviceSurface, Grid, Sign, Surface, make, read_mesh};
use sparse_topology::device::{TopologyDevice, TopologyOptions};
use sparse_topology::nvdb;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mesh = arguments.next().map_or_else(|| Ok(make::knot(20_000)), read_mesh)?;
    let surface = Surface::build(&mesh)?;
    let bounds = mesh.bounds().ok_or("a mesh without triangles")?;
    let grid = Grid::around(&bounds, [128; 3], 0.1)?;
    let (width, sign) = (3.0 * grid.half_diagonal(), Sign::PseudoNormal);
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let morphology = Morphology { coarsen: [2; 3], dilate: 1 };

    let expected = band_grid_cpu(&surface, &grid, width, sign, &go_on)?;
    println!("cpu: {} voxels of {} cells", expected.grid.voxels(), grid.cells()?);

    // Any adapter, software ones too.
    let options = ContextOptions { selector: AdapterSelector::from_env(), ..ContextOptions::default() };
    match Context::new(&options) {
        Ok(context) => {
            let device = DeviceSurface::upload(&context, &surface)?;
            let topology = TopologyDevice::new(&context, &TopologyOptions::default());
            // Lists of cells, grid and rows stay on the device from step to step.
            let band = band_grid(&device, &topology, &grid, width, sign, &go_on)?;
            let coarse = morphology.device(&band.grid)?;
            let (band, coarse) = (band.download()?, coarse.download()?);
            let words = |values: &[f32]| values.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            assert!(band.grid == expected.grid && words(&band.distance) == words(&expected.distance));
            assert_eq!(coarse, morphology.cpu(&expected.grid)?);
            println!("{}: the same words; coarse grid of {} voxels", context.adapter().name, coarse.voxels());
        }
        Err(error) => println!("no device: {error}"),
    }
    if let Some(path) = arguments.next() {
        std::fs::write(&path, nvdb::write(&expected.grid, &["band"], &nvdb::WriteOptions::default())?)?;
        println!("wrote {path}");
    }
    Ok(())
}
