//! Working coordinates in f64 of a vertex of f32 words: twin of `frame_vertex_double.wgsl`, and [`Frame::vertex`](crate::Frame::vertex) on the host.

use super::real::Real;
use gpu_shaders::WgslModule;
use gpu_shaders::strict_double::{scale_pow2, snap};

/// The WGSL text.
pub const FRAME_VERTEX_DOUBLE: WgslModule =
    WgslModule { name: "frame_vertex_double", source: include_str!("frame_vertex_double.wgsl") };

/// `(p - centre) 2^-exponent`, below TINY 0. `p`: bits of a finite f32, `centre`: words of a finite f64 that is 0 or at least 2^-150.
pub fn frame_coordinate(p: u32, centre: [u32; 2], exponent: i32) -> f64 {
    // [1] p by its significand: devices may take subnormal f32 for 0
    let field = (p >> 23) & 0xff;
    let significand = (p & 0x7f_ffff) | if field == 0 { 0 } else { 0x80_0000 };
    let size = scale_pow2(f64::from(significand), field.max(1) as i32 - 150);
    let x = if (p >> 31) == 1 { -size } else { size };
    // [2] the difference, a multiple of 2^-203: not subnormal
    let d = x - f64::of_words(centre[0], centre[1]);
    snap(scale_pow2(d, -exponent), <f64 as Real>::TINY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    #[test]
    fn words_are_those_of_the_frame() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 16
        };
        let finite = |bits: u64| {
            let x = f32::from_bits(bits as u32);
            if x.is_finite() { x } else { 1.0 }
        };
        let mut seen = 0;
        for round in 0..200_000 {
            let (lo, p) = (finite(next()), finite(next()));
            let hi = if round % 2 == 0 { finite(next()) } else { finite(u64::from(p.to_bits() ^ 0x3f)) };
            let centre = [f64::from(lo) * 0.5 + f64::from(hi) * 0.5, f64::from(hi), 0.0][round % 3];
            let p = if round % 5 == 0 { f32::from_bits(p.to_bits() & 0x807f_ffff) } else { p };
            let exponent = (next() % 121) as i32 - 60;
            let bits = centre.to_bits();
            let got = frame_coordinate(p.to_bits(), [bits as u32, (bits >> 32) as u32], exponent);
            let expected = Frame { centre: [centre; 3], exponent }.vertex::<f64>(&[f64::from(p); 3])[0];
            assert_eq!(got.to_bits(), expected.to_bits(), "{p:e} {centre:e} {exponent}: {got:e}, not {expected:e}");
            seen += usize::from(got != 0.0 && p.is_subnormal());
        }
        assert!(seen > 1_000, "{seen}");
    }
}
