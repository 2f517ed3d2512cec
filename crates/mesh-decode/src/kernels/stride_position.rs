//! Positions from STRIDE codes.
//!
//! The formula of the format with every operation rounded separately: x = (g_min + f32(code) * step) * scale + centre, step = g_range / f32(2^bits - 1).
//! Products and sums below 2^-125 count as +0, so no device meets a subnormal number.

use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{div_rn, flush};

/// WGSL text of this module.
pub const STRIDE_POSITION: WgslModule =
    WgslModule { name: "stride_position", source: include_str!("stride_position.wgsl") };

/// What positions are made of, by axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Smallest normalised coordinate.
    pub low: [f32; 3],
    /// Grid step in normalised units.
    pub step: [f32; 3],
    /// Centre of the mesh.
    pub centre: [f32; 3],
    /// Length of a normalised unit.
    pub scale: f32,
}

/// Grid step of an axis: range / (2^bits - 1), `bits` from 1 to 16.
pub fn grid_step(range: f32, bits: u32) -> f32 {
    div_rn(range, ((1u32 << bits) - 1) as f32)
}

/// Whether no product and no sum of [`coordinate`] is below 2^-125 but +0, for codes from 0 to 65,535, so that `settle` changes nothing.
///
/// With steps and smallest coordinates of 2^-40 or more, sums of them are multiples of 2^-63; times a scale of 2^-30 or more they are 2^-93 or more, and their sums
/// with a centre of 2^-100 or more multiples of 2^-123. Steps and scale are not negative, so no zero is either.
pub fn is_normal(frame: &Frame) -> bool {
    let within = |x: f32, least: i32, most: i32| x.abs() >= 2.0_f32.powi(least) && x.abs() <= 2.0_f32.powi(most);
    let low = frame.low.iter().all(|x| *x == 0.0 || within(*x, -40, 40));
    let step = frame.step.iter().all(|x| x.to_bits() == 0 || (*x > 0.0 && within(*x, -40, 40)));
    let centre = frame.centre.iter().all(|x| *x == 0.0 || within(*x, -100, 60));
    low && step && centre && frame.scale > 0.0 && within(frame.scale, -30, 40)
}

/// What counts as +0 is.
fn settle(x: f32) -> f32 {
    // [1]
    flush(x)
}

/// Coordinate of a code.
pub fn coordinate(code: i32, low: f32, step: f32, scale: f32, centre: f32) -> f32 {
    // [2]
    let offset = settle(code as f32 * step);
    let normalised = settle(low + offset);
    let scaled = settle(normalised * scale);
    settle(scaled + centre)
}

/// Position of a vertex.
pub fn position(codes: [i32; 3], frame: &Frame) -> [f32; 3] {
    // [3]
    [0, 1, 2].map(|k| coordinate(codes[k], frame.low[k], frame.step[k], frame.scale, frame.centre[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula with nothing flushed.
    fn plain(code: i32, low: f32, step: f32, scale: f32, centre: f32) -> f32 {
        (low + code as f32 * step) * scale + centre
    }

    fn frame_of(low: f32, step: f32, scale: f32, centre: f32) -> Frame {
        Frame { low: [low; 3], step: [step; 3], centre: [centre; 3], scale }
    }

    #[test]
    fn frames_that_are_normal_flush_nothing() {
        let mut state = 7_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let (mut normal, mut cancelled) = (0, 0);
        for _ in 0..200_000 {
            let mut float = |least: i32, most: i32| {
                let mantissa = 1.0 + random(1 << 23) as f32 / (1 << 23) as f32;
                mantissa * 2.0_f32.powi(least + random((most - least) as u64) as i32)
            };
            let (step, scale) = (float(-42, -10), float(-32, 10));
            let code = random(1 << 16) as i32;
            // Sums that cancel all but their last bits.
            let low = -f32::from_bits((code as f32 * step).to_bits() ^ random(3) as u32);
            let scaled = (low + code as f32 * step) * scale;
            let centre = [0.0, -scaled, -f32::from_bits(scaled.to_bits() ^ 1), 0.25][random(4) as usize];
            if is_normal(&frame_of(low, step, scale, centre)) {
                normal += 1;
                let expected = coordinate(code, low, step, scale, centre);
                cancelled += u32::from(expected != 0.0 && expected.abs() < 1e-20);
                assert_eq!(
                    plain(code, low, step, scale, centre).to_bits(),
                    expected.to_bits(),
                    "{low} {step} {scale} {centre} {code}"
                );
            }
        }
        assert!(normal > 50_000 && cancelled > 100, "{normal} {cancelled}");
    }

    #[test]
    fn frames_that_flush_are_not_normal() {
        let tiny = 2.0_f32.powi(-126);
        let frames = [
            (frame_of(0.0, tiny, 1.0, 0.0), 1),
            (frame_of(2.0_f32.powi(-80), 2.0_f32.powi(-80), 2.0_f32.powi(-60), 0.0), 1),
            (frame_of(0.0, 0.5, -1.0, -0.0), 0),
            (frame_of(-0.0, -0.0, 1.0, -0.0), 1),
        ];
        for (frame, code) in frames {
            assert!(!is_normal(&frame), "{frame:?}");
            let Frame { low, step, centre, scale } = frame;
            let (got, expected) =
                (plain(code, low[0], step[0], scale, centre[0]), coordinate(code, low[0], step[0], scale, centre[0]));
            assert_ne!(got.to_bits(), expected.to_bits(), "{frame:?}");
        }
        assert!(!is_normal(&frame_of(f32::NAN, 0.5, 1.0, 0.0)) && !is_normal(&frame_of(0.0, f32::INFINITY, 1.0, 0.0)));
    }
}
