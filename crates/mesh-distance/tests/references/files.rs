//! Reading and writing mesh files, and every way in which a file can be wrong.

use crate::common::{Folder, Random};
use mesh_distance::{Mesh, make, read_mesh, write_mesh};

fn binary(mesh: &Mesh, header: &[u8], count: u32) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes[..header.len()].copy_from_slice(header);
    bytes.extend(count.to_le_bytes());
    for t in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        mesh.corners(t).iter().flatten().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        bytes.extend([7, 9]);
    }
    bytes
}

#[test]
fn meshes_survive_writing_and_reading() {
    let folder = Folder::new("survive");
    for (name, mesh) in [("cube", make::cube(48)), ("knot", make::knot(2_000)), ("terrain", make::terrain(200))] {
        for ending in ["stl", "obj", "STL"] {
            let path = folder.path(format!("{name}.{ending}"));
            write_mesh(&path, &mesh).unwrap();
            let read = read_mesh(&path).unwrap();
            assert_eq!(read.triangles.len(), mesh.triangles.len());
            for t in 0..mesh.triangles.len() {
                assert_eq!(read.corners(t), mesh.corners(t), "{name}.{ending} {t}");
            }
            assert_eq!(read.positions.len(), mesh.positions.len(), "{name}.{ending}");
        }
    }
    let entries = std::fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(entries, 9, "temporary files remain");
}

#[test]
fn obj_keeps_every_bit_of_f64() {
    let folder = Folder::new("bits");
    let positions = vec![[0.1, 1.0 / 3.0, 1e-300], [1e300, -0.0, 5e-324], [2.0f64.sqrt(), 1e5 + 1e-9, 0.3]];
    let mesh = Mesh::new(positions.clone(), vec![[0, 1, 2]]).unwrap();
    let path = folder.path("bits.obj");
    write_mesh(&path, &mesh).unwrap();
    assert_eq!(read_mesh(&path).unwrap().positions, positions);
}

#[test]
fn writing_fails_whole() {
    let folder = Folder::new("whole");
    let mesh = make::cube(12);
    let missing = folder.path("no/such/folder/a.stl");
    assert!(write_mesh(&missing, &mesh).unwrap_err().to_string().starts_with(&missing.display().to_string()));
    let large = Mesh::new(vec![[0.0; 3], [1e39, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    let error = write_mesh(folder.path("large.stl"), &large).unwrap_err().to_string();
    assert!(error.ends_with("large.stl:0: coordinate 1e39, STL holds at most 3.4028235e38"), "{error}");
    assert!(
        write_mesh(folder.path("a.xyz"), &mesh)
            .unwrap_err()
            .to_string()
            .ends_with("file ending xyz, allowed are stl, obj, ply, gltf and glb")
    );
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 0);
}

#[test]
fn binary_stl_is_told_by_its_size() {
    let folder = Folder::new("binary");
    let mesh = make::cube(12);
    // A header that begins like a text, even one that looks like a whole ASCII file.
    for header in [&b""[..], b"solid cube", b"solid \nfacet normal 0 0 1\n"] {
        let read = read_mesh(folder.file("a.stl", binary(&mesh, header, 12))).unwrap();
        assert_eq!((read.triangles.len(), read.positions.len()), (12, 8));
    }
    let good = binary(&mesh, b"solid x", 12);
    assert_eq!(
        folder.error("b.stl", &good[..684 - 17]),
        "b.stl: binary STL of 12 triangles needs 684 bytes, the file has 667"
    );
    assert_eq!(
        folder.error("b.stl", [&good[..], b"tail"].concat()),
        "b.stl: binary STL of 12 triangles needs 684 bytes, the file has 688"
    );
    let lie = "b.stl: binary STL of 4294967295 triangles needs 214748364834 bytes, the file has 684";
    assert_eq!(folder.error("b.stl", binary(&mesh, b"", u32::MAX)), lie);
    assert_eq!(
        folder.error("b.stl", binary(&mesh, b"", 0)),
        "b.stl: binary STL of 0 triangles needs 84 bytes, the file has 684"
    );
    assert_eq!(folder.error("b.stl", b""), "b.stl: 0 bytes, not an STL file");
    assert_eq!(
        folder.error("b.stl", &good[..50]),
        "b.stl: 50 bytes, a binary STL has at least 84 and an ASCII STL begins with solid"
    );
    assert_eq!(
        folder.error("b.stl", &good[..80]),
        "b.stl: 80 bytes, a binary STL has at least 84 and an ASCII STL begins with solid"
    );
    let none = binary(&Mesh::new(vec![], vec![]).unwrap(), b"", 0);
    assert_eq!(folder.error("b.stl", none), "b.stl: 0 triangles, at least 1 is needed");
    let mut bad = good.clone();
    bad[84 + 50 * 3 + 12 + 16..84 + 50 * 3 + 12 + 20].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(folder.error("b.stl", bad), "b.stl: triangle 3: corner 1: y is NaN, allowed are finite numbers");
}

const FACET: &str =
    "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\n endfacet\n";

#[test]
fn ascii_stl_in_its_variants() {
    let folder = Folder::new("ascii");
    let count = |text: String| read_mesh(folder.file("a.stl", text)).unwrap().triangles.len();
    assert_eq!(count(format!("solid\n{FACET}endsolid\n")), 1);
    assert_eq!(count(format!("solid a b\n{FACET}\n\n{FACET}endsolid a b")), 2);
    assert_eq!(count(format!("  SOLID X\r\n{}ENDSOLID X\r\n", FACET.to_uppercase().replace('\n', "\r\n"))), 1);
    assert_eq!(count(format!("solid a\n{FACET}endsolid a\nsolid b\n{FACET}{FACET}endsolid b\n")), 3);
    let error = |text: String| folder.error("b.stl", text);
    assert_eq!(error("solid a\nendsolid a\n".into()), "b.stl: 0 triangles, at least 1 is needed");
    assert!(error(format!("solid a\n{FACET}")).contains("without endsolid"));
    assert!(error(format!("solid a\n{FACET}{}", &FACET[..60])).contains("without endsolid"));
    let zero = error(format!("solid a\n{FACET}{}endsolid", FACET.replace("1 0 0", "1 zero 0")));
    assert_eq!(zero, "b.stl:12: coordinate zero, allowed are finite numbers of 32 bits");
    let nan = error(format!("solid a\n{}endsolid", FACET.replace("1 0 0", "1 nan 0")));
    assert_eq!(nan, "b.stl:5: coordinate nan, allowed are finite numbers of 32 bits");
    assert!(error(format!("solid a\n{}endsolid", FACET.replace("vertex 1 0 0\n", ""))).contains("with 2 vertices"));
    assert_eq!(error(format!("solid a\n{FACET}endsolid\nrubbish\n")), "b.stl:10: rubbish outside of solid .. endsolid");
    assert!(error("solid".into()).contains("without endsolid"));
}

#[test]
fn obj_in_its_variants() {
    let folder = Folder::new("obj");
    let read = |text: &str| read_mesh(folder.file("a.obj", text)).unwrap();
    let square = "v 0 0 0 1.0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0 # last\n";
    assert_eq!(read(&format!("# c\r\n{square}o x\ng y\nusemtl z\nmtllib none.mtl\nf 1 2 3 4\n")).triangles.len(), 2);
    assert_eq!(read(&format!("{square}f -4 -3 -2\nf 1/7/9 3//5 4/2\n")).triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read(&format!("{square}v 0.5 2 0\nf 1 2 3 5 4\nl 1 2\np 1\n")).triangles.len(), 3);
    assert_eq!(read(&format!("f 1 2 \\\n3\n{square}")).triangles.len(), 1);
    assert_eq!(read(&format!("{square}v 0 0 -0.0\nf 1 2 3\nf 5 3 4\n")).positions.len(), 4);
    let error = |text: &str| folder.error("b.obj", format!("{square}{text}\n"));
    assert_eq!(error("f 1 2 5"), "b.obj:5: vertex index 5, allowed are 1 to 4 and -1 to -4");
    assert_eq!(error("\nf 1 0 2"), "b.obj:6: vertex index 0, allowed are 1 to 4 and -1 to -4");
    assert_eq!(error("f 1 2 -5"), "b.obj:5: vertex index -5, allowed are 1 to 4 and -1 to -4");
    assert_eq!(
        error("f 1 2 -9223372036854775808"),
        "b.obj:5: vertex index -9223372036854775808, allowed are 1 to 4 and -1 to -4"
    );
    assert_eq!(error("f 1 2 99999999999999999999"), "b.obj:5: face corner 99999999999999999999, needed is an index");
    assert_eq!(error("f 1 2 x"), "b.obj:5: face corner x, needed is an index");
    assert_eq!(error("f 1 2"), "b.obj:5: face with 2 corners, needed are at least 3");
    assert_eq!(error("v 1 inf 2"), "b.obj:5: coordinate inf, allowed are finite numbers");
    assert_eq!(error("v 1 1e999 2"), "b.obj:5: coordinate 1e999, allowed are finite numbers");
    assert_eq!(error("v 1 2"), "b.obj:5: vertex with 2 coordinates, needed are 3");
    assert_eq!(error(""), "b.obj: 0 triangles, at least 1 is needed");
    assert_eq!(folder.error("c.obj", [0xff, 0, 0xfe, 10, 200]), "c.obj: no text: byte 1 is 0");
    assert_eq!(folder.error("c.txt", "v 0 0 0"), "c.txt: file ending txt, allowed are stl, obj, ply, gltf and glb");
    let missing = read_mesh(folder.path("missing.obj")).unwrap_err().to_string();
    assert!(missing.contains("missing.obj: "), "{missing}");
}

#[test]
fn any_damage_is_an_error_or_a_mesh_but_never_a_panic() {
    let folder = Folder::new("damage");
    let mut random = Random::new(5);
    let mesh = make::cube(12);
    let ascii = format!("solid a\n{FACET}{FACET}endsolid a\n").into_bytes();
    let obj = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/-1\nf -1 -2 -3\n".to_vec();
    for (name, good) in [("a.stl", binary(&mesh, b"solid", 12)), ("b.stl", ascii), ("c.obj", obj)] {
        for _ in 0..500 {
            let mut bytes = good.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes.truncate(at + 1),
                    1 => bytes[at] = random.word() as u8,
                    _ => bytes.insert(at, b"-/ 9e\n"[random.below(6)]),
                }
            }
            if let Ok(mesh) = read_mesh(folder.file(name, bytes)) {
                mesh.check().unwrap();
            }
        }
    }
}
