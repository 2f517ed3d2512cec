//! ASCII STL: statements by keyword in any case, one a line or many, with the line of what is wrong.
//!
//! `stl_io` wants each statement on a line of its own, reads one solid, and names neither lines nor values.

use super::Malformed;
use crate::Mesh;
use input_text::token;

/// What begins a statement; `end solid` and the like in two words are read as in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Solid,
    EndSolid,
    Facet,
    EndFacet,
    Vertex,
    /// `outer loop` or `endloop`.
    Loop,
    /// A colour or another addition.
    Other,
}

const KEYWORDS: [(&str, Keyword); 7] = [
    ("vertex", Keyword::Vertex),
    ("facet", Keyword::Facet),
    ("outer", Keyword::Loop),
    ("endloop", Keyword::Loop),
    ("endfacet", Keyword::EndFacet),
    ("endsolid", Keyword::EndSolid),
    ("solid", Keyword::Solid),
];
const AFTER_END: [(&str, Keyword); 3] =
    [("loop", Keyword::Loop), ("facet", Keyword::EndFacet), ("solid", Keyword::EndSolid)];

impl Keyword {
    /// The keyword that these words begin with, and how many of them it is.
    fn of(words: &[&str]) -> Option<(Keyword, usize)> {
        let find = |list: &[(&str, Keyword)], word: &str| {
            list.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, keyword)| *keyword)
        };
        // Numbers are most of the words.
        let first = words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))?;
        match words.get(1).filter(|_| first.eq_ignore_ascii_case("end")) {
            Some(second) => find(&AFTER_END, second).map(|keyword| (keyword, 2)),
            None => find(&KEYWORDS, first).map(|keyword| (keyword, 1)),
        }
    }
}

/// Calls for each statement: its line, its keyword, all of its words and those behind the keyword.
pub(super) fn statements<'a>(
    text: &'a str,
    mut call: impl FnMut(usize, Keyword, &[&'a str], &[&'a str]) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        words.clear();
        words.extend(line.split_whitespace());
        let mut at = 0;
        while at < words.len() {
            let (keyword, own) = Keyword::of(&words[at..]).unwrap_or((Keyword::Other, 1));
            let end = (at + own..words.len()).find(|&end| ends(keyword, at == 0, &words[end..])).unwrap_or(words.len());
            call(number + 1, keyword, &words[at..end], &words[at + own..end])?;
            at = end;
        }
    }
    Ok(())
}

/// Whether a statement ends before these words of its line. Names may hold keywords, and additions may be of any words.
fn ends(keyword: Keyword, first: bool, rest: &[&str]) -> bool {
    let facet = |words: &[&str]| words[0].eq_ignore_ascii_case("facet") && words[1].eq_ignore_ascii_case("normal");
    let next = Keyword::of(rest).map(|(keyword, _)| keyword);
    match keyword {
        Keyword::Solid => next == Some(Keyword::EndSolid) || rest.len() > 1 && facet(rest),
        Keyword::EndSolid => next == Some(Keyword::Solid) && rest.windows(2).any(facet),
        Keyword::Other if first => false,
        _ => next.is_some(),
    }
}

/// The triangles of all solids.
pub(super) fn read(text: &str) -> Result<Mesh, Malformed> {
    let mut reading = Reading::default();
    statements(text, |line, keyword, words, values| reading.statement(line, keyword, words, values))?;
    let whole = reading.mesh.triangles.len();
    if reading.in_solid {
        return Err(Malformed::whole(format!("the text ends without endsolid, after {whole} whole facets: truncated")));
    }
    Ok(reading.mesh)
}

/// What the statements so far hold.
#[derive(Default)]
struct Reading {
    mesh: Mesh,
    in_solid: bool,
    /// Line of the facet that has no end yet, and its corners.
    facet: Option<usize>,
    corners: Vec<[f64; 3]>,
}

impl Reading {
    fn statement(&mut self, line: usize, keyword: Keyword, words: &[&str], values: &[&str]) -> Result<(), Malformed> {
        if !self.in_solid && keyword != Keyword::Solid {
            return Err(Malformed::at(line, format!("{} outside of solid .. endsolid", token(words[0]))));
        }
        match keyword {
            Keyword::Solid => self.in_solid = true,
            Keyword::Facet => {
                self.closed(line, "another facet")?;
                self.facet = Some(line);
            }
            Keyword::Vertex => {
                let position = position(line, values)?;
                if self.facet.is_none() {
                    return Err(Malformed::at(line, "vertex outside of facet .. endfacet"));
                }
                self.corners.push(position);
            }
            Keyword::EndFacet => self.end_facet(line)?,
            Keyword::EndSolid => {
                self.closed(line, "endsolid")?;
                self.in_solid = false;
            }
            // A vertex too many or too few is found all the same.
            Keyword::Loop | Keyword::Other => {}
        }
        Ok(())
    }

    /// Whether no facet is open where the next statement stands.
    fn closed(&self, line: usize, next: &str) -> Result<(), Malformed> {
        self.facet.map_or(Ok(()), |from| {
            Err(Malformed::at(line, format!("{next} before the endfacet of the facet of line {from}")))
        })
    }

    fn end_facet(&mut self, line: usize) -> Result<(), Malformed> {
        let from = self.facet.take().ok_or_else(|| Malformed::at(line, "endfacet without a facet"))?;
        if self.corners.len() != 3 {
            let what = format!("facet of line {from} with {} vertices, needed are 3", self.corners.len());
            return Err(Malformed::at(line, what));
        }
        let first = u32::try_from(self.mesh.positions.len()).ok().filter(|&v| v <= u32::MAX - 3);
        let first = first.ok_or_else(|| Malformed::at(line, "more vertices than 32-bit indices can name"))?;
        self.mesh.positions.append(&mut self.corners);
        self.mesh.triangles.push([first, first + 1, first + 2]);
        Ok(())
    }
}

/// The coordinates of a vertex, which STL has in 32 bits.
fn position(line: usize, words: &[&str]) -> Result<[f64; 3], Malformed> {
    let mut position = [0.0; 3];
    for (k, word) in words.iter().enumerate() {
        let value = word.parse::<f32>().ok().filter(|x| x.is_finite());
        let value = value.ok_or_else(|| {
            Malformed::at(line, format!("coordinate {}, allowed are finite numbers of 32 bits", token(word)))
        })?;
        if let Some(x) = position.get_mut(k) {
            *x = f64::from(value);
        }
    }
    match words.len() {
        3 => Ok(position),
        found => Err(Malformed::at(line, format!("vertex with {found} coordinates, needed are 3"))),
    }
}
