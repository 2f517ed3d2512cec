//! Tables that verbs read and write: NumPy arrays of any numbers, and lists of numbers as text.

use std::io::{Read, Write};
use std::path::Path;

use half::f16;
use input_text::{sentence, token, why_not_text};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};

use crate::failure::Failure;
use crate::lines::Lines;
use crate::options::extension;
use crate::verbs::numbers_given;

/// An array of a .npy file; its values in C order, whatever the order of the file.
pub(crate) struct Array {
    /// Extents, slowest first.
    pub(crate) shape: Vec<u64>,
    /// Type of a value, as the file names it.
    descr: String,
    kind: TypeChar,
    size: usize,
    big: bool,
    bytes: Vec<u8>,
}

impl Array {
    /// Reads a .npy file of booleans, integers or floats up to 8 bytes each.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        crate::output::input(path)?;
        let length = std::fs::metadata(path).map_err(|e| Failure::io(path, "read", &e))?.len();
        crate::memory::require(&path.display().to_string(), length.checked_mul(4))?;
        let bytes = std::fs::read(path).map_err(|e| Failure::io(path, "read", &e))?;
        Self::parse(&bytes).map_err(|what| Failure::file(path, what))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut input = crate::npy_head::checked(bytes)?;
        let header = NpyHeader::from_reader(&mut input);
        let header = header.map_err(|e| format!("not a .npy file ({})", sentence(&e.to_string())))?;
        let DType::Plain(kind) = header.dtype() else {
            return Err("a structured array (allowed: booleans, integers, floats)".to_owned());
        };
        let size = kind.size_field();
        let (char, allowed) = (kind.type_char(), [1, 2, 4, 8].contains(&size));
        let known = match char {
            TypeChar::Bool => size == 1,
            TypeChar::Int | TypeChar::Uint => allowed,
            TypeChar::Float => [2, 4, 8].contains(&size),
            _ => false,
        };
        if !known {
            return Err(format!(
                "values are {} (allowed: booleans, integers, 16-, 32- and 64-bit floats)",
                token(&kind.to_string())
            ));
        }
        let shape = header.shape().to_vec();
        let needed = shape.iter().try_fold(size, |n: u64, &d| n.checked_mul(d));
        let mut rest = Vec::with_capacity(bytes.len());
        input.read_to_end(&mut rest).map_err(|e| format!("cannot read ({e})"))?;
        if needed != Some(rest.len() as u64) {
            let needed = needed.map_or("more than 2^64".to_owned(), |n| n.to_string());
            return Err(format!("shape {shape:?} needs {needed} bytes of values, the file has {}", rest.len()));
        }
        if header.order() == Order::Fortran && shape.iter().filter(|&&n| n > 1).count() > 1 {
            rest = c_order(&rest, &shape, size as usize);
        }
        let big = kind.endianness() == Endianness::Big;
        let descr = header.dtype().descr();
        Ok(Self { shape, descr, kind: char, size: size as usize, big, bytes: rest })
    }

    /// The little-endian bytes of value `i`, widened with zeros.
    fn word(&self, i: usize) -> [u8; 8] {
        let mut word = [0; 8];
        word[..self.size].copy_from_slice(&self.bytes[i * self.size..(i + 1) * self.size]);
        if self.big {
            word[..self.size].reverse();
        }
        word
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    /// What a value is, and its bytes.
    pub(crate) fn kind(&self) -> (TypeChar, usize) {
        (self.kind, self.size)
    }

    /// Whether the values are floats.
    pub(crate) fn is_float(&self) -> bool {
        self.kind == TypeChar::Float
    }

    /// Value `i` of an array of integers or booleans; floats are cut.
    pub(crate) fn integer(&self, i: usize) -> i128 {
        let word = u64::from_le_bytes(self.word(i));
        match (self.kind, self.size) {
            (TypeChar::Int, size) => {
                let unused = 64 - 8 * size as u32;
                i128::from(((word << unused) as i64) >> unused)
            }
            (TypeChar::Float, _) => self.float(i) as i128,
            _ => i128::from(word),
        }
    }

    /// Value `i` as a float.
    pub(crate) fn float(&self, i: usize) -> f64 {
        let word = u64::from_le_bytes(self.word(i));
        match (self.kind, self.size) {
            (TypeChar::Float, 2) => f64::from(f16::from_bits(word as u16)),
            (TypeChar::Float, 4) => f64::from(f32::from_bits(word as u32)),
            (TypeChar::Float, _) => f64::from_bits(word),
            _ => self.integer(i) as f64,
        }
    }

    /// Bytes of a row: of all values with the same first index.
    fn row_bytes(&self) -> usize {
        self.shape.iter().skip(1).map(|&n| n as usize).product::<usize>() * self.size
    }

    /// The rows named by `rows`, zeros where it names none, as a .npy file of the same type.
    pub(crate) fn write_rows(&self, rows: &[Option<u64>], out: &mut dyn Write) -> std::io::Result<()> {
        let mut shape = self.shape.clone();
        shape[0] = rows.len() as u64;
        write_header(&self.descr, &shape, out)?;
        let size = self.row_bytes();
        let zeros = vec![0; size];
        for row in rows {
            out.write_all(row.map_or(&zeros[..], |row| &self.bytes[row as usize * size..(row as usize + 1) * size]))?;
        }
        Ok(())
    }
}

/// Values stored first index fastest, brought to last index fastest.
fn c_order(bytes: &[u8], shape: &[u64], size: usize) -> Vec<u8> {
    let mut strides = vec![size; shape.len()];
    for axis in 1..shape.len() {
        strides[axis] = strides[axis - 1] * shape[axis - 1] as usize;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let (mut index, mut from) = (vec![0; shape.len()], 0);
    while out.len() < bytes.len() {
        out.extend_from_slice(&bytes[from..from + size]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            from += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            from -= strides[axis] * shape[axis] as usize;
            index[axis] = 0;
        }
    }
    out
}

/// Writes the head of a .npy file, version 1.0, C order.
pub(crate) fn write_header(descr: &str, shape: &[u64], out: &mut dyn Write) -> std::io::Result<()> {
    let extents: String = shape.iter().map(|n| format!("{n},")).collect();
    let mut text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({extents}), }}");
    // The values begin at a multiple of 64; 10 bytes come before the text, a line feed ends it.
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(text.len() as u16).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// Three numbers a row from a .npy array n x 3 or a text file of `x,y,z` lines (by their names, if it has them), each taken by `from_array` or `from_text`.
pub(crate) fn triples<T: Copy + Default>(
    path: &Path,
    from_array: impl Fn(&Array, usize) -> Result<T, String>,
    from_text: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<[T; 3]>, Failure> {
    match extension(path).as_str() {
        "npy" => {
            let array = Array::read(path)?;
            let [_, 3] = array.shape[..] else {
                return Err(Failure::file(path, format!("shape {:?} (allowed: n x 3)", array.shape)));
            };
            let mut out = vec![[T::default(); 3]; array.len() / 3];
            for (i, row) in out.iter_mut().enumerate() {
                for (k, value) in row.iter_mut().enumerate() {
                    *value = from_array(&array, 3 * i + k).map_err(|what| failed_in_row(path, i, k, &what))?;
                }
            }
            Ok(out)
        }
        "csv" => {
            let text = read_text(path)?;
            let lists = [AXES, ["i", "j", "k"]].map(|list| list.map(str::to_owned).to_vec());
            let lines = Lines::of(&text).choose(&lists).map_err(|what| Failure::file(path, what))?;
            let mut out = Vec::new();
            for line in lines.rows() {
                let (number, words) = line.map_err(|what| Failure::file(path, what))?;
                if words.len() != 3 {
                    let what = numbers_given(words.len(), "3, with commas between");
                    return Err(Failure::Input(format!("{}:{}: {what}", path.display(), number)));
                }
                let mut row = [T::default(); 3];
                for (k, value) in row.iter_mut().enumerate() {
                    *value = from_text(words[k]).map_err(|what| failed_in_line(path, number, k, &what))?;
                }
                out.push(row);
            }
            Ok(out)
        }
        _ => Err(Failure::file(path, crate::options::wrong_extension(path, ".npy, .csv"))),
    }
}

/// The text of a list of numbers.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    crate::output::input(path)?;
    let bytes = std::fs::read(path).map_err(|e| Failure::io(path, "read", &e))?;
    if let Some(why) = why_not_text(&bytes) {
        return Err(Failure::file(path, why));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::file(path, format!("no UTF-8 text: byte {at} is {:#04x}", e.as_bytes()[at]))
    })?;
    // Carriage returns end lines where nothing else does.
    Ok(if text.contains('\n') { text } else { text.replace('\r', "\n") })
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// A row of an array, by its index as NumPy has it.
fn failed_in_row(path: &Path, row: usize, axis: usize, what: &str) -> Failure {
    Failure::file(path, format_args!("row {row} (the first is 0): {}: {what}", AXES[axis]))
}

/// A line of a text, from 1.
fn failed_in_line(path: &Path, line: usize, axis: usize, what: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {}: {what}", path.display(), AXES[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(descr: &str, shape: &[u64], values: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(descr, shape, &mut bytes).expect("to memory");
        bytes.extend_from_slice(values);
        bytes
    }

    #[test]
    fn every_type_is_read_and_others_are_refused() {
        let values = [
            ("'|b1'", &[1][..], 1),
            ("'|i1'", &[0xfe], -2),
            ("'<u2'", &[1, 2], 513),
            ("'>i4'", &[255, 255, 255, 253], -3),
        ];
        for (descr, bytes, expected) in values {
            let array = Array::parse(&file(descr, &[1], bytes)).expect(descr);
            assert_eq!((array.integer(0), array.len()), (expected, 1), "{descr}");
        }
        let large = Array::parse(&file("'<u8'", &[1], &[255; 8])).expect("u8");
        assert_eq!(large.integer(0), i128::from(u64::MAX));
        assert_eq!(Array::parse(&file("'<f4'", &[1], &1.5f32.to_le_bytes())).expect("f4").float(0), 1.5);
        // Halves: 1.5, the smallest one, minus infinity.
        let halves = Array::parse(&file("'>f2'", &[3], &[0x3e, 0, 0, 1, 0xfc, 0])).expect("f2");
        assert_eq!([0, 1, 2].map(|i| halves.float(i)), [1.5, 2f64.powi(-24), f64::NEG_INFINITY]);
        assert_eq!(halves.integer(0), 1);
        for (descr, bytes) in [("'<f16'", &[0; 16][..]), ("'|S3'", b"abc"), ("[('a', '<i4')]", &[0; 4])] {
            assert!(Array::parse(&file(descr, &[1], bytes)).is_err(), "{descr}");
        }
    }

    #[test]
    fn fortran_order_is_brought_to_c_order() {
        let values: Vec<u8> = (0..12).flat_map(|n: u16| n.to_le_bytes()).collect();
        let mut bytes = file("'<u2'", &[2, 3, 2], &values);
        let at = bytes.windows(5).position(|w| w == b"False").expect("the order");
        bytes.splice(at..at + 5, *b"True ");
        let array = Array::parse(&bytes).expect("an array");
        let found: Vec<i128> = (0..12).map(|i| array.integer(i)).collect();
        // Element (a, b, c) is the number a + 2 b + 6 c.
        assert_eq!(found, [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11]);
        let mut rows = Vec::new();
        array.write_rows(&[Some(1)], &mut rows).expect("to memory");
        let row = Array::parse(&rows).expect("what was written");
        assert_eq!((0..6).map(|i| row.integer(i)).collect::<Vec<_>>(), [1, 7, 3, 9, 5, 11]);
    }

    #[test]
    fn a_shape_that_lies_is_refused() {
        for shape in [&[3][..], &[1 << 40, 1 << 40], &[0]] {
            assert!(Array::parse(&file("'<i4'", shape, &[0; 8])).is_err(), "{shape:?}");
        }
        assert!(Array::parse(b"no array").is_err());
    }

    #[test]
    fn rows_are_carried_with_their_bytes() {
        let array = Array::parse(&file("'<f4'", &[3, 2], &[1; 24].map(|x: u8| x))).expect("an array");
        let mut bytes = Vec::new();
        array.write_rows(&[Some(2), None], &mut bytes).expect("to memory");
        let back = Array::parse(&bytes).expect("what was written");
        assert_eq!((back.shape, &back.bytes[..]), (vec![2, 2], &[[1; 8], [0; 8]].concat()[..]));
    }
}
