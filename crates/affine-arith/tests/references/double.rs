//! f64: elementary functions against values computed with 400 bits, products against integers.

use crate::common::Random;
use affine_arith::{Interval, Unary};

/// A line a value: function, and the words of x, f(x) rounded down, f(x) rounded up.
const VALUES: &str = include_str!("../data/f64_values.txt");

fn float(word: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(word, 16).expect("a word in hexadecimal"))
}

#[test]
fn elementary_functions_contain_values_of_400_bits() {
    let (mut tightest, mut count) = (0, 0);
    for line in VALUES.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let function = Unary::named(fields[0]).expect("a known function");
        let (x, below, above) = (float(fields[1]), float(fields[2]), float(fields[3]));
        let found = Interval::point(x).apply(function);
        let at = format!("{} {x:e}: {found:?}, {below:e} to {above:e}", function.name());
        assert!(found.lower() <= below && above <= found.upper(), "{at}");
        assert!(found.lower().next_up() >= below.next_down() && found.upper().next_down() <= above.next_up(), "{at}");
        count += 1;
        tightest += usize::from(found.lower() == below && found.upper() == above);
    }
    println!("{tightest} of {count} tightest");
    assert!(count > 600 && tightest * 10 > count * 9, "{tightest} of {count}");
}

/// The odd integer m and the exponent e of x = m 2^e.
fn odd_parts(x: f64) -> (i128, i32) {
    let bits = x.to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let zeros = significand.trailing_zeros();
    let m = i128::from(significand >> zeros);
    let e = ((bits >> 52) & 0x7ff) as i32 - 1075 + zeros as i32;
    (if x < 0.0 { -m } else { m }, e)
}

/// Whether x <= p 2^e, for |p| < 2^107 and numbers of about the same magnitude.
fn at_most(x: f64, p: i128, e: i32) -> bool {
    let (m, f) = odd_parts(x);
    let low = e.min(f);
    m.checked_shl((f - low) as u32).expect("same magnitude") <= p.checked_shl((e - low) as u32).expect("same magnitude")
}

#[test]
fn products_and_quotients_are_tightest() {
    let mut random = Random(11);
    for _ in 0..20_000 {
        let a = random.between(-1.0, 1.0) * 2f64.powi((random.word() % 60) as i32 - 30);
        let b = random.between(0.5, 1.0) * 2f64.powi((random.word() % 60) as i32 - 30);
        let ((ma, ea), (mb, eb)) = (odd_parts(a), odd_parts(b));
        let product = Interval::point(a) * Interval::point(b);
        let (p, e) = (ma * mb, ea + eb);
        assert!(at_most(product.lower(), p, e) && at_most(-product.upper(), -p, e), "{a:e} {b:e} {product:?}");
        assert!(product.upper() <= product.lower().next_up());
        // lo <= a/b <= hi: lo b <= a <= hi b, b > 0.
        let quotient = Interval::point(a) / Interval::point(b);
        for (bound, sign) in [(quotient.lower(), 1), (quotient.upper(), -1)] {
            let (mq, eq) = odd_parts(bound);
            assert!(at_most(-f64::from(sign) * a, -i128::from(sign) * (mq * mb), eq + eb), "{a:e} {b:e} {quotient:?}");
        }
        assert!(quotient.upper() <= quotient.lower().next_up());
    }
}
