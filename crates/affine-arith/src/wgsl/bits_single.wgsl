// Twins: real/single.rs elementary/reduction.rs
// What depends on the bits of f32: neighbours, exponents, the reduction of angles. Twin of real/single.rs and elementary/reduction.rs; bits_double.wgsl is
// the same for f64. Needs double_word.

// The next number above x, subnormal ones left out: a device may take them for 0, and a bound that should leave 0 would stay there.
fn next_up(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    var next = select(bits - 1u, bits + 1u, (bits >> 31u) == 0u);
    next = select(next, 0u, bits == 0x80800000u);
    next = select(next, 0x00800000u, (bits & 0x7fffffffu) < 0x00800000u);
    return bitcast<f32>(next);
}

fn exponent_of(x: f32) -> i32 {
    return i32((bitcast<u32>(x) >> 23u) & 0xffu) - 127;
}

// 2 x/pi = k + f: k in the first word's place, f as a double word. For |x| from 1/2 on. Words are chosen by selections: an index that is not known
// keeps arrays in memory.
fn quadrant(x: f32) -> SinCos {
    let significand = (bitcast<u32>(x) & 0x007fffffu) | 0x00800000u;
    let exponent = exponent_of(x) - 23;
    // [1] Words of 2/pi whose product with x is a multiple of 4 are left out.
    var skipped = 0;
    if exponent >= 2 {
        skipped = (exponent - 2) / 32;
    }
    let shift = exponent - 32 * skipped;
    // [2] Significand times words, most significant word first; the binary point is after the second one.
    // Word i is at i + 1, between words that are 0.
    var product: array<u32, 11>;
    var carry = 0u;
    for (var i = 5; i >= 0; i--) {
        let word = two_over_pi(u32(i + skipped));
        // A product of 32 and 24 bits in two words.
        let high = (word >> 16u) * (significand & 0xffffu);
        let top = (word >> 16u) * (significand >> 16u);
        let low_low = (word & 0xffffu) * (significand & 0xffffu);
        let low_high = (word & 0xffffu) * (significand >> 16u);
        let middle = (low_low >> 16u) + (low_high & 0xffffu) + (high & 0xffffu);
        let bottom = (low_low & 0xffffu) | (middle << 16u);
        let upper = top + (low_high >> 16u) + (high >> 16u) + (middle >> 16u);
        let sum = bottom + carry;
        carry = upper + select(0u, 1u, sum < bottom);
        product[i + 3] = sum;
    }
    product[2] = carry;
    // [3] Times 2^shift, -24 <= shift < 34: words move by one at most; bits above the second word drop out.
    let bits = u32(shift) & 31u;
    var shifted: array<u32, 8>;
    for (var i = 0; i < 8; i++) {
        let here = select(select(product[i + 1], product[i], shift < 0), product[i + 2], shift >= 32);
        let next = select(select(product[i + 2], product[i + 1], shift < 0), product[i + 3], shift >= 32);
        shifted[i] = select(here, (here << bits) | (next >> ((32u - bits) & 31u)), bits > 0u);
    }
    var k = shifted[1];
    // [4] To the nearest: fractions from 1/2 on count from the next integer.
    var negative = x < 0.0;
    let above_half = (shifted[2] >> 31u) == 1u;
    if above_half {
        k += 1u;
        var add = 1u;
        for (var i = 7; i >= 2; i--) {
            let word = ~shifted[i] + add;
            add = select(0u, add, word == 0u);
            shifted[i] = word;
        }
    }
    var magnitude = fraction_word(shifted);
    if negative {
        k = 0u - k;
    }
    negative = negative != above_half;
    if negative {
        magnitude = dw_neg(magnitude);
    }
    return SinCos(k & 3u, magnitude, magnitude);
}

// The fraction in words 2 to 7, cut off after 48 digits.
fn fraction_word(words: array<u32, 8>) -> DoubleWord {
    // The first word that is not 0, and the two behind it.
    var copy = words;
    var first = 8;
    var found = vec3<u32>(0u);
    var behind = vec2<u32>(0u);
    for (var i = 7; i >= 2; i--) {
        let here = copy[i] != 0u;
        first = select(first, i, here);
        found = select(found, vec3<u32>(copy[i], behind), here);
        behind = vec2<u32>(copy[i], behind.x);
    }
    let zeros = countLeadingZeros(found.x) & 31u;
    let rest = (32u - zeros) & 31u;
    let a = select(found.x, (found.x << zeros) | (found.y >> rest), zeros > 0u);
    let b = select(found.y, (found.y << zeros) | (found.z >> rest), zeros > 0u);
    let high = a >> 8u;
    let low = ((a & 0xffu) << 16u) | (b >> 16u);
    let scale = -(32 * (first - 2) + i32(zeros));
    let fraction = dw_fast_two_sum(scale_pow2(f32(high), scale - 24), scale_pow2(f32(low), scale - 48));
    return dw_select(fraction, dw_new(0.0), first == 8);
}
