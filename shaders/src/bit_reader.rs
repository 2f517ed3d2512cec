//! Bits of a stream of u32 words, least significant first: twin of `bit_reader.wgsl`.
//!
//! Bit `i` of the stream is bit `i mod 32` of word `i / 32`. WGSL cannot pass storage buffers to functions, so a kernel loads the two words itself:
//!
//! ```wgsl
//! let value = extract_bits(stream[offset >> 5u], stream[(offset >> 5u) + 1u], offset & 31u, n);
//! ```
//!
//! and the host pads the stream by one word, because the second word is loaded even where no bit of it is used.

use crate::WgslModule;

/// WGSL text of this module.
pub const BIT_READER: WgslModule = WgslModule { name: "bit_reader", source: include_str!("bit_reader.wgsl") };

/// Bits `shift .. shift + n` of the 64-bit number `hi * 2^32 + lo`, as an unsigned number.
///
/// Domain: `shift` in 0..=31, `n` in 0..=32 (`n = 0` gives 0). Outside it, `shift` counts modulo 32 and `n` as at most 32.
pub fn extract_bits(lo: u32, hi: u32, shift: u32, n: u32) -> u32 {
    let down = shift & 31;
    let count = n.min(32);
    let window = (lo >> down) | ((hi << 1) << (31 - down));
    let half = count >> 1;
    let mask = ((1u32 << half) << (count - half)).wrapping_sub(1);
    window & mask
}

/// The `n` bits from bit `offset` of `words` on, as an unsigned number; `None` when `n > 32` or they reach past the end.
pub fn read_bits(words: &[u32], offset: u64, n: u32) -> Option<u32> {
    let end = offset.checked_add(u64::from(n))?;
    if n > 32 || end.div_ceil(32) > words.len() as u64 {
        return None;
    }
    let index = usize::try_from(offset >> 5).ok()?;
    let word = |i: usize| words.get(i).copied().unwrap_or(0);
    Some(extract_bits(word(index), word(index + 1), (offset & 31) as u32, n))
}
