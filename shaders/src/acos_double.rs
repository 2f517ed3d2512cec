//! Arc cosine in f64 from `+ - *` and `sqrt_rn`: twin of `acos_double.wgsl`.
//!
//! The text of [`acos`](crate::acos) with other constants: no system's own may reach a result, on the host or on a device.

use crate::WgslModule;
use crate::strict_double::sqrt_rn;

/// WGSL text of this module; it needs [`STRICT_DOUBLE`](crate::STRICT_DOUBLE).
pub const ACOS_DOUBLE: WgslModule = WgslModule { name: "acos_double", source: include_str!("acos_double.wgsl") };

/// pi/2 rounded to f64.
const HALF_PI_HIGH: f64 = std::f64::consts::FRAC_PI_2;
/// pi/2 minus [`HALF_PI_HIGH`], rounded to f64.
const HALF_PI_LOW: f64 = 6.123_233_995_736_766e-17;

/// Arc cosine of `x` in radians, in [0, pi] (pi rounded to f64).
///
/// `x` is clamped to [-1, 1]; NaN counts as 1 or -1 by its sign bit. `acos_strict(1) = +0`. Error: below 2 units in the last place
/// (swept against the series in 60 digits at fitting, against the system's in the tests).
pub fn acos_strict(x: f64) -> f64 {
    let bits = x.to_bits();
    // [1] Clamp the magnitude on the bits; below 2^-70 it cannot be seen in the result, and its square could underflow.
    let mut magnitude = bits & 0x7fff_ffff_ffff_ffff;
    if magnitude > 0x3ff0_0000_0000_0000 {
        magnitude = 0x3ff0_0000_0000_0000;
    }
    if magnitude < 0x3b90_0000_0000_0000 {
        magnitude = 0;
    }
    let m = f64::from_bits(magnitude);
    let negative = bits >> 63 == 1;
    // [2] |x| <= 1/2: acos(x) = pi/2 - asin(x).
    if magnitude <= 0x3fe0_0000_0000_0000 {
        let r = m * asin_tail(m * m);
        if negative {
            return HALF_PI_HIGH + (m + (r + HALF_PI_LOW));
        }
        return HALF_PI_HIGH - (m + (r - HALF_PI_LOW));
    }
    // [3] |x| > 1/2: acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); the argument is exact.
    let z = (1.0 - m) * 0.5;
    let s = sqrt_rn(z);
    let r = s * asin_tail(z);
    if negative {
        return 2.0 * (HALF_PI_HIGH - (s + (r - HALF_PI_LOW)));
    }
    2.0 * (s + r)
}

/// `asin(sqrt(z)) / sqrt(z) - 1` for z in [0, 1/4]: interpolated at Chebyshev's points, error below 2^-58 of the sum.
fn asin_tail(z: f64) -> f64 {
    let p13 = 0.029_612_011_264_955_12 * z - 0.019_241_671_746_743_04;
    let p12 = p13 * z + 0.019_554_513_336_123_378;
    let p11 = p12 * z + 0.003_044_879_909_455_677_3;
    let p10 = p11 * z + 0.009_319_560_794_767_446;
    let p9 = p10 * z + 0.009_621_842_970_100_282;
    let p8 = p9 * z + 0.011_566_459_612_121_669;
    let p7 = p8 * z + 0.013_963_780_012_203_57;
    let p6 = p7 * z + 0.017_352_816_540_325_496;
    let p5 = p6 * z + 0.022_372_157_443_507_22;
    let p4 = p5 * z + 0.030_381_944_475_532_34;
    let p3 = p4 * z + 0.044_642_857_142_551_895;
    let p2 = p3 * z + 0.075_000_000_000_001_18;
    let p1 = p2 * z + 0.166_666_666_666_666_66;
    p1 * z
}

#[cfg(test)]
mod tests {
    use super::acos_strict;

    #[test]
    fn errors_stay_below_two_units() {
        for k in -100_000..=100_000 {
            let x = f64::from(k) / 100_000.0;
            let (got, reference) = (acos_strict(x), x.acos());
            let unit = f64::from_bits((reference.to_bits() >> 52) << 52) * f64::EPSILON;
            assert!((got - reference).abs() <= 2.0 * unit, "{x}: {got} {reference}");
        }
        assert_eq!([acos_strict(1.0), acos_strict(-1.0), acos_strict(7.0)], [0.0, std::f64::consts::PI, 0.0]);
    }
}
