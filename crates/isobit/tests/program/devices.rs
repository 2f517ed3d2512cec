//! Every adapter of the machine, in both strict forms, writes the bytes that the CPU writes.

use crate::support::{BOX_OBJ, Folder, isobit};

/// Whether a device takes distances in f64; where it does not it says so with numbers.
fn has_f64(mesh: &str, device: &str) -> bool {
    let run = isobit(&["sdf", mesh, "--grid", "2", "--precision", "f64", "--sign", "none", "--device", device]);
    if run.code != 0 {
        assert!(run.stderr.contains("distances in f64 on") && run.stderr.contains("needs 64 bits"), "{}", run.stderr);
    }
    run.code == 0
}

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
    for (mesh, kind) in [
        (&knot, &[][..]),
        (&open, &["--sign", "none", "--squared"]),
        (&knot, &["--sign", "pseudo-normal", "--precision", "f64"]),
        (&open, &["--sign", "winding", "--precision", "f64"]),
    ] {
        let (expected, _) = bytes(mesh, &[kind, &["--device", "cpu"]].concat());
        for adapter in adapters {
            let index = adapter["index"].to_string();
            for form in ["decorated", "guarded"] {
                if !adapter["self_test"][form].as_str().is_some_and(|verdict| verdict.starts_with("passed")) {
                    println!("skipped: form {form} on {}", adapter["name"]);
                    continue;
                }
                let options = [kind, &["--device", &index, "--numerics", form]].concat();
                if kind.contains(&"f64") && !has_f64(&knot, &index) {
                    println!("skipped: f64 on {}", adapter["name"]);
                    continue;
                }
                let (got, answer) = bytes(mesh, &options);
                assert_eq!(answer["device"]["name"], adapter["name"]);
                assert_eq!(answer["device"]["numerics"], form);
                assert!(got == expected, "{mesh} on {} in form {form} differs from the CPU", adapter["name"]);
            }
        }
    }
}

#[test]
fn every_device_decodes_the_arrays_of_the_cpu() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../mesh-decode/tests/data/");
    let adapters = isobit(&["adapters", "--json"]).json();
    for name in
        ["dgf/flat17.tb6.dgfblob", "md1/waves40.predicted.md1", "meshopt/fan200.m64_96.mml", "stride/flat17.dprb"]
    {
        let file = format!("{data}{name}");
        let arrays = |device: &str, options: &[&str], prefix: &str| {
            let prefix = folder.path(prefix);
            isobit(&[&["decode", &file, "--device", device, "--json", "-q"], options, &[&prefix]].concat()).json();
            let mut names = folder.names();
            names.retain(|name| {
                std::path::Path::new(&prefix).file_name().is_some_and(|p| name.starts_with(&*p.to_string_lossy()))
            });
            names.into_iter().map(|name| std::fs::read(folder.path(&name)).expect("an array")).collect::<Vec<_>>()
        };
        let selections: [&[&str]; 3] =
            [&["--dump"], &["--units", "1", "--dump-compact"], &["--units", "1", "--streamed", "--dump-compact"]];
        for options in selections {
            let expected = arrays("cpu", options, "cpu");
            assert!(expected.len() >= 3, "{name}");
            for adapter in adapters["adapters"].as_array().expect("a list") {
                let index = adapter["index"].to_string();
                assert!(arrays(&index, options, "gpu") == expected, "{name} {options:?} on {}", adapter["name"]);
            }
            for name in folder.names() {
                std::fs::remove_file(folder.path(&name)).expect("removed");
            }
        }
    }
}

/// A DGF file with ids of its own, all arrays of all units and of streamed ones.
#[test]
fn every_device_decodes_blocks_to_the_bytes_of_the_cpu() {
    let folder = Folder::new();
    let (knot, file) = (folder.path("knot.stl"), folder.path("knot.dgf"));
    assert_eq!(isobit(&["make", "knot", "--triangles", "3000", "--out", &knot]).code, 0);
    let report = isobit(&["report", &knot, "--json"]).json();
    let triangles = report["report"]["triangles"].as_u64().or(report["triangles"].as_u64()).expect("a count");
    let ids = folder.file("ids.u32", (0..triangles as u32).flat_map(|t| (t / 7).to_le_bytes()).collect::<Vec<u8>>());
    let line = ["encode", &knot, "--format", "dgf", "--geometry-ids", &ids, "--user-word", "9", "--out", &file];
    assert_eq!(isobit(&line).code, 0);
    let adapters = isobit(&["adapters", "--json"]).json();
    let adapters = adapters["adapters"].as_array().expect("a list");
    let devices = adapters.iter().map(|adapter| adapter["index"].to_string()).chain(["cpu".to_owned()]);
    let endings = ["tris.u32", "verts.f32", "verts.i32", "geomid.u32", "opaque.u8", "primid.u32", "userdata.u32"];
    let mut expected: Vec<Vec<u8>> = Vec::new();
    for device in devices.collect::<Vec<_>>().into_iter().rev() {
        let (all, some) = (folder.path(&format!("a{device}")), folder.path(&format!("s{device}")));
        isobit(&["decode", &file, "--dump", &all, "--device", &device, "--json"]).json();
        let line =
            ["decode", &file, "--units", "0,2,5-9", "--streamed", "--dump", &some, "--device", &device, "--json"];
        isobit(&line).json();
        let read = |prefix: &str| endings.map(|ending| std::fs::read(format!("{prefix}.{ending}")).expect("written"));
        let found: Vec<Vec<u8>> = read(&all).into_iter().chain(read(&some)).collect();
        assert!(found.iter().all(|bytes| !bytes.is_empty()));
        if expected.is_empty() {
            expected = found;
        } else {
            assert!(found == expected, "device {device}");
        }
    }
}

#[test]
fn every_device_gives_the_band_of_a_compressed_mesh_as_the_cpu_does() {
    let folder = Folder::new();
    let (mesh, packed) = (folder.path("torus.stl"), folder.path("torus.md1"));
    isobit(&["make", "torus", "--triangles", "1500", "--out", &mesh, "-q"]);
    isobit(&["encode", &mesh, "--format", "md1", "--bits", "12", "--out", &packed, "-q"]);
    let damaged = folder.path("damaged.md1");
    let mut bytes = std::fs::read(&packed).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xff);
    std::fs::write(&damaged, bytes).expect("written");
    let band = |from: &str, device: &str, sign: &str| {
        let out = folder.path("band.nvdb");
        isobit(&["pipeline", "band", from, "--grid", "20", "--sign", sign, "--device", device, "--out", &out, "--json"])
    };
    let files = || ["band.nvdb", "band.npy"].map(|name| std::fs::read(folder.path(name)).expect("a file"));
    let adapters = isobit(&["adapters", "--json"]).json();
    for sign in ["auto", "pseudo-normal"] {
        let expected = band(&packed, "cpu", sign).json();
        let words = files();
        let refused = band(&damaged, "cpu", sign);
        assert!(refused.code != 0 && refused.stderr.contains("damaged.md1:"), "{}", refused.stderr);
        for adapter in adapters["adapters"].as_array().expect("a list") {
            let index = adapter["index"].to_string();
            let answer = band(&packed, &index, sign).json();
            assert!(files() == words, "{sign} on {}", adapter["name"]);
            for field in ["sign", "sign_reason", "triangles", "grid", "topology"] {
                assert_eq!(answer[field], expected[field], "{sign} on {}", adapter["name"]);
            }
            let run = band(&damaged, &index, sign);
            assert_eq!((run.code, run.stderr), (refused.code, refused.stderr.clone()));
        }
    }
}
