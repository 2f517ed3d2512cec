//! Working coordinates of a vertex of f32 words, by integers: what f64 gives on the host. Twin of `frame_vertex.wgsl`.
//!
//! [`Frame::vertex`](crate::Frame::vertex) subtracts the centre in f64, scales and rounds to f32. A device without f64 does the same on
//! integers of 64 bits in two words: the difference with ten guard bits and one that collects what falls off is rounded to 53
//! bits and then to 24, to nearest, ties to even, as the two roundings of the host are.

use super::real::{Real, scale_pow2, snap};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `strict_float` and `real_single`.
pub const FRAME_VERTEX: WgslModule = WgslModule { name: "frame_vertex", source: include_str!("frame_vertex.wgsl") };

/// A number of 64 bits: the low word, the high word.
type Wide = [u32; 2];

fn is_zero(a: Wide) -> bool {
    (a[0] | a[1]) == 0
}

fn is_below(a: Wide, b: Wide) -> bool {
    a[1] < b[1] || (a[1] == b[1] && a[0] < b[0])
}

fn sum_of(a: Wide, b: Wide) -> Wide {
    let low = a[0].wrapping_add(b[0]);
    [low, a[1].wrapping_add(b[1]).wrapping_add(u32::from(low < a[0]))]
}

fn difference_of(a: Wide, b: Wide) -> Wide {
    [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1]).wrapping_sub(u32::from(a[0] < b[0]))]
}

/// `a 2^n`, n below 64.
fn shifted_left(a: Wide, n: u32) -> Wide {
    if n == 0 {
        return a;
    }
    if n >= 32 {
        return [0, a[0] << (n - 32)];
    }
    [a[0] << n, (a[1] << n) | (a[0] >> (32 - n))]
}

/// `a / 2^n`, n below 64; bits that fall off are lost.
fn shifted_right(a: Wide, n: u32) -> Wide {
    if n == 0 {
        return a;
    }
    if n >= 32 {
        return [a[1] >> (n - 32), 0];
    }
    [(a[0] >> n) | (a[1] << (32 - n)), a[1] >> n]
}

/// `a / 2^n` for any n; the lowest bit tells whether bits that are set fell off.
fn jammed_right(a: Wide, n: u32) -> Wide {
    if n >= 64 {
        return [u32::from(!is_zero(a)), 0];
    }
    let kept = shifted_right(a, n);
    let back = shifted_left(kept, n);
    let lost = (back[0] ^ a[0]) | (back[1] ^ a[1]);
    [kept[0] | u32::from(lost != 0), kept[1]]
}

/// Zeros above the highest bit; 64 of nothing.
fn zeros_above(a: Wide) -> u32 {
    if a[1] == 0 { 32 + a[0].leading_zeros() } else { a[1].leading_zeros() }
}

/// `a / 2^n` rounded to nearest, ties to even, 0 < n < 32.
fn rounded_right(a: Wide, n: u32) -> Wide {
    let rest = a[0] & ((1 << n) - 1);
    let half = 1 << (n - 1);
    let kept = shifted_right(a, n);
    let up = rest > half || (rest == half && (kept[0] & 1) == 1);
    sum_of(kept, [u32::from(up), 0])
}

/// `f32((p - centre) 2^-exponent)` as f64 computes it, below 2^-40 +0.
///
/// `p` are the bits of a finite f32, `centre` the words of a finite f64 (the low one first). Exact for every such pair; results of
/// 2^128 and more are infinite.
pub fn frame_coordinate(p: u32, centre: Wide, exponent: i32) -> f32 {
    // [1] both as integers of 63 bits times powers of two
    let p_field = (p >> 23) & 0xff;
    let p_significand = (p & 0x7f_ffff) | if p_field == 0 { 0 } else { 0x80_0000 };
    let c_field = (centre[1] >> 20) & 0x7ff;
    let c_significand = [centre[0], (centre[1] & 0xf_ffff) | if c_field == 0 { 0 } else { 0x10_0000 }];
    let mut a = shifted_left([p_significand, 0], 39);
    let mut b = shifted_left(c_significand, 10);
    let mut a_exponent = p_field.max(1) as i32 - 189;
    let mut b_exponent = c_field.max(1) as i32 - 1085;
    if is_zero(a) {
        a_exponent = b_exponent;
    }
    if is_zero(b) {
        b_exponent = a_exponent;
    }
    // [2] the highest bit of a at 62, as that of b
    let lift = zeros_above(a).min(63) - 1;
    if !is_zero(a) {
        a = shifted_left(a, lift);
        a_exponent -= lift as i32;
    }
    // [3] the same power of two
    let joint = a_exponent.max(b_exponent);
    a = jammed_right(a, (joint - a_exponent) as u32);
    b = jammed_right(b, (joint - b_exponent) as u32);
    // [4] the exact difference, or one that rounds as it does
    let a_negative = (p >> 31) == 1;
    let b_negative = (centre[1] >> 31) == 0;
    let swapped = is_below(a, b);
    let negative = if swapped { b_negative } else { a_negative };
    let larger = if swapped { b } else { a };
    let smaller = if swapped { a } else { b };
    let mut s = difference_of(larger, smaller);
    if a_negative == b_negative {
        s = sum_of(larger, smaller);
    }
    if is_zero(s) {
        return 0.0;
    }
    // [5] its highest bit at 63, then rounded as f64 and as f32
    let z = zeros_above(s);
    let double_rounded = rounded_right(shifted_left(s, z), 11);
    let single_rounded = rounded_right(double_rounded, 29)[0];
    // [6] the power of two
    let x = snap(scale_pow2(single_rounded as f32, joint - z as i32 + 40 - exponent), <f32 as Real>::TINY);
    if negative && x != 0.0 { -x } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    /// What the host computes in f64.
    fn on_host(p: f32, centre: f64, exponent: i32) -> f32 {
        let frame = Frame { centre: [centre; 3], exponent };
        frame.vertex::<f32>(&[f64::from(p); 3])[0]
    }

    fn check(p: f32, centre: f64, exponent: i32) {
        let bits = centre.to_bits();
        let got = frame_coordinate(p.to_bits(), [bits as u32, (bits >> 32) as u32], exponent);
        let expected = on_host(p, centre, exponent);
        assert_eq!(got.to_bits(), expected.to_bits(), "{p:e} {centre:e} {exponent}: {got:e}, not {expected:e}");
    }

    #[test]
    fn integers_give_the_words_of_f64() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 16
        };
        let finite = |bits: u64| {
            let x = f32::from_bits(bits as u32);
            if x.is_finite() { x } else { 1.0 }
        };
        for round in 0..400_000 {
            let (lo, hi, p) = (finite(next()), finite(next()), finite(next()));
            // Neighbours in magnitude every second time: cancellation and ties.
            let near = |x: f32, by: u64| finite(u64::from(x.to_bits() ^ (by as u32 & 0xffff)));
            let (lo, hi) = if round % 2 == 0 { (lo, hi) } else { (near(p, next()), near(p, next())) };
            let centre = f64::from(lo) * 0.5 + f64::from(hi) * 0.5;
            check(p, centre, next() as i32 % 61 * if round % 3 == 0 { -1 } else { 1 });
            // Any centre at all, and one whose bits end where those of f32 do or just beyond.
            check(p, centre * f64::from_bits(0x3ff0_0000_0000_0000 | next() << 4), 0);
            let tie =
                f64::from(p) * (1.0 + 2f64.powi(-24)) + 2f64.powi(-53) * f64::from(p) * f64::from(next() as u32 & 3);
            check(-p, tie * 0.5, 2);
        }
        for x in [0.0f32, -0.0, 1e-45, -1e-45, f32::MIN_POSITIVE, f32::MAX, f32::MIN, 1.0, -1.5] {
            for c in [0.0f64, -0.0, 1e-46, 1.0, -1.5, 3e38, -3e38, 2f64.powi(-60)] {
                (-60..=60).step_by(20).for_each(|exponent| check(x, c, exponent));
            }
        }
    }
}
