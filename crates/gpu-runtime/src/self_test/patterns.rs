//! The patterns of the self-test and the words that they must give: twins of `patterns.wgsl`.

use gpu_shaders::acos::acos_strict;
use gpu_shaders::strict_float::{div_rn, flush, scale_pow2, sqrt_rn, two_prod, two_sum};

use super::inputs::{self, Generator};

/// The words of one input or of one output.
pub(crate) type Input = [u32; 4];
pub(crate) type Output = [u32; 2];

/// One way to compute that compilers or devices are known to get wrong.
pub(crate) struct Pattern {
    /// Name of the function, in both languages.
    pub(crate) name: &'static str,
    /// Makes input number `index`.
    pub(crate) input: fn(&mut Generator, index: u32) -> Input,
    /// The twin.
    pub(crate) twin: fn(Input) -> Output,
}

macro_rules! patterns {
    ($($name:ident),* $(,)?) => {
        /// All patterns, in the order of the kernel's `switch`. The last one is recorded, not compared.
        pub(crate) const PATTERNS: &[Pattern] = &[$(Pattern { name: stringify!($name), input: inputs::$name, twin: $name }),*];
    };
}

patterns!(
    contraction,
    squares,
    reassociation,
    negation,
    sum_error,
    product_error,
    division,
    square_root,
    arc_cosine,
    ties,
    polynomial,
    scaling,
    to_float,
    to_integer,
    rounding,
    comparison,
    integer_division,
    integer_bits,
    subnormals,
);

fn floats(v: Input) -> [f32; 4] {
    v.map(f32::from_bits)
}

fn bits(a: f32, b: f32) -> Output {
    [a.to_bits(), b.to_bits()]
}

fn contraction(v: Input) -> Output {
    let [x, y, z, w] = floats(v);
    bits(x * y - z * w, (0.0 + x * y) + z * w)
}

fn squares(v: Input) -> Output {
    let f @ [x, y, z, w] = floats(v);
    let p: [f32; 4] = std::array::from_fn(|i| f[i] * f[(i + 1) % 4] - f[(i + 2) % 4] * w);
    bits(x * x + y * y + z * z, (p[0] - p[1]) + (p[2] - p[3]))
}

fn reassociation(v: Input) -> Output {
    let [x, y, z, w] = floats(v);
    bits(((x + y) - x) - y, ((x + y) + z) + w)
}

fn negation(v: Input) -> Output {
    let [x, y, z, _] = floats(v);
    bits(-(x - y), (x - y) * -z)
}

fn sum_error(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    let (sum, error) = two_sum(x, y);
    bits(sum, error)
}

fn product_error(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    let (product, error) = two_prod(x, y);
    bits(product, error)
}

fn division(v: Input) -> Output {
    let [x, y, z, w] = floats(v);
    bits(div_rn(x, y), div_rn(z, w))
}

fn square_root(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    bits(sqrt_rn(x), sqrt_rn(y.abs()))
}

fn arc_cosine(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    bits(acos_strict(x), acos_strict(y))
}

fn ties(v: Input) -> Output {
    let [x, y, z, w] = floats(v);
    bits(x + y, z * w)
}

fn add_product(sum: &mut f32, a: f32, b: f32) {
    *sum += a * b;
}

fn polynomial(v: Input) -> Output {
    let f = floats(v);
    let mut value = f[0];
    let mut sum = 0.0;
    for i in 0..4 {
        value = value * f[1] + i as f32;
        add_product(&mut sum, f[i], f[3 - i]);
    }
    bits(value, sum)
}

fn scaling(v: Input) -> Output {
    let f = floats(v);
    bits(scale_pow2(f[0], v[1] as i32), flush(f[2]))
}

fn to_float(v: Input) -> Output {
    bits(v[0] as f32, v[1] as i32 as f32)
}

fn to_integer(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    [x as u32, y as i32 as u32]
}

fn rounding(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    bits(x.floor(), y.round_ties_even())
}

fn comparison(v: Input) -> Output {
    let [x, y, ..] = floats(v);
    let order = u32::from(x < y) | u32::from(x <= y) << 1 | u32::from(x == y) << 2 | u32::from(x != y) << 3;
    let nan = u32::from(v[2] & 0x7fff_ffff > 0x7f80_0000);
    [order, nan]
}

fn integer_division(v: Input) -> Output {
    let [x, y, ..] = v.map(|word| word as i32);
    let (quotient, remainder) = if y == 0 { (x, 0) } else { (x.wrapping_div(y), x.wrapping_rem(y)) };
    let signed = (quotient as u32).wrapping_add(3_u32.wrapping_mul(remainder as u32));
    let [.., z, w] = v;
    let (quotient, remainder) = (z.checked_div(w).unwrap_or(z), z.checked_rem(w).unwrap_or(0));
    [signed, quotient.wrapping_add(3_u32.wrapping_mul(remainder))]
}

fn integer_bits(v: Input) -> Output {
    let [x, y, z, w] = v;
    let shift = y & 31;
    let shifted = (x << shift) ^ (x >> shift) ^ ((x as i32) >> shift) as u32;
    // WGSL gives all ones where no bit is set.
    let first_leading = if z == 0 { u32::MAX } else { 31 - z.leading_zeros() };
    let first_trailing = if z == 0 { u32::MAX } else { z.trailing_zeros() };
    let counted = first_leading ^ (z.count_ones() << 8) ^ (first_trailing << 16);
    [x.wrapping_mul(y) ^ shifted, counted ^ w.reverse_bits() ^ (w.leading_zeros() << 24)]
}

fn subnormals(v: Input) -> Output {
    let [x, y, z, w] = floats(v);
    bits(x * y, z + w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::self_test::{COUNT, inputs};

    fn all(name: &str) -> Vec<(Input, Output)> {
        let at = PATTERNS.iter().position(|pattern| pattern.name == name).unwrap();
        let first = at * COUNT as usize;
        let mine = inputs::all()[first..first + COUNT as usize].to_vec();
        mine.into_iter().map(|input| (input, (PATTERNS[at].twin)(input))).collect()
    }

    #[test]
    fn the_kernel_switches_in_the_order_of_the_list() {
        let source = include_str!("patterns.wgsl");
        for (index, Pattern { name, .. }) in PATTERNS.iter().enumerate() {
            assert!(source.contains(&format!("case {index}u: {{ out = {name}(v); }}")), "{index} {name}");
        }
        assert!(!source.contains(&format!("case {}u", PATTERNS.len())));
        assert_eq!(PATTERNS.last().unwrap().name, "subnormals");
    }

    /// Subnormal results would make a pattern depend on what the device does with them.
    #[test]
    fn no_compared_result_is_subnormal() {
        let floats = &PATTERNS[..12];
        assert_eq!(floats.last().unwrap().name, "scaling");
        for Pattern { name, .. } in floats {
            for (input, output) in all(name) {
                let subnormal = |word: u32| f32::from_bits(word).is_subnormal();
                assert!(!output.into_iter().any(subnormal), "{name}: {input:08x?} gives {output:08x?}");
            }
        }
    }

    fn differ(name: &str, other: impl Fn([f32; 4]) -> f32, word: usize) -> usize {
        let wrong = |(input, output): &(Input, Output)| other(floats(*input)).to_bits() != output[word];
        all(name).iter().filter(|case| wrong(case)).count()
    }

    /// Each known fault of compilers and devices changes many words, so a device that has it cannot pass.
    #[test]
    fn the_inputs_tell_strict_from_other_arithmetic() {
        let fused = [
            differ("contraction", |[x, y, z, w]| x.mul_add(y, -(z * w)), 0),
            differ("contraction", |[x, y, z, w]| x.mul_add(y, z * w), 1),
            differ("squares", |[x, y, z, _]| z.mul_add(z, x.mul_add(x, y * y)), 0),
            differ("polynomial", |[x, y, ..]| (0..4).fold(x, |value, i| value.mul_add(y, i as f32)), 0),
            differ("polynomial", |f| (0..4).fold(0.0, |sum, i| f[i].mul_add(f[3 - i], sum)), 1),
        ];
        assert!(fused.iter().all(|count| *count > 150), "{fused:?}");
        let simplified = [
            differ("reassociation", |_| 0.0, 0),
            differ("reassociation", |[x, y, z, w]| (x + y) + (z + w), 1),
            differ("negation", |[x, y, ..]| y - x, 0),
            differ("sum_error", |_| 0.0, 1),
            differ("product_error", |_| 0.0, 1),
        ];
        assert!(simplified.iter().all(|count| *count > 30), "{simplified:?}");
        let one_ulp = |x: f32| f32::from_bits(x.to_bits().wrapping_add(1));
        let rounded = [
            differ("division", |[x, y, ..]| x * (1.0 / y), 0),
            differ("square_root", |[x, ..]| one_ulp(x.sqrt()), 0),
            differ("ties", |[x, y, ..]| one_ulp(x + y), 0),
            differ("ties", |[.., z, w]| f32::from_bits((z * w).to_bits() - 1), 1),
        ];
        assert!(rounded.iter().all(|count| *count > 150), "{rounded:?}");
    }

    /// The exact sum and product have one bit more than a number holds, and half of them round up.
    #[test]
    fn ties_are_ties() {
        let mut up = [0; 2];
        for (input, output) in all("ties") {
            let [x, y, z, w] = floats(input).map(f64::from);
            for (k, exact) in [x + y, z * w].into_iter().enumerate() {
                let rounded = f64::from(f32::from_bits(output[k]));
                let below = f64::from(f32::from_bits(output[k] - 1));
                let above = f64::from(f32::from_bits(output[k] + 1));
                let is_tie = (exact - rounded).abs() * 2.0 == (above - rounded).abs()
                    || (exact - rounded).abs() * 2.0 == (rounded - below).abs();
                assert!(is_tie && exact != rounded && output[k] & 1 == 0, "{input:08x?} {output:08x?}");
                up[k] += usize::from(rounded.abs() > exact.abs());
            }
        }
        assert!(up.iter().all(|count| (300..724).contains(count)), "{up:?}");
    }
}
