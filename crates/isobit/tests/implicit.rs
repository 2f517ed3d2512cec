//! `implicit` and `enclose` as they are typed: pictures, counts, bounds, and what is refused.

mod support;

use support::{Folder, isobit};

#[test]
fn a_sign_map_and_bounds_over_a_line_are_pictures() {
    let folder = Folder::new();
    for expression in ["x^2+y^2-1", "x^2-1", "-x*y", "heart"] {
        let png = folder.path("map.png");
        isobit(&["implicit", expression, "--png", &png, "--level", "5", "--json"]).json();
        assert!(std::fs::read(&png).expect("a picture").starts_with(b"\x89PNG"), "{expression}");
        std::fs::remove_file(&png).expect("removed");
    }
}

#[test]
fn what_cannot_be_read_is_refused_at_its_column() {
    let folder = Folder::new();
    let png = folder.path("map.png");
    isobit(&["implicit", "x^2+", "--png", &png]).refused(1, &["x^2+:5"]);
    isobit(&["implicit", "x+q", "--png", &png]).refused(1, &["q"]);
    isobit(&["implicit", "x", "--png", &png, "--bounds", "1,2,3"]).refused(2, &["--bounds"]);
    isobit(&["implicit", "x^2+y^2-1"]).refused(2, &["--png"]);
    assert!(!std::path::Path::new(&png).exists());
}

#[test]
fn roots_and_bounds_hold() {
    let folder = Folder::new();
    let found = isobit(&["implicit", "roots", "x^2+y^2-1; x-y", "--bounds", "-2,-2,2,2", "--json"]).json();
    let text = found.to_string();
    assert!(text.contains("0.707106781"), "{text}");
    isobit(&["implicit", "roots", "x^2+y^2-1,x-y", "--bounds", "-2,-2,2,2"]).refused(2, &["--bounds"]);
    let (boxes, out) = (folder.file("b.csv", "1,2\n-1,1\n"), folder.path("e.csv"));
    isobit(&["enclose", "x^2", "--boxes", &boxes, "--model", "interval", "--out", &out, "--json"]).json();
    assert_eq!(std::fs::read_to_string(&out).expect("bounds"), "1.0,4.0\n0.0,1.0\n");
}

/// The section of the unit sphere at z = 0 has the cells of the circle.
#[test]
fn a_quadtree_of_three_variables_wants_the_height() {
    let tree = |expression: &str, more: &[&str]| {
        let typed = ["implicit", "quadtree", expression, "--level", "6", "--json", "--device", "cpu"];
        isobit(&[&typed, more].concat())
    };
    tree("x^2+y^2+z^2-1", &[]).refused(2, &["z is free", "--z"]);
    tree("sphere", &["--z", "nan"]).refused(2, &["--z"]);
    let [sphere, circle] =
        [("x^2+y^2+z^2-1", "0"), ("x^2+y^2-1", "0.5")].map(|(text, z)| tree(text, &["--z", z]).json());
    assert_eq!(sphere["hash"], circle["hash"]);
    assert_ne!(tree("sphere", &["--bounds", "-2,-2,2,2", "--z", "0.75"]).json()["hash"], circle["hash"]);
}
