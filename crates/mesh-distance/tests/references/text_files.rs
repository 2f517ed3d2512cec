//! STL, OBJ and PLY as other programs write them: what was read wrongly or refused, and what is refused by name.

use crate::common::{Folder, Random};
use mesh_distance::{MeshFile, read_mesh};

const MARK: &str = "\u{feff}";
const FACET: &str =
    "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\n endfacet\n";
const TRIANGLE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn stl_with_marks_returns_and_normals_that_are_no_numbers() {
    let folder = Folder::new("text-stl");
    let solid = format!("solid a\n{FACET}endsolid a\n");
    let reads = |text: &str| assert_eq!(folder.corners("a.stl", text), [TRIANGLE], "{text}");
    reads(&format!("{MARK}{solid}"));
    reads(&solid.replace('\n', "\r"));
    for normal in ["nan nan nan", "-nan(ind) 1.#IND 0", "", "1e99 0 0"] {
        reads(&solid.replace("0 0 1\n", &format!("{normal}\n")));
    }
    // An empty solid beside a full one.
    reads(&format!("solid empty\nendsolid empty\n{solid}"));
    let error = |from: &str, to: &str| folder.error("b.stl", solid.replace(from, to));
    assert_eq!(error("1 0 0\n", "1 zero 0\n"), "b.stl:5: coordinate zero, allowed are finite numbers of 32 bits");
    assert_eq!(error("1 0 0\n", "1 1e40 0\n"), "b.stl:5: coordinate 1e40, allowed are finite numbers of 32 bits");
    assert_eq!(error("1 0 0\n", "1 -inf 0\n"), "b.stl:5: coordinate -inf, allowed are finite numbers of 32 bits");
    assert_eq!(error("1 0 0\n", "1 0\n"), "b.stl:5: vertex with 2 coordinates, needed are 3");
    let four = error(" endloop\n", " vertex 1 1 0\n endloop\n");
    assert_eq!(four, "b.stl:9: facet of line 2 with 4 vertices, needed are 3");
    let two = error(" vertex 1 0 0\n", "");
    assert_eq!(two, "b.stl:7: facet of line 2 with 2 vertices, needed are 3");
    assert_eq!(error(" endfacet\n", ""), "b.stl:8: endsolid before the endfacet of the facet of line 2");
    let twice = error(" endfacet\n", &format!(" {FACET}"));
    assert_eq!(twice, "b.stl:8: another facet before the endfacet of the facet of line 2");
    assert_eq!(error("facet normal 0 0 1\n", ""), "b.stl:3: vertex outside of facet .. endfacet");
    assert_eq!(error(" vertex 0 0 0\n", " endfacet\n"), "b.stl:4: facet of line 2 with 0 vertices, needed are 3");
}

#[test]
fn stl_on_one_line_and_ends_in_two_words() {
    let folder = Folder::new("text-stl-lines");
    let solid = format!("solid a\n{FACET}endsolid a\n");
    let reads = |text: &str, count: usize| assert_eq!(folder.corners("a.stl", text), vec![TRIANGLE; count], "{text}");
    reads(&solid.replace('\n', " "), 1);
    reads(&format!("{solid}{solid}").replace('\n', " "), 2);
    reads(&solid.replace("end", "end "), 1);
    reads(&solid.replace("end", "END ").replace("vertex", "Vertex"), 1);
    // Keywords in a name, and additions.
    reads(&solid.replace("solid a\n", "solid vertex of the outer facet\n"), 1);
    reads(&solid.replace(" endfacet", " color 1 0 0 vertex\n endfacet"), 1);
    // The solid of a name is none.
    reads(&format!("solid a solid\n{FACET}endsolid a solid\n"), 1);
}

#[test]
fn files_under_the_ending_of_another_kind_are_named() {
    let folder = Folder::new("text-kinds");
    let error = |name: &str, content: &[u8]| folder.error(name, content);
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".repeat(8);
    let neither = "c.stl: neither a binary STL by its size (binary STL of ";
    let said = error("c.stl", obj.as_bytes());
    assert!(said.starts_with(neither) && said.ends_with("solid; it looks like a Wavefront OBJ file"), "{said}");
    let said = error("c.stl", &[&b"\x89PNG\r\n\x1a\n"[..], &[0; 200]].concat());
    assert!(said.starts_with(neither) && said.ends_with("it looks like a PNG picture"), "{said}");
    let said = error("c.stl", format!("by a program\nsolid a\n{FACET}endsolid\n").as_bytes());
    assert!(said.starts_with(neither) && said.ends_with("nor a text that begins with solid"), "{said}");
    let said = error("c.ply", obj.as_bytes());
    assert_eq!(said, "c.ply: not a PLY file: the first line is not ply; it looks like a Wavefront OBJ file");
    let said = error("c.obj", b"<!DOCTYPE html>\n<html></html>\n");
    assert!(said.ends_with("no mesh as OBJ has it; it looks like an HTML page"), "{said}");
}

#[test]
fn numbers_types_and_versions_that_are_none_are_named() {
    let folder = Folder::new("text-words");
    let said = folder.error("d.obj", "v 0 0 0\nv -1.#IND 1 1\nf 1 1 1\n");
    assert_eq!(said, "d.obj:2: coordinate -1.#IND, allowed are finite numbers");
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty int64 x\nend_header\n";
    let said = folder.error("d.ply", ply);
    assert!(said.starts_with("d.ply: header line 4: type int64 is not known (known: char, uchar,"), "{said}");
    let said = folder.error("d.glb", b"glTF\x02\0\0\0\xff\0\0\0\0\0\0\0");
    assert_eq!(said, "d.glb: binary glTF of 16 bytes, needed are at least 20");
    let said = folder.error("d.gltf", "{\"asset\": {\"version\": \"1.0\"}}");
    assert_eq!(said, "d.gltf: glTF of version 1.0, allowed is 2.x");
}

#[test]
fn what_is_left_out_is_noted() {
    let folder = Folder::new("text-notes");
    let notes = |name: &str, content: &[u8]| {
        let path = folder.path(name);
        std::fs::write(&path, content).expect("written");
        let file = MeshFile::read(&path).expect("read");
        assert_eq!(file.mesh.triangles.len(), 1, "{name}");
        file.notes
    };
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0#a comment\nvn 0 0 1\nfo 1 2 3\ncall other.obj\nxyz 1\nuvw\nusemtl a\n";
    let said =
        ["1 statement call is left out", "2 statements of unknown keywords are left out, the first is xyz on line 7"];
    assert_eq!(notes("e.obj", obj), said);
    let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    let face = "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0 1 0 0 0 1 0\n3 0 1 2\n";
    assert_eq!(notes("e.ply", format!("{head}{face}\n").as_bytes()), Vec::<String>::new());
    let said = notes("e.ply", format!("{head}{face}3 0 1 2\n").as_bytes());
    assert_eq!(said, ["7 bytes behind the last element are left out"]);
}

#[test]
fn obj_with_marks_comments_that_end_in_a_backslash_and_free_form_surfaces() {
    let folder = Folder::new("text-obj");
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let reads = |text: &str| assert_eq!(folder.corners("a.obj", text), [TRIANGLE], "{text}");
    // The first vertex is not lost behind a byte order mark.
    reads(&format!("{MARK}{triangle}"));
    reads(&triangle.replace('\n', "\r"));
    // A comment that ends in a backslash does not swallow the line after it.
    reads(&format!("# from C:\\models\\\n{triangle}"));
    reads(&triangle.replace("v 1 0 0\n", "v 1 0 0 # C:\\\n"));
    // A statement that the last line continues, with and without an end.
    reads(triangle.replace("1 2 3\n", "1 2 \\\n3").as_str());
    reads(triangle.replace("1 2 3\n", "1 2 \\\n3 \\").as_str());
    reads(triangle.replace("v 0 1 0\n", "v \\\r\n 0 \\\r\n1 0\n").as_str());
    let two =
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng b c\ns off\nusemtl none\nf -3//1 -2//1 -1//1\no d\nv 0 0 5\nf 1/1 2/2 4/3\n";
    assert_eq!(folder.corners("a.obj", two).len(), 2);
    let surface = "v 0 0 0\nv 1 0 0\ncstype bspline\ndeg 3\ncurv 0 1 1 2\nend\n";
    assert_eq!(
        folder.error("b.obj", surface),
        "b.obj:3: cstype: free-form curves and surfaces are not read, and there are 0 faces"
    );
    // Beside faces they are left out.
    reads(&format!("{triangle}cstype bspline\ndeg 3\nsurf 0 1 0 1 1 2 3\nend\n"));
}

#[test]
fn ply_with_marks_strips_and_indices_that_are_no_integers() {
    let folder = Folder::new("text-ply");
    let head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n";
    let body = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";
    let face = format!("{head}element face 1\nproperty list uchar int vertex_index\nend_header\n{body}");
    assert_eq!(folder.corners("a.ply", format!("{MARK}{face}3 0 1 2\n")), [TRIANGLE]);
    assert_eq!(folder.corners("a.ply", format!("{face}3 0 1 2\n").replace('\n', "\r\n")), [TRIANGLE]);
    assert_eq!(folder.corners("a.ply", format!("{face}5 0 1 3 4 2\n")).len(), 3);
    assert_eq!(
        folder.error("b.ply", format!("{face}3 0 1 1.5\n")),
        "b.ply: face 0: vertex index 1.5, allowed are integers"
    );
    assert_eq!(
        folder.error("b.ply", format!("{face}3 0 1 nan\n")),
        "b.ply: face 0: vertex index NaN, allowed are integers"
    );
    assert_eq!(folder.error("b.ply", format!("{face}-3 0 1 2\n")), "b.ply: face 0: 0 corners, needed are at least 3");
    let strips = format!("{head}element tristrips 1\nproperty list int int vertex_indices\nend_header\n{body}");
    // Two strips, the first turned round every other time; a repeated corner joins and is no face.
    let corners = folder.corners("a.ply", format!("{strips}9 0 1 2 3 4 -1 0 0 1\n"));
    let at = |i: usize| [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]][i];
    assert_eq!(corners, [[0, 1, 2], [1, 3, 2], [2, 3, 4]].map(|t| t.map(at)));
    assert_eq!(
        folder.error("b.ply", format!("{strips}3 0 1 5\n")),
        "b.ply: tristrips 0: vertex index 5, allowed are 0 to 4 (5 vertices)"
    );
    assert_eq!(folder.error("b.ply", format!("{head}end_header\n{body}")), "b.ply: 0 triangles, at least 1 is needed");
}

/// Files of every kind with some bytes changed, lost or added.
#[test]
fn damaged_files_are_errors_or_meshes() {
    let folder = Folder::new("text-damage");
    let head = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty double z\n\
             element face 1\nproperty list uchar int vertex_indices\nelement tristrips 1\n\
             property list short short vertex_indices\nend_header\n"
        )
        .into_bytes()
    };
    let mut ascii = head("ascii");
    ascii.extend(b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n4 0 1 2 0\n");
    let mut little = head("binary_little_endian");
    for [x, y, z] in TRIANGLE {
        little.extend((x as f32).to_le_bytes().iter().chain(&(y as f32).to_le_bytes()).chain(&z.to_le_bytes()));
    }
    little.extend([3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 2, 0]);
    let obj = b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\\\nv 0 1 0 # a\\\nf 1 2 \\\n3\ncstype x\nf -1/1 -2/2 -3/3\n".to_vec();
    let stl = format!("solid a\n{FACET}endsolid a\nsolid b\n{FACET}endsolid\n").into_bytes();
    let mut random = Random::new(9);
    let mut good = 0;
    for (name, bytes) in [("a.ply", ascii), ("b.ply", little), ("c.obj", obj), ("d.stl", stl)] {
        for _ in 0..400 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes.truncate(at + 1),
                    1 => bytes[at] = random.word() as u8,
                    2 => drop(bytes.drain(at..(at + random.below(9)).min(bytes.len()))),
                    _ => bytes.insert(at, b"-/ 9e\n\\#"[random.below(8)]),
                }
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            match read_mesh(folder.file(name, bytes)) {
                Ok(mesh) => {
                    mesh.check().unwrap();
                    good += 1;
                }
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
    }
    assert!(good > 30, "{good}");
}

#[test]
fn solids_with_names_of_any_kind_and_numbers_of_any_form() {
    let folder = Folder::new("text-stl-names");
    let second = FACET.replace("1 0 0", "1.0E+0 0. -0.0e-5").to_ascii_uppercase();
    let text = format!(
        "SOLID my part 7 (left)\r\n{FACET}ENDSOLID my part 7 (left)\r\n\r\nsolid\n\tcolor 1 0 0\n{second}endsolid"
    );
    assert_eq!(folder.corners("a.stl", text), [TRIANGLE, TRIANGLE]);
}

/// Numbers at vertices (deviations, colours) belong to the vertices of the file, in its order.
#[test]
fn obj_vertices_keep_their_order_whether_faces_use_them_or_not() {
    let folder = Folder::new("text-obj-order");
    let text = "v 9 9 9\nv 0 1 0\nv 1 0 0\nf 4 3 2\nv 0 0 0\nv 8 8 8\nf 2 3 4\n";
    let mesh = mesh_distance::read_mesh(folder.file("a.obj", text)).unwrap();
    assert_eq!(mesh.positions, [[9.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3], [8.0; 3]]);
    assert_eq!(mesh.triangles, [[3, 2, 1], [1, 2, 3]]);
    assert_eq!(mesh.bounds().unwrap().hi, [1.0, 1.0, 0.0], "of what triangles use");
}

#[test]
fn obj_with_colours_tabs_and_lines_beside_faces() {
    let folder = Folder::new("text-obj-colours");
    let text = "v\t0 0 0 1 0.5 0.25 0\nv 1.0E0 0. -.0\nv 0 +1 0 0.1 0.2 0.3\nvn 0 0 1\nl 1 2\np 3\nf\t1//1  2//1\t3//1";
    assert_eq!(folder.corners("a.obj", text), [TRIANGLE]);
    let read = mesh_distance::MeshFile::read(folder.file("a.obj", text)).unwrap();
    assert_eq!(read.notes, ["1 statement l is left out", "1 statement p is left out"]);
}

#[test]
fn ply_with_elements_and_properties_of_every_kind_in_every_order() {
    let folder = Folder::new("text-ply");
    let header = "ply\nformat ascii 1.0\nobj_info made by hand\ncomment - -\nelement range_grid 2\nproperty list int8 short vertex_indices\n\
        element face 1\nproperty list double int32 corner_normals\nproperty list float32 uint vertex_indices\nproperty list uint uchar tags\n\
        element vertex 3\nproperty list uchar float weights\nproperty uchar z\nproperty float quality\nproperty int16 y\nproperty double x\n\
        element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n";
    let body = "0\n2 7 8\n1 -1 3 0 1 2 2 9 9\n0 0 -nan(ind) 0 0\n2 0.5 0.5 0 nan 0 1\n0 0 1.#IND 1 0\n0 1\n";
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("{header}{body}").replace('\n', end);
        assert_eq!(folder.corners("a.ply", &text), [TRIANGLE], "{end:?}");
    }
    let read = mesh_distance::MeshFile::read(folder.file("a.ply", format!("{header}{body}"))).unwrap();
    assert_eq!(
        read.notes,
        ["2 items of the element range_grid are left out", "1 item of the element edge is left out"]
    );
    // A needed number that is none is still an error.
    let error = folder.error("b.ply", format!("{header}{body}").replace("nan 0 1", "nan 0 -nan(ind)"));
    assert_eq!(error, "b.ply: vertex 1: -nan(ind) is no number");
    // Binary numbers begin right behind the last end of line, whichever that is.
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\nproperty uchar y\nproperty uchar z\n\
        element face 1\nproperty list uchar uchar vertex_index\nend_header\n";
    for end in ["\n", "\r\n", "\r"] {
        let mut bytes = header.replace('\n', end).into_bytes();
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2]);
        assert_eq!(folder.corners("a.ply", &bytes), [TRIANGLE], "{end:?}");
    }
}
