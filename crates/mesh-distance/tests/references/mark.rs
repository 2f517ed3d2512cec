//! Marks and bands of grids: against brute force, and against clipping and counting done apart.

use crate::common::{add, shared_meshes};
use mesh_distance::mark::{self, Cut};
use mesh_distance::{Bounds, Error, Grid, Mesh, Sign, Surface, make};
use std::ops::ControlFlow;

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn index(grid: &Grid, cell: usize) -> [u32; 3] {
    let [nx, ny, _] = grid.counts.map(|n| n as usize);
    [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|i| i as u32)
}

/// Whether a triangle meets a closed box grown by `grow`, by clipping it against the six planes in f64 (Sutherland, Hodgman 1974).
fn clipped(corners: [[f64; 3]; 3], lo: [f64; 3], hi: [f64; 3], grow: f64) -> bool {
    let mut polygon = corners.to_vec();
    for k in 0..3 {
        for side in [1.0, -1.0] {
            let limit = if side > 0.0 { hi[k] + grow } else { grow - lo[k] };
            let inside = |p: &[f64; 3]| limit - side * p[k];
            let mut kept = Vec::new();
            for i in 0..polygon.len() {
                let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                let (a, b) = (inside(&p), inside(&q));
                if a >= 0.0 {
                    kept.push(p);
                }
                if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
                    kept.push(add(p, add(q, p, -1.0), a / (a - b)));
                }
            }
            polygon = kept;
        }
    }
    !polygon.is_empty()
}

fn meshes() -> Vec<(String, Mesh)> {
    let thin = Mesh::new(
        vec![[0.0; 3], [1.0, 0.7, 0.3], [0.5, 0.35, 0.15], [0.0, 1.0, 0.0], [1.0, 0.0, 1e-7]],
        vec![[0, 1, 2], [3, 3, 3], [0, 4, 4], [0, 1, 4]],
    );
    let mut all = vec![
        ("cube".to_owned(), make::cube(12)),
        ("torus".to_owned(), make::torus(300)),
        ("knot".to_owned(), make::knot(2_000)),
        ("thin".to_owned(), thin.unwrap()),
    ];
    all.extend(shared_meshes().into_iter().filter(|(name, _)| name.starts_with("naca") || name == "cube-01.stl"));
    all
}

#[test]
fn cells_that_the_surface_crosses_are_found_and_no_others() {
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let bounds = mesh.bounds().unwrap();
        let size: [f64; 3] = std::array::from_fn(|k| bounds.hi[k] - bounds.lo[k]);
        let extent = size.iter().fold(0.0f64, |m, x| m.max(*x));
        let shifted = Bounds { lo: add(bounds.lo, [0.013, 0.004, 0.021], extent), hi: bounds.hi };
        // Aligned cells have faces in the faces of a cube; shifted and flat ones do not.
        for (bounds, counts) in [(bounds, [8, 8, 8]), (shifted, [11, 5, 9]), (bounds, [3, 40, 2])] {
            let grid = Grid::around(&bounds, counts, 0.25).unwrap();
            let marks = surface.mark_cpu(&grid, Sign::PseudoNormal, Cut::Surface, GO_ON).unwrap();
            let expected = mark::cut_brute_force(&surface, &grid).unwrap();
            let distances = surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap();
            for (cell, mark) in marks.iter().enumerate() {
                assert_eq!(*mark == mark::CUT, expected[cell], "{name} {counts:?} {cell}");
                if *mark != mark::CUT {
                    assert_eq!(*mark == mark::INSIDE, distances[cell] < 0.0, "{name} {counts:?} {cell}");
                }
                let lo: [f64; 3] =
                    std::array::from_fn(|k| grid.lo[k] + f64::from(index(&grid, cell)[k]) * grid.cell[k]);
                let hi: [f64; 3] = std::array::from_fn(|k| lo[k] + grid.cell[k]);
                let any =
                    |grow: f64| (0..mesh.triangles.len()).any(|t| clipped(mesh.corners(t), lo, hi, grow * extent));
                // What surely meets it is cut, and what is cut at least touches it.
                assert!(*mark == mark::CUT || !any(-1e-6), "{name} {counts:?} {cell}: missed");
                assert!(*mark != mark::CUT || any(1e-4), "{name} {counts:?} {cell}: not there");
            }
        }
    }
}

#[test]
fn half_diagonals_cut_all_that_the_surface_cuts_and_are_what_the_distance_says() {
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let grid = Grid::around(&mesh.bounds().unwrap(), [13, 12, 11], 0.25).unwrap();
        let marks = surface.mark_cpu(&grid, Sign::PseudoNormal, Cut::Diagonal, GO_ON).unwrap();
        let by_surface = surface.mark_cpu(&grid, Sign::PseudoNormal, Cut::Surface, GO_ON).unwrap();
        let distances = surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap();
        for (cell, d) in distances.iter().enumerate() {
            let expected = match f64::from(d.abs()) <= grid.half_diagonal() {
                true => mark::CUT,
                false if *d < 0.0 => mark::INSIDE,
                false => mark::OUTSIDE,
            };
            assert_eq!(marks[cell], expected, "{name} {cell}");
            assert!(by_surface[cell] != mark::CUT || marks[cell] == mark::CUT, "{name} {cell}");
        }
    }
}

#[test]
fn a_sphere_has_the_volume_of_its_inside_cells() {
    let mesh = make::sphere(5_000);
    let surface = Surface::build(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [48; 3], 0.1).unwrap();
    let marks = surface.mark_cpu(&grid, Sign::PseudoNormal, Cut::Surface, GO_ON).unwrap();
    let count = |m| marks.iter().filter(|x| **x == m).count() as f64;
    let volume = (count(mark::INSIDE) + 0.5 * count(mark::CUT)) * grid.cell.iter().product::<f64>();
    assert!((volume - mesh.report().volume).abs() < 0.02 * volume, "{volume} {}", mesh.report().volume);
    assert!(matches!(surface.mark_cpu(&grid, Sign::None, Cut::Surface, GO_ON), Err(Error::Question { .. })));
}

#[test]
fn a_band_is_the_cells_within_its_width() {
    for (name, mesh) in meshes().into_iter().take(2) {
        let surface = Surface::build(&mesh).unwrap();
        let bounds = mesh.bounds().unwrap();
        let extent = (0..3).map(|k| bounds.hi[k] - bounds.lo[k]).fold(0.0, f64::max);
        for counts in [[1, 1, 1], [5, 64, 3], [33, 31, 29], [70, 40, 70]] {
            let grid = Grid::around(&bounds, counts, 0.25).unwrap();
            let distances = surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap();
            let exact = f64::from(distances[distances.len() / 3].abs());
            for width in [0.0, exact, 0.02 * extent, 10.0 * extent, f64::INFINITY] {
                let band = surface.band_cpu(&grid, width, Sign::PseudoNormal, GO_ON).unwrap();
                let expected: Vec<(u32, u32)> = (0..)
                    .zip(&distances)
                    .filter(|(_, d)| f64::from(d.abs()) <= width)
                    .map(|(cell, d)| (cell, d.to_bits()))
                    .collect();
                let got = band.cells.iter().copied().zip(band.distance.iter().map(|d| d.to_bits()));
                assert!(got.eq(expected.iter().copied()), "{name} {counts:?} {width}");
                assert!(width != exact || !expected.is_empty());
            }
        }
    }
    let surface = Surface::build(&make::cube(12)).unwrap();
    let grid = Grid { lo: [0.0; 3], cell: [1.0; 3], counts: [4, 4, 4] };
    let error = |width, grid: &Grid| surface.band_cpu(grid, width, Sign::None, GO_ON).unwrap_err().to_string();
    assert_eq!(error(-1.0, &grid), "band: width -1, allowed are numbers from 0");
    assert_eq!(error(f64::NAN, &grid), "band: width NaN, allowed are numbers from 0");
    let large = Grid { cell: [1e-3; 3], counts: [4096, 4096, 256], ..grid };
    assert!(error(1.0, &large).contains("4294967296 cells"));
}
