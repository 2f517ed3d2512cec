//! Values of options, each read from its own text with an error that says what is allowed.

use std::path::{Path, PathBuf};
use std::str::FromStr;

mod codec;
mod distances;
mod grid;

use input_text::{number, token};

use crate::failure::Failure;
use crate::verbs::numbers_given;

pub(crate) use codec::{ClosedBox, MeshOutput, MeshletSize, positive, unit_list};
pub(crate) use distances::{DistanceOutput, fill};
pub(crate) use grid::GridPlace;

/// Cells along x, y, z; each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cells(pub(crate) [u32; 3]);

impl FromStr for Cells {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| match word.trim().parse::<u64>() {
            Ok(0) => Err("a grid needs at least 1 cell along every axis (0, allowed: 1 or more)".to_owned()),
            Ok(n) => u32::try_from(n).map_err(|_| format!("too many cells ({n}, allowed: up to {})", u32::MAX)),
            Err(_) => Err(format!("not a number of cells ({}, allowed: N or NX,NY,NZ)", token(word))),
        };
        let words: Vec<&str> = text.split(',').collect();
        match words[..] {
            [n] => number(n).map(|n| Self([n; 3])),
            [x, y, z] => Ok(Self([number(x)?, number(y)?, number(z)?])),
            _ => Err(numbers_given(words.len(), "1 or 3")),
        }
    }
}

/// A box: low corner, high corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (low, high) = corners(text)?;
        match (0..3).find(|&a| low[a] >= high[a]) {
            Some(a) => Err(format!("empty along {} ({} to {})", ["x", "y", "z"][a], number(low[a]), number(high[a]))),
            None => Ok(Self { low, high }),
        }
    }
}

/// Low and high corner of a box: six finite numbers.
fn corners(text: &str) -> Result<([f64; 3], [f64; 3]), String> {
    let words: Vec<&str> = text.split(',').collect();
    let values: Result<Vec<f64>, String> = words.iter().map(|word| finite(word)).collect();
    match <[f64; 6]>::try_from(values?) {
        Ok([x0, y0, z0, x1, y1, z1]) => Ok(([x0, y0, z0], [x1, y1, z1])),
        Err(_) => Err(numbers_given(words.len(), "6")),
    }
}

/// A finite number.
pub(crate) fn finite(word: &str) -> Result<f64, String> {
    let value = word.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    value.ok_or_else(|| format!("not a finite number ({})", token(word)))
}

/// A word that is there.
pub(crate) fn not_empty(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("empty (allowed: what --help names)".to_owned()) } else { Ok(text.to_owned()) }
}

/// The value of `--margin`.
fn margin(text: &str) -> Result<f64, String> {
    let value = finite(text)?;
    if value < 0.0 {
        return Err(format!("the margin is negative ({}, allowed: 0 or more)", number(value)));
    }
    Ok(value)
}

/// The value of `--tolerance`.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    let value = finite(text)?;
    if value <= 0.0 {
        return Err(format!("the tolerance is not positive ({}, allowed: above 0)", number(value)));
    }
    Ok(value)
}

/// A finite number from 0 on.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    let value = finite(text)?;
    if value < 0.0 {
        return Err(format!("negative ({}, allowed: 0 or more)", number(value)));
    }
    Ok(value)
}

/// A factor of the criterion of winding numbers.
pub(crate) fn beta(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(x) if x == 0.0 || (1.0..=1024.0).contains(&x) => Ok(x),
        _ => Err(format!("not a factor ({}, allowed: 0, 1 to 1024)", token(text))),
    }
}

/// The numbers of distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// 32-bit floats.
    F32,
    /// 64-bit floats.
    F64,
}

impl Precision {
    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl FromStr for Precision {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "f32" => Ok(Self::F32),
            "f64" => Ok(Self::F64),
            _ => Err(format!("unknown precision ({}, allowed: f32, f64)", token(text))),
        }
    }
}

/// How inside is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Unsigned distances.
    None,
    /// By the angle-weighted pseudo-normal of the nearest feature.
    PseudoNormal,
    /// By the winding number.
    Winding,
    /// By the parity of rays.
    Rays,
    /// By the sum of all solid angles.
    SolidAngle,
}

impl Sign {
    /// All, in the order of help texts.
    pub(crate) const ALL: [Self; 5] = [Self::None, Self::PseudoNormal, Self::Winding, Self::Rays, Self::SolidAngle];

    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PseudoNormal => "pseudo-normal",
            Self::Winding => "winding",
            Self::Rays => "rays",
            Self::SolidAngle => "solid-angle",
        }
    }
}

impl From<Sign> for mesh_distance::Sign {
    fn from(sign: Sign) -> Self {
        match sign {
            Sign::None => Self::None,
            Sign::PseudoNormal => Self::PseudoNormal,
            Sign::Winding => Self::Winding,
            Sign::Rays => Self::Rays,
            Sign::SolidAngle => Self::SolidAngle,
        }
    }
}

/// The value of `--sign`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignChoice {
    /// The report of the mesh decides.
    Auto,
    /// The user has.
    Asked(Sign),
}

impl SignChoice {
    /// The sign for a mesh, and why.
    pub(crate) fn of(self, report: &mesh_distance::MeshReport) -> (Sign, String) {
        match self {
            Self::Asked(sign) => (sign, "asked for".to_owned()),
            Self::Auto => {
                let (chosen, reason) = report.auto_sign();
                let sign = Sign::ALL.into_iter().find(|&sign| mesh_distance::Sign::from(sign) == chosen);
                (sign.unwrap_or(Sign::Winding), reason)
            }
        }
    }
}

impl FromStr for SignChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let sign = Sign::ALL.into_iter().find(|sign| sign.name() == text);
        let allowed = || format!("auto, {}", Sign::ALL.map(Sign::name).join(", "));
        sign.map(Self::Asked).ok_or_else(|| format!("unknown sign ({}, allowed: {})", token(text), allowed()))
    }
}

/// A plane across an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slice {
    /// 0, 1, 2 for x, y, z.
    pub(crate) axis: usize,
    /// Where along the axis, 0 to 1.
    pub(crate) fraction: f64,
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, fraction) = text.split_once(':').unwrap_or((text, "0.5"));
        let axis = ["x", "y", "z"].iter().position(|&a| a == name);
        let axis = axis.ok_or_else(|| format!("unknown axis ({}, allowed: x, y, z)", token(name)))?;
        let fraction = finite(fraction)?;
        if !(0.0..=1.0).contains(&fraction) {
            return Err(format!("the fraction is outside the grid ({}, allowed: 0 to 1)", number(fraction)));
        }
        Ok(Self { axis, fraction })
    }
}

/// A volume file to write, its format from the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputKind {
    /// NumPy array.
    Npy(PathBuf),
    /// VTK ImageData.
    Vti(PathBuf),
}

impl OutputKind {
    /// The file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Npy(path) | Self::Vti(path) => path,
        }
    }
}

impl FromStr for OutputKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        match extension(&path).as_str() {
            "npy" => Ok(Self::Npy(path)),
            "vti" => Ok(Self::Vti(path)),
            _ => Err(wrong_extension(&path, ".npy, .vti")),
        }
    }
}

/// What is wrong with a file name whose extension is not one of those allowed.
pub(crate) fn wrong_extension(path: &Path, allowed: &str) -> String {
    match extension(path).as_str() {
        "" => format!("no extension (allowed: {allowed})"),
        other => format!("unknown extension (.{}, allowed: {allowed})", token(other)),
    }
}

/// A failure of the command line about it.
pub(crate) fn refuse_extension(path: &Path, allowed: &str) -> Failure {
    Failure::Usage(format!("{}: {}", path.display(), wrong_extension(path, allowed)))
}

/// The extension in lower case, empty when there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_one_or_three_positive_numbers() {
        assert_eq!("8".parse(), Ok(Cells([8; 3])));
        assert_eq!("2,3,4".parse(), Ok(Cells([2, 3, 4])));
        for bad in ["0", "1,2", "1,2,0", "-1", "x", "", "4294967296", "1,2,3,4"] {
            assert!(bad.parse::<Cells>().is_err(), "{bad}");
        }
    }

    #[test]
    fn bounds_are_six_finite_numbers_in_order() {
        let bounds: Bounds = "-1,-2,-3,1,2,3e1".parse().expect("good");
        assert_eq!((bounds.low, bounds.high), ([-1.0, -2.0, -3.0], [1.0, 2.0, 30.0]));
        for bad in ["1,2,3", "0,0,0,1,1,0", "0,0,0,1,1,nan", "0,0,0,1,1,inf", "a,b,c,d,e,f"] {
            assert!(bad.parse::<Bounds>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_missing_extension_is_said() {
        assert_eq!(wrong_extension(Path::new("a"), ".npy"), "no extension (allowed: .npy)");
        assert_eq!(wrong_extension(Path::new("a.B"), ".npy"), "unknown extension (.b, allowed: .npy)");
    }

    #[test]
    fn slices_name_an_axis_and_a_fraction() {
        assert_eq!("x:0.25".parse(), Ok(Slice { axis: 0, fraction: 0.25 }));
        assert_eq!("z".parse(), Ok(Slice { axis: 2, fraction: 0.5 }));
        for bad in ["w:0.5", "x:1.5", "x:-0.1", "x:nan", ":", "x:"] {
            assert!(bad.parse::<Slice>().is_err(), "{bad}");
        }
    }

    #[test]
    fn signs_are_named_and_others_are_refused_with_the_list() {
        for sign in Sign::ALL {
            assert_eq!(sign.name().parse(), Ok(SignChoice::Asked(sign)));
        }
        assert_eq!("auto".parse(), Ok(SignChoice::Auto));
        let error = "parity".parse::<SignChoice>().expect_err("unknown");
        assert_eq!(error, "unknown sign (parity, allowed: auto, none, pseudo-normal, winding, rays, solid-angle)");
    }

    #[test]
    fn later_work_is_refused_in_a_sentence() {
        assert!("f16".parse::<Precision>().expect_err("unknown").contains("allowed: f32, f64"));
    }
}
