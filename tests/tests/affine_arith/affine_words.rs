//! Ranges of functions at the floats of chosen words: the device's against the CPU's, as words, on every adapter and in both forms.
//!
//! Kernels: `enclose_words`, written for a function, with interval_functions.wgsl, elementary_gamma.wgsl and what they need.

use affine_arith::{Interval, Unary, WordQuery, enclose_word};
use conformance::adapters::open_all;
use gpu_runtime::{ContextOptions, NumericsChoice};

/// Words without the sign of zeros, which no result shows.
fn words(range: Interval<f32>) -> [u32; 2] {
    [range.lower(), range.upper()].map(|bound| (bound + 0.0).to_bits())
}

/// Neighbours of a float that are compared with it.
const NEIGHBOURS: u32 = 32;

/// First word, stride and count of the arguments.
type Words = (u32, u32, u32);

fn beside(x: f32) -> Words {
    (x.to_bits().saturating_sub(NEIGHBOURS), 1, 2 * NEIGHBOURS + 1)
}

fn between(from: f32, to: f32, count: u32) -> Words {
    (from.to_bits(), (to.to_bits() - from.to_bits()) / count, count)
}

fn compare(function: Unary, pieces: &[Words]) {
    let name = function.name();
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Decorated, NumericsChoice::Guarded]) {
        let query = WordQuery::new(&context, function).expect("a kernel");
        for &(first, stride, count) in pieces {
            let found = query.ranges(first, stride, count).expect("ranges");
            for (i, found) in (0..count).zip(found) {
                let word = first + i * stride;
                let expected = enclose_word(function, word).unwrap_or(Interval::point(0.0));
                let x = f32::from_bits(word);
                assert_eq!(
                    words(found),
                    words(expected),
                    "{}: {name} of {x:e}: {found:?}, CPU {expected:?}",
                    context.adapter().name
                );
            }
        }
    }
}

/// Poles and their neighbours, both ends of the domain, the ends of the range of bounds, small numbers, and where gamma is below the normal numbers.
fn gamma_words() -> Vec<Words> {
    let mut pieces: Vec<Words> = (0..38).map(|k| beside(-(k as f32))).collect();
    let ends = [2f32.powi(-60), -2f32.powi(-60), 2f32.powi(-44), -2f32.powi(-44), 1e-30, -1e-30, 1e-6, -1e-6];
    let rest = [0.5, 1.0, 1.461_632_1, 2.0, 8.0, 20.0, 21.0, 22.0, 35.04, 88.0, 67_108_864.0, 2f32.powi(60)];
    pieces.extend(ends.into_iter().chain(rest).map(beside));
    // Between negative integers: magnitudes that pass TINY and the least normal number, 2^-126.
    pieces.extend((20..36).map(|k| between(-(k as f32), -(k as f32) - 1.0, 97)));
    pieces.extend([between(-34.168, -35.0, 1024), between(-1.0, -20.0, 512), between(1e-3, 22.0, 512)]);
    pieces
}

/// A value below the normal numbers has an enclosure on both sides of 0, never 0 alone.
#[test]
fn gamma_has_the_words_of_the_cpu() {
    let tiny = 2f32.powi(-102);
    let small = enclose_word(Unary::Tgamma, (-34.5f32).to_bits()).expect("in the domain");
    assert_eq!(words(small), [-tiny, tiny].map(f32::to_bits));
    compare(Unary::Tgamma, &gamma_words());
}

#[test]
fn logarithms_of_gamma_have_the_words_of_the_cpu() {
    compare(Unary::Lgamma, &gamma_words());
}

/// Values at both ends of the range of bounds.
#[test]
fn exponentials_have_the_words_of_the_cpu() {
    let pieces: Vec<Words> = [-70.7, -70.0, -60.0, -1.0, 1e-9, 41.5, 42.6].into_iter().map(beside).collect();
    compare(Unary::Exp, &pieces);
    let pieces: Vec<Words> = [0.0, 1e-9, 2.25, 8.0, 8.2, 8.35, 9.0, 13.0].into_iter().map(beside).collect();
    compare(Unary::Erfc, &pieces);
}

/// Around multiples of pi/2, near and far.
#[test]
fn waves_have_the_words_of_the_cpu() {
    let near = (0..9).map(|k| k as f32 * std::f32::consts::FRAC_PI_2);
    // 2^23 and 2^55 times the words of 2/pi need no shift within words.
    let far = [1e-9, 1e-3, 0.75, 0.785, 355.0, 65_536.0, 1.2e7, 1e9, 4e16, 1e17, 2f32.powi(60)];
    let pieces: Vec<Words> = near.chain(far).flat_map(|x| [beside(x), beside(-x)]).collect();
    for function in [Unary::Sin, Unary::Tan] {
        compare(function, &pieces);
    }
}
