//! The numbers of kernels: f32, and f64 on devices that have it. The library is one text, spelled for either.

use bytemuck::Pod;
use gpu_runtime::{Context, WgslModule};
use gpu_shaders::{STRICT_DOUBLE, STRICT_FLOAT};

use crate::Error;
use crate::real::Real;

/// A number that kernels can have.
pub trait DeviceReal: Real + Pod {
    /// Its type in WGSL.
    const TYPE: &'static str;
    /// Its exact arithmetic.
    const STRICT: WgslModule;
    /// What depends on its bits: neighbours, exponents, the reduction of angles.
    const BITS: &'static str;

    /// A literal that reads back to the same bits.
    fn literal(self) -> String;

    /// A text that is written for f32, for these numbers; literals of f64 stay.
    fn spelled(text: &str) -> String;

    /// That a device computes with these numbers as the CPU does.
    ///
    /// # Errors
    /// [`Error::Device`] where it lacks them or its self-test fails.
    fn require(context: &Context) -> Result<(), Error>;
}

impl DeviceReal for f32 {
    const TYPE: &'static str = "f32";
    const STRICT: WgslModule = STRICT_FLOAT;
    const BITS: &'static str = include_str!("bits_single.wgsl");

    fn literal(self) -> String {
        if self.is_sign_negative() && self != 0.0 { format!("(-{:e}f)", -self) } else { format!("{:e}f", self.abs()) }
    }

    fn spelled(text: &str) -> String {
        text.to_owned()
    }

    fn require(_: &Context) -> Result<(), Error> {
        Ok(())
    }
}

impl DeviceReal for f64 {
    const TYPE: &'static str = "f64";
    const STRICT: WgslModule = STRICT_DOUBLE;
    const BITS: &'static str = include_str!("bits_double.wgsl");

    fn literal(self) -> String {
        if self.is_sign_negative() && self != 0.0 { format!("(-{:e}lf)", -self) } else { format!("{:e}lf", self.abs()) }
    }

    fn spelled(text: &str) -> String {
        let mut result = String::with_capacity(text.len() + text.len() / 16);
        let mut rest = text;
        while let Some(start) = rest.find(is_word) {
            let (gap, after) = rest.split_at(start);
            let (word, next) = after.split_at(word_length(after));
            result += gap;
            match word {
                "f32" => result += "f64",
                _ if is_float(word) => result += &format!("{}lf", word.trim_end_matches("lf").trim_end_matches('f')),
                _ => result += word,
            }
            rest = next;
        }
        result + rest
    }

    fn require(context: &Context) -> Result<(), Error> {
        let (adapter, features) = (context.adapter(), context.adapter().features);
        if features.f64 && features.int64 {
            context.doubles()?;
            return Ok(());
        }
        let lacking = if features.f64 { "integers" } else { "floats" };
        let what = format!("bounds in f64 on {}, {lacking}", adapter.name);
        Err(gpu_runtime::Error::Limit { what, needed: 64, allowed: 32, unit: "bits" }.into())
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Length of a name or of a number, the sign of its exponent included.
fn word_length(text: &str) -> usize {
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let decimal = number && !text.starts_with("0x");
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let exponent = decimal && before == 'e' && (c == '-' || c == '+');
        if !(is_word(c) || number && c == '.' || exponent) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Whether a word is a number with a fraction or an exponent.
fn is_float(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !word.starts_with("0x") && word.contains(['.', 'e'])
}

#[cfg(test)]
mod tests {
    use super::DeviceReal;

    #[test]
    fn texts_are_spelled_for_f64() {
        let text = "fn f(x: f32, k: u32) -> vec2<f32> {\n    let y = x * 0.5 + 1e-3f - 2.0;\n    return vec2<f32>(y, f32(k + 0x1eu + 12u) + a1.x[2]);\n}\n";
        let expected = "fn f(x: f64, k: u32) -> vec2<f64> {\n    let y = x * 0.5lf + 1e-3lf - 2.0lf;\n    return vec2<f64>(y, f64(k + 0x1eu + 12u) + a1.x[2]);\n}\n";
        assert_eq!(f64::spelled(text), expected);
        assert_eq!(f64::spelled(expected), expected);
        assert_eq!(f32::spelled(text), text);
        assert_eq!([0.1_f64.literal(), (-2.0_f64).literal()], ["1e-1lf", "(-2e0lf)"]);
    }
}
