//! Words, sentences and numbers, cut where they are long.

/// Characters of a word that are kept whole, and how many of a longer one.
const TOKEN: [usize; 2] = [60, 40];
/// The same of a sentence.
const SENTENCE: [usize; 2] = [300, 260];

/// A word of an input for a message: as it is up to 60 characters, else its first 40 and their number. Control characters are escaped.
///
/// ```
/// assert_eq!(input_text::token("1.5x"), "1.5x");
/// assert_eq!(input_text::token(&"9".repeat(100)), format!("{}... (100 characters)", "9".repeat(40)));
/// ```
pub fn token(text: &str) -> String {
    cut(text, TOKEN)
}

/// The message of another library, which may repeat what stands in a file: as [`token`], up to 300 characters.
pub fn sentence(text: &str) -> String {
    cut(text, SENTENCE)
}

fn cut(text: &str, [most, kept]: [usize; 2]) -> String {
    // A long text is not gone through for more than its length.
    let short = text.char_indices().nth(most).is_none();
    let shown = if short { text } else { text.char_indices().nth(kept).map_or(text, |(end, _)| &text[..end]) };
    let mut out = String::with_capacity(shown.len() + 32);
    for c in shown.chars() {
        match c {
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    if !short {
        out += &format!("... ({} characters)", text.chars().count());
    }
    out
}

/// The shortest decimal text that reads back to the same 64-bit float, but for the sign of zero; a power of ten where it would be long.
///
/// ```
/// assert_eq!([2.0, 0.1, 1e300, -1e-40].map(input_text::number), ["2", "0.1", "1e300", "-1e-40"]);
/// ```
pub fn number(value: f64) -> String {
    let text = format!("{:?}", value + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{number, sentence, token};

    #[test]
    fn numbers_are_short_and_read_back() {
        let texts = [-0.0, 1.0, 0.1, -2.5, 1e-40, 1e300, f64::INFINITY, f64::MAX].map(number);
        assert_eq!(texts, ["0", "1", "0.1", "-2.5", "1e-40", "1e300", "inf", "1.7976931348623157e308"]);
        for value in [f64::MIN_POSITIVE, 1.0 / 3.0, 5e-324, 123_456_789.125] {
            assert_eq!(number(value).parse::<f64>(), Ok(value));
        }
    }

    #[test]
    fn long_words_are_cut_between_characters_and_control_characters_escaped() {
        let word = "\u{e9}".repeat(61);
        assert_eq!(token(&word), format!("{}... (61 characters)", "\u{e9}".repeat(40)));
        assert_eq!(token(&word[2..]), word[2..], "60 stay");
        assert_eq!(token("a\0\x1b[31m\n"), "a\\u{0}\\u{1b}[31m\\n");
        assert_eq!(sentence(&word), word);
        assert!(sentence(&word.repeat(10)).ends_with("... (610 characters)"));
    }
}
