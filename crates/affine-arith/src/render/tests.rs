use super::{Camera, RenderOptions, Shading, render_cpu};
use crate::march::Method;
use crate::{Error, Model, Plan, Rounding};

fn options() -> RenderOptions {
    RenderOptions {
        width: 48,
        height: 40,
        shading: Shading::Light,
        shadows: true,
        method: Method::Window,
        model: Model::Affine,
        rounding: Rounding::Rigorous,
        steps: 500,
        first_sample: 0,
        samples: 1,
    }
}

fn plan(text: &str, names: &[&str]) -> Plan {
    Plan::new(&text.parse().expect("an expression"), names).expect("its variables")
}

fn camera() -> Camera {
    Camera::round([-1.5; 3], [1.5; 3], -1.0, 0.5, 1.6)
}

#[test]
fn a_sphere_covers_the_pixels_that_it_should() {
    let plan = plan("x^2+y^2+z^2-1", &["x", "y", "z"]);
    let picture = render_cpu(&plan, 0.0, &camera(), &options(), &mut Vec::new()).expect("a picture");
    // Seen from 8.3 away under a slope of 0.36 for 20 rows: a disc with a radius of 6.7 rows.
    assert!((120..165).contains(&picture.hits), "{}", picture.hits);
    let corner = picture.pixels[0];
    assert_eq!(corner, 0xff00_0000 | 245 << 16 | 240 << 8 | 237);
    assert_ne!(picture.pixels[20 * 48 + 24], corner);
    // Both methods meet the same surface; windows are fewer with the zeros of the form.
    let sign = RenderOptions { method: Method::Sign, ..options() };
    let halved = render_cpu(&plan, 0.0, &camera(), &sign, &mut Vec::new()).expect("a picture");
    assert!(
        halved.hits.abs_diff(picture.hits) < 5 && halved.windows > picture.windows,
        "{} {}",
        halved.windows,
        picture.windows
    );
}

#[test]
fn samples_drawn_at_once_and_in_turn_give_the_same_picture() {
    let plan = plan("x^2+y^2+z^2-1-t", &["x", "y", "z", "t"]);
    let mut light = Vec::new();
    let all = RenderOptions { samples: 3, ..options() };
    let whole = render_cpu(&plan, 0.25, &camera(), &all, &mut light).expect("a picture");
    let mut light = Vec::new();
    let mut last = None;
    for first_sample in 0..3 {
        let one = RenderOptions { first_sample, ..options() };
        last = Some(render_cpu(&plan, 0.25, &camera(), &one, &mut light).expect("a picture"));
    }
    assert_eq!(last.expect("three").pixels, whole.pixels);
    let other = render_cpu(&plan, 0.0, &camera(), &all, &mut Vec::new()).expect("a picture");
    assert_ne!(other.pixels, whole.pixels);
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let plan = plan("x", &["x", "y", "z"]);
    for (width, height, samples) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1 << 14, 1 << 14, 1)] {
        let options = RenderOptions { width, height, samples, ..options() };
        let found = render_cpu(&plan, 0.0, &camera(), &options, &mut Vec::new());
        assert!(matches!(found, Err(Error::Picture { .. })));
    }
}
