//! Inputs of the self-test: the same on every run, with special values among them.
//!
//! Each pattern has a domain in which no intermediate value is subnormal, so that devices that flush and devices that
//! keep subnormals must give the same words.

use super::patterns::{Input, PATTERNS};

/// Inputs a pattern: a multiple of the workgroup size.
pub(crate) const COUNT: u32 = 1024;

/// Inputs of all patterns, in the order of [`PATTERNS`].
pub(crate) fn all() -> Vec<Input> {
    let mut generator = Generator::new();
    let indices = PATTERNS.iter().flat_map(|pattern| (0..COUNT).map(move |index| (pattern, index)));
    indices.map(|(pattern, index)| (pattern.input)(&mut generator, index)).collect()
}

/// A small generator of words: a counter, mixed (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
pub(crate) struct Generator(u64);

impl Generator {
    pub(super) fn new() -> Generator {
        Generator(0x1505_2026)
    }

    /// Bits of a normal f64 of either sign with its exponent in `low..=high`; one significand in eight has few bits.
    pub(super) fn double(&mut self, low: i32, high: i32) -> u64 {
        let (upper, lower) = (self.word(), self.word());
        let lower = if lower >> 29 == 0 { 0 } else { lower };
        let sign = u64::from(upper & 0x8000_0000) << 32;
        sign | (((self.between(low, high) + 1023) as u64) << 52)
            | u64::from(upper & 0x000f_ffff) << 32
            | u64::from(lower)
    }

    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 32) as u32
    }

    /// A number of `low..=high`.
    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.word() % (high - low + 1) as u32) as i32
    }

    /// Any significand or, one time in eight, one at an end or with few bits.
    fn significand(&mut self) -> u32 {
        const SHARP: [u32; 8] = [0, 1, 2, 0x007f_ffff, 0x007f_fffe, 0x0040_0000, 0x0000_0800, 0x007f_f000];
        let word = self.word();
        if word >> 29 == 0 { SHARP[word as usize % SHARP.len()] } else { word & 0x007f_ffff }
    }

    /// Bits of a normal number of either sign with its exponent in `low..=high`.
    fn float(&mut self, low: i32, high: i32) -> u32 {
        let sign = self.word() & 0x8000_0000;
        sign | (((self.between(low, high) + 127) as u32) << 23) | self.significand()
    }

    fn floats(&mut self, low: i32, high: i32) -> Input {
        std::array::from_fn(|_| self.float(low, high))
    }
}

/// Ends of every class of f32.
const SPECIAL: [u32; 28] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x4000_0000,
    0x4040_0000,
    0x7e80_0000,
    0x7f00_0000,
    0x7f7f_fffe,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xffff_ffff,
];

fn special(index: u32) -> u32 {
    SPECIAL[index as usize % SPECIAL.len()]
}

/// Words in which small and large integers and the ends are equally frequent.
fn integer(generator: &mut Generator) -> u32 {
    const ENDS: [u32; 8] = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
    let word = generator.word();
    match generator.word() % 4 {
        0 => ENDS[word as usize % ENDS.len()],
        1 => word & 0xff,
        2 => word | 0xffff_ff00,
        _ => word,
    }
}

pub(super) fn contraction(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-5, 5)
}

pub(super) fn squares(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-4, 4)
}

pub(super) fn reassociation(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-12, 12)
}

/// One input in eight has equal operands, whose difference is a zero.
pub(super) fn negation(generator: &mut Generator, index: u32) -> Input {
    let mut input = generator.floats(-12, 12);
    if index.is_multiple_of(8) {
        input[1] = input[0];
    }
    input
}

pub(super) fn sum_error(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-64, 64)
}

pub(super) fn product_error(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-40, 40)
}

/// All pairs of special values, then any words and numbers of moderate size.
pub(super) fn division(generator: &mut Generator, index: u32) -> Input {
    let pairs = SPECIAL.len() as u32;
    let first = if index < pairs * pairs {
        [special(index), special(index / pairs)]
    } else {
        [generator.word(), generator.word()]
    };
    [first[0], first[1], generator.float(-40, 40), generator.float(-40, 40)]
}

pub(super) fn square_root(generator: &mut Generator, index: u32) -> Input {
    let first = if index < SPECIAL.len() as u32 { special(index) } else { generator.word() };
    [first, generator.float(-126, 127), 0, 0]
}

/// The interval [-1, 1] densely at both scales, and words outside of it.
pub(super) fn arc_cosine(generator: &mut Generator, index: u32) -> Input {
    let first = if index < SPECIAL.len() as u32 { special(index) } else { generator.float(-32, -1) };
    [first, generator.float(-2, 0), 0, 0]
}

/// `x + y`: a 24-bit significand and half a unit of its last place. `z * w`: odd factors of 13 and 12 bits whose
/// product has 25.
pub(super) fn ties(generator: &mut Generator, _: u32) -> Input {
    let exponent = generator.between(-20, 20);
    let sign = generator.word() & 0x8000_0000;
    // Not a power of two: below it the last place is half as large. Not all ones: the result would get one bit more.
    let significand = generator.word() % 0x007f_fffd + 1;
    let x = sign | (((exponent + 127) as u32) << 23) | significand;
    let half_unit = sign | ((exponent + 127 - 24) as u32) << 23;
    loop {
        let z = 0x1000 | (generator.word() & 0x0fff) | 1;
        let w = 0x0800 | (generator.word() & 0x07ff) | 1;
        if z * w >= 1 << 24 {
            return [x, half_unit, (z as f32).to_bits(), (w as f32).to_bits()];
        }
    }
}

pub(super) fn polynomial(generator: &mut Generator, _: u32) -> Input {
    generator.floats(-2, 2)
}

/// Any numbers, scaled by up to 300 powers of two either way, and numbers around the flush limit.
pub(super) fn scaling(generator: &mut Generator, index: u32) -> Input {
    let first = if index < SPECIAL.len() as u32 { special(index) } else { generator.word() };
    let sign = generator.word() & 0x8000_0000;
    let around_limit = sign | ((generator.between(0, 3) as u32) << 23) | generator.significand();
    [first, generator.between(-300, 300) as u32, around_limit, 0]
}

/// Any `y`. `x` stays below 2^24: SwiftShader rounds larger u32 otherwise than to nearest, and no kernel converts them.
pub(super) fn to_float(generator: &mut Generator, _: u32) -> Input {
    [integer(generator) & 0x00ff_ffff, integer(generator), 0, 0]
}

/// `x` in [0, 2^32), `y` in (-2^31, 2^31): what an integer can hold.
pub(super) fn to_integer(generator: &mut Generator, _: u32) -> Input {
    [generator.float(-3, 31) & 0x7fff_ffff, generator.float(-3, 30), 0, 0]
}

/// Magnitudes from 1/2 on, where no result is a zero; one `y` in four lies halfway between two integers.
pub(super) fn rounding(generator: &mut Generator, index: u32) -> Input {
    let halfway = (generator.between(1, 100_000) as f32 + 0.5).to_bits();
    let y = if index.is_multiple_of(4) { halfway } else { generator.float(0, 24) };
    [generator.float(0, 24), y, 0, 0]
}

/// Numbers without subnormals, often equal or of equal magnitude, and any words.
pub(super) fn comparison(generator: &mut Generator, index: u32) -> Input {
    const ORDERED: [u32; 10] = [
        0,
        0x8000_0000,
        0x0080_0000,
        0x8080_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7f80_0000,
        0xff80_0000,
    ];
    let x = if index < 100 { ORDERED[index as usize % 10] } else { generator.float(-4, 4) };
    let y = match index {
        0..100 => ORDERED[index as usize / 10],
        _ if index.is_multiple_of(4) => x,
        _ if index % 4 == 1 => x ^ 0x8000_0000,
        _ => generator.float(-4, 4),
    };
    let z = if index.is_multiple_of(2) { special(index / 2) } else { generator.word() | 0x7f80_0000 };
    [x, y, z, 0]
}

pub(super) fn integer_division(generator: &mut Generator, _: u32) -> Input {
    std::array::from_fn(|_| integer(generator))
}

pub(super) fn integer_bits(generator: &mut Generator, _: u32) -> Input {
    std::array::from_fn(|_| integer(generator))
}

/// `x * y` is subnormal with normal operands; `z + w` is subnormal with subnormal operands.
pub(super) fn subnormals(generator: &mut Generator, _: u32) -> Input {
    let x = generator.float(-70, -66);
    let y = generator.float(-70, -66);
    let tiny = |generator: &mut Generator| (generator.word() & 0x003f_ffff) + 1;
    [x, y, tiny(generator), tiny(generator)]
}
