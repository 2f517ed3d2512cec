//! Surfaces on devices that move, and several of them at once.

use std::thread;

use conformance::adapters::{contexts, on_every_adapter};
use gpu_runtime::Timestamps;
use mesh_distance::{DeviceSurface, Error, Grid, GridQuery, Mesh, PointQuery, Sign, Surface, make};

fn points(count: usize) -> Vec<[f64; 3]> {
    let one = |i: usize| [i % 7, i / 7 % 7, i / 49].map(|k| k as f64 / 2.9 - 1.1);
    (0..count).map(one).collect()
}

fn words(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn stretched(mesh: &Mesh, by: f64) -> Vec<[f64; 3]> {
    mesh.positions.iter().map(|p| [p[0] * by, p[1], p[2] + 0.1 * by]).collect()
}

#[test]
fn an_outdated_copy_is_an_error_until_it_is_updated() {
    let mesh = make::torus(500);
    let listed = points(200);
    on_every_adapter(|context| {
        let mut surface = Surface::build(&mesh).unwrap();
        let mut device = DeviceSurface::upload(context, &surface).unwrap();
        let allocated = |c: &gpu_runtime::Context| c.allocated_bytes();
        for by in [2.0, 0.5] {
            surface.update_positions(&stretched(&mesh, by)).unwrap();
            let error = device.distance(&listed, Sign::PseudoNormal, false).unwrap_err();
            assert!(matches!(error, Error::Outdated { .. }), "{error}");
            let before = allocated(context);
            device.update(&surface).unwrap();
            assert_eq!(allocated(context), before, "an update allocates nothing");
            let expected = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
            assert_eq!(words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap()), expected);
        }
        let other = Surface::build(&mesh).unwrap();
        assert!(matches!(device.update(&other), Err(Error::Question { .. })));
    });
}

#[test]
fn handles_are_send_and_several_surfaces_and_contexts_work_at_once() {
    fn send<T: Send>() {}
    send::<Surface>();
    send::<DeviceSurface>();
    send::<GridQuery<'_>>();
    send::<PointQuery<'_>>();
    let surfaces = [make::torus(500), make::sphere(300)].map(|mesh| Surface::build(&mesh).unwrap());
    let listed = points(300);
    let grid = Grid { lo: [-1.0; 3], cell: [0.25; 3], counts: [8, 8, 8] };
    thread::scope(|scope| {
        for context in contexts() {
            for surface in &surfaces {
                let (listed, grid) = (&listed, &grid);
                let device = DeviceSurface::upload(context, surface).unwrap();
                scope.spawn(move || {
                    let query = device.point_query(listed, Sign::PseudoNormal, false).unwrap();
                    let expected = words(&surface.distance_cpu(listed, Sign::PseudoNormal, false).unwrap());
                    let cells = words(
                        &surface
                            .grid_distance_cpu(grid, Sign::None, false, &|_, _| std::ops::ControlFlow::Continue(()))
                            .unwrap(),
                    );
                    for _ in 0..3 {
                        query.run(Timestamps::None).unwrap();
                        assert_eq!(words(&query.download().unwrap()), expected);
                        let on = device.grid_distance_on(grid, Sign::None, false).unwrap();
                        assert_eq!(words(&on.download().unwrap()), cells);
                    }
                });
            }
        }
    });
}
