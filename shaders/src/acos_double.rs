//! Arc cosine in f64 from `+ - *` and a rounded square root, for the host: no system's own may reach a result.

use crate::strict_double::sqrt_rn;

/// pi/2 rounded to f64, and the rest.
const HALF_PI_HIGH: f64 = std::f64::consts::FRAC_PI_2;
const HALF_PI_LOW: f64 = 6.123_233_995_736_766e-17;

/// Arc cosine of `x` in radians, in [0, pi]; `x` is clamped to [-1, 1], NaN counts as 1. Error: below 2 units in the last place (swept
/// against the series in 60 digits at fitting, against the system's in the tests).
pub fn acos_strict(x: f64) -> f64 {
    let m = if x.abs() < 1.0 { x.abs() } else { 1.0 };
    let negative = x < 0.0;
    // |x| <= 1/2: acos(x) = pi/2 - asin(x).
    if m <= 0.5 {
        let r = m * asin_tail(m * m);
        if negative {
            return HALF_PI_HIGH + (m + (r + HALF_PI_LOW));
        }
        return HALF_PI_HIGH - (m + (r - HALF_PI_LOW));
    }
    // |x| > 1/2: acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); the argument is exact.
    let z = (1.0 - m) * 0.5;
    let s = sqrt_rn(z);
    let r = s * asin_tail(z);
    if negative {
        return 2.0 * (HALF_PI_HIGH - (s + (r - HALF_PI_LOW)));
    }
    2.0 * (s + r)
}

/// Coefficients of (asin(t)/t - 1)/z, z = t^2 in [0, 1/4], by interpolation at Chebyshev's points: error below 2^-58 of the sum.
const TAIL: [f64; 14] = [
    0.166_666_666_666_666_66,
    0.075_000_000_000_001_18,
    0.044_642_857_142_551_895,
    0.030_381_944_475_532_34,
    0.022_372_157_443_507_22,
    0.017_352_816_540_325_496,
    0.013_963_780_012_203_57,
    0.011_566_459_612_121_669,
    0.009_621_842_970_100_282,
    0.009_319_560_794_767_446,
    0.003_044_879_909_455_677_3,
    0.019_554_513_336_123_378,
    -0.019_241_671_746_743_04,
    0.029_612_011_264_955_12,
];

/// `asin(sqrt(z)) / sqrt(z) - 1` for z in [0, 1/4].
fn asin_tail(z: f64) -> f64 {
    TAIL.iter().rev().fold(0.0, |sum, c| sum * z + c) * z
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
