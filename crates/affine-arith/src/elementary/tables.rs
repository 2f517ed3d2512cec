//! The coefficients of one precision: as many as its error bound needs.

use super::constants as c;
use crate::double_word::DoubleWord;

/// A polynomial: its coefficients, and the index from which single floats are precise enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series<T: 'static> {
    /// Coefficients of ascending powers.
    pub(crate) coefficients: &'static [DoubleWord<T>],
    /// First term that is summed in single floats.
    pub(crate) tail: usize,
}

/// Coefficients and constants of the elementary functions for one precision.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub)] // part of the trait Real, which cannot be implemented outside
pub struct Tables<T: 'static> {
    /// e^r, |r| <= 0.35.
    pub(crate) exp: Series<T>,
    /// atanh(s)/s in s^2, |s| <= 0.172.
    pub(crate) atanh: Series<T>,
    /// atan(t)/t in t^2, |t| <= 1/16.
    pub(crate) atan: Series<T>,
    /// sin(r)/r in r^2, |r| <= pi/4.
    pub(crate) sin: Series<T>,
    /// cos(r) in r^2, |r| <= pi/4.
    pub(crate) cos: Series<T>,
    /// ln gamma(z) z - .. in 1/z^2, z >= stirling_from.
    pub(crate) stirling: Series<T>,
    /// ln z - 1/(2 z) - psi(z) over 1/z^2, in 1/z^2, z >= stirling_from.
    pub(crate) digamma: Series<T>,
    /// From here on Stirling's series is precise.
    pub(crate) stirling_from: i32,
    /// Above, gamma exceeds LIMIT.
    pub(crate) gamma_most: i32,
    /// Below minus this, gamma is under TINY at every float.
    pub(crate) gamma_least: i32,
    /// atan(i/8), i = 0 ..= 8.
    pub(crate) atan_eighths: &'static [DoubleWord<T>],
    /// The upper bits of ln 2.
    pub(crate) ln_2_head: T,
    /// ln 2 without its upper bits.
    pub(crate) ln_2_rest: DoubleWord<T>,
    /// Below this magnitude of r, sin r = r and cos r = 1 within the error bound.
    pub(crate) small: T,
    /// Words of the product with 2/pi that the reduction keeps.
    pub(crate) reduction_words: usize,
}

static EXP_SINGLE: [DoubleWord<f32>; 12] = single(&c::EXP);
static EXP_DOUBLE: [DoubleWord<f64>; 22] = double(&c::EXP);
static ATANH_SINGLE: [DoubleWord<f32>; 9] = single(&c::ATANH);
static ATANH_DOUBLE: [DoubleWord<f64>; 21] = double(&c::ATANH);
static ATAN_SINGLE: [DoubleWord<f32>; 6] = single(&c::ATAN);
static ATAN_DOUBLE: [DoubleWord<f64>; 13] = double(&c::ATAN);
static SIN_SINGLE: [DoubleWord<f32>; 8] = single(&c::SIN);
static SIN_DOUBLE: [DoubleWord<f64>; 14] = double(&c::SIN);
static COS_SINGLE: [DoubleWord<f32>; 9] = single(&c::COS);
static COS_DOUBLE: [DoubleWord<f64>; 15] = double(&c::COS);
static STIRLING_SINGLE: [DoubleWord<f32>; 6] = single(&c::STIRLING);
static STIRLING_DOUBLE: [DoubleWord<f64>; 12] = double(&c::STIRLING);
static DIGAMMA_SINGLE: [DoubleWord<f32>; 6] = single(&c::DIGAMMA);
static DIGAMMA_DOUBLE: [DoubleWord<f64>; 12] = double(&c::DIGAMMA);
static ATAN_EIGHTHS_SINGLE: [DoubleWord<f32>; 9] = single(&c::ATAN_EIGHTHS);
static ATAN_EIGHTHS_DOUBLE: [DoubleWord<f64>; 9] = double(&c::ATAN_EIGHTHS);

impl Tables<f32> {
    /// Remainders of the series are below 2^-43, terms from `tail` on below 2^-18, relative to the sum.
    pub(crate) const SINGLE: Self = Self {
        exp: Series { coefficients: &EXP_SINGLE, tail: 6 },
        atanh: Series { coefficients: &ATANH_SINGLE, tail: 3 },
        atan: Series { coefficients: &ATAN_SINGLE, tail: 2 },
        sin: Series { coefficients: &SIN_SINGLE, tail: 4 },
        cos: Series { coefficients: &COS_SINGLE, tail: 5 },
        stirling: Series { coefficients: &STIRLING_SINGLE, tail: 2 },
        digamma: Series { coefficients: &DIGAMMA_SINGLE, tail: 2 },
        stirling_from: 8,
        gamma_most: 21,
        gamma_least: 35,
        atan_eighths: &ATAN_EIGHTHS_SINGLE,
        ln_2_head: c::LN_2_HEAD_F32,
        ln_2_rest: single_word(c::LN_2_REST_F32),
        small: 9.536_743e-7, // 2^-20
        reduction_words: 6,
    };
}

impl Tables<f64> {
    /// Remainders of the series are below 2^-100, terms from `tail` on below 2^-48, relative to the sum.
    pub(crate) const DOUBLE: Self = Self {
        exp: Series { coefficients: &EXP_DOUBLE, tail: 13 },
        atanh: Series { coefficients: &ATANH_DOUBLE, tail: 9 },
        atan: Series { coefficients: &ATAN_DOUBLE, tail: 6 },
        sin: Series { coefficients: &SIN_DOUBLE, tail: 8 },
        cos: Series { coefficients: &COS_DOUBLE, tail: 9 },
        stirling: Series { coefficients: &STIRLING_DOUBLE, tail: 4 },
        digamma: Series { coefficients: &DIGAMMA_DOUBLE, tail: 4 },
        stirling_from: 24,
        gamma_most: 98,
        gamma_least: 190,
        atan_eighths: &ATAN_EIGHTHS_DOUBLE,
        ln_2_head: c::LN_2_HEAD_F64,
        ln_2_rest: DoubleWord { high: c::LN_2_REST_F64.0, low: c::LN_2_REST_F64.1 },
        small: 7.105_427_357_601_002e-15, // 2^-47
        reduction_words: 9,
    };
}

const fn single_word(pair: (f64, f64)) -> DoubleWord<f32> {
    let high = pair.0 as f32;
    DoubleWord { high, low: ((pair.0 - high as f64) + pair.1) as f32 }
}

const fn single<const N: usize, const M: usize>(pairs: &[(f64, f64); N]) -> [DoubleWord<f32>; M] {
    let mut words = [DoubleWord { high: 0.0, low: 0.0 }; M];
    let mut i = 0;
    while i < M {
        words[i] = single_word(pairs[i]);
        i += 1;
    }
    words
}

const fn double<const N: usize, const M: usize>(pairs: &[(f64, f64); N]) -> [DoubleWord<f64>; M] {
    let mut words = [DoubleWord { high: 0.0, low: 0.0 }; M];
    let mut i = 0;
    while i < M {
        words[i] = DoubleWord { high: pairs[i].0, low: pairs[i].1 };
        i += 1;
    }
    words
}
