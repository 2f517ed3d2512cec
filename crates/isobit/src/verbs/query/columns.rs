//! The columns of `query`: what each output is called, and its numbers.

use std::path::Path;
use std::str::FromStr;

use mesh_distance::{Answers, Outputs, is_miss};

use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::signed_grid::Column;

/// What a query can tell of a point, in the order of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Output {
    Distance,
    Square,
    Point,
    Triangle,
    Uv,
    Feature,
    Inside,
    Normal,
    Gradient,
    Winding,
}

impl Output {
    const ALL: [Output; 10] = [
        Self::Distance,
        Self::Square,
        Self::Point,
        Self::Triangle,
        Self::Uv,
        Self::Feature,
        Self::Inside,
        Self::Normal,
        Self::Gradient,
        Self::Winding,
    ];

    /// Its name on the command line, its columns, and where they differ those of a cloud, whose x, y, z are the query point.
    fn names(self) -> (&'static str, &'static [&'static str], &'static [&'static str]) {
        let same = |name, columns: &'static [&'static str]| (name, columns, columns);
        match self {
            Self::Distance => same("distance", &["distance"]),
            Self::Square => same("square", &["square"]),
            Self::Point => ("point", &["x", "y", "z"], &["cx", "cy", "cz"]),
            Self::Triangle => same("triangle", &["triangle"]),
            Self::Uv => same("uv", &["u", "v"]),
            Self::Feature => same("feature", &["feature"]),
            Self::Inside => same("inside", &["inside"]),
            Self::Normal => same("normal", &["nx", "ny", "nz"]),
            Self::Gradient => same("gradient", &["gx", "gy", "gz"]),
            Self::Winding => same("winding", &["winding"]),
        }
    }

    /// Its columns in tables.
    pub(super) fn columns(self) -> &'static [&'static str] {
        self.names().1
    }

    /// Its columns in a cloud.
    pub(super) fn properties(self) -> &'static [&'static str] {
        self.names().2
    }

    /// Its array in VTK.
    pub(super) fn array(self) -> &'static str {
        if self == Self::Point { "closest" } else { self.names().0 }
    }
}

/// The outputs of a list, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputList(pub(super) Vec<Output>);

impl FromStr for OutputList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let find = |word: &str| {
            let found = Output::ALL.into_iter().find(|output| output.names().0 == word.trim());
            found.ok_or_else(|| {
                let names = Output::ALL.map(|output| output.names().0);
                format!("unknown output ({}, allowed: {})", input_text::token(word), names.join(", "))
            })
        };
        let mut outputs = text.split(',').map(find).collect::<Result<Vec<_>, _>>()?;
        outputs.sort_unstable();
        outputs.dedup();
        Ok(OutputList(outputs))
    }
}

impl OutputList {
    /// What the query must return: the summary counts misses and points inside.
    pub(super) fn chosen(&self) -> Outputs {
        let has = |output| self.0.contains(&output);
        Outputs {
            distance: true,
            squared: has(Output::Square),
            triangle: true,
            feature: true,
            uv: has(Output::Uv),
            point: has(Output::Point),
            normal: has(Output::Normal),
            gradient: has(Output::Gradient),
        }
    }

    /// Whether it is asked which points are inside.
    pub(super) fn inside(&self) -> bool {
        self.0.contains(&Output::Inside)
    }

    /// Whether winding numbers are wanted.
    pub(super) fn winding(&self) -> bool {
        self.0.contains(&Output::Winding)
    }
}

/// Refuses other extensions before any work is done.
pub(super) fn check_extension(path: &Path) -> Result<(), Failure> {
    match extension(path).as_str() {
        "csv" | "npy" | "ply" | "vtp" => Ok(()),
        _ => Err(refuse_extension(path, ".csv, .npy, .ply, .vtp")),
    }
}

/// The triangle's index, -1 for a miss.
fn triangle(t: u32) -> i32 {
    if is_miss(t) { -1 } else { t as i32 }
}

/// The numbers of an output, point by point.
pub(super) enum Numbers<'a, R> {
    Real(&'a [R]),
    Double(&'a [f64]),
    Int(Vec<i32>),
    Small(Vec<i8>),
}

impl<'a, R: Column> Numbers<'a, R> {
    /// Those of the answers; `winding` are the winding numbers, where they are asked for.
    pub(super) fn of(output: Output, a: &'a Answers<R>, winding: &'a [f64]) -> Self {
        match output {
            Output::Distance => Self::Real(&a.distance),
            Output::Square => Self::Real(&a.squared),
            Output::Point => Self::Double(a.point.as_flattened()),
            Output::Triangle => Self::Int(a.triangle.iter().map(|t| triangle(*t)).collect()),
            Output::Uv => Self::Real(a.uv.as_flattened()),
            Output::Feature => Self::Small(a.feature.iter().map(|f| f.code()).collect()),
            Output::Inside => Self::Small(a.inside.iter().map(|inside| i8::from(*inside)).collect()),
            Output::Normal => Self::Real(a.normal.as_flattened()),
            Output::Gradient => Self::Real(a.gradient.as_flattened()),
            Output::Winding => Self::Double(winding),
        }
    }

    /// The type in PLY and in VTK.
    pub(super) fn types(&self) -> (&'static str, &'static str) {
        match self {
            Self::Real(_) => R::NAMES,
            Self::Double(_) => ("double", "Float64"),
            Self::Int(_) => ("int", "Int32"),
            Self::Small(_) => ("char", "Int8"),
        }
    }

    /// Number `i` as text that reads back to the same bits.
    pub(super) fn text(&self, i: usize) -> String {
        match self {
            Self::Real(x) => format!("{:?}", x[i]),
            Self::Double(x) => format!("{:?}", x[i]),
            Self::Int(x) => x[i].to_string(),
            Self::Small(x) => x[i].to_string(),
        }
    }

    /// Number `i` in f64, exactly.
    pub(super) fn double(&self, i: usize) -> f64 {
        match self {
            Self::Real(x) => x[i].to_f64(),
            Self::Double(x) => x[i],
            Self::Int(x) => x[i].into(),
            Self::Small(x) => x[i].into(),
        }
    }

    /// Appends the bytes of number `i`, the low one first.
    pub(super) fn bytes(&self, i: usize, into: &mut Vec<u8>) {
        match self {
            Self::Real(x) => x[i].words()[..R::WORDS].iter().for_each(|word| into.extend(word.to_le_bytes())),
            Self::Double(x) => into.extend(x[i].to_le_bytes()),
            Self::Int(x) => into.extend(x[i].to_le_bytes()),
            Self::Small(x) => into.extend(x[i].to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Output, OutputList};

    #[test]
    fn outputs_are_named_once_and_others_are_refused_with_the_list() {
        let list: OutputList = "winding, distance,winding".parse().expect("a list");
        assert_eq!(list.0, [Output::Distance, Output::Winding]);
        assert!("distance,colour".parse::<OutputList>().expect_err("unknown").contains("colour, allowed: distance"));
    }
}
