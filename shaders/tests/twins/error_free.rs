//! `two_sum` and `two_prod`: exact in integers, and without a subnormal intermediate anywhere in their domain.

use crate::support::{Words, assert_word};
use gpu_shaders::strict_float::{two_prod, two_sum, veltkamp_high};
use std::cell::Cell;
use std::ops::{Add, Mul, Sub};

/// `x` as an integer multiple of `2^unit`.
fn multiple(x: f32, unit: i32) -> i128 {
    let scaled = f64::from(x) * 2f64.powi(-unit);
    assert!(scaled.fract() == 0.0 && scaled.abs() < 2f64.powi(126), "{x:e} is no multiple of 2^{unit}");
    scaled as i128
}

/// An integer multiple of `2^unit` whose significand has `bits` bits at most.
fn random_multiple(words: &mut Words, unit: i32, bits: u32) -> f32 {
    let word = words.next();
    let integer = (word >> (64 - bits)) as f64 * if word & 1 == 0 { 1.0 } else { -1.0 };
    (integer * 2f64.powi(unit)) as f32
}

fn check_sum(a: f32, b: f32, unit: i32) {
    let (s, e) = two_sum(a, b);
    let exact = multiple(a, unit) + multiple(b, unit);
    assert_word(s + 0.0, (exact as f32 as f64 * 2f64.powi(unit)) as f32, format_args!("sum of {a:e}, {b:e}"));
    assert_eq!(multiple(s, unit) + multiple(e, unit), exact, "{a:e} + {b:e} = {s:e} + {e:e}");
}

#[test]
fn two_sum_is_exact() {
    let mut words = Words(10);
    for _ in 0..300_000 {
        // Exponents over the whole width of an i128, at the lower and the upper end of the domain.
        check_sum(words.float(-103, -3), words.float(-103, -3), -126);
        check_sum(words.float(23, 122), words.float(23, 122), 0);
        let bits = 1 + (words.next() % 24) as u32;
        check_sum(random_multiple(&mut words, -126, bits), words.float(-103, -20), -126);
    }
    check_sum(2f32.powi(126), -(2f32.powi(126)), 100);
    check_sum(2f32.powi(126), 2f32.powi(126), 100);
    assert_eq!(two_sum(0.0, -0.0), (0.0, 0.0));
}

#[test]
fn two_prod_is_exact() {
    let mut words = Words(11);
    for i in 0..600_000 {
        let (a, b) = match i % 3 {
            0 => (words.float(-40, 40), words.float(-40, 40)),
            1 => (words.float(-103, -80), words.float(23, 46)),
            _ => (words.float(100, 114), words.float(-30, 11)),
        };
        let (p, e) = two_prod(a, b);
        let exact = f64::from(a) * f64::from(b);
        assert_word(p, exact as f32, format_args!("product of {a:e}, {b:e}"));
        assert_eq!(f64::from(p) + f64::from(e), exact, "{a:e} * {b:e} = {p:e} + {e:e}");
        assert!(f64::from(p) - exact == -f64::from(e));
    }
}

#[test]
fn veltkamp_parts_have_few_bits() {
    let mut words = Words(12);
    for _ in 0..300_000 {
        let a = words.float(-103, 114);
        let high = veltkamp_high(a);
        let low = a - high;
        assert_eq!(f64::from(high) + f64::from(low), f64::from(a));
        assert_eq!(high.to_bits() & 0xfff, 0, "{a:e}: upper part {high:e} has more than 12 bits");
        let ulp = 2f64.powi((a.to_bits() >> 23 & 0xff) as i32 - 150);
        assert!((f64::from(low) / ulp).abs() <= 2048.0, "{a:e}: lower part {low:e} has more than 11 bits");
    }
}

/// A float whose operations count the exact results that lie strictly between 0 and 2^-126.
#[derive(Clone, Copy)]
struct Watched(f32);

thread_local! {
    static TINY: Cell<u32> = const { Cell::new(0) };
}

impl Watched {
    fn new(rounded: f32, nearly_exact: f64) -> Watched {
        if nearly_exact != 0.0 && nearly_exact.abs() < 2f64.powi(-126) {
            TINY.set(TINY.get() + 1);
        }
        Watched(rounded)
    }
}

impl Add for Watched {
    type Output = Watched;
    fn add(self, other: Watched) -> Watched {
        Watched::new(self.0 + other.0, f64::from(self.0) + f64::from(other.0))
    }
}

impl Sub for Watched {
    type Output = Watched;
    fn sub(self, other: Watched) -> Watched {
        Watched::new(self.0 - other.0, f64::from(self.0) - f64::from(other.0))
    }
}

impl Mul for Watched {
    type Output = Watched;
    fn mul(self, other: Watched) -> Watched {
        Watched::new(self.0 * other.0, f64::from(self.0) * f64::from(other.0))
    }
}

fn watched_sum(a: Watched, b: Watched) -> (Watched, Watched) {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    (s, (a - a_part) + (b - b_part))
}

fn watched_prod(a: Watched, b: Watched) -> (Watched, Watched) {
    let high = |x: Watched| {
        let t = Watched(4097.0) * x;
        t - (t - x)
    };
    let p = a * b;
    let (a_high, b_high) = (high(a), high(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    (p, (((a_high * b_high - p) + a_high * b_low) + a_low * b_high) + a_low * b_low)
}

/// How many tiny results `count` pairs give, `a` a multiple of 2^i and `b` of 2^j with 1 to 24 bits; words must equal the twins'.
fn tiny_results(i: i32, j: i32, count: u32, seed: u64) -> u32 {
    let mut words = Words(seed);
    TINY.set(0);
    for _ in 0..count {
        let bits = 1 + (words.next() % 24) as u32;
        let (a, b) = (random_multiple(&mut words, i, bits), random_multiple(&mut words, j, 24));
        if i == j {
            let (s, e) = watched_sum(Watched(a), Watched(b));
            assert_eq!((s.0, e.0), two_sum(a, b));
        } else {
            let (p, e) = watched_prod(Watched(a), Watched(b));
            assert_eq!((p.0, e.0), two_prod(a, b));
        }
    }
    TINY.get()
}

#[test]
fn no_intermediate_is_subnormal_in_the_domain() {
    assert_eq!(tiny_results(-126, -126, 200_000, 13), 0, "two_sum");
    for (i, j) in [(-126, 0), (0, -126), (-64, -62), (-62, -64), (-126, 80), (-100, -26)] {
        assert_eq!(tiny_results(i, j, 100_000, 14), 0, "two_prod of multiples of 2^{i} and 2^{j}");
    }
    // One step outside, they do occur: the domain is not wider than stated.
    assert!(tiny_results(-127, -127, 200_000, 15) > 0);
    assert!(tiny_results(-64, -63, 200_000, 16) > 0);
    assert!(tiny_results(-127, 60, 200_000, 17) > 0);
}
