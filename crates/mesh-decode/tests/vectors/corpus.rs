//! The runner of whole folders: every vector and every hostile file, and the golden hashes of every decoder's output.

use std::collections::BTreeMap;
use std::fs;

use mesh_decode::corpus::{Cpu, Decoder, run};
use mesh_decode::{Decoded, File, Outputs};

use crate::common;

/// Hashes by `own/` or `full/` and the name of the file in its folder, as the example `golden` prints them.
fn golden() -> BTreeMap<String, String> {
    let path = common::folders()[0].join("golden_hashes.json");
    serde_json::from_slice(&common::read(&path)).expect("names and hashes")
}

#[test]
fn folders_have_no_differences_and_the_golden_hashes() {
    let golden = golden();
    for (index, folder) in common::folders().iter().enumerate() {
        let report = run(folder, &Cpu).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report.differences, [], "{}", folder.display());
        println!(
            "{}: {} files, {} arrays, {} hostile",
            folder.display(),
            report.vectors,
            report.arrays,
            report.hostile
        );
        assert!(report.vectors > 50 && report.arrays > 100 && report.hashes.len() == report.vectors);
        assert!(index == 0 || (report.vectors > 200 && report.hostile > 30), "{report:?}");
        for (name, hash) in &report.hashes {
            let key = format!("{}/{name}", if index == 0 { "own" } else { "full" });
            assert_eq!(golden.get(&key), Some(hash), "{key}");
        }
    }
}

/// A decoder that is wrong in one bit, or that never finds damage, is found out.
#[test]
fn a_wrong_decoder_differs() {
    struct Wrong;
    impl Decoder for Wrong {
        fn units(&self, file: &File) -> Result<Decoded, String> {
            let mut decoded = file.decode_cpu(Outputs::ALL);
            decoded.faults.clear();
            if let Some(position) = decoded.positions.last_mut() {
                position[2] = f32::from_bits(position[2].to_bits() ^ 1);
            }
            Ok(decoded)
        }
        fn vertices(&self, bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
            Cpu.vertices(bytes, count, stride).or(Ok(vec![0; count * stride]))
        }
    }
    let own = &common::folders()[0];
    let report = run(own, &Wrong).expect("a good folder");
    let golden = golden();
    let files = |ending: &str| golden.keys().filter(|name| name.ends_with(ending)).count();
    assert!(report.differences.iter().any(|(case, _)| case == "dgf/tetra.dgfblob"), "{:?}", report.differences);
    assert!(report.hashes.iter().any(|(name, hash)| golden.get(&format!("own/{name}")) != Some(hash)));
    assert!(files(".mxc") > 0);
    for folder in common::folders().iter().skip(1) {
        let report = run(folder, &Wrong).expect("a good folder");
        let hostile = report.differences.iter().filter(|(case, _)| case.starts_with("hostile/")).count();
        assert!(hostile > 10, "{hostile}");
    }
}

#[test]
fn a_folder_of_something_else_is_an_error() {
    let missing = run(std::path::Path::new("no/such/folder"), &Cpu).expect_err("missing").to_string();
    assert!(missing.starts_with("no/such/folder: none of dgf, stride"), "{missing}");
    let folder = std::env::temp_dir().join(format!("mesh-decode-corpus-{}", std::process::id()));
    fs::create_dir_all(folder.join("meshopt")).expect("a folder");
    fs::write(folder.join("meshopt/manifest.json"), "[{\"kind\": \"vertex\", \"file\": \"a.mvb\"}]").expect("written");
    let error = run(&folder, &Cpu).expect_err("no a.mvb").to_string();
    fs::remove_dir_all(&folder).expect("removed");
    assert!(error.contains("a.mvb"), "{error}");
}
