//! Blocks of numbers in VTK XML files: text, or bytes behind their count, raw or as base64, plain or packed by zlib.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use super::Values;

/// How the blocks of a file are coded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coding {
    /// Counts have 64 bits, else 32.
    pub(super) wide: bool,
    /// Bytes are packed, in pieces.
    pub(super) zlib: bool,
    /// Words begin with their highest byte.
    pub(super) big: bool,
}

/// What is left of a block: bytes, or base64 without white space.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) base64: bool,
}

impl Source<'_> {
    /// The first `count` bytes, which are left in place.
    fn peek(&self, count: usize) -> Result<(Vec<u8>, usize), String> {
        let long = if self.base64 { count.div_ceil(3).saturating_mul(4) } else { count };
        let part = self.bytes.get(..long).ok_or_else(|| {
            let form = if self.base64 { "characters of base64" } else { "bytes" };
            format!("truncated ({long} {form} needed, {} there)", self.bytes.len())
        })?;
        if !self.base64 {
            return Ok((part.to_vec(), long));
        }
        let mut bytes = STANDARD.decode(part).map_err(|e| format!("not base64 ({e})"))?;
        if bytes.len() < count {
            return Err(format!("truncated ({count} bytes needed, {} encoded)", bytes.len()));
        }
        bytes.truncate(count);
        Ok((bytes, long))
    }

    /// The next `count` bytes, which were encoded in one piece.
    fn take(&mut self, count: usize) -> Result<Vec<u8>, String> {
        let (bytes, long) = self.peek(count)?;
        self.bytes = &self.bytes[long..];
        Ok(bytes)
    }
}

impl Coding {
    fn word(self) -> usize {
        if self.wide { 8 } else { 4 }
    }

    fn counts(self, bytes: &[u8]) -> Vec<u64> {
        let word = |chunk: &[u8]| {
            let digit = |n: u64, &byte: &u8| n << 8 | u64::from(byte);
            if self.big { chunk.iter().fold(0, digit) } else { chunk.iter().rev().fold(0, digit) }
        };
        bytes.chunks_exact(self.word()).map(word).collect()
    }

    /// The `needed` bytes of a block.
    pub(super) fn block(self, mut source: Source<'_>, needed: usize) -> Result<Vec<u8>, String> {
        if self.zlib {
            return self.packed(source, needed);
        }
        let (head, long) = source.peek(self.word())?;
        let count = self.counts(&head)[0];
        if count != needed as u64 {
            return Err(format!("inconsistent (the cells need {needed} bytes, the file names {count})"));
        }
        // Some writers encode the count on its own, which shows as padding behind it, others with what follows.
        if source.base64 && source.bytes[long - 1] != b'=' {
            return Ok(source.take(self.word() + needed)?.split_off(self.word()));
        }
        source.take(self.word())?;
        source.take(needed)
    }

    /// Pieces: their number, the bytes of one and of the last, then the packed bytes of each.
    fn packed(self, mut source: Source<'_>, needed: usize) -> Result<Vec<u8>, String> {
        let head = self.counts(&source.peek(3 * self.word())?.0);
        let (pieces, size, last) = (head[0], head[1], head[2]);
        let all = match (pieces, last) {
            (0, _) => Some(0),
            (_, 0) => pieces.checked_mul(size),
            _ => (pieces - 1).checked_mul(size).and_then(|bytes| bytes.checked_add(last)),
        };
        if all != Some(needed as u64) {
            let all = all.map_or("more than 2^64".to_owned(), |n| n.to_string());
            return Err(format!("inconsistent (the cells need {needed} bytes, the file names {all})"));
        }
        let head = usize::try_from(pieces).ok().and_then(|n| (n + 3).checked_mul(self.word()));
        let lengths = self.counts(&source.take(head.ok_or("more pieces than a file holds")?)?);
        let lengths = &lengths[3..];
        let sum = lengths.iter().try_fold(0u64, |sum, &n| sum.checked_add(n)).and_then(|n| usize::try_from(n).ok());
        let packed = source.take(sum.ok_or("more bytes than a file holds")?)?;
        let (mut bytes, mut at) = (Vec::new(), 0);
        for &length in lengths {
            let room = (needed - bytes.len()).min(size as usize) as u64;
            let piece = &packed[at..at + length as usize];
            let read = ZlibDecoder::new(piece).take(room + 1).read_to_end(&mut bytes);
            read.map_err(|e| format!("not packed by zlib ({e})"))?;
            if bytes.len() > needed {
                return Err(format!("inconsistent (the cells need {needed} bytes, a piece has more)"));
            }
            at += length as usize;
        }
        if bytes.len() != needed {
            return Err(format!("truncated ({needed} bytes needed, {} unpacked)", bytes.len()));
        }
        Ok(bytes)
    }

    /// Numbers of a type, which [`width`] knows, from their bytes.
    pub(super) fn numbers(self, kind: &str, bytes: &[u8]) -> Option<Values> {
        fn words<const N: usize, T>(big: bool, bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
            let turned = |mut word: [u8; N]| {
                if big {
                    word.reverse();
                }
                number(word)
            };
            bytes.as_chunks().0.iter().map(|&word| turned(word)).collect()
        }
        let big = self.big;
        Some(match kind {
            "Float32" => Values::F32(words(big, bytes, f32::from_le_bytes)),
            "Float64" => Values::F64(words(big, bytes, f64::from_le_bytes)),
            "UInt8" => Values::U8(bytes.to_vec()),
            "Int8" => Values::F64(words(big, bytes, |w| i8::from_le_bytes(w).into())),
            "Int16" => Values::F64(words(big, bytes, |w| i16::from_le_bytes(w).into())),
            "UInt16" => Values::F64(words(big, bytes, |w| u16::from_le_bytes(w).into())),
            "Int32" => Values::F64(words(big, bytes, |w| i32::from_le_bytes(w).into())),
            "UInt32" => Values::F64(words(big, bytes, |w| u32::from_le_bytes(w).into())),
            // A picture has no room for the digits that are lost.
            "Int64" => Values::F64(words(big, bytes, |w| i64::from_le_bytes(w) as f64)),
            "UInt64" => Values::F64(words(big, bytes, |w| u64::from_le_bytes(w) as f64)),
            _ => return None,
        })
    }
}

/// Bytes of a number of a type.
pub(super) fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "Int8" | "UInt8" => 1,
        "Int16" | "UInt16" => 2,
        "Int32" | "UInt32" | "Float32" => 4,
        "Int64" | "UInt64" | "Float64" => 8,
        _ => return None,
    })
}

/// Numbers as text.
pub(super) fn from_text(kind: &str, text: &str) -> Result<Values, String> {
    fn all<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
        let number = |word: &str| {
            word.parse().map_err(|_| format!("\"{}\" is not a number of its type", input_text::token(word)))
        };
        text.split_whitespace().map(number).collect()
    }
    match kind {
        "Float32" => all(text).map(Values::F32),
        "UInt8" => all(text).map(Values::U8),
        _ => all(text).map(Values::F64),
    }
}
