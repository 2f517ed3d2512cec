//! Random words and the exact rounding that the oracles share.

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Words(pub(crate) u64);

impl Words {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A float with a random sign and significand, its exponent (of two) in `low..=high`.
    pub(crate) fn float(&mut self, low: i32, high: i32) -> f32 {
        let word = self.next();
        let exponent = low + ((word >> 32) % (high - low + 1) as u64) as i32;
        f32::from_bits((word as u32 & 0x807f_ffff) | (((exponent + 127) as u32) << 23))
    }
}

/// Words where something changes: zeros, limits of the formats, infinities, and their neighbours.
pub(crate) fn special_words() -> Vec<u32> {
    let marks =
        [0u32, 0x0080_0000, 0x0100_0000, 0x2b80_0000, 0x3f00_0000, 0x3f80_0000, 0x4000_0000, 0x7f00_0000, 0x7f80_0000];
    let mut words = vec![1, 0x007f_ffff, 0x7fc0_0000, 0x7f7f_ffff, 0x7fff_ffff, 0x3f7f_ffff, 0x4049_0fdb];
    for mark in marks {
        words.extend([
            mark.wrapping_sub(2) & 0x7fff_ffff,
            mark.wrapping_sub(1) & 0x7fff_ffff,
            mark,
            mark + 1,
            mark + 2,
        ]);
    }
    let negative: Vec<u32> = words.iter().map(|w| w | 0x8000_0000).collect();
    words.extend(negative);
    words
}

/// Sign, integer significand and exponent of a normal float: `±significand * 2^exponent`.
pub(crate) fn decode(x: f32) -> (u32, u64, i32) {
    let bits = x.to_bits();
    (bits & 0x8000_0000, u64::from(bits & 0x007f_ffff | 0x0080_0000), ((bits >> 23) & 0xff) as i32 - 150)
}

/// The float `significand * 2^exponent` for a significand in [2^23, 2^24): a zero below 2^-126, an infinity from 2^128 on.
pub(crate) fn encode(sign: u32, significand: u64, exponent: i32) -> f32 {
    assert!((1 << 23..1 << 24).contains(&significand), "significand {significand} has not 24 bits");
    let biased = exponent + 150;
    f32::from_bits(match biased {
        i32::MIN..=0 => sign,
        1..=254 => sign | ((biased as u32) << 23) | (significand as u32 & 0x007f_ffff),
        _ => sign | 0x7f80_0000,
    })
}

/// Zeros of subnormals, one NaN: what the contract makes of an operand.
pub(crate) fn operand(x: f32) -> f32 {
    if x.is_nan() {
        f32::from_bits(0x7fc0_0000)
    } else if x.is_subnormal() {
        0f32.copysign(x)
    } else {
        x
    }
}

/// Compares words and shows both in hexadecimal.
#[track_caller]
pub(crate) fn assert_word(got: f32, want: f32, what: std::fmt::Arguments<'_>) {
    assert_eq!(
        got.to_bits(),
        want.to_bits(),
        "{what}: got {got:e} {:#010x}, want {want:e} {:#010x}",
        got.to_bits(),
        want.to_bits()
    );
}

/// Float and hexadecimal literals of a source, comments left out, in order.
pub(crate) fn literals(source: &str, from: &str) -> Vec<u64> {
    literals_by(source, from, |text| u64::from(text.parse::<f32>().expect("decimal").to_bits()))
}

/// The same for f64, whose literals end in `lf` and `lu` in WGSL.
pub(crate) fn double_literals(source: &str, from: &str) -> Vec<u64> {
    literals_by(source, from, |text| text.trim_end_matches("lf").parse::<f64>().expect("decimal").to_bits())
}

fn literals_by(source: &str, from: &str, decimal: impl Fn(&str) -> u64) -> Vec<u64> {
    let mut found = Vec::new();
    let code = &source[source.find(from).expect("the function is there")..];
    for line in code.lines() {
        let line = line.split("//").next().unwrap_or("").replace('_', "").replace("e-", "E");
        for token in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '.') {
            if let Some(hex) = token.strip_prefix("0x") {
                found.push(u64::from_str_radix(hex.trim_end_matches(['l', 'u']), 16).expect("hexadecimal"));
            } else if token.contains('.') && token.starts_with(|c: char| c.is_ascii_digit()) {
                found.push(decimal(&token.replace('E', "e-")));
            }
        }
    }
    found
}
