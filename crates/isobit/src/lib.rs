//! From one crate of isobit to the next: what the program's `pipeline` verbs do, for programs.
//!
//! ```
//! use isobit::pipeline::{Morphology, band_grid_cpu};
//! use mesh_distance::{Grid, Sign, Surface, make};
//!
//! let mesh = make::torus(2_000);
//! let surface = Surface::build(&mesh)?;
//! let grid = Grid::around(&mesh.bounds().expect("triangles"), [40; 3], 0.1)?;
//! let band = band_grid_cpu(&surface, &grid, 0.1, Sign::PseudoNormal, &|_, _| std::ops::ControlFlow::Continue(()))?;
//! assert_eq!(band.grid.voxels() as usize, band.distance.len());
//! let coarse = Morphology { coarsen: [2; 3], ..Morphology::default() }.cpu(&band.grid)?;
//! assert!(coarse.voxels() < band.grid.voxels());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod pipeline;
