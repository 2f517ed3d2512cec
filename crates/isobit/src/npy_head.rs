//! The head of a NumPy file, looked at before the crate npyz, which multiplies the extents of a shape without a check.

use std::io::{Cursor, Read};

/// Longest head that is read; NumPy's own is a few hundred bytes.
const MOST: usize = 1 << 16;

/// Reads the head and gives back the whole input.
///
/// # Errors
/// What is wrong: not a .npy file, cut, or a shape whose product does not fit into 64 bits.
pub(crate) fn checked(mut input: impl Read) -> Result<impl Read, String> {
    let mut head = Vec::new();
    let mut more = |head: &mut Vec<u8>, length: usize| {
        let have = head.len();
        head.resize(length, 0);
        input.read_exact(&mut head[have..]).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                format!("not a .npy file (it ends within its head of {length} bytes or more)")
            }
            _ => format!("not a .npy file ({e})"),
        })
    };
    more(&mut head, 8)?;
    if &head[..6] != b"\x93NUMPY" {
        return Err("not a .npy file (the magic bytes are missing)".to_owned());
    }
    let words = if head[6] == 1 { 2 } else { 4 };
    more(&mut head, 8 + words)?;
    let mut length = [0; 4];
    length[..words].copy_from_slice(&head[8..8 + words]);
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST {
        return Err(format!("not a .npy file (a head of {length} bytes, allowed {MOST})"));
    }
    more(&mut head, 8 + words + length)?;
    let text = String::from_utf8_lossy(&head[8 + words..]).into_owned();
    let shape =
        text.split_once("shape").and_then(|(_, rest)| rest.split_once('(')).and_then(|(_, rest)| rest.split_once(')'));
    if let Some((shape, _)) = shape {
        let extents = shape.split(',').map(|word| word.trim().trim_end_matches('L')).filter(|word| !word.is_empty());
        // 16 bytes a value at most, so that the size in bytes fits too. A zero extent hides no overflow of the others.
        let product = extents
            .map(|word| word.parse::<u64>().map(|n| n.max(1)))
            .try_fold(16u64, |n, extent| n.checked_mul(extent.ok()?));
        if product.is_none() {
            return Err(format!("shape ({}) is larger than any file", input_text::token(shape)));
        }
    }
    Ok(Cursor::new(head).chain(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(shape: &str) -> Vec<u8> {
        let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
        [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes(), b"rest"].concat()
    }

    #[test]
    fn heads_pass_whole_or_are_refused() {
        for good in ["3,", "2, 3", "", "0, 5"] {
            let mut all = Vec::new();
            checked(&file(good)[..]).expect(good).read_to_end(&mut all).expect("memory");
            assert_eq!(all, file(good));
        }
        for bad in [
            "18446744073709551615, 2",
            "4294967296, 4294967296, 4294967296",
            "0, 9223372036854775807, 9",
            "99999999999999999999,",
        ] {
            assert!(checked(&file(bad)[..]).is_err(), "{bad}");
        }
        for cut in [0, 5, 8, 9, 20] {
            assert!(checked(&file("3,")[..cut]).is_err(), "{cut}");
        }
        assert!(checked(&b"\x93NUMPY\x02\x00\xff\xff\xff\xff"[..]).is_err());
    }
}
