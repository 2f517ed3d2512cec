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

// The words of a fraction times 2^shift, -64 < shift < 64; bits that leave are dropped.
fn word_at(words: array<u32, 8>, i: i32) -> u32 {
    if i < 0 || i >= 8 {
        return 0u;
    }
    var copy = words;
    return copy[i];
}

// 2 x/pi = k + f: k in the first word's place, f as a double word. For normal x.
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
    var product: array<u32, 8>;
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
        product[i + 2] = sum;
    }
    product[1] = carry;
    product[0] = 0u;
    // [3] Times 2^shift; bits above the second word drop out.
    let whole = (shift + 64) / 32 - 2;
    let bits = u32(shift - 32 * whole);
    var shifted: array<u32, 8>;
    for (var i = 0; i < 8; i++) {
        let a = word_at(product, i + whole);
        let b = word_at(product, i + whole + 1);
        shifted[i] = a;
        if bits > 0u {
            shifted[i] = (a << bits) | (b >> (32u - bits));
        }
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
    var first = 2;
    var copy = words;
    for (; first < 8; first++) {
        if copy[first] != 0u {
            break;
        }
    }
    if first == 8 {
        return dw_new(0.0);
    }
    let zeros = countLeadingZeros(copy[first]);
    var a = word_at(words, first);
    var b = word_at(words, first + 1);
    if zeros > 0u {
        a = (a << zeros) | (b >> (32u - zeros));
        b = (b << zeros) | (word_at(words, first + 2) >> (32u - zeros));
    }
    let high = a >> 8u;
    let low = ((a & 0xffu) << 16u) | (b >> 16u);
    let scale = -(32 * (first - 2) + i32(zeros));
    return dw_fast_two_sum(scale_pow2(f32(high), scale - 24), scale_pow2(f32(low), scale - 48));
}

