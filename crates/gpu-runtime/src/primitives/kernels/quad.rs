//! Access to four words at a time, as the kernels see an array of `vec4<u32>` of `len` words.

/// Words from quad `quad` to the end of `len` words.
pub(crate) fn words_left(len: u32, quad: u32) -> u32 {
    len - len.min(4 * quad)
}

/// The quad `quad` of the first `len` words, `fill` beyond them.
pub(crate) fn masked(words: &[u32], len: u32, quad: u32, fill: u32) -> [u32; 4] {
    let left = words_left(len, quad);
    std::array::from_fn(|i| if (i as u32) < left { words[4 * quad as usize + i] } else { fill })
}

/// Sum of a quad, modulo 2^32.
pub(crate) fn sum(words: [u32; 4]) -> u32 {
    words.into_iter().fold(0, u32::wrapping_add)
}

/// Exclusive scan of a quad from `base` on, modulo 2^32.
pub(crate) fn exclusive(words: [u32; 4], base: u32) -> [u32; 4] {
    let mut next = base;
    words.map(|word| {
        let place = next;
        next = next.wrapping_add(word);
        place
    })
}
