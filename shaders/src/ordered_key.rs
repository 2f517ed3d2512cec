//! u32 image of f32 that keeps the order: twin of `ordered_key.wgsl`. For `atomicMin`, `atomicMax` and radix sorts of floats.

use crate::WgslModule;

/// WGSL text of this module.
pub const ORDERED_KEY: WgslModule = WgslModule { name: "ordered_key", source: include_str!("ordered_key.wgsl") };

/// Key of `x`: for numbers, `a < b` as floats implies `ordered_key(a) < ordered_key(b)` as integers.
///
/// A bijection of the 2^32 words, so `-0` (key 0x7fffffff) comes just before `+0` (key 0x80000000), subnormals keep their places, and
/// NaNs lie outside the infinities by sign: the order is that of `f32::total_cmp`.
pub fn ordered_key(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 {
        return !bits;
    }
    bits | 0x8000_0000
}

/// The float whose key is `key`: inverse of [`ordered_key`], bit for bit.
pub fn ordered_value(key: u32) -> f32 {
    if key >> 31 == 1 {
        return f32::from_bits(key & 0x7fff_ffff);
    }
    f32::from_bits(!key)
}
