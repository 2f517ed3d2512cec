//! `repair` and `deviation` as a user calls them.

use crate::support::{BOX_OBJ, Folder, isobit};

#[test]
fn repair_turns_a_box_the_right_way_round_and_changes_nothing_twice() {
    let folder = Folder::new();
    let text = BOX_OBJ;
    // Every triangle the other way round.
    let turned: Vec<String> = text
        .lines()
        .map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["f", a, b, c] => format!("f {a} {c} {b}"),
            _ => line.to_owned(),
        })
        .collect();
    let mesh = folder.file("turned.obj", turned.join("\n"));
    let (once, twice) = (folder.path("once.stl"), folder.path("twice.stl"));
    let answer = isobit(&["repair", &mesh, "--out", &once, "--json"]).json();
    assert_eq!(answer["done"]["components_turned"], 1, "{answer}");
    assert_eq!(answer["report"]["trust"]["pseudo-normal"]["reliable"], true, "{answer}");
    let again = isobit(&["repair", &once, "--out", &twice, "--json"]).json();
    assert_eq!(again["done"]["components_turned"], 0, "{again}");
    assert_eq!(std::fs::read(&once).expect("written"), std::fs::read(&twice).expect("written"));
    isobit(&["repair", &mesh, "--out", &folder.path("a.txt")]).refused(2, &[".txt", ".stl, .obj, .ply"]);
    isobit(&["repair", &mesh, "--out", &folder.path("a.stl"), "--weld", "2"]).refused(2, &["weld", "0 to 1"]);
}

#[test]
fn deviation_bounds_a_moved_box_and_writes_its_vertices() {
    let folder = Folder::new();
    let a = folder.file("a.obj", BOX_OBJ);
    let moved: Vec<String> = BOX_OBJ
        .lines()
        .map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["v", x, y, z] => format!("v {} {y} {z}", x.parse::<f64>().expect("a number") + 0.25),
            _ => line.to_owned(),
        })
        .collect();
    let b = folder.file("b.obj", moved.join("\n"));
    let (ply, vtp) = (folder.path("a.ply"), folder.path("a.vtp"));
    let answer = isobit(&["deviation", &a, &b, "--tolerance", "1e-3", "--out", &ply, "--json"]).json();
    for way in ["a_to_b", "b_to_a", "hausdorff"] {
        let bound = |name: &str| answer[way][name].as_f64().expect("a number");
        assert!(
            bound("lower") <= 0.25 && 0.25 <= bound("upper") && bound("upper") - bound("lower") < 1.1e-3,
            "{answer}"
        );
    }
    assert!(std::fs::read(&ply).expect("written").starts_with(b"ply\n"));
    assert_eq!(isobit(&["deviation", &a, &b, "--out", &vtp]).code, 0);
    assert!(std::fs::read(&vtp).expect("written").starts_with(b"<?xml"));
    assert_eq!(answer["reached"], true);
    let fine = isobit(&["deviation", &a, &b, "--tolerance", "1e-12", "--json"]);
    assert_eq!(fine.json()["reached"], false);
    assert!(fine.stderr.contains("tolerance is not reached") && fine.stderr.contains("1e-12"), "{fine:?}");
    // f32 distances are not exact enough for that; f64 ones are, and the file holds them.
    let words = ["deviation", &a, &b, "--precision", "f64", "--tolerance", "1e-12", "--out", &ply, "--json"];
    let double = isobit(&words).json();
    assert_eq!((&double["precision"], &double["reached"]), (&"f64".into(), &true.into()), "{double}");
    let [lower, upper] = ["lower", "upper"].map(|name| double["hausdorff"][name].as_f64().expect("a number"));
    assert!(lower <= 0.25 && 0.25 <= upper && upper - lower <= 1e-12, "{double}");
    let head = String::from_utf8_lossy(&std::fs::read(&ply).expect("written")).into_owned();
    assert!(head.contains("property double deviation"), "{head}");
    isobit(&["deviation", &a, &b, "--tolerance", "0"]).refused(2, &["tolerance", "above 0"]);
    isobit(&["deviation", &a, &b, "--out", &folder.path("a.csv")]).refused(2, &[".csv", ".ply, .vtp"]);
}
