// Bits of a stream of u32 words, least significant first: twin of bit_reader.rs.

// Bits shift .. shift + n of hi * 2^32 + lo; shift in 0..=31, n in 0..=32. No shift count reaches 32.
fn extract_bits(lo: u32, hi: u32, shift: u32, n: u32) -> u32 {
    let down = shift & 31u;
    let count = min(n, 32u);
    let window = (lo >> down) | ((hi << 1u) << (31u - down));
    let half = count >> 1u;
    let mask = ((1u << half) << (count - half)) - 1u;
    return window & mask;
}
