//! Bits into u32 words, least significant first.

/// A growing bit stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitWriter {
    words: Vec<u32>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Appends the low `n` bits (0 to 32) of a value.
    pub(crate) fn push(&mut self, value: u32, n: u32) {
        let masked = u64::from(value) & ((1 << n) - 1);
        self.pending |= masked << self.count;
        self.count += n;
        if self.count >= 32 {
            self.words.push(self.pending as u32);
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// The words, the last one filled up with zeros.
    pub(crate) fn finish(mut self) -> Vec<u32> {
        if self.count > 0 {
            self.words.push(self.pending as u32);
        }
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::BitWriter;

    #[test]
    fn fields_come_back() {
        let mut writer = BitWriter::default();
        let fields = [(5, 3), (0, 0), (u32::MAX, 32), (1, 1), (0x1234, 16), (77, 13)];
        fields.iter().for_each(|(value, n)| writer.push(*value, *n));
        let words = writer.finish();
        let mut at = 0;
        for (value, n) in fields {
            assert_eq!(gpu_shaders::bit_reader::read_bits(&words, at, n), Some(value));
            at += u64::from(n);
        }
    }
}
