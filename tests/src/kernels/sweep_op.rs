//! One operation of gpu-shaders on many operands, made from an index on both sides: twin of `sweep_op.wgsl`.

use bytemuck::{Pod, Zeroable};
use gpu_shaders::acos::acos_strict;
use gpu_shaders::atan2::atan2_strict;
use gpu_shaders::bit_reader::extract_bits;
use gpu_shaders::ordered_key::{ordered_key, ordered_value};
use gpu_shaders::strict_float::{div_rn, scale_pow2, sqrt_rn, two_prod, two_sum};

/// Parameter block of the kernel.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Params {
    /// First index.
    pub start: u32,
    /// Number of indices.
    pub count: u32,
    /// Makes another set of operands.
    pub seed: u32,
    /// Width of the folded grid.
    pub groups_x: u32,
    /// Always 0.
    pub zero: u32,
    /// Rounds the block to a multiple of 16 bytes.
    pub pad: [u32; 3],
}

/// Operations of the kernel, by the value of its constant OP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Op {
    /// `sqrt_rn` of the float with the index's bits.
    Sqrt = 0,
    /// `div_rn` of two random words.
    Div = 1,
    /// `two_sum` of random floats in its domain.
    TwoSum = 2,
    /// `two_prod` of random floats in its domain.
    TwoProd = 3,
    /// The index, unsigned and signed, to f32.
    FromInteger = 4,
    /// Random floats within the range of the integers, to u32 and i32.
    ToInteger = 5,
    /// `acos_strict` of the float with the index's bits.
    Acos = 6,
    /// `scale_pow2` of a random word by -512..512.
    ScalePow2 = 7,
    /// `ordered_key` and `ordered_value` of the index's bits.
    OrderedKey = 8,
    /// `extract_bits` of two random words.
    ExtractBits = 9,
    /// `atan2_strict` of two random words, of every second index with exponents near each other.
    Atan2 = 10,
}

// [1] A word from an index: PCG's output permutation of a linear congruential step.
fn scramble(x: u32) -> u32 {
    let state = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

// [2] A float whose exponent field is one of `spread` values from `lowest` on; any sign and significand.
fn float_of(word: u32, exponent_word: u32, lowest: u32, spread: u32) -> f32 {
    let exponent = lowest + exponent_word % spread;
    f32::from_bits((word & 0x807f_ffff) | (exponent << 23))
}

// [3] The words of operation OP at an index; operations of one operand take the index itself, so that a sweep is complete.
/// The two words that the kernel writes for an index.
pub fn sweep_words(op: Op, index: u32, seed: u32) -> [u32; 2] {
    let u = scramble(index ^ seed);
    let v = scramble(u ^ 0x9e37_79b9);
    let w = scramble(v.wrapping_add(index));
    let bits = |(a, b): (f32, f32)| [a.to_bits(), b.to_bits()];
    match op {
        Op::Sqrt => [sqrt_rn(f32::from_bits(index)).to_bits(), 0],
        Op::Div => [div_rn(f32::from_bits(u), f32::from_bits(v)).to_bits(), 0],
        Op::TwoSum => bits(two_sum(float_of(u, w, 88, 64), float_of(v, w >> 8, 88, 64))),
        Op::TwoProd => bits(two_prod(float_of(u, w, 96, 56), float_of(v, w >> 8, 96, 56))),
        Op::FromInteger => [((index & 0x00ff_ffff) as f32).to_bits(), (index as i32 as f32).to_bits()],
        Op::ToInteger => {
            let whole = float_of(u, w, 100, 58);
            [whole.abs() as u32, whole as i32 as u32]
        }
        Op::Acos => [acos_strict(f32::from_bits(index)).to_bits(), 0],
        Op::ScalePow2 => [scale_pow2(f32::from_bits(u), (v >> 22) as i32 - 512).to_bits(), 0],
        Op::OrderedKey => [ordered_key(f32::from_bits(index)), ordered_value(index).to_bits()],
        Op::ExtractBits => [extract_bits(u, v, w & 31, (w >> 5) % 33), 0],
        Op::Atan2 if index.is_multiple_of(2) => [atan2_strict(f32::from_bits(u), f32::from_bits(v)).to_bits(), 0],
        Op::Atan2 => [atan2_strict(float_of(u, w, 124, 6), float_of(v, w >> 8, 124, 6)).to_bits(), 0],
    }
}

// [4] One index an invocation.
/// What the kernel writes, on the host.
pub fn sweep_op(op: Op, params: &Params) -> Vec<[u32; 2]> {
    use rayon::prelude::*;
    let item = |item: u32| sweep_words(op, params.start.wrapping_add(item), params.seed);
    (0..params.count).into_par_iter().map(item).collect()
}
