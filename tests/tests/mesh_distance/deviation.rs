//! Certified Hausdorff bounds with the points asked on every adapter: the numbers of the CPU.
//!
//! Kernels: `distance_first`, `distance_packet`.

use std::ops::ControlFlow;

use conformance::adapters::{contexts, has_f64, on_every_adapter};
use mesh_distance::{deviation, deviation_cpu, deviation_double, deviation_double_cpu, make};

#[test]
fn the_bounds_are_those_of_the_cpu() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let (a, b) = (make::sphere(120), make::sphere(500));
    let expected = deviation_cpu(&a, &b, 1e-3, &go_on).unwrap();
    assert!(expected.forward.queries > a.positions.len() as u64, "the search never branched");
    on_every_adapter(|context| assert_eq!(deviation(context, &a, &b, 1e-3, &go_on).unwrap(), expected));
    let expected = deviation_double_cpu(&a, &b, 1e-3, &go_on).unwrap();
    for context in contexts().iter().filter(|context| has_f64(context)) {
        assert_eq!(deviation_double(context, &a, &b, 1e-3, &go_on).unwrap(), expected);
    }
}
