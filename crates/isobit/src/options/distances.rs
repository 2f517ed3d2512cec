//! Values of the options of `sdf`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use input_text::token;

use super::{OutputKind, extension, wrong_extension};

/// A file of distances to write, its format from the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DistanceOutput {
    /// A value for each cell of the grid.
    Volume(OutputKind),
    /// A line for each cell of a narrow band.
    Csv(PathBuf),
    /// Voxels of a narrow band.
    Nvdb(PathBuf),
}

impl DistanceOutput {
    /// The file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Volume(kind) => kind.path(),
            Self::Csv(path) | Self::Nvdb(path) => path,
        }
    }
}

impl FromStr for DistanceOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        match extension(&path).as_str() {
            "csv" => Ok(Self::Csv(path)),
            "nvdb" => Ok(Self::Nvdb(path)),
            "npy" | "vti" => text.parse().map(Self::Volume),
            _ => Err(wrong_extension(&path, ".npy, .vti; with --band also .csv, .nvdb")),
        }
    }
}

/// The value of `--fill`: any number, infinities and NaN included.
pub(crate) fn fill(text: &str) -> Result<f32, String> {
    text.trim().parse().map_err(|_| format!("not a number ({}, allowed: a number, inf, -inf or nan)", token(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_told_by_their_extension() {
        assert_eq!("a.CSV".parse(), Ok(DistanceOutput::Csv("a.CSV".into())));
        assert_eq!("a.npy".parse(), Ok(DistanceOutput::Volume(OutputKind::Npy("a.npy".into()))));
        assert!("a.txt".parse::<DistanceOutput>().expect_err("unknown").contains(".csv"));
        assert!(fill("nan").expect("a NaN").is_nan() && fill("-inf") == Ok(f32::NEG_INFINITY));
        assert!(fill("x").expect_err("no number").contains("allowed"));
    }
}
