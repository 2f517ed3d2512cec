// Twins: real/double.rs elementary/reduction.rs
// What depends on the bits of f64: neighbours, exponents, the reduction of angles. Twin of real/double.rs and elementary/reduction.rs; bits_single.wgsl is
// the same in single precision. Needs double_word, f64 and 64-bit integers.

// |x| < 2^-1021 becomes zero.
fn flush(x: f64) -> f64 {
    return select(x, 0.0lf, (bitcast<u64>(x) & 0x7ffffffffffffffflu) < 0x0020000000000000lu);
}

// The next number above x, subnormal ones left out: a device may take them for 0, and a bound that should leave 0 would stay there.
fn next_up(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    var next = select(bits - 1lu, bits + 1lu, (bits >> 63u) == 0lu);
    next = select(next, 0lu, bits == 0x8010000000000000lu);
    next = select(next, 0x0010000000000000lu, (bits & 0x7ffffffffffffffflu) < 0x0010000000000000lu);
    return bitcast<f64>(next);
}

fn exponent_of(x: f64) -> i32 {
    return i32(u32(bitcast<u64>(x) >> 52u) & 0x7ffu) - 1023;
}

// The words of a fraction times 2^shift, -64 < shift < 64; bits that leave are dropped.
fn word_at(words: array<u32, 11>, i: i32) -> u32 {
    if i < 0 || i >= 11 {
        return 0u;
    }
    var copy = words;
    return copy[i];
}

// 2 x/pi = k + f: k in the first word's place, f as a double word. For normal x.
fn quadrant(x: f64) -> SinCos {
    let significand = (bitcast<u64>(x) & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let exponent = exponent_of(x) - 52;
    // [1] Words of 2/pi whose product with x is a multiple of 4 are left out.
    var skipped = 0;
    if exponent >= 2 {
        skipped = (exponent - 2) / 32;
    }
    let shift = exponent - 32 * skipped;
    // [2] Significand times words, most significant word first; the binary point is after the second one.
    var product: array<u32, 11>;
    var carry = 0lu;
    for (var i = 8; i >= 0; i--) {
        let word = u64(two_over_pi(u32(i + skipped)));
        // A product of 32 and 53 bits and a carry of 54, from its lower word on.
        let low = word * (significand & 0xfffffffflu);
        let high = word * (significand >> 32u);
        let bottom = (low & 0xfffffffflu) + (carry & 0xfffffffflu);
        carry = (bottom >> 32u) + (low >> 32u) + (carry >> 32u) + high;
        product[i + 2] = u32(bottom & 0xfffffffflu);
    }
    product[1] = u32(carry & 0xfffffffflu);
    product[0] = u32(carry >> 32u);
    // [3] Times 2^shift; bits above the second word drop out.
    let whole = (shift + 64) / 32 - 2;
    let bits = u32(shift - 32 * whole);
    var shifted: array<u32, 11>;
    for (var i = 0; i < 11; i++) {
        let a = word_at(product, i + whole);
        let b = word_at(product, i + whole + 1);
        shifted[i] = a;
        if bits > 0u {
            shifted[i] = (a << bits) | (b >> (32u - bits));
        }
    }
    var k = shifted[1];
    // [4] To the nearest: fractions from 1/2 on count from the next integer.
    var negative = x < 0.0lf;
    let above_half = (shifted[2] >> 31u) == 1u;
    if above_half {
        k += 1u;
        var add = 1u;
        for (var i = 10; i >= 2; i--) {
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

// The fraction in words 2 to 10, cut off after 106 digits.
fn fraction_word(words: array<u32, 11>) -> DoubleWord {
    var first = 2;
    var copy = words;
    for (; first < 11; first++) {
        if copy[first] != 0u {
            break;
        }
    }
    if first == 11 {
        return dw_new(0.0lf);
    }
    let zeros = countLeadingZeros(copy[first]);
    var top: array<u32, 4>;
    for (var i = 0; i < 4; i++) {
        let a = word_at(words, first + i);
        top[i] = a;
        if zeros > 0u {
            top[i] = (a << zeros) | (word_at(words, first + i + 1) >> (32u - zeros));
        }
    }
    let high = (u64(top[0]) << 21u) | u64(top[1] >> 11u);
    let low = (u64(top[1] & 0x7ffu) << 42u) | (u64(top[2]) << 10u) | u64(top[3] >> 22u);
    let scale = -(32 * (first - 2) + i32(zeros));
    let upper = scale_pow2(f64(bitcast<i64>(high)), scale - 53);
    return dw_fast_two_sum(upper, scale_pow2(f64(bitcast<i64>(low)), scale - 106));
}
