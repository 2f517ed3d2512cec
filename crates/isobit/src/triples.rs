//! Values of options that hold a number for each axis, and selections of grids.

use std::str::FromStr;

use input_text::token;

use sparse_topology::Selection;

use crate::verbs::numbers_given;

/// Factors, kernels, strides and sizes: whole numbers from 1 to 2^31 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Positive(pub(crate) [u32; 3]);

/// Offsets and coordinates: whole numbers of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offset(pub(crate) [i32; 3]);

/// Edges of a voxel: finite and greater than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size3(pub(crate) [f64; 3]);

/// A point: three finite numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point3(pub(crate) [f64; 3]);

/// One value for all axes, or three.
fn axes<T: Copy>(text: &str, one: impl Fn(&str) -> Result<T, String>) -> Result<[T; 3], String> {
    let values = text.split(',').map(|word| one(word.trim())).collect::<Result<Vec<T>, String>>()?;
    match values[..] {
        [a] => Ok([a; 3]),
        [a, b, c] => Ok([a, b, c]),
        _ => Err(numbers_given(values.len(), "1 or 3")),
    }
}

/// A whole number of a range.
fn whole(word: &str, low: i64, high: i64) -> Result<i64, String> {
    let value = word.parse::<i128>().map_err(|_| format!("not a whole number ({})", token(word)))?;
    if (i128::from(low)..=i128::from(high)).contains(&value) {
        Ok(value as i64)
    } else {
        Err(format!("{} is out of range (allowed: {low} to {high})", token(word)))
    }
}

impl FromStr for Positive {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        axes(text, |word| whole(word, 1, i64::from(i32::MAX)).map(|n| n as u32)).map(Self)
    }
}

impl FromStr for Offset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        axes(text, |word| whole(word, i64::from(i32::MIN), i64::from(i32::MAX)).map(|n| n as i32)).map(Self)
    }
}

impl FromStr for Size3 {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = |word: &str| match crate::options::finite(word)? {
            value if value > 0.0 => Ok(value),
            _ => Err(format!("{} is out of range (allowed: greater than 0)", token(word))),
        };
        axes(text, size).map(Self)
    }
}

impl FromStr for Point3 {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.split(',').count() != 3 {
            return Err(numbers_given(text.split(',').count(), "3"));
        }
        axes(text, crate::options::finite).map(Self)
    }
}

/// The value of `--items`: a list of numbers, or a slice `start:stop:step`.
pub(crate) fn selection(text: &str) -> Result<Selection, String> {
    let number = |word: &str| whole(word.trim(), i64::MIN, i64::MAX);
    if !text.contains(':') {
        return text.split(',').map(number).collect::<Result<Vec<i64>, String>>().map(Selection::List);
    }
    let words: Vec<&str> = text.split(':').map(str::trim).collect();
    if words.len() > 3 {
        return Err(format!("{} parts of a slice (allowed: 2 or 3)", words.len()));
    }
    let part = |i: usize| words.get(i).filter(|w| !w.is_empty()).map(|w| number(w)).transpose();
    match part(2)?.unwrap_or(1) {
        0 => Err("the step is 0 (allowed: all numbers but 0)".to_owned()),
        step => Ok(Selection::Slice { start: part(0)?, stop: part(1)?, step }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_or_three_in_their_range() {
        assert_eq!("2".parse(), Ok(Positive([2; 3])));
        assert_eq!("2, 3,4".parse(), Ok(Positive([2, 3, 4])));
        assert_eq!("-5".parse(), Ok(Offset([-5; 3])));
        assert_eq!("0.5".parse(), Ok(Size3([0.5; 3])));
        assert_eq!("1,-2,3e1".parse(), Ok(Point3([1.0, -2.0, 30.0])));
        for bad in ["0", "-1", "2147483648", "1,2", "1.5", "", "1,2,3,4", "99999999999999999999999999999999999999999"] {
            assert!(bad.parse::<Positive>().is_err(), "{bad}");
        }
        for bad in ["2147483648", "-2147483649", "x"] {
            assert!(bad.parse::<Offset>().is_err(), "{bad}");
        }
        for bad in ["0", "-1", "nan", "inf"] {
            assert!(bad.parse::<Size3>().is_err(), "{bad}");
        }
        assert!("1".parse::<Point3>().is_err() && "1,2,nan".parse::<Point3>().is_err());
    }

    #[test]
    fn selections_are_lists_or_slices() {
        assert_eq!(selection("0, -1"), Ok(Selection::List(vec![0, -1])));
        assert_eq!(selection("::-1"), Ok(Selection::Slice { start: None, stop: None, step: -1 }));
        assert_eq!(selection("1:"), Ok(Selection::Slice { start: Some(1), stop: None, step: 1 }));
        for bad in ["", "x", "1:2:0", "1:2:3:4", "1,:"] {
            assert!(selection(bad).is_err(), "{bad}");
        }
    }
}
