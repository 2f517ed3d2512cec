//! `ordered_key` against `f32::total_cmp`.

use crate::support::special_words;
use gpu_shaders::ordered_key::{ordered_key, ordered_value};
use proptest::prelude::*;

fn check(a: u32, b: u32) {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    assert_eq!(ordered_key(x).cmp(&ordered_key(y)), x.total_cmp(&y), "{a:#010x} {b:#010x}");
    assert_eq!(ordered_value(ordered_key(x)).to_bits(), a);
    assert_eq!(ordered_key(ordered_value(a)), a);
}

#[test]
fn keys_of_special_words_keep_the_order() {
    for a in special_words() {
        for b in special_words() {
            check(a, b);
        }
    }
    assert_eq!((ordered_key(-0.0), ordered_key(0.0)), (0x7fff_ffff, 0x8000_0000));
}

proptest! {
    #[test]
    fn keys_keep_the_order(a: u32, b: u32) {
        check(a, b);
    }
}
