//! Triangle records and pseudo-normals made on a device are the host's, word for word: what a refit relies on.
//!
//! Kernels: `remake_triangles`.

use conformance::adapters::{has_f64, on_every_adapter};
use conformance::kernels::remake_triangle::{on_device, on_host, words};
use gpu_runtime::Context;
use mesh_distance::kernels::Vec3;
use mesh_distance::kernels::real::{Real, Record};
use mesh_distance::{Surface, make};

/// Corners in working coordinates: of a knot, and needles, slivers, points and segments.
///
/// `smallest` is the exponent of the smallest coordinate, `unit` the unit in the last place of 1.
fn corners<R: Real>(records: &[R::Record], smallest: i32, unit: f64) -> Vec<[Vec3<R>; 3]> {
    let mut corners: Vec<[Vec3<R>; 3]> = records.iter().map(Record::corners).collect();
    let mut state = 1_u64;
    // Coordinates of a working frame: 0 or 2^smallest to 2 in magnitude, of all sizes in between.
    let mut coordinate = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let exponent = 1 - (state >> 20) as i32 % (2 - smallest);
        let significand = (state >> 11) as f64 / (1_u64 << 53) as f64;
        let magnitude = R::from_f64((1.0 + significand) * 2f64.powi(exponent - 1));
        if state >> 60 == 0 { R::ZERO } else { magnitude.with_sign(state & (1 << 40) != 0) }
    };
    for shape in 0..20_000 {
        let [a, b, c]: [Vec3<R>; 3] = std::array::from_fn(|_| std::array::from_fn(|_| coordinate()));
        let near = |p: Vec3<R>| p.map(|x| x * R::from_f64(1.0 + unit)); // oracle: a neighbour, no comparison
        corners.push(match shape % 5 {
            0 => [a, a, a],
            1 => [a, b, a],
            2 => [a, b, near(b)],
            3 => [a, near(a), c],
            _ => [a, b, c],
        });
    }
    corners
}

fn compare<R: Real>(context: &Context, corners: &[[Vec3<R>; 3]]) {
    let expected = on_host(corners);
    assert!(expected.iter().any(|numbers| numbers[12..15] == [R::ZERO; 3]), "some triangles have no interior");
    let got = on_device(context, corners).unwrap_or_else(|error| panic!("{error}"));
    for (facet, (e, g)) in words(&expected).iter().zip(&words(&got)).enumerate() {
        assert_eq!(e, g, "triangle {facet}: {:?}", corners[facet]);
    }
    assert_eq!(expected.len(), got.len());
}

#[test]
fn a_device_remakes_the_words_of_the_host() {
    let surface = Surface::build(&make::knot(5_000)).unwrap_or_else(|error| panic!("{error}"));
    let corners = corners::<f32>(surface.records(), -40, 2f64.powi(-23));
    on_every_adapter(|context| compare(context, &corners));
}

#[test]
fn a_device_with_f64_remakes_the_words_of_the_host_in_f64() {
    let surface = Surface::build_double(&make::knot(5_000)).unwrap_or_else(|error| panic!("{error}"));
    let corners = corners::<f64>(surface.records(), -100, 2f64.powi(-52));
    on_every_adapter(|context| {
        if has_f64(context) {
            compare(context, &corners);
        }
    });
}
