//! Checked little-endian reads of a file's header and tables.

use crate::error::Error;
use crate::format::Format;

/// A file's bytes with the format that messages name.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    pub(crate) format: Format,
    pub(crate) data: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(format: Format, data: &'a [u8]) -> Self {
        Self { format, data }
    }

    /// The bytes `offset .. offset + length`; `what` names the part.
    pub(crate) fn slice(&self, offset: usize, length: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let end = offset.checked_add(length);
        end.and_then(|end| self.data.get(offset..end)).ok_or_else(|| Error::Length {
            format: self.format,
            what,
            needed: (offset as u64).saturating_add(length as u64),
            found: self.data.len() as u64,
        })
    }

    fn array<const N: usize>(&self, offset: usize, what: &'static str) -> Result<[u8; N], Error> {
        let mut out = [0; N];
        out.copy_from_slice(self.slice(offset, N, what)?);
        Ok(out)
    }

    pub(crate) fn u8(&self, offset: usize, what: &'static str) -> Result<u8, Error> {
        Ok(self.array::<1>(offset, what)?[0])
    }

    pub(crate) fn u16(&self, offset: usize, what: &'static str) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.array(offset, what)?))
    }

    pub(crate) fn i16(&self, offset: usize, what: &'static str) -> Result<i16, Error> {
        Ok(i16::from_le_bytes(self.array(offset, what)?))
    }

    pub(crate) fn u32(&self, offset: usize, what: &'static str) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array(offset, what)?))
    }

    pub(crate) fn u64(&self, offset: usize, what: &'static str) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array(offset, what)?))
    }

    pub(crate) fn f32(&self, offset: usize, what: &'static str) -> Result<f32, Error> {
        Ok(f32::from_le_bytes(self.array(offset, what)?))
    }

    /// Fails unless the file has exactly this length.
    pub(crate) fn exact_length(&self, needed: u64, what: &'static str) -> Result<(), Error> {
        let found = self.data.len() as u64;
        let format = self.format;
        if found == needed { Ok(()) } else { Err(Error::Length { format, what, needed, found }) }
    }
}

/// Fails for a body whose bits cannot be addressed with 32 bits.
pub(crate) fn check_bit_addresses(bytes: u32) -> Result<(), Error> {
    let allowed = (1 << 29) - 64;
    if bytes <= allowed {
        return Ok(());
    }
    Err(Error::TooLarge { what: "body bytes", needed: u64::from(bytes), allowed: u64::from(allowed) })
}

/// Little-endian words of a byte string, the last one filled up with zeros, followed by `padding` zero words.
pub(crate) fn words_le(bytes: &[u8], padding: usize) -> Vec<u32> {
    words(bytes, padding, u32::from_le_bytes)
}

/// Big-endian words: bit 31 of the first word is the first bit of a stream that is most significant bit first.
pub(crate) fn words_be(bytes: &[u8], padding: usize) -> Vec<u32> {
    words(bytes, padding, u32::from_be_bytes)
}

fn words(bytes: &[u8], padding: usize, join: fn([u8; 4]) -> u32) -> Vec<u32> {
    let (whole, rest) = bytes.as_chunks::<4>();
    let mut words = Vec::with_capacity(whole.len() + 1 + padding);
    words.extend(whole.iter().map(|chunk| join(*chunk)));
    if !rest.is_empty() {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        words.push(join(last));
    }
    words.resize(words.len() + padding, 0);
    words
}
