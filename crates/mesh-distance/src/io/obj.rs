//! Wavefront OBJ, in f64: vertices in the order of the file, faces of any number of corners; the line of what is wrong is named.
//!
//! The statements `v` and `f` (once `fo`) alone are read: normals, texture coordinates, materials and groups have no meaning here. No reader of a crate names
//! lines and values, keeps the order of the vertices, and refuses negative indices that reach before the first one.

use super::content::looks_like;
use super::polygon::append_polygon;
use super::{Malformed, MeshFile, are, counted, text_of};
use crate::Mesh;
use input_text::token;
use std::collections::BTreeMap;

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Malformed> {
    let text = text_of(bytes)?;
    let vertices = text.lines().filter(|line| line.split_whitespace().next() == Some("v")).count();
    if u32::try_from(vertices).is_err() {
        return Err(Malformed::whole(format!("{vertices} vertices, allowed are {}", u32::MAX)));
    }
    let mut read = Reading { vertices, ..Reading::default() };
    let last = read.lines(&text)?;
    let faces = read.ends.len();
    if vertices == 0 && faces == 0 {
        let other = looks_like(bytes).map_or(String::new(), |kind| format!("; it looks like {kind}"));
        return Err(Malformed::whole(format!("0 statements v and f in {last} lines: no mesh as OBJ has it{other}")));
    }
    if let Some((line, word)) = read.free_form.filter(|_| faces == 0) {
        let what = format!("{word}: free-form curves and surfaces are not read, and there are 0 faces");
        return Err(Malformed::at(line, what));
    }
    // A face may name vertices that follow it.
    let mut mesh = Mesh { positions: read.positions, ..Mesh::default() };
    let mut from = 0;
    for end in read.ends {
        append_polygon(&mut mesh, &read.corners[from..end]).map_err(Malformed::whole)?;
        from = end;
    }
    let note = |(word, n): (&&str, &u64)| format!("{} {word} {} left out", counted(*n, "statement"), are(*n));
    let mut notes: Vec<String> = read.left_out.iter().map(note).collect();
    if let Some((line, word, n)) = &read.unknown {
        let many = counted(*n, "statement");
        notes.push(format!("{many} of unknown keywords {} left out, the first is {word} on line {line}", are(*n)));
    }
    Ok(MeshFile { mesh, notes, ..MeshFile::default() })
}

/// Keywords that have no meaning for triangles, beside those that are counted.
const KNOWN: [&str; 45] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "cstype",
    "deg",
    "bmat",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "csh",
    "res",
    "bsp",
    "bzp",
    "cdc",
    "cdp",
    "vw",
    "l",
    "p",
    "curv",
    "curv2",
    "surf",
    "call",
    "mtl",
    "group",
];

/// A line without its comment. The `#` of `1.#IND`, as old C libraries write numbers that are none, begins no comment.
fn without_comment(line: &str) -> &str {
    let starts = |&(at, _): &(usize, &str)| {
        let behind = line[at + 1..].get(..3).unwrap_or_default().to_ascii_uppercase();
        !(line[..at].ends_with('.') && ["IND", "INF", "QNA", "SNA"].contains(&&*behind))
    };
    line.match_indices('#').find(starts).map_or(line, |(at, _)| &line[..at])
}

/// What the lines so far hold.
#[derive(Default)]
struct Reading {
    /// Vertices of the whole file.
    vertices: usize,
    /// Those before this line.
    positions: Vec<[f64; 3]>,
    /// Corners of all faces, as indices from 0, and where each face ends in them.
    corners: Vec<i64>,
    ends: Vec<usize>,
    /// Line and word of the first free-form statement.
    free_form: Option<(usize, &'static str)>,
    /// Statements that are geometry and no faces, and how many there are.
    left_out: BTreeMap<&'static str, u64>,
    /// Line and word of the first statement of no known keyword, and how many of them there are.
    unknown: Option<(usize, String, u64)>,
}

impl Reading {
    /// Reads all statements; gives the number of lines.
    fn lines(&mut self, text: &str) -> Result<usize, Malformed> {
        let mut joined = String::new();
        let mut last = 0;
        for (number, line) in text.lines().enumerate() {
            last = number + 1;
            let line = without_comment(line);
            // A backslash at the end continues a line; one at the end of a comment, the path of a folder, does not.
            if let Some(part) = line.trim_end().strip_suffix('\\') {
                joined.push_str(part);
                joined.push(' ');
                continue;
            }
            joined.push_str(line);
            self.statement(&joined, last)?;
            joined.clear();
        }
        self.statement(&joined, last)?;
        Ok(last)
    }

    fn statement(&mut self, statement: &str, line: usize) -> Result<(), Malformed> {
        let mut words = statement.split_whitespace();
        match words.next() {
            Some("v") => self.positions.push(position(words, line)?),
            // `fo` is what versions of the format before 3.0 call a face.
            Some("f" | "fo") => self.face(words, line)?,
            Some(word) => {
                let free_form = ["cstype", "curv", "curv2", "surf"].into_iter().find(|name| *name == word);
                if let Some(name) = ["l", "p", "curv", "curv2", "surf", "call"].into_iter().find(|name| *name == word) {
                    *self.left_out.entry(name).or_default() += 1;
                }
                if !KNOWN.contains(&word) && !self.left_out.contains_key(word) {
                    let (_, _, count) = self.unknown.get_or_insert_with(|| (line, token(word), 0));
                    *count += 1;
                }
                self.free_form = self.free_form.or(free_form.map(|name| (line, name)));
            }
            None => {}
        }
        Ok(())
    }

    /// Checks and appends the corners of a face. Negative indices count back from the vertices before the face.
    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>, line: usize) -> Result<(), Malformed> {
        let (before, vertices, first) = (self.positions.len(), self.vertices, self.corners.len());
        for word in words {
            let text = word.split('/').next().unwrap_or_default();
            let no_index = |_| Malformed::at(line, format!("face corner {}, needed is an index", token(word)));
            let index = text.parse::<i64>().map_err(no_index)?;
            let absolute = if index < 0 { before as i64 + 1 + index.max(-(1 << 40)) } else { index };
            if absolute < 1 || absolute > vertices as i64 {
                let back = if before == 0 { String::new() } else { format!(" and -1 to -{before}") };
                let what = format!("vertex index {index}, allowed are 1 to {vertices}{back}");
                return Err(Malformed::at(line, what));
            }
            self.corners.push(absolute - 1);
        }
        let corners = self.corners.len() - first;
        if corners < 3 {
            return Err(Malformed::at(line, format!("face with {corners} corners, needed are at least 3")));
        }
        self.ends.push(self.corners.len());
        Ok(())
    }
}

/// The three coordinates of a vertex; weight and colour have no meaning here.
fn position<'a>(words: impl Iterator<Item = &'a str>, line: usize) -> Result<[f64; 3], Malformed> {
    let mut position = [0.0; 3];
    let mut found = 0;
    for (word, x) in words.zip(&mut position) {
        *x =
            word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| {
                Malformed::at(line, format!("coordinate {}, allowed are finite numbers", token(word)))
            })?;
        found += 1;
    }
    if found < 3 {
        return Err(Malformed::at(line, format!("vertex with {found} coordinates, needed are 3")));
    }
    Ok(position)
}
