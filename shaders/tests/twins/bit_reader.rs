//! `extract_bits` and `read_bits` against 128-bit shifts.

use gpu_shaders::bit_reader::{extract_bits, read_bits};
use proptest::prelude::*;

proptest! {
    #[test]
    fn two_words_give_their_bits(lo: u32, hi: u32, shift in 0u32..32, n in 0u32..=32) {
        let both = u128::from(hi) << 32 | u128::from(lo);
        let want = (both >> shift) & ((1u128 << n) - 1);
        prop_assert_eq!(u128::from(extract_bits(lo, hi, shift, n)), want);
    }

    #[test]
    fn a_stream_gives_its_bits(words in proptest::collection::vec(any::<u32>(), 0..4), offset in 0u64..140, n in 0u32..=34) {
        let stream = words.iter().rev().fold(0u128, |all, word| all << 32 | u128::from(*word));
        let fits = n <= 32 && offset + u64::from(n) <= 32 * words.len() as u64;
        let want = fits.then(|| (stream.checked_shr(offset as u32).unwrap_or(0) & ((1u128 << n) - 1)) as u32);
        prop_assert_eq!(read_bits(&words, offset, n), want);
    }

    #[test]
    fn arguments_outside_the_domain_are_reduced(lo: u32, hi: u32, shift: u32, n: u32) {
        prop_assert_eq!(extract_bits(lo, hi, shift, n), extract_bits(lo, hi, shift % 32, n.min(32)));
    }
}

#[test]
fn ends_of_a_stream() {
    assert_eq!(read_bits(&[0xffff_ffff], 31, 1), Some(1));
    assert_eq!(read_bits(&[0xffff_ffff], 32, 0), Some(0));
    assert_eq!(read_bits(&[0xffff_ffff], 31, 2), None);
    assert_eq!(read_bits(&[], 0, 0), Some(0));
    assert_eq!(read_bits(&[0], u64::MAX, 32), None);
    assert_eq!(extract_bits(0x8000_0000, 0x1, 31, 2), 3);
}
