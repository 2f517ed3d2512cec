//! Writes what the tests keep: the golden MD1 files (only for a new version of the format), or the hashes of every decoder's output.
//!
//! `golden md1 FOLDER` writes the files of MD1 version 1 with their arrays. `golden hashes own=FOLDER full=FOLDER` prints the JSON object of
//! `tests/data/golden_hashes.json`: the hashes of the vectors of each folder under `own/` and `full/`.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use mesh_decode::{Md1Mode, Md1Options, Outputs, corpus, encode_md1, open};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["md1", folder] => md1(Path::new(folder)),
        ["hashes", ref folders @ ..] if !folders.is_empty() => hashes(folders),
        _ => Err("golden md1 FOLDER | golden hashes NAME=FOLDER..".into()),
    }
}

fn hashes(folders: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut all = BTreeMap::new();
    for argument in folders {
        let (name, folder) = argument.split_once('=').ok_or("NAME=FOLDER")?;
        let report = corpus::run(Path::new(folder), &corpus::Cpu)?;
        if let Some((case, what)) = report.differences.first() {
            return Err(format!("{folder}: {case}: {what}").into());
        }
        all.extend(report.hashes.into_iter().map(|(case, hash)| (format!("{name}/{case}"), hash)));
    }
    println!("{}", serde_json::to_string_pretty(&all)?);
    Ok(())
}

/// A height field over 40 x 40 vertices: the mesh of the golden files.
fn waves() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let n = 40;
    let position = |k: u32| {
        let (x, y) = ((k % n) as f32 / n as f32, (k / n) as f32 / n as f32);
        [4.0 * x, 4.0 * y, 0.3 * (9.0 * x).sin() * (7.0 * y + 2.0 * x).cos() + 0.02 * (91.0 * x * y).sin()]
    };
    let quad = |k: u32| {
        let a = k / (n - 1) * n + k % (n - 1);
        [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
    };
    ((0..n * n).map(position).collect(), (0..(n - 1) * (n - 1)).flat_map(quad).collect())
}

fn md1(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (positions, triangles) = waves();
    for (name, mode) in [("waves40.predicted", Md1Mode::Predicted), ("waves40.offsets", Md1Mode::Offsets)] {
        let encoded = encode_md1(&positions, &triangles, &Md1Options { mode, ..Md1Options::default() })?;
        std::fs::write(folder.join(format!("{name}.md1")), &encoded.bytes)?;
        let decoded = open(&encoded.bytes)?.decode_cpu(Outputs::ALL);
        for (ending, bytes) in decoded.arrays().into_iter().filter(|(ending, _)| *ending != ".status.u32") {
            std::fs::write(folder.join(format!("{name}{ending}")), bytes)?;
        }
    }
    Ok(())
}
