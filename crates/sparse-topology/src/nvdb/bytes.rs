//! Little-endian numbers at offsets.

use crate::Error;

/// Bytes with checked reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) bytes: &'a [u8],
}

impl<'a> View<'a> {
    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// `size` bytes from `at`.
    pub(super) fn slice(&self, at: u64, size: u64, what: &str) -> Result<&'a [u8], Error> {
        let end = at.checked_add(size).filter(|&end| end <= self.len());
        match end {
            Some(end) => Ok(&self.bytes[at as usize..end as usize]),
            None => Err(fault(at, format!("{what} needs {size} bytes, {} are left", self.len().saturating_sub(at)))),
        }
    }

    fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], Error> {
        let mut out = [0; N];
        out.copy_from_slice(self.slice(at, N as u64, "a field")?);
        Ok(out)
    }

    pub(super) fn u16(&self, at: u64) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }

    pub(super) fn u32(&self, at: u64) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }

    pub(super) fn u64(&self, at: u64) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array(at)?))
    }

    pub(super) fn i32x3(&self, at: u64) -> Result<[i32; 3], Error> {
        Ok([self.u32(at)?, self.u32(at + 4)?, self.u32(at + 8)?].map(|word| word as i32))
    }

    pub(super) fn f64(&self, at: u64) -> Result<f64, Error> {
        Ok(f64::from_bits(self.u64(at)?))
    }

    pub(super) fn f64s<const N: usize>(&self, at: u64) -> Result<[f64; N], Error> {
        let mut out = [0.0; N];
        for (i, value) in out.iter_mut().enumerate() {
            *value = self.f64(at + 8 * i as u64)?;
        }
        Ok(out)
    }

    /// A field that must have one value.
    pub(super) fn expect_u32(&self, at: u64, what: &str, allowed: u32) -> Result<(), Error> {
        expect(at, what, self.u32(at)?, allowed)
    }

    /// A field that must have one value.
    pub(super) fn expect_u64(&self, at: u64, what: &str, allowed: u64) -> Result<(), Error> {
        expect(at, what, self.u64(at)?, allowed)
    }
}

/// An error about the field at a byte.
pub(super) fn fault(at: u64, what: String) -> Error {
    Error::Nvdb { at, what }
}

/// An error unless a value is the allowed one.
pub(super) fn expect<T: PartialEq + std::fmt::Debug>(at: u64, what: &str, found: T, allowed: T) -> Result<(), Error> {
    if found != allowed {
        return Err(fault(at, format!("{what} is {found:?}, must be {allowed:?}")));
    }
    Ok(())
}

/// Writes bytes at an offset.
pub(super) fn put(into: &mut [u8], at: u64, bytes: &[u8]) {
    into[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
}

macro_rules! put_numbers {
    ($($name:ident: $type:ty),*) => {
        $(
            /// Writes numbers one behind the other.
            pub(super) fn $name(into: &mut [u8], at: u64, values: &[$type]) {
                for (i, value) in values.iter().enumerate() {
                    put(into, at + (i * size_of::<$type>()) as u64, &value.to_le_bytes());
                }
            }
        )*
    };
}

put_numbers!(put_u16: u16, put_u32: u32, put_i32: i32, put_u64: u64, put_i64: i64, put_f32: f32, put_f64: f64);
