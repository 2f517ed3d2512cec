//! From crate to crate on every adapter, in both strict forms, against the CPU's way: words of grids and rows.
//!
//! Kernels: `band_coordinates`, `octree_coordinates`, `gather_row_values`, and those of the crates between.

use std::ops::ControlFlow;

use affine_arith::{Model, Plan, Rounding, SubdivideOptions};
use conformance::adapters::on_every_adapter;
use isobit::pipeline::{
    Morphology, band_grid, band_grid_cpu, decoded_surface, decoded_surface_cpu, octree_grid, octree_grid_cpu,
};
use mesh_decode::{DeviceFile, DgfOptions, GridStep, Md1Options, encode_dgf, encode_md1, open};
use mesh_distance::{DeviceSurface, Grid, Progress, Sign, Surface, make};
use sparse_topology::device::{TopologyDevice, TopologyOptions};

const GO_ON: &Progress<'_> = &|_, _| ControlFlow::Continue(());

#[test]
fn a_mesh_goes_to_the_voxels_of_its_band() {
    let mesh = make::torus(1_500);
    let surface = Surface::build(&mesh).unwrap();
    let bounds = mesh.bounds().unwrap();
    let cases: Vec<_> = [
        ([33, 20, 41], 0.12, Sign::PseudoNormal),
        ([5, 5, 5], 0.0, Sign::None),
        ([24; 3], 9.0, Sign::None),
        ([21, 16, 25], 0.15, Sign::Winding),
        ([13, 16, 19], 0.2, Sign::Rays),
    ]
    .map(|(counts, width, sign)| {
        let grid = Grid::around(&bounds, counts, 0.2).unwrap();
        let band = band_grid_cpu(&surface, &grid, width, sign, GO_ON).unwrap();
        // The oracle: the dense grid, cell by cell.
        let dense = surface.grid_distance_cpu(&grid, sign, false, GO_ON).unwrap();
        let kept = dense.iter().filter(|d| f64::from(d.abs()) <= width).count();
        assert_eq!((band.grid.voxels() as usize, band.distance.len()), (kept, kept));
        for (voxel, distance) in band.grid.coordinates(0).unwrap().into_iter().zip(&band.distance) {
            let [i, j, k] = voxel.map(|c| c as usize);
            let cell = (k * counts[1] as usize + j) * counts[0] as usize + i;
            assert_eq!(distance.to_bits(), dense[cell].to_bits());
            let (place, centre) = (band.grid.transforms()[0].centre(voxel), grid.centre(voxel.map(|c| c as u32)));
            let near = |k: usize| (place[k] - centre[k]).abs() < 1e-12; // oracle: two ways to a place in f64
            assert!((0..3).all(near), "{place:?} {centre:?}");
        }
        (grid, width, sign, band)
    })
    .into();
    let morphology = Morphology { coarsen: [2, 3, 1], dilate: 2 };
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        let topology = TopologyDevice::new(context, &TopologyOptions::default());
        for (grid, width, sign, expected) in &cases {
            let band = band_grid(&device, &topology, grid, *width, *sign, GO_ON).unwrap();
            let second = morphology.device(&band.grid).unwrap().download().unwrap();
            assert_eq!(second, morphology.cpu(&expected.grid).unwrap());
            let band = band.download().unwrap();
            assert_eq!(band.grid, expected.grid);
            let words = |values: &[f32]| values.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            assert_eq!(words(&band.distance), words(&expected.distance));
        }
    });
}

#[test]
fn an_expression_goes_to_the_voxels_of_its_octree() {
    let expr = "sqr(x)+sqr(y)+sqr(z)-1.1".parse().unwrap();
    let plan = Plan::new(&expr, &["x", "y", "z"]).unwrap();
    let options = SubdivideOptions { level: 5, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 100_000 };
    let bounds = [(-2.0, 2.0), (-1.5, 2.0), (-3.0, 1.5)];
    let expected = octree_grid_cpu(&plan, bounds, options).unwrap();
    // The oracle: corners of one cell with different signs are in a voxel.
    let transform = expected.transforms()[0];
    let voxels: std::collections::HashSet<[i32; 3]> = expected.coordinates(0).unwrap().into_iter().collect();
    let inside = |p: [f64; 3]| p.iter().map(|x| x * x).sum::<f64>() < 1.1;
    let mut met = 0;
    for cell in 0..32_768_i32 {
        let cell = [cell & 31, cell >> 5 & 31, cell >> 10];
        let centre = transform.centre(cell);
        let corner =
            |c: usize| std::array::from_fn(|k| centre[k] + ((c >> k & 1) as f64 - 0.5) * transform.voxel_size[k]);
        let count = (0..8).filter(|&c| inside(corner(c))).count();
        if count != 0 && count != 8 {
            met += 1;
            assert!(voxels.contains(&cell), "{cell:?}");
        }
    }
    assert!(met > 500 && voxels.len() < 3 * met, "{met} of {}", voxels.len());
    let morphology = Morphology { coarsen: [3; 3], dilate: 1 };
    on_every_adapter(|context| {
        let topology = TopologyDevice::new(context, &TopologyOptions::default());
        let grid = octree_grid(&topology, &plan, bounds, options).unwrap();
        assert_eq!(morphology.device(&grid).unwrap().download().unwrap(), morphology.cpu(&expected).unwrap());
        assert_eq!(grid.download().unwrap(), expected);
    });
}

#[test]
fn a_compressed_mesh_goes_to_its_band_without_the_host() {
    let mesh = make::torus(2_000);
    let single: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let md1 = Md1Options { step: GridStep::Bits(12), ..Md1Options::default() };
    let encoded = [
        encode_md1(&single, &mesh.triangles, &md1).unwrap().bytes,
        encode_dgf(&single, &mesh.triangles, &DgfOptions::default()).unwrap().bytes,
    ];
    for bytes in encoded {
        let file = open(&bytes).unwrap();
        let surface = decoded_surface_cpu(&file).unwrap();
        let grid = Grid { lo: [-1.5; 3], cell: [0.125; 3], counts: [24; 3] };
        let expected = band_grid_cpu(&surface, &grid, 0.2, Sign::PseudoNormal, GO_ON).unwrap();
        assert!(expected.grid.voxels() > 500);
        on_every_adapter(|context| {
            let decoded = decoded_surface(&DeviceFile::upload(context, &file).unwrap()).unwrap();
            // The vertices of neighbouring units are one, as on the host: else seams would have other pseudo-normals.
            assert_eq!(decoded.triangles(), mesh.triangles.len());
            let topology = TopologyDevice::new(context, &TopologyOptions::default());
            let band = band_grid(&decoded, &topology, &grid, 0.2, Sign::PseudoNormal, GO_ON).unwrap();
            let band = band.download().unwrap();
            assert_eq!(band.grid, expected.grid);
            let words = |values: &[f32]| values.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            assert_eq!(words(&band.distance), words(&expected.distance));
        });
    }
}
