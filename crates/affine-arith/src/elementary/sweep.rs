//! Sweeps over words: the point enclosures of f32 against f64 references.

use std::ops::RangeInclusive;

use super::references::reference;
use crate::function::Unary;
use crate::interval::Interval;

/// What a sweep found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Arguments that were compared.
    pub compared: u64,
    /// Arguments whose enclosure does not contain the reference.
    pub missed: u64,
    /// Word of the first such argument.
    pub first_missed: Option<u32>,
    /// Largest width of an enclosure, in floats between its bounds.
    pub widest: u32,
    /// Word of the argument where that is.
    pub widest_word: u32,
    /// Enclosures that are a single float or two neighbours.
    pub tightest: u64,
}

/// Encloses f(x) for the f32 x with bits in `words`, `step` apart, and compares with the reference of the function.
pub(super) fn sweep(function: Unary, words: RangeInclusive<u32>, step: usize) -> Sweep {
    let mut found = Sweep::default();
    for word in words.step_by(step.max(1)) {
        if let Some(enclosure) = enclose_word(function, word) {
            found.add(function, word, enclosure);
        }
    }
    found
}

/// The range of a function at the f32 with these bits; None for words that are NaN, infinite, subnormal, below 2^-102 or above 2^60 in magnitude.
pub fn enclose_word(function: Unary, word: u32) -> Option<Interval<f32>> {
    let x = f32::from_bits(word);
    let magnitude = x.abs();
    let counts = magnitude == 0.0 || (2f32.powi(-102)..=2f32.powi(60)).contains(&magnitude);
    counts.then(|| Interval::point(x).apply(function))
}

impl Sweep {
    /// Compares an enclosure with the f64 reference of the function at the f32 with the bits `word`; nothing without a reference, and where the
    /// reference is NaN or outside the range of bounds.
    pub fn add(&mut self, function: Unary, word: u32, enclosure: Interval<f32>) {
        let Some(reference) = reference(function) else { return };
        let truth = (reference.value)(f64::from(f32::from_bits(word)));
        let vanishing = truth.abs() < 2f64.powi(-102) && enclosure.lower() != enclosure.upper();
        if !truth.is_finite() || truth.abs() > 2f64.powi(60) || vanishing {
            return;
        }
        self.compared += 1;
        let slack = truth.abs() * reference.accuracy + reference.absolute;
        // Where the truth is a float but for the accuracy of the reference, either neighbour may be right.
        let inside = f64::from(enclosure.lower()) <= truth + slack && truth - slack <= f64::from(enclosure.upper());
        if !inside {
            self.missed += 1;
            self.first_missed.get_or_insert(word);
        }
        let width = floats_between(enclosure.lower(), enclosure.upper());
        if width > self.widest {
            self.widest = width;
            self.widest_word = word;
        }
        self.tightest += u64::from(width <= 1);
    }

    /// The findings of two sweeps together.
    pub fn and(self, other: Self) -> Self {
        let wider = if other.widest > self.widest { other } else { self };
        Self {
            compared: self.compared + other.compared,
            missed: self.missed + other.missed,
            first_missed: self.first_missed.or(other.first_missed),
            widest: wider.widest,
            widest_word: wider.widest_word,
            tightest: self.tightest + other.tightest,
        }
    }
}

/// Steps from one float to a larger one.
fn floats_between(lower: f32, upper: f32) -> u32 {
    let key = gpu_shaders::ordered_key::ordered_key;
    key(upper + 0.0).wrapping_sub(key(lower + 0.0))
}
