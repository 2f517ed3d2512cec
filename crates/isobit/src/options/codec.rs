//! Values of the options of `encode`, `decode` and `inspect`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use input_text::{number, token};
use mesh_decode::MeshletLimits;

use super::{corners, extension, finite, wrong_extension};

/// A closed box: low corner, high corner; a side may have length 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClosedBox {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

impl FromStr for ClosedBox {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (low, high) = corners(text)?;
        match (0..3).find(|&a| low[a] > high[a]) {
            Some(a) => {
                Err(format!("low above high along {} ({} to {})", ["x", "y", "z"][a], number(low[a]), number(high[a])))
            }
            None => Ok(Self { low, high }),
        }
    }
}

/// Most vertices and triangles of a meshlet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MeshletSize(pub(crate) MeshletLimits);

impl FromStr for MeshletSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<Option<u32>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
        match numbers[..] {
            [Some(vertices @ 3..=256), Some(triangles @ 1..=256)] => Ok(Self(MeshletLimits { vertices, triangles })),
            _ => Err(format!("not the size of a meshlet ({}, allowed: V,T with 3 to 256 and 1 to 256)", token(text))),
        }
    }
}

/// A mesh file to write, its format from the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MeshOutput(PathBuf);

impl MeshOutput {
    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl FromStr for MeshOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        match extension(&path).as_str() {
            "obj" | "stl" | "ply" => Ok(Self(path)),
            _ => Err(wrong_extension(&path, ".obj, .stl, .ply")),
        }
    }
}

/// The value of `--step`.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value > 0.0 => Ok(value),
        value => Err(format!("not a length ({}, allowed: above 0)", number(value))),
    }
}

/// Unit ids from text: numbers and ranges `first-last` with commas between; `None` for text of another kind (a file name).
pub(crate) fn unit_list(text: &str) -> Option<Result<Vec<u32>, String>> {
    let listed = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit() || b",- ".contains(&c));
    listed.then(|| {
        let mut list = Vec::new();
        for word in text.split(',') {
            let number = |part: &str| part.trim().parse::<u32>().map_err(|_| format!("not a unit ({})", token(word)));
            match word.split_once('-') {
                Some((first, last)) => {
                    let (first, last) = (number(first)?, number(last)?);
                    if first > last || last - first >= 1 << 28 {
                        return Err(format!("not a range of units ({})", token(word)));
                    }
                    list.extend(first..=last);
                }
                None => list.push(number(word)?),
            }
        }
        Ok(list)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_lists_are_numbers_and_ranges() {
        assert_eq!(unit_list("0,4,8-10"), Some(Ok(vec![0, 4, 8, 9, 10])));
        assert_eq!(unit_list("ids.u32"), None);
        assert_eq!(unit_list(""), None);
        for bad in ["1,", "3-1", "-", "99999999999", "0-4294967295", "1,-2"] {
            assert!(unit_list(bad).is_some_and(|list| list.is_err()), "{bad}");
        }
    }

    #[test]
    fn boxes_sizes_steps_and_endings_are_checked() {
        assert!("0,0,0,0,1,1".parse::<ClosedBox>().is_ok());
        for bad in ["0,0,0,1,1", "0,0,1,1,1,0", "0,0,0,1,1,nan"] {
            assert!(bad.parse::<ClosedBox>().is_err(), "{bad}");
        }
        assert_eq!("64,96".parse(), Ok(MeshletSize(MeshletLimits { vertices: 64, triangles: 96 })));
        for bad in ["2,1", "3,0", "257,1", "64", "64,96,1", "a,b"] {
            assert!(bad.parse::<MeshletSize>().is_err(), "{bad}");
        }
        assert!(
            positive("0").is_err() && positive("-1").is_err() && positive("nan").is_err() && positive("1e-3").is_ok()
        );
        assert!("a.PLY".parse::<MeshOutput>().is_ok() && "a.gltf".parse::<MeshOutput>().is_err());
    }
}
