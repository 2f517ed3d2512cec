//! `implicit` and `enclose` as they are typed: pictures, counts, bounds, and what is refused.

use crate::support::{Folder, isobit};

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
    isobit(&["implicit", "x+q", "--png", &png]).refused(1, &["x+q:3: unknown variable `q`"]);
    isobit(&["implicit", "octree", "sin(w)+w*2"]).refused(1, &["sin(w)+w*2:5: unknown variable `w`"]);
    isobit(&["implicit", "roots", "x-u", "--bounds", "0,1"]).refused(1, &["x-u:3: unknown variable `u`"]);
    let long = format!("x+{}", "7".repeat(400));
    let refused = isobit(&["implicit", "octree", &long]);
    refused.refused(1, &["(402 characters):3:", "... (400 characters)` is not a finite number"]);
    assert!(refused.stderr.len() < 420, "{}", refused.stderr);
    isobit(&["implicit", "x", "--png", &png, "--bounds", "1,2,3"])
        .refused(2, &["--bounds", "3 numbers", "2 (x0,x1), 4 ("]);
    isobit(&["implicit", "x*y", "--png", &png, "--bounds", "-1,1"]).refused(2, &["2 numbers", "4 (x0,y0,x1,y1), 6 ("]);
    isobit(&["implicit", "octree", "x", "--bounds", "-1,-1,1,1"]).refused(2, &["4 numbers", "6 (x0,y0,z0,x1,y1,z1)"]);
    isobit(&["implicit", "octree", "x", "--bounds", "1,-1,-1,-1,1,1"]).refused(2, &["--bounds of axis 0: 1 to -1"]);
    isobit(&["implicit", "roots", "x", "--bounds", "0,1", "--width", "nan"]).refused(2, &["--width NaN"]);
    isobit(&["implicit", "roots", "x", "--bounds", "1,0"]).refused(2, &["--bounds of axis 0"]);
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
    // Zeros have one sign.
    let boxes = folder.file("z.csv", "0,2\n-2,0\n");
    isobit(&["enclose", "-x", "--boxes", &boxes, "--model", "interval", "--out", &out, "--json"]).json();
    assert_eq!(std::fs::read_to_string(&out).expect("bounds"), "-2.0,0.0\n0.0,2.0\n");
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

#[test]
fn a_line_has_two_bounds_and_says_what_it_reaches() {
    let folder = Folder::new();
    let png = folder.path("line.png");
    let line = |expression: &str| {
        isobit(&["implicit", expression, "--png", &png, "--bounds", "-1,3", "--level", "4", "--json"]).json()
    };
    let one = line("1");
    assert_eq!((one["low"].as_f64(), one["high"].as_f64()), (Some(1.0), Some(1.0)), "the bounds, not the axis");
    assert_eq!(one["bounds"], serde_json::json!([[-1.0, 3.0]]));
    assert!(line("x")["high"].as_f64() >= Some(3.0));
    let said = isobit(&["implicit", "1", "--png", &png, "--bounds", "-1,1"]).stdout;
    assert!(said.contains("512 pieces, 1 to 1; 0 may hold zeros"), "{said}");
    let wide = isobit(&["implicit", "x*y", "--png", &png, "--bounds", "-1,-1,3,1", "--level", "5"]);
    assert_eq!(wide.code, 0, "{wide:?}");
    let bytes = std::fs::read(&png).expect("a picture");
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let (width, height) = (side(16), side(20));
    // Twice as wide as high, but for the room of axes and titles.
    assert!(width > height + 250, "{width} x {height}");
}

#[test]
fn roots_and_ranges_read_well() {
    let folder = Folder::new();
    let found = isobit(&["implicit", "roots", "x", "--bounds", "-1,1"]);
    assert!(found.stdout.contains("1 box holds every root") && !found.stdout.contains("-0"), "{found:?}");
    let all = isobit(&["implicit", "roots", "x^2-1", "--bounds", "-2,2", "--capacity", "1"]);
    all.refused(4, &["more than 1 box", "--capacity"]);
    let boxes = folder.file("b.csv", "lo,hi\n-2,-1\n1,4\n");
    let ranges = isobit(&["enclose", "sqrt(x)", "--boxes", &boxes, "--model", "interval"]);
    assert_eq!(ranges.stdout, "empty\n1.0,2.0\n", "{ranges:?}");
    let table = folder.path("e.csv");
    let answer = isobit(&["enclose", "sqrt(x)", "--boxes", &boxes, "--model", "interval", "--out", &table, "--json"]);
    assert_eq!(answer.json()["empty"], 1);
    assert_eq!(std::fs::read_to_string(&table).expect("bounds"), "nan,nan\n1.0,2.0\n");
}

#[test]
fn the_viewer_comes_as_near_as_the_surface_allows() {
    let folder = Folder::new();
    let png = folder.path("ball.png");
    let ball = |extra: &[&str]| {
        let line = ["implicit", "render", "x^2+y^2+z^2-1", "--png", &png, "--size", "64,48", "--json"];
        isobit(&[&line[..], extra].concat()).json()["hits"].as_u64().expect("a number")
    };
    let (near, far) = (ball(&[]), ball(&["--camera", "-60,28,1.6"]));
    assert!(near > 3 * far && far > 0, "{near} {far}");
    isobit(&["implicit", "render", "x", "--png", &png, "--camera", "0,0,0.1"]).refused(2, &["0.6 to 100"]);
}
