//! Every adapter of the machine, in both strict forms, writes the bytes that the CPU writes.

mod support;

use support::{BOX_OBJ, Folder, isobit};

#[test]
fn every_device_writes_the_bytes_of_the_cpu() {
    let folder = Folder::new();
    let knot = folder.path("knot.stl");
    assert_eq!(isobit(&["make", "knot", "--triangles", "3000", "--out", &knot]).code, 0);
    let open = folder.file("open.obj", BOX_OBJ.replace("f 4 5 8\n", ""));
    let adapters = isobit(&["adapters", "--json"]).json();
    let adapters = adapters["adapters"].as_array().expect("a list");
    if adapters.is_empty() {
        println!("skipped: no adapter on this machine");
    }
    let bytes = |mesh: &str, options: &[&str]| {
        let out = folder.path("out.vti");
        let run = isobit(&[&["sdf", mesh, "--grid", "13,20,17", "--out", &out, "--json", "-q"], options].concat());
        let answer = run.json();
        (std::fs::read(&out).expect("the volume"), answer)
    };
    for (mesh, kind) in [(&knot, &[][..]), (&open, &["--sign", "none", "--squared"])] {
        let (expected, _) = bytes(mesh, &[kind, &["--device", "cpu"]].concat());
        for adapter in adapters {
            let index = adapter["index"].to_string();
            for form in ["decorated", "guarded"] {
                if !adapter["self_test"][form].as_str().is_some_and(|verdict| verdict.starts_with("passed")) {
                    println!("skipped: form {form} on {}", adapter["name"]);
                    continue;
                }
                let (got, answer) = bytes(mesh, &[kind, &["--device", &index, "--numerics", form]].concat());
                assert_eq!(answer["device"]["name"], adapter["name"]);
                assert_eq!(answer["device"]["numerics"], form);
                assert!(got == expected, "{mesh} on {} in form {form} differs from the CPU", adapter["name"]);
            }
        }
    }
}
