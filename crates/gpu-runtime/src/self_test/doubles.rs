//! The patterns of the self-test of f64 and the words that they must give: twins of `doubles.wgsl`.

use gpu_shaders::acos_double::acos_strict;
use gpu_shaders::atan2_double::atan2_strict;
use gpu_shaders::strict_double::{div_rn, scale_pow2, snap, sqrt_rn, two_prod, two_sum};
use gpu_shaders::{ACOS_DOUBLE, ATAN2_DOUBLE, STRICT_DOUBLE, WgslModule};

use super::inputs::Generator;
use super::{COUNT, Case, FormReport, SelfTestFault, compare};

/// Entry point.
pub(crate) const KERNEL: &str = "strict_double_self_test";

/// Modules of the self-test of f64.
pub(crate) const MODULES: [WgslModule; 4] = [
    STRICT_DOUBLE,
    ACOS_DOUBLE,
    ATAN2_DOUBLE,
    WgslModule { name: "self_test/doubles", source: include_str!("doubles.wgsl") },
];

/// Name, exponents of the inputs, twin.
type Pattern = (&'static str, (i32, i32), fn([u64; 4]) -> [u64; 2]);

macro_rules! patterns {
    ($($name:ident in $low:literal..$high:literal),* $(,)?) => {
        /// All patterns, in the order of the kernel's `switch`. The last one is recorded, not compared.
        const PATTERNS: &[Pattern] = &[$((stringify!($name), ($low, $high), $name)),*];
    };
}

patterns!(
    contraction in -5..5,
    squares in -4..4,
    reassociation in -12..12,
    sum_error in -400..400,
    product_error in -300..300,
    division in -900..900,
    square_root in -1000..1000,
    scaling in -900..900,
    arc_cosine in -80..1,
    arc_tangent in -80..80,
    from_integer in -5..5,
    limbs in -1000..1000,
    subnormals in -600..-520,
);

fn floats(v: [u64; 4]) -> [f64; 4] {
    v.map(f64::from_bits)
}

fn bits(a: f64, b: f64) -> [u64; 2] {
    [a.to_bits(), b.to_bits()]
}

fn contraction(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    bits(x * y - z * w, (0.0 + x * y) + z * w)
}

fn squares(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    let p = [x * y - z * w, y * z - x * w, z * x - y * w];
    bits(x * x + y * y + z * z, (p[0] - p[1]) + p[2])
}

fn reassociation(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    bits(((x + y) - x) - y, ((x + y) + z) + w)
}

fn sum_error(v: [u64; 4]) -> [u64; 2] {
    let [x, y, ..] = floats(v);
    let (sum, error) = two_sum(x, y);
    bits(sum, error)
}

fn product_error(v: [u64; 4]) -> [u64; 2] {
    let [x, y, ..] = floats(v);
    let (product, error) = two_prod(x, y);
    bits(product, error)
}

fn division(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    bits(div_rn(x, y), div_rn(z, w))
}

fn square_root(v: [u64; 4]) -> [u64; 2] {
    let [x, y, ..] = floats(v);
    bits(sqrt_rn(x), sqrt_rn(y.abs()))
}

fn scaling(v: [u64; 4]) -> [u64; 2] {
    let [x, y, ..] = floats(v);
    bits(scale_pow2(x, (v[3] & 0x7ff) as i32 - 1024), snap(y, 1.0))
}

fn arc_cosine(v: [u64; 4]) -> [u64; 2] {
    let [x, y, ..] = floats(v);
    bits(acos_strict(x), acos_strict(y))
}

fn arc_tangent(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    bits(atan2_strict(x, y), atan2_strict(z, w))
}

fn from_integer(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, _] = v;
    bits(f64::from(x as u32), f64::from(y as u32 as i32) * f64::from(z as u32))
}

/// Sums and shifts of 64 bits, with their carries.
fn limbs(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = v;
    let low = x.wrapping_add(y);
    let high = z.wrapping_mul(w).wrapping_add(u64::from(low < x));
    let shift = (w & 63) as u32;
    [low ^ (z << shift), high ^ (y >> shift)]
}

fn subnormals(v: [u64; 4]) -> [u64; 2] {
    let [x, y, z, w] = floats(v);
    bits(x * y, z * w)
}

/// Inputs of all patterns, [`COUNT`] each.
pub(crate) fn inputs() -> Vec<[u64; 4]> {
    let mut generator = Generator::new();
    let mut all = Vec::with_capacity(PATTERNS.len() * COUNT as usize);
    for (_, (low, high), _) in PATTERNS {
        all.extend((0..COUNT).map(|_| std::array::from_fn(|_| generator.double(*low, *high))));
    }
    all
}

/// Compares the words of a device with the CPU's.
///
/// # Errors
/// The first input of the first pattern with another result. Missing words are wrong.
pub(crate) fn check(words: &[[u64; 2]]) -> Result<FormReport, SelfTestFault> {
    let twins = PATTERNS.iter().flat_map(|pattern| std::iter::repeat_n(pattern.2, COUNT as usize));
    let cases: Vec<Case> =
        inputs().into_iter().zip(twins).map(|(input, twin)| Case { input, expected: twin(input) }).collect();
    let names: Vec<&str> = PATTERNS.iter().map(|pattern| pattern.0).collect();
    compare(&names, &cases, words, 0x7fff_ffff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subnormals;

    fn right_words() -> Vec<[u64; 2]> {
        let twins = PATTERNS.iter().flat_map(|pattern| std::iter::repeat_n(pattern.2, COUNT as usize));
        inputs().into_iter().zip(twins).map(|(input, twin)| twin(input)).collect()
    }

    #[test]
    fn the_twins_pass_and_a_wrong_word_is_found() {
        let mut words = right_words();
        let report = check(&words).unwrap();
        assert_eq!((report.patterns, report.subnormals), (PATTERNS.len() - 1, Subnormals::Kept));
        for (at, (name, ..)) in PATTERNS[..report.patterns].iter().enumerate() {
            let at = at * COUNT as usize + 17;
            words[at][1] ^= 1;
            let fault = check(&words).unwrap_err();
            assert_eq!((fault.pattern.as_str(), fault.wrong), (*name, 1));
            words[at][1] ^= 1;
        }
    }

    #[test]
    fn the_kernel_switches_in_the_order_of_the_list() {
        let source = include_str!("doubles.wgsl");
        for (index, (name, ..)) in PATTERNS.iter().enumerate() {
            assert!(source.contains(&format!("case {index}u: {{ out = {name}(v); }}")), "{index} {name}");
        }
        assert!(!source.contains(&format!("case {}u", PATTERNS.len())));
    }

    /// Fused and simplified arithmetic changes many words; what is compared is never subnormal.
    #[test]
    fn the_inputs_tell_strict_from_other_arithmetic() {
        let all = inputs();
        let of = |index: usize| all[index * COUNT as usize..][..COUNT as usize].iter().map(|v| floats(*v));
        let fused = of(0).filter(|[x, y, z, w]| x.mul_add(*y, -(z * w)) != x * y - z * w).count();
        let folded = of(2).filter(|[x, y, ..]| ((x + y) - x) - y != 0.0).count();
        assert!(fused > 150 && folded > 150, "{fused} {folded}");
        // Of limbs, the last that are compared, words are integers.
        let floats = (PATTERNS.len() - 2) * COUNT as usize;
        let tiny = right_words()[..floats].iter().flatten().filter(|w| f64::from_bits(**w).is_subnormal()).count();
        assert_eq!(tiny, 0);
    }
}
