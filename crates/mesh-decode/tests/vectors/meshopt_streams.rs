//! meshoptimizer's streams: what our encoders write comes back, from our decoders and from the library's.

use mesh_decode::meshopt::{
    decode_indices, decode_sequence, decode_vertices, encode_indices, encode_sequence, encode_vertices,
};
use proptest::prelude::*;

use crate::common;
use crate::meshes::{awkward, source, waves};

/// The triangle rotated so that its smallest corner is first, the first of equal ones.
fn turned(t: [u32; 3]) -> [u32; 3] {
    let turns = [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]];
    turns.into_iter().min().unwrap_or(t)
}

fn indices_come_back(indices: &[u32], name: &str) -> usize {
    let mut sizes = [0; 2];
    for version in [0, 1] {
        let stream = encode_indices(indices, version).expect("triangles");
        let ours = decode_indices(&stream, indices.len(), None).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (found, expected) in ours.as_chunks::<3>().0.iter().zip(indices.as_chunks::<3>().0) {
            assert_eq!(turned(*found), turned(*expected), "{name}, version {version}");
        }
        if !indices.is_empty() {
            let theirs: Vec<u32> =
                meshopt::decode_index_buffer(&stream, indices.len()).expect("the library decodes it");
            assert_eq!(theirs, ours, "{name}, version {version}");
        }
        sizes[usize::from(version)] = stream.len();
    }
    sizes[1]
}

fn vertices_come_back(bytes: &[u8], stride: usize, name: &str) -> [usize; 2] {
    [0, 1].map(|version| {
        let stream = encode_vertices(bytes, stride, version).expect("whole vertices");
        let count = bytes.len() / stride;
        let ours = decode_vertices(&stream, count, stride).unwrap_or_else(|error| panic!("{name}: {error}"));
        common::assert_same(&ours, bytes, &format!("{name}, version {version}"));
        if stride == 12 && count > 0 {
            let theirs: Vec<[u32; 3]> = meshopt::decode_vertex_buffer(&stream, count).expect("the library decodes it");
            let theirs: Vec<u8> = theirs.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
            common::assert_same(&theirs, bytes, &format!("{name}, version {version}, the library"));
        }
        stream.len()
    })
}

#[test]
fn meshes_come_back() {
    for mesh in awkward().into_iter().chain([waves(70)]) {
        indices_come_back(mesh.triangles.as_flattened(), &mesh.name);
        let bytes: Vec<u8> = mesh.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        vertices_come_back(&bytes, 12, &mesh.name);
        let mut sequence = mesh.triangles.as_flattened().to_vec();
        sequence.extend([7, 1 << 29, 0]);
        let stream = encode_sequence(&sequence, 1).expect("near indices");
        assert_eq!(decode_sequence(&stream, sequence.len(), None).as_ref(), Ok(&sequence), "{}", mesh.name);
    }
    assert!(encode_sequence(&[u32::MAX / 2], 1).is_err() && encode_sequence(&[], 2).is_err());
    assert!(encode_indices(&[0, 1], 1).is_err() && encode_vertices(&[0; 9], 4, 1).is_err());
    assert!(encode_vertices(&[0; 6], 6, 1).is_err() && encode_vertices(&[0; 8], 8, 2).is_err());
}

/// Our streams against those of the library at its own settings.
#[test]
fn streams_are_not_much_larger_than_the_librarys() {
    for folder in common::folders().into_iter().skip(1) {
        for name in ["icosphere4", "torus_64x48", "terrain_65"] {
            let length = |ending: &str| common::read(&folder.join(format!("meshopt/{name}.{ending}"))).len() as f64;
            let mesh = source(&folder, name);
            // The corpus' streams have the library's optimised order, so its own decode is the input here.
            let count = mesh.triangles.len() * 3;
            let theirs = common::read(&folder.join(format!("meshopt/{name}.v1.mib")));
            let order = decode_indices(&theirs, count, None).expect("a good stream");
            let a = indices_come_back(&order, name) as f64 / length("v1.mib");
            let raw = common::read(&folder.join(format!("meshopt/{name}.pos16x4.raw")));
            let [old, new] = vertices_come_back(&raw, 8, name);
            let (b, c) = (old as f64 / length("pos16x4.v0l2.mvb"), new as f64 / length("pos16x4.v1l2.mvb"));
            println!("{name}: indices {a:.3}, vertices {b:.3} (version 0), {c:.3} (version 1) of the library's");
            assert!(a < 1.02 && b < 1.02 && c < 1.02, "{name}: {a}, {b}, {c}");
        }
    }
}

proptest! {
    #[test]
    fn any_triangles(indices in prop::collection::vec(prop_oneof![0u32..12, any::<u32>()], 0..120)) {
        let whole = indices.len() / 3 * 3;
        indices_come_back(&indices[..whole], "random");
    }

    #[test]
    fn any_vertices(bytes in prop::collection::vec(prop_oneof![3 => Just(0u8), 2 => 0u8..4, 1 => any::<u8>()], 0..9000), groups in 1usize..=20) {
        let stride = 4 * groups;
        vertices_come_back(&bytes[..bytes.len() / stride * stride], stride, "random");
    }
}
