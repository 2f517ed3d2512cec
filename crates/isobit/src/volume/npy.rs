//! NumPy .npy volumes: C order, shape (NZ, NY, NX). The format's own definition: NEP 1 of NumPy.

use std::io::Write;

use npyz::{TypeChar, WriterBuilder};

use super::{Values, Volume};
use crate::table::Array;

/// Writes the values with shape (NZ, NY, NX); place and spacing have no room in this format.
pub(crate) fn write(volume: &Volume, out: &mut dyn Write) -> std::io::Result<()> {
    match &volume.values {
        Values::F32(values) => write_values(volume.cells, values, out),
        Values::F64(values) => write_values(volume.cells, values, out),
        Values::U8(values) => write_values(volume.cells, values, out),
    }
}

fn write_values<T: npyz::AutoSerialize + Copy>(
    [nx, ny, nz]: [usize; 3],
    values: &[T],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let shape = [nz as u64, ny as u64, nx as u64];
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(out).begin_nd()?;
    writer.extend(values.iter().copied())?;
    writer.finish()
}

/// The volume of a 3-D array of any numbers; centres at 0, 1, 2, ... since the file names none.
pub(crate) fn volume(array: &Array) -> Result<Volume, String> {
    let [a, b, c] = array.shape[..] else {
        return Err(format!("not a volume (dimensions {}, allowed 3)", array.shape.len()));
    };
    if array.len() == 0 {
        return Err(format!("no cells (shape {a} x {b} x {c})"));
    }
    let all = 0..array.len();
    let values = match array.kind() {
        // A float widened and narrowed again is the same.
        (TypeChar::Float, 4) => Values::F32(all.map(|i| array.float(i) as f32).collect()),
        (TypeChar::Uint, 1) => Values::U8(all.map(|i| array.integer(i) as u8).collect()),
        _ => Values::F64(all.map(|i| array.float(i)).collect()),
    };
    Ok(Volume { cells: [c, b, a].map(|n| n as usize), first: [0.0; 3], spacing: [1.0; 3], values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Volume, String> {
        super::volume(&Array::parse(bytes)?)
    }

    fn volume(values: Values) -> Volume {
        Volume { cells: [3, 2, 1], first: [0.0; 3], spacing: [1.0; 3], values }
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        let f32s = vec![1.5f32, -0.0, f32::INFINITY, f32::MIN_POSITIVE, 1.0e-40, -7.25];
        let f64s = f32s.iter().map(|&x| f64::from(x) / 3.0).collect();
        for values in [Values::F32(f32s), Values::F64(f64s), Values::U8(vec![0, 1, 2, 255, 0, 7])] {
            let mut bytes = Vec::new();
            write(&volume(values.clone()), &mut bytes).expect("write");
            let back = read(&bytes).expect("read");
            assert_eq!(back.cells, [3, 2, 1]);
            assert_eq!(format!("{:?}", back.values), format!("{values:?}"), "bits, also the sign of zero");
        }
    }

    #[test]
    fn a_shape_that_lies_is_refused() {
        let mut bytes = Vec::new();
        write(&volume(Values::F32(vec![0.0; 6])), &mut bytes).expect("write");
        bytes.truncate(bytes.len() - 4);
        let text = read(&bytes).expect_err("truncated");
        assert!(text.contains("needs 24 bytes of values, the file has 20"), "{text}");
        assert!(read(b"not numpy at all").is_err());
        let mut huge = Vec::new();
        write(&volume(Values::F32(vec![0.0; 6])), &mut huge).expect("write");
        let at = huge.windows(7).position(|w| w == b"1, 2, 3").expect("the shape");
        huge.splice(at..at + 7, *b"4294967296, 4294967296, 3");
        huge[8] += 18;
        let text = read(&huge).expect_err("a product over 64 bits");
        assert!(text.contains("larger than any file"), "{text}");
    }
}
