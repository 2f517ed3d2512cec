// Working numbers in f64: twin of real_double.rs. Needs f64 and 64-bit integers.

alias real = f64;
// Half of a sum of turns.
alias limb = u64;

const REAL_WORDS = 2u;
const EXPONENT_BIAS = 1023;
const TINY = 0x1p-100lf;
// Above every squared distance.
const NOTHING = 0x1p120lf;
// The words of infinity.
const FAR = vec2<u32>(0u, 0x7ff00000u);
const SMALL = 0x1p-150lf;
const LARGE = 0x1p150lf;
const FLAT = 0x1p-104lf;
const CANCELLED = 0x1p-48lf;
const OUTSIDE = 4503599627370496.0lf;
const MARGIN = 0x1p-47lf;
const NO_MARGIN = 0x1p-250lf;
const THIN = 0x1p-49lf;
const TINY_DOT = 0x1p-200lf;
const TINY_TERM = 0x1p-250lf;
const FAR_AWAY = 67108864.0lf;
// 1 / (2 pi), 1 / (4 pi).
const TURNS = 0.15915494309189535lf;
const SPHERE = 0.07957747154594767lf;
const SIGNIFICAND_BITS = 52;
// Binary places of a sum of turns.
const FRACTION = 96;
const LIMB_BITS = 64u;

// The biased exponent, 0 for zeros.
fn exponent_field(x: f64) -> i32 {
    return i32(u32(bitcast<u64>(x) >> 52u) & 0x7ffu);
}

// The number with these bits.
fn real_of_words(low: u32, high: u32) -> f64 {
    return bitcast<f64>((u64(high) << 32u) | u64(low));
}

fn real_vector(low: vec3<u32>, high: vec3<u32>) -> vec3<f64> {
    return vec3<f64>(real_of_words(low.x, high.x), real_of_words(low.y, high.y), real_of_words(low.z, high.z));
}

fn low_word(x: f64) -> u32 {
    return u32(bitcast<u64>(x) & 0xfffffffflu);
}

// The sign, the exponent and 20 bits.
fn high_word(x: f64) -> u32 {
    return u32(bitcast<u64>(x) >> 32u);
}

// x with its sign bit set where negative.
fn with_sign(x: f64, negative: bool) -> f64 {
    return bitcast<f64>(bitcast<u64>(x) | select(0lu, 0x8000000000000000lu, negative));
}

// The bits of an f32 that is not above x, whichever way the device rounds; 0 for what is not above 2^-100.
fn low_key(x: f64) -> u32 {
    let y = f32(x) * 0x1.fffff8p-1f; // bound only
    return select(0u, bitcast<u32>(y), x > TINY);
}

// The words of a limb, the lower one first.
fn limb_words(x: u64) -> vec2<u32> {
    return vec2<u32>(u32(x & 0xfffffffflu), u32(x >> 32u));
}
