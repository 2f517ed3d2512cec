//! Bits of a stream of u32 words, least significant first.
//!
//! In WGSL these are `extract_bits` of gpu-shaders on two loaded words; here one 64-bit shift gives the same word faster.

/// The `n` bits (0 to 32) from bit `at` on; words past the end count as 0.
#[inline]
pub fn field(words: &[u32], at: u32, n: u32) -> u32 {
    let word = (at >> 5) as usize;
    match words.get(word..).and_then(|rest| rest.first_chunk()) {
        Some(&[lo, hi]) => of_words(lo, hi, at & 31, n),
        None => of_words(words.get(word).copied().unwrap_or(0), 0, at & 31, n),
    }
}

/// `a` where `bit` is 1, `b` where it is 0, without a branch.
#[inline]
pub fn select(bit: u32, a: u32, b: u32) -> u32 {
    b ^ ((a ^ b) & 0u32.wrapping_sub(bit))
}

/// The low `n` bits (0 to 31).
#[inline]
pub fn low_bits(word: u64, n: u32) -> u32 {
    word as u32 & ((1 << n) - 1)
}

/// The `n` bits (0 to 32) from bit `shift` (0 to 31) of two words on.
#[inline]
pub fn of_words(lo: u32, hi: u32, shift: u32, n: u32) -> u32 {
    let window = (u64::from(lo) | u64::from(hi) << 32) >> shift;
    (window & ((1u64 << n) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::field;
    use gpu_shaders::bit_reader::extract_bits;

    #[test]
    fn the_word_is_that_of_the_shared_module() {
        let words = [0x89ab_cdef, 0x0123_4567, 0xdead_beef];
        for at in 0..96 {
            for n in 0..=32 {
                let load = |k: u32| words.get(k as usize).copied().unwrap_or(0);
                let expected = extract_bits(load(at >> 5), load((at >> 5) + 1), at & 31, n);
                assert_eq!(field(&words, at, n), expected, "{n} bits at {at}");
            }
        }
    }
}
