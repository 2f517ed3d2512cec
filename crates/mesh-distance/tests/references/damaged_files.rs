//! Good mesh files with random damage: an error or a mesh in which nothing points outside, never a panic. The same kinds as the fuzz target `meshes`.

use mesh_distance::{MeshFormat, read_mesh_bytes};
use std::path::Path;

/// SplitMix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 16) as usize
}

/// Bytes changed, digits changed, pieces cut out or doubled.
fn damage(bytes: &mut Vec<u8>, state: &mut u64) {
    for _ in 0..1 + next(state) % 4 {
        let at = next(state) % bytes.len();
        match next(state) % 5 {
            0 => bytes[at] = next(state) as u8,
            1 => bytes[at] ^= 1 << (next(state) % 8),
            2 => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i].is_ascii_digit()).collect();
                if let Some(&digit) = digits.get(next(state) % digits.len().max(1)) {
                    bytes[digit] = b'0' + (next(state) % 10) as u8;
                }
            }
            3 => {
                let end = (at + next(state) % 40).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let end = (at + next(state) % 40).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'0');
        }
    }
}

#[test]
fn damaged_files_are_errors_or_whole_meshes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/meshes");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("SKIPPED: {} is not there (a packed crate)", folder.display());
        return;
    };
    let (mut state, mut good, mut bad) = (7, 0, 0);
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() >= 8, "{files:?}");
    for path in files {
        // The first byte is the fuzz target's choice of the format, which the ending tells too.
        let seed = std::fs::read(&path).expect("a seed")[1..].to_vec();
        let format = MeshFormat::of(&path).expect("a known ending");
        assert!(read_mesh_bytes(&seed, format, &path).is_ok(), "{}", path.display());
        for _ in 0..4000 {
            let mut bytes = seed.clone();
            damage(&mut bytes, &mut state);
            match read_mesh_bytes(&bytes, format, "no such folder/mesh") {
                Ok(mesh) => {
                    good += 1;
                    assert!(mesh.triangles.iter().flatten().all(|v| (*v as usize) < mesh.positions.len()));
                    assert!(mesh.positions.iter().flatten().all(|x| x.is_finite()));
                }
                Err(error) => {
                    bad += 1;
                    assert!(error.to_string().contains("no such folder"), "{error}");
                }
            }
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} {bad}");
}
