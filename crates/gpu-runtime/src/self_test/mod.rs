//! The start-up self-test: does this device give the CPU's words in a strict form?
//!
//! It is evidence about one device and driver. The guarantee rests on what `NoContraction` and the guards promise; the
//! test notices drivers that do not keep it.

mod doubles;
mod inputs;
mod lanes;
mod patterns;
mod run;

pub(crate) use inputs::{COUNT, all as inputs};
pub(crate) use run::{run, run_doubles, run_lanes};

use std::fmt;

use gpu_shaders::{ACOS, STRICT_FLOAT, WgslModule};

use crate::{Constant, KernelEntry};
use patterns::PATTERNS;

/// Entry point of the self-test.
pub(crate) const KERNEL: &str = "strict_float_self_test";

/// Modules of the self-test.
pub(crate) const MODULES: [WgslModule; 3] =
    [STRICT_FLOAT, ACOS, WgslModule { name: "self_test/patterns", source: include_str!("patterns.wgsl") }];

/// The kernels of the self-test.
pub(crate) fn kernels() -> Vec<KernelEntry> {
    let (constants, trusted) = (Vec::new(), false);
    let patterns = KernelEntry { name: KERNEL, constants, modules: MODULES.to_vec(), trusted };
    let lanes = lanes::WORKGROUPS.map(|workgroup| {
        let constants = vec![("WORKGROUP", Constant::U32(workgroup))];
        KernelEntry { name: lanes::KERNEL, constants, modules: vec![lanes::MODULE], trusted }
    });
    let (modules, constants) = (doubles::MODULES.to_vec(), Vec::new());
    let doubles = KernelEntry { name: doubles::KERNEL, constants, modules, trusted };
    [patterns].into_iter().chain(lanes).chain([doubles]).collect()
}

/// What a device does with subnormal operands and results of `+` and `*`. It never shows in a result of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subnormals {
    /// As IEEE 754: every word equals the CPU's.
    Kept,
    /// Every subnormal counts as a zero.
    Flushed,
    /// Some are kept, some are not.
    Mixed,
}

impl fmt::Display for Subnormals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Subnormals::Kept => "kept",
            Subnormals::Flushed => "flushed",
            Subnormals::Mixed => "mixed",
        })
    }
}

/// What the self-test saw where every word was equal to the CPU's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormReport {
    /// Patterns compared.
    pub patterns: usize,
    /// Words compared.
    pub words: usize,
    /// What became of subnormals; recorded, not compared.
    pub subnormals: Subnormals,
}

impl fmt::Display for FormReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words of {} patterns equal, subnormals {}", self.words, self.patterns, self.subnormals)
    }
}

/// The first word of the self-test that differs from the CPU's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "pattern {pattern}, input {input:08x?}: expected {expected:08x?}, got {got:08x?} ({wrong} of {of} inputs wrong)"
)]
#[non_exhaustive]
pub struct SelfTestFault {
    /// Name of the pattern.
    pub pattern: String,
    /// Bits of the four operands.
    pub input: [u64; 4],
    /// Bits of the two results on the CPU.
    pub expected: [u64; 2],
    /// Bits of the two results on the device.
    pub got: [u64; 2],
    /// Inputs of this pattern with a wrong result.
    pub wrong: usize,
    /// Inputs of this pattern.
    pub of: usize,
}

/// An input and the words that it must give.
pub(crate) struct Case {
    pub(crate) input: [u64; 4],
    pub(crate) expected: [u64; 2],
}

/// Compares the words of a device, two for each of [`inputs`], with the CPU's.
///
/// # Errors
/// The first input of the first pattern with another result. Missing words are wrong.
pub(crate) fn check(words: &[[u32; 2]]) -> Result<FormReport, SelfTestFault> {
    let inputs = inputs();
    let of_pattern = |(pattern, inputs): (&patterns::Pattern, &[[u32; 4]])| -> Vec<Case> {
        let twin = pattern.twin;
        inputs.iter().map(|v| Case { input: v.map(u64::from), expected: twin(*v).map(u64::from) }).collect()
    };
    let cases: Vec<Case> = PATTERNS.iter().zip(inputs.chunks(COUNT as usize)).flat_map(of_pattern).collect();
    let names: Vec<&str> = PATTERNS.iter().map(|pattern| pattern.name).collect();
    let words: Vec<[u64; 2]> = words.iter().map(|pair| pair.map(u64::from)).collect();
    compare(&names, &cases, &words, 0x7fff_ffff)
}

/// Compares words pattern by pattern, [`COUNT`] cases each; the last pattern is that of subnormals, which is recorded. `size` masks a sign.
pub(crate) fn compare(
    names: &[&str],
    cases: &[Case],
    words: &[[u64; 2]],
    size: u64,
) -> Result<FormReport, SelfTestFault> {
    let patterns = names.len() - 1;
    let count = COUNT as usize;
    let got = |at: usize| words.get(at).copied().unwrap_or([!0; 2]);
    for (index, name) in names[..patterns].iter().enumerate() {
        let own = index * count..(index + 1) * count;
        let mut wrong = own.filter(|at| *at >= words.len() || got(*at) != cases[*at].expected);
        if let Some(first) = wrong.next() {
            return Err(SelfTestFault {
                pattern: (*name).to_owned(),
                input: cases[first].input,
                expected: cases[first].expected,
                got: got(first),
                wrong: 1 + wrong.count(),
                of: count,
            });
        }
    }
    let first = patterns * count;
    let expected = cases[first..].iter().flat_map(|case| case.expected);
    let subnormals = subnormals(expected.zip((first..).flat_map(got)), size);
    Ok(FormReport { patterns, words: 2 * first, subnormals })
}

fn subnormals(words: impl Iterator<Item = (u64, u64)>, size: u64) -> Subnormals {
    let (mut kept, mut flushed) = (true, true);
    for (expected, got) in words {
        kept &= got == expected;
        flushed &= got & size == 0;
    }
    match (kept, flushed) {
        (true, _) => Subnormals::Kept,
        (_, true) => Subnormals::Flushed,
        _ => Subnormals::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right_words() -> Vec<[u32; 2]> {
        let twins = PATTERNS.iter().flat_map(|pattern| std::iter::repeat_n(pattern.twin, COUNT as usize));
        inputs().into_iter().zip(twins).map(|(input, twin)| twin(input)).collect()
    }

    #[test]
    fn the_twins_pass_their_own_test() {
        let report = check(&right_words()).unwrap();
        assert_eq!(report.patterns, PATTERNS.len() - 1);
        assert_eq!(report.words, 2 * 1024 * report.patterns);
        assert_eq!(report.subnormals, Subnormals::Kept);
    }

    #[test]
    fn any_wrong_word_of_a_compared_pattern_is_found() {
        let right = right_words();
        let compared = right.len() - COUNT as usize;
        for at in (0..compared).step_by(41) {
            let mut words = right.clone();
            words[at][at % 2] ^= 1;
            let fault = check(&words).unwrap_err();
            assert_eq!(fault.pattern, PATTERNS[at / COUNT as usize].name);
            let wide = |pair: [u32; 2]| pair.map(u64::from);
            assert_eq!((fault.got, fault.expected, fault.wrong), (wide(words[at]), wide(right[at]), 1));
        }
    }

    #[test]
    fn missing_words_are_wrong() {
        assert_eq!(check(&[]).unwrap_err().wrong, COUNT as usize);
        let right = right_words();
        assert_eq!(check(&right[..COUNT as usize + 5]).unwrap_err().pattern, "squares");
    }

    #[test]
    fn flushed_and_mixed_subnormals_are_told_apart() {
        let mut words = right_words();
        let first = words.len() - COUNT as usize;
        words[first..].iter_mut().for_each(|pair| *pair = [0, 0x8000_0000]);
        assert_eq!(check(&words).unwrap().subnormals, Subnormals::Flushed);
        words[first + 7] = [1, 0];
        assert_eq!(check(&words).unwrap().subnormals, Subnormals::Mixed);
    }
}
