// Working coordinates of a vertex of f32 words, by integers: what f64 gives on the host. Twin of frame_vertex.rs. Needs strict_float and real_single.

// Numbers of 64 bits: the low word, the high word.

fn is_zero(a: vec2<u32>) -> bool {
    return (a.x | a.y) == 0u;
}

fn is_below(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn sum_of(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn difference_of(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// a 2^n, n below 64.
fn shifted_left(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u { return a; }
    if n >= 32u { return vec2<u32>(0u, a.x << (n - 32u)); }
    return vec2<u32>(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}

// a / 2^n, n below 64; bits that fall off are lost.
fn shifted_right(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u { return a; }
    if n >= 32u { return vec2<u32>(a.y >> (n - 32u), 0u); }
    return vec2<u32>((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}

// a / 2^n for any n; the lowest bit tells whether bits that are set fell off.
fn jammed_right(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n >= 64u { return vec2<u32>(select(1u, 0u, is_zero(a)), 0u); }
    let kept = shifted_right(a, n);
    let back = shifted_left(kept, n);
    let lost = (back.x ^ a.x) | (back.y ^ a.y);
    return vec2<u32>(kept.x | select(1u, 0u, lost == 0u), kept.y);
}

// Zeros above the highest bit; 64 of nothing.
fn zeros_above(a: vec2<u32>) -> u32 {
    return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

// a / 2^n rounded to nearest, ties to even, 0 < n < 32.
fn rounded_right(a: vec2<u32>, n: u32) -> vec2<u32> {
    let rest = a.x & ((1u << n) - 1u);
    let half = 1u << (n - 1u);
    let kept = shifted_right(a, n);
    let up = rest > half || (rest == half && (kept.x & 1u) == 1u);
    return sum_of(kept, vec2<u32>(select(0u, 1u, up), 0u));
}

// f32((p - centre) 2^-exponent) as f64 computes it, below TINY 0. p: bits of a finite f32, centre: words of a finite f64.
fn frame_coordinate(p: u32, centre: vec2<u32>, exponent: i32) -> f32 {
    // [1] both as integers of 63 bits times powers of two
    let p_field = (p >> 23u) & 0xffu;
    let p_significand = (p & 0x7fffffu) | select(0x800000u, 0u, p_field == 0u);
    let c_field = (centre.y >> 20u) & 0x7ffu;
    let c_significand = vec2<u32>(centre.x, (centre.y & 0xfffffu) | select(0x100000u, 0u, c_field == 0u));
    var a = shifted_left(vec2<u32>(p_significand, 0u), 39u);
    var b = shifted_left(c_significand, 10u);
    var a_exponent = i32(max(p_field, 1u)) - 189;
    var b_exponent = i32(max(c_field, 1u)) - 1085;
    if is_zero(a) { a_exponent = b_exponent; }
    if is_zero(b) { b_exponent = a_exponent; }
    // [2] the highest bit of a at 62, as that of b
    let lift = min(zeros_above(a), 63u) - 1u;
    if !is_zero(a) {
        a = shifted_left(a, lift);
        a_exponent -= i32(lift);
    }
    // [3] the same power of two
    let joint = max(a_exponent, b_exponent);
    a = jammed_right(a, u32(joint - a_exponent));
    b = jammed_right(b, u32(joint - b_exponent));
    // [4] the exact difference, or one that rounds as it does
    let a_negative = (p >> 31u) == 1u;
    let b_negative = (centre.y >> 31u) == 0u;
    let swapped = is_below(a, b);
    let negative = select(a_negative, b_negative, swapped);
    let larger = select(a, b, swapped);
    let smaller = select(b, a, swapped);
    var s = difference_of(larger, smaller);
    if a_negative == b_negative { s = sum_of(larger, smaller); }
    if is_zero(s) { return 0.0; }
    // [5] its highest bit at 63, then rounded as f64 and as f32
    let z = zeros_above(s);
    let double_rounded = rounded_right(shifted_left(s, z), 11u);
    let single_rounded = rounded_right(double_rounded, 29u).x;
    // [6] the power of two
    let x = snap(scale_pow2(f32(single_rounded), joint - i32(z) + 40 - exponent), TINY);
    return select(x, -x, negative && x != 0.0);
}
