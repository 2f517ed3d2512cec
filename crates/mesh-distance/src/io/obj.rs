//! Wavefront OBJ by `tobj`, in f64, behind a pass that names the line of what is wrong.
//!
//! `tobj` reports neither lines nor values and wraps negative indices that reach before the first vertex. The pass checks vertices and
//! face indices and hands on only them: normals, texture coordinates, materials and groups have no meaning here.

use super::polygon::append_polygon;
use super::{Malformed, MeshFile, text_of};
use crate::Mesh;
use input_text::{sentence, token};
use std::collections::BTreeMap;

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Malformed> {
    let text = text_of(bytes)?;
    let (reduced, notes) = reduce(&text)?;
    let options = tobj::LoadOptions::default();
    let no_materials = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut reduced.as_bytes(), &options, no_materials)
        .map_err(|e| Malformed::whole(format!("not a readable OBJ file: {}", sentence(&e.to_string()))))?;
    let mut mesh = Mesh::default();
    for model in models {
        let base = mesh.positions.len() as i64;
        mesh.positions.extend(model.mesh.positions.as_chunks::<3>().0);
        let mut corners = model.mesh.indices.iter().map(|index| i64::from(*index) + base);
        // Without a list of arities all faces are triangles.
        let triangles = model.mesh.face_arities.is_empty().then_some(model.mesh.indices.len() / 3);
        let arities = model.mesh.face_arities.iter().copied().chain(std::iter::repeat_n(3, triangles.unwrap_or(0)));
        for arity in arities {
            let face: Vec<i64> = corners.by_ref().take(arity as usize).collect();
            append_polygon(&mut mesh, &face).map_err(Malformed::whole)?;
        }
    }
    Ok(MeshFile { mesh, notes, ..MeshFile::default() })
}

/// The `v` and `f` lines alone, all their numbers checked; face corners with positive position indices only. Then what is left out.
fn reduce(text: &str) -> Result<(String, Vec<String>), Malformed> {
    let vertices = text.lines().filter(|line| line.split_whitespace().next() == Some("v")).count();
    if u32::try_from(vertices).is_err() {
        return Err(Malformed::whole(format!("{vertices} vertices, allowed are {}", u32::MAX)));
    }
    let mut kept = Kept { vertices, ..Kept::default() };
    kept.text.reserve(text.len());
    let mut joined = String::new();
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let line = line.split('#').next().unwrap_or_default();
        // A backslash at the end continues a line; one at the end of a comment, the path of a folder, does not.
        if let Some(part) = line.trim_end().strip_suffix('\\') {
            joined.push_str(part);
            joined.push(' ');
            continue;
        }
        joined.push_str(line);
        kept.statement(&joined, last)?;
        joined.clear();
    }
    kept.statement(&joined, last)?;
    if vertices == 0 && kept.faces == 0 {
        return Err(Malformed::whole(format!("0 statements v and f in {last} lines: no mesh as OBJ has it")));
    }
    match kept.free_form {
        Some((line, word)) if kept.faces == 0 => Err(Malformed::at(
            line,
            format!("{word}: free-form curves and surfaces are not read, and there are 0 faces"),
        )),
        _ => Ok((
            kept.text,
            kept.left_out.iter().map(|(word, n)| format!("{n} statements {word} are left out")).collect(),
        )),
    }
}

/// What is kept of the lines so far.
#[derive(Default)]
struct Kept {
    text: String,
    /// Vertices of the whole file, and those before this line.
    vertices: usize,
    before: usize,
    faces: usize,
    /// Line and word of the first free-form statement.
    free_form: Option<(usize, &'static str)>,
    /// Statements that are geometry and no faces, and how many there are.
    left_out: BTreeMap<&'static str, usize>,
}

impl Kept {
    fn statement(&mut self, statement: &str, line: usize) -> Result<(), Malformed> {
        let mut words = statement.split_whitespace();
        match words.next() {
            Some("v") => {
                self.before += 1;
                self.text.push('v');
                position(words, line, &mut self.text)?;
            }
            Some("f") => {
                self.faces += 1;
                self.text.push('f');
                face(words, line, self.before, self.vertices, &mut self.text)?;
            }
            Some(word) => {
                let free_form = ["cstype", "curv", "curv2", "surf"].into_iter().find(|name| *name == word);
                if let Some(name) = ["l", "p", "curv", "curv2", "surf"].into_iter().find(|name| *name == word) {
                    *self.left_out.entry(name).or_default() += 1;
                }
                self.free_form = self.free_form.or(free_form.map(|name| (line, name)));
            }
            None => {}
        }
        Ok(())
    }
}

/// Checks and appends the three coordinates of a vertex; weight and colour have no meaning here.
fn position<'a>(words: impl Iterator<Item = &'a str>, line: usize, out: &mut String) -> Result<(), Malformed> {
    let mut found = 0;
    for word in words.take(3) {
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => {}
            _ => return Err(Malformed::at(line, format!("coordinate {}, allowed are finite numbers", token(word)))),
        }
        found += 1;
        out.push(' ');
        out.push_str(word);
    }
    if found < 3 {
        return Err(Malformed::at(line, format!("vertex with {found} coordinates, needed are 3")));
    }
    out.push('\n');
    Ok(())
}

/// Checks and appends the corners of a face. Negative indices count back from the vertices before the face.
fn face<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    before: usize,
    vertices: usize,
    out: &mut String,
) -> Result<(), Malformed> {
    let mut corners = 0;
    for word in words {
        let text = word.split('/').next().unwrap_or_default();
        let no_index = |_| Malformed::at(line, format!("face corner {}, needed is an index", token(word)));
        let index = text.parse::<i64>().map_err(no_index)?;
        let absolute = if index < 0 { before as i64 + 1 + index.max(-(1 << 40)) } else { index };
        if absolute < 1 || absolute > vertices as i64 {
            let what = format!("vertex index {index}, allowed are 1 to {vertices} and -1 to -{before}");
            return Err(Malformed::at(line, what));
        }
        corners += 1;
        out.push(' ');
        out.push_str(&absolute.to_string());
    }
    if corners < 3 {
        return Err(Malformed::at(line, format!("face with {corners} corners, needed are at least 3")));
    }
    out.push('\n');
    Ok(())
}
