//! Walks the words of a SPIR-V module, instruction by instruction.

use spirv::Op;

/// Words before the first instruction: magic number, version, generator, bound, schema.
pub(crate) const HEADER_WORDS: usize = 5;

/// Words that are no SPIR-V module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed SPIR-V at word {word} of {words}: {what}")]
pub(crate) struct MalformedSpirv {
    pub(crate) word: usize,
    pub(crate) words: usize,
    pub(crate) what: String,
}

/// One instruction of a module.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction<'a> {
    /// Index of its first word.
    pub(crate) at: usize,
    /// The operation; `None` where the specification this crate knows has none of that number.
    pub(crate) op: Option<Op>,
    /// Words after the first.
    pub(crate) operands: &'a [u32],
    /// Words of the whole module.
    words: usize,
}

impl Instruction<'_> {
    /// Operand `index`.
    pub(crate) fn operand(&self, index: usize) -> Result<u32, MalformedSpirv> {
        self.operands.get(index).copied().ok_or_else(|| MalformedSpirv {
            word: self.at,
            words: self.words,
            what: format!("{:?} has {} operands, needs {}", self.op, self.operands.len(), index + 1),
        })
    }
}

/// The instructions of a module in order.
///
/// # Errors
/// The header is short or has another magic number; an instruction is empty or reaches past the end.
pub(crate) fn instructions(words: &[u32]) -> Result<Vec<Instruction<'_>>, MalformedSpirv> {
    let fault = |word: usize, what: String| MalformedSpirv { word, words: words.len(), what };
    if words.len() < HEADER_WORDS {
        return Err(fault(0, format!("a header needs {HEADER_WORDS} words")));
    }
    if words[0] != spirv::MAGIC_NUMBER {
        return Err(fault(0, format!("magic number is {:#010x}, not {:#010x}", words[0], spirv::MAGIC_NUMBER)));
    }
    let mut list = Vec::new();
    let mut at = HEADER_WORDS;
    while let Some(first) = words.get(at) {
        let count = (first >> 16) as usize;
        if count == 0 {
            return Err(fault(at, "an instruction of no words".to_owned()));
        }
        let Some(operands) = words.get(at + 1..at + count) else {
            return Err(fault(at, format!("an instruction of {count} words reaches past the end")));
        };
        list.push(Instruction { at, op: Op::from_u32(first & 0xffff), operands, words: words.len() });
        at += count;
    }
    Ok(list)
}

/// Appends an instruction.
pub(crate) fn push(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push(((operands.len() as u32 + 1) << 16) | op as u32);
    out.extend_from_slice(operands);
}

/// A literal string: its bytes, a zero, and zeros up to a whole word; the first byte lowest.
pub(crate) fn literal_string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_in_a_zero_byte() {
        assert_eq!(literal_string("abc"), [0x0063_6261]);
        assert_eq!(literal_string("abcd"), [0x6463_6261, 0]);
        assert_eq!(literal_string(""), [0]);
    }

    #[test]
    fn malformed_words_are_named_by_their_index() {
        let header = [spirv::MAGIC_NUMBER, 0x0001_0300, 0, 1, 0];
        assert_eq!(instructions(&header).unwrap().len(), 0);
        assert_eq!(instructions(&header[..3]).unwrap_err().word, 0);
        assert_eq!(instructions(&[0; 5]).unwrap_err().word, 0);
        let with = |tail: &[u32]| instructions(&[&header[..], tail].concat()).map(|list| list.len());
        assert_eq!(with(&[0x0001_0000, 0x0001_0000]), Ok(2));
        assert_eq!(with(&[0x0001_0000, 0]).unwrap_err().word, 6);
        assert_eq!(with(&[0x0001_0000, 0x0003_0000, 1]).unwrap_err().word, 6);
    }
}
