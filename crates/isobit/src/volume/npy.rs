//! NumPy .npy volumes: float32 or float64, C order, shape (NZ, NY, NX). The format's own definition: NEP 1 of NumPy.

use std::io::{Read, Write};

use npyz::{NpyFile, TypeChar, WriterBuilder};

use super::{Values, Volume};

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

/// Reads a 3-D float32 or float64 array in C order; centres at 0, 1, 2, ... since the file names none.
pub(crate) fn read(input: impl Read, bytes: u64) -> Result<Volume, String> {
    let file = NpyFile::new(crate::npy_head::checked(input)?).map_err(|e| format!("not a .npy file ({e})"))?;
    let shape = file.shape().to_vec();
    let [a, b, c] = shape[..] else {
        return Err(format!("not a volume (dimensions {}, allowed 3)", shape.len()));
    };
    let count = [a, b, c].iter().try_fold(1u64, |n, &d| n.checked_mul(d)).filter(|&n| n > 0);
    let Some(count) = count else { return Err(format!("no cells (shape {a} x {b} x {c})")) };
    let npyz::DType::Plain(kind) = file.dtype() else {
        return Err("a structured array (allowed: float32 or float64)".to_owned());
    };
    let size = kind.size_field();
    if kind.type_char() != TypeChar::Float || !matches!(size, 4 | 8) {
        return Err(format!("values are {kind} (allowed: float32 or float64)"));
    }
    // The shape is checked against the file before anything of that size is allocated.
    if count.checked_mul(size).is_none_or(|needed| needed > bytes) {
        return Err(format!("truncated (shape {a} x {b} x {c} needs {count} x {size} bytes, the file has {bytes})"));
    }
    if file.order() == npyz::Order::Fortran {
        return Err("stored in Fortran order (allowed: C order, shape (NZ, NY, NX))".to_owned());
    }
    let values = match size {
        4 => Values::F32(file.into_vec().map_err(|e| format!("cannot read the values ({e})"))?),
        _ => Values::F64(file.into_vec().map_err(|e| format!("cannot read the values ({e})"))?),
    };
    Ok(Volume { cells: [c, b, a].map(|n| n as usize), first: [0.0; 3], spacing: [1.0; 3], values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(values: Values) -> Volume {
        Volume { cells: [3, 2, 1], first: [0.0; 3], spacing: [1.0; 3], values }
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        let f32s = vec![1.5f32, -0.0, f32::INFINITY, f32::MIN_POSITIVE, 1.0e-40, -7.25];
        let f64s = f32s.iter().map(|&x| f64::from(x) / 3.0).collect();
        for values in [Values::F32(f32s), Values::F64(f64s)] {
            let mut bytes = Vec::new();
            write(&volume(values.clone()), &mut bytes).expect("write");
            let back = read(&bytes[..], bytes.len() as u64).expect("read");
            assert_eq!(back.cells, [3, 2, 1]);
            assert_eq!(format!("{:?}", back.values), format!("{values:?}"), "bits, also the sign of zero");
        }
    }

    #[test]
    fn a_shape_that_lies_is_refused() {
        let mut bytes = Vec::new();
        write(&volume(Values::F32(vec![0.0; 6])), &mut bytes).expect("write");
        bytes.truncate(bytes.len() - 4);
        let text = read(&bytes[..], bytes.len() as u64).expect_err("truncated");
        assert!(text.contains("truncated") || text.contains("cannot read"), "{text}");
        assert!(read(&b"not numpy at all"[..], 16).is_err());
        let mut huge = Vec::new();
        write(&volume(Values::F32(vec![0.0; 6])), &mut huge).expect("write");
        let at = huge.windows(7).position(|w| w == b"1, 2, 3").expect("the shape");
        huge.splice(at..at + 7, *b"4294967296, 4294967296, 3");
        huge[8] += 18;
        let text = read(&huge[..], huge.len() as u64).expect_err("a product over 64 bits");
        assert!(text.contains("larger than any file"), "{text}");
    }
}
