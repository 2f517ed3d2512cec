//! Triangle records and pseudo-normals made on a device are the host's, word for word: what a refit relies on.
//!
//! Kernels: `remake_triangle`.

use conformance::adapters::on_every_adapter;
use conformance::kernels::remake_triangle::{on_device, on_host};
use mesh_distance::kernels::Vec3;
use mesh_distance::{Surface, make};

/// Corners in working coordinates: of a knot, and needles, slivers, points and segments.
fn corners() -> Vec<[Vec3; 3]> {
    let mesh = make::knot(5_000);
    let surface = Surface::build(&mesh).unwrap_or_else(|error| panic!("{error}"));
    let mut corners: Vec<[Vec3; 3]> = surface.records().iter().map(|r| [r.a, r.b, r.c]).collect();
    let mut state = 1_u32;
    // Coordinates of a working frame: 0 or 2^-40 to 2 in magnitude, of all sizes in between.
    let mut coordinate = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let exponent = 87 + (state >> 8) % 41;
        if state >> 28 == 0 {
            0.0
        } else {
            f32::from_bits(state & 0x8000_0000 | exponent << 23 | (state >> 3) & 0x7f_ffff)
        }
    };
    for shape in 0..20_000 {
        let [a, b, c]: [Vec3; 3] = std::array::from_fn(|_| std::array::from_fn(|_| coordinate()));
        let near = |p: Vec3| p.map(|x| x * (1.0 + f32::EPSILON)); // oracle: a neighbour, no comparison
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

#[test]
fn a_device_remakes_the_words_of_the_host() {
    let corners = corners();
    let expected = on_host(&corners);
    assert!(expected.iter().any(|words| words[12..15] == [0, 0, 0]), "some triangles have no interior");
    on_every_adapter(|context| {
        let got = on_device(context, &corners).unwrap_or_else(|error| panic!("{error}"));
        for (facet, (e, g)) in expected.iter().zip(&got).enumerate() {
            assert_eq!(e, g, "triangle {facet}: {:?}", corners[facet]);
        }
        assert_eq!(expected.len(), got.len());
    });
}
