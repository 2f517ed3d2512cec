//! Codes of positions along space-filling curves, 21 bits an axis, as pairs of words (low word first).

/// Bits of each axis in a code.
pub const CURVE_BITS: u32 = 21;

/// Bit i of axis a to bit 3 i + 2 - a.
pub fn interleave(x: [u32; 3]) -> [u32; 2] {
    let mut code = [0; 2];
    // [1] the bits of the axes, the first axis the most significant of three
    for bit in 0..CURVE_BITS {
        for axis in 0..3 {
            let to = 3 * bit + 2 - axis;
            let one = (x[axis as usize] >> bit) & 1;
            if to < 32 {
                code[0] |= one << to;
            } else {
                code[1] |= one << (to - 32);
            }
        }
    }
    code
}

/// The Hilbert curve's transposed code: its bits, interleaved, are the distance along the curve.
pub fn hilbert_transpose(position: [u32; 3]) -> [u32; 3] {
    let mut x = position;
    // [2] inverse undo of the excess work
    for i in 1..CURVE_BITS {
        let bit = 1 << (CURVE_BITS - i);
        let low = bit - 1;
        if x[0] & bit != 0 {
            x[0] ^= low;
        }
        for axis in 1..3 {
            if x[axis] & bit != 0 {
                x[0] ^= low;
            } else {
                let t = (x[0] ^ x[axis]) & low;
                x[0] ^= t;
                x[axis] ^= t;
            }
        }
    }
    // [3] Gray encode
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut t = 0;
    for i in 1..CURVE_BITS {
        let bit = 1 << (CURVE_BITS - i);
        if x[2] & bit != 0 {
            t ^= bit - 1;
        }
    }
    [x[0] ^ t, x[1] ^ t, x[2] ^ t]
}
