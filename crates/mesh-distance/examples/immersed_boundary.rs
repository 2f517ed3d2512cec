//! The immersed-boundary marker: which cells of a flow solver's grid are fluid, cut by the body, and solid.
//!
//! `cargo run --release --example immersed_boundary [MESH] [N]` marks an N x N x N grid round a body (a sphere without a file), by half
//! a cell's diagonal and by the surface itself, and prints the middle layer. On a device if there is one, with the same marks.

use std::ops::ControlFlow;

use gpu_runtime::{Context, ContextOptions};
use mesh_distance::mark::{self, Cut};
use mesh_distance::{DeviceSurface, Grid, Sign, Surface, make, read_mesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    gpu_runtime::quiet_drivers();
    let mut arguments = std::env::args().skip(1);
    let mesh = arguments.next().map_or_else(|| Ok(make::sphere(2_000)), read_mesh)?;
    let n: u32 = arguments.next().map_or(Ok(32), |word| word.parse())?;
    let bounds = mesh.bounds().ok_or("the mesh has no triangles")?;
    let grid = Grid::around(&bounds, [n; 3], 0.25)?;
    let surface = Surface::build(&mesh)?;
    let device = match Context::new(&ContextOptions::default()) {
        Ok(context) => Some(DeviceSurface::upload(&context, &surface)?),
        Err(reason) => {
            println!("on the CPU: {reason}");
            None
        }
    };
    let go_on = |_, _| ControlFlow::Continue(());
    for cut in [Cut::Diagonal, Cut::Surface] {
        let marks = match &device {
            Some(device) => device.mark(&grid, Sign::PseudoNormal, cut, &go_on)?,
            None => surface.mark_cpu(&grid, Sign::PseudoNormal, cut, &go_on)?,
        };
        let count = |m: u8| marks.iter().filter(|x| **x == m).count();
        let [fluid, cut_cells, solid] = [mark::OUTSIDE, mark::CUT, mark::INSIDE].map(count);
        println!("{cut:?}: {fluid} fluid, {cut_cells} cut, {solid} solid");
        let layer = (n * n) as usize;
        let middle = layer * (n / 2) as usize;
        for row in marks[middle..middle + layer].chunks(n as usize).rev() {
            println!("{}", row.iter().map(|m| [' ', '+', '#'][*m as usize]).collect::<String>());
        }
    }
    Ok(())
}
