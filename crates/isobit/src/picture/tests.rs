//! Pictures of awkward volumes and meshes: each is drawn, and holds what it must.

use super::canvas::Canvas;
use super::mesh::MeshFigure;
use super::slice::SliceFigure;
use crate::volume::{Values, Volume};

fn draw(volume: &Volume, axis: usize) -> Canvas {
    let figure = SliceFigure {
        volume,
        axis,
        fraction: 1.0,
        title: "a title far too long for a picture of this width, which is set smaller and then cut at its end, not wrapped",
        subtitle: "",
        quantity: "distance",
        unit: "mesh units",
    };
    figure.draw().expect("a picture")
}

/// Number of pixels for which `test` holds.
fn count(canvas: &Canvas, test: impl Fn([u8; 3]) -> bool) -> usize {
    canvas.rgb().filter(|&c| test(c)).count()
}

#[test]
fn every_volume_has_a_picture() {
    let special = [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e-38];
    for (i, cells) in [[1, 1, 1], [6, 1, 1], [1, 6, 1], [1, 1, 6], [3, 2, 2]].into_iter().enumerate() {
        for (j, value) in special.into_iter().enumerate() {
            let mut values = vec![1.0; cells.iter().product()];
            values[0] = value;
            // Every value on every shape; spacings and axes take turns.
            let spacing = [0.5, 0.0, 1e-30, 1e300][(i + j) % 4];
            let volume = Volume { cells, first: [0.25; 3], spacing: [spacing; 3], values: Values::F32(values) };
            let canvas = draw(&volume, j % 3);
            assert!(count(&canvas, |c| c == [255; 3]) > 1000, "{cells:?} {value} {spacing}");
        }
    }
}

#[test]
fn inside_is_blue_outside_is_orange_and_the_surface_black() {
    let values = (0..16 * 16).map(|i| (i % 16) as f32 - 7.3).collect();
    let volume = Volume { cells: [16, 16, 1], first: [0.0; 3], spacing: [1.0; 3], values: Values::F32(values) };
    let canvas = draw(&volume, 2);
    let blue = count(&canvas, |[r, _, b]| b > 100 && r < 90);
    let orange = count(&canvas, |[r, _, b]| r > 100 && b < 100);
    assert!(blue > 50_000 && orange > 50_000, "{blue} {orange}");
    let [x, y] = [84 + (7.8 / 16.0 * 720.0) as usize, 78 + 360];
    assert!(
        canvas.rgb().nth(y * canvas.width() + x).expect("inside").iter().all(|&c| c < 60),
        "the zero line is strong"
    );
}

#[test]
fn front_faces_are_blue_back_faces_orange_and_points_have_a_picture() {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let draw = |vertices: &[[f64; 3]], triangle: [u32; 3]| {
        let figure = MeshFigure {
            vertices,
            triangles: &[triangle],
            title: "mesh",
            subtitle: "",
            unit: "mesh unit",
            parts: &[],
            names: &[],
            quads: false,
        };
        figure.draw().expect("a picture")
    };
    let blue = |c: &Canvas| count(c, |[r, _, b]| b > r.saturating_add(30));
    let orange = |c: &Canvas| count(c, |[r, _, b]| r > b.saturating_add(30));
    let (front, back) = (draw(&vertices, [0, 1, 2]), draw(&vertices, [0, 2, 1]));
    assert!(blue(&front) > 50_000 && orange(&front) == 0, "{}", blue(&front));
    assert!(orange(&back) > 50_000 && blue(&back) == 0, "{}", orange(&back));
    for shape in [[[1.0; 3]; 3], [[0.0; 3], [1.0; 3], [2.0; 3]], [[1e300; 3], [-1e300; 3], [0.0; 3]]] {
        assert!(count(&draw(&shape, [0, 1, 2]), |c| c != [255; 3]) > 100, "{shape:?}");
    }
    assert!(blue(&draw(&vertices, [0, 1, 9])) == 0, "an index that does not exist draws nothing");
}

#[test]
fn a_part_is_seen_through_another_and_both_are_named() {
    let plane = |x: f64| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 1.0, 1.0], [x, 0.0, 1.0]];
    // The second part is before the first as the viewer sees them, and as large.
    let vertices: Vec<[f64; 3]> = plane(0.0).into_iter().chain(plane(0.3)).collect();
    let triangles = [[0, 1, 2], [2, 3, 0], [4, 5, 6], [6, 7, 4]];
    let names = ["first".to_owned(), "second".to_owned()];
    let draw = |parts: &[usize]| {
        let figure = MeshFigure {
            vertices: &vertices,
            triangles: &triangles,
            title: "two",
            subtitle: "",
            unit: "unit",
            parts,
            names: &names,
            quads: true,
        };
        figure.draw().expect("a picture")
    };
    let colours = |canvas: &Canvas| {
        let mut counts = std::collections::HashMap::new();
        canvas.rgb().filter(|c| *c != [255; 3]).for_each(|c| *counts.entry(c).or_insert(0usize) += 1);
        counts.into_values().filter(|&n| n > 5_000).count()
    };
    assert_eq!(colours(&draw(&[])), 1, "one part hides what is behind it");
    assert_eq!(colours(&draw(&[0, 2])), 3, "the front alone, the back alone, the back through the front");
}
