// Working numbers in f32: twin of real_single.rs. One of real_single and real_double stands before every module that names `real`.

alias real = f32;
// Half of a sum of turns.
alias limb = u32;

const REAL_WORDS = 1u;
const EXPONENT_BIAS = 127;
// Above every squared distance.
const NOTHING = 0x1p120f;
// The words of infinity.
const FAR = vec2<u32>(0x7f800000u, 0u);
const SMALL = 0x1p-60f;
const LARGE = 0x1p60f;
const TINY = 0x1p-40f;
const FLAT = 0x1p-46f;
const CANCELLED = 0x1p-20f;
const OUTSIDE = 16777216.0;
const MARGIN = 0x1p-18f;
const NO_MARGIN = 0x1p-100f;
const THIN = 0x1p-20f;
const TINY_DOT = 0x1p-80f;
const TINY_TERM = 0x1p-100f;
const FAR_AWAY = 4096.0;
// 1 / (2 pi), 1 / (4 pi).
const TURNS = 0.15915494;
const SPHERE = 0.07957747;
const SIGNIFICAND_BITS = 23;
// Binary places of a sum of turns.
const FRACTION = 36;
const LIMB_BITS = 32u;

// The biased exponent, 0 for zeros.
fn exponent_field(x: f32) -> i32 {
    return i32((bitcast<u32>(x) & 0x7fffffffu) >> 23u);
}

// The number with these bits; f64 has a high word.
fn real_of_words(low: u32, high: u32) -> f32 {
    return bitcast<f32>(low);
}

fn real_vector(low: vec3<u32>, high: vec3<u32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(low);
}

fn low_word(x: f32) -> u32 {
    return bitcast<u32>(x);
}

// 0: there is none.
fn high_word(x: f32) -> u32 {
    return 0u;
}

// x with its sign bit set where negative.
fn with_sign(x: f32, negative: bool) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) | select(0u, 0x80000000u, negative));
}

// The bits of an f32 that is not above x; 0 for what is not above 0.
fn low_key(x: f32) -> u32 {
    return u32(max(bitcast<i32>(x), 0));
}

// The words of a limb, the lower one first.
fn limb_words(x: u32) -> vec2<u32> {
    return vec2<u32>(x, 0u);
}
