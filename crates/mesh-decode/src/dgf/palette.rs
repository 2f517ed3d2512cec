//! Geometry ids and opacity of a block: one payload for all triangles, or a palette.

use crate::bit_writer::BitWriter;
use crate::kernels::dgf_block::index_width;

/// Most payloads of a palette.
const MAX_PAYLOADS: usize = 32;
/// Bits of a payload: a geometry id of 24 bits and the opaque flag.
const PAYLOAD_BITS: u32 = 25;
/// Payloads below this fit the header.
const CONSTANT_LIMIT: u32 = 1 << 10;

/// How the payloads (geometry id << 1 | opaque) of a block's triangles are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Payloads {
    /// One for all, in the header.
    Constant(u32),
    /// Different ones, increasing, that share their upper bits.
    Palette { prefix_bits: u32, payloads: Vec<u32> },
}

impl Payloads {
    /// The form for these payloads; `None` for more than 32 different ones.
    pub(super) fn of(payloads: impl Iterator<Item = u32>) -> Option<Self> {
        let mut all: Vec<u32> = payloads.collect();
        all.sort_unstable();
        all.dedup();
        match all[..] {
            [one] if one < CONSTANT_LIMIT => return Some(Self::Constant(one)),
            _ if all.len() > MAX_PAYLOADS => return None,
            _ => {}
        }
        let differ = all.iter().fold(0, |bits, payload| bits | (payload ^ all[0]));
        // A single payload of 25 bits is a prefix of 25 and a payload of none.
        let prefix_bits = PAYLOAD_BITS - (32 - differ.leading_zeros());
        Some(Self::Palette { prefix_bits, payloads: all })
    }

    /// Bits of the palette section for this many triangles, padded to a byte.
    pub(super) fn section_bits(&self, triangles: u32) -> u32 {
        let Self::Palette { prefix_bits, payloads } = self else { return 0 };
        let count = payloads.len() as u32;
        (prefix_bits + triangles * index_width(count) + count * (PAYLOAD_BITS - prefix_bits) + 7) & !7
    }

    /// The ten bits of the header, and whether there is a palette.
    pub(super) fn header(&self) -> (u32, bool) {
        match self {
            Self::Constant(payload) => (*payload, false),
            Self::Palette { prefix_bits, payloads } => ((payloads.len() as u32 - 1) << 5 | prefix_bits, true),
        }
    }

    /// Writes the palette section for the payloads of the triangles, in order.
    pub(super) fn write(&self, out: &mut BitWriter, triangles: impl ExactSizeIterator<Item = u32>) {
        let Self::Palette { prefix_bits, payloads } = self else { return };
        let width = PAYLOAD_BITS - prefix_bits;
        let index_bits = index_width(payloads.len() as u32);
        let section = self.section_bits(triangles.len() as u32);
        let mut written = prefix_bits + payloads.len() as u32 * width;
        let prefix = payloads.first().map_or(0, |payload| payload >> width);
        out.push(prefix, *prefix_bits);
        for payload in triangles {
            // Every payload of a triangle is in its palette.
            out.push(payloads.partition_point(|known| *known < payload) as u32, index_bits);
            written += index_bits;
        }
        payloads.iter().for_each(|payload| out.push(payload & ((1 << width) - 1), width));
        out.push(0, section - written);
    }
}

#[cfg(test)]
mod tests {
    use super::Payloads;

    #[test]
    fn the_form_is_the_smallest() {
        let of = |payloads: &[u32]| Payloads::of(payloads.iter().copied());
        assert_eq!(of(&[601, 601]), Some(Payloads::Constant(601)));
        assert_eq!(of(&[1023]), Some(Payloads::Constant(1023)));
        let palette =
            |prefix_bits, payloads: &[u32]| Some(Payloads::Palette { prefix_bits, payloads: payloads.to_vec() });
        // An id of 512 and more needs a palette, of one payload that is all prefix.
        assert_eq!(of(&[1024]), palette(25, &[1024]));
        assert_eq!(of(&[6, 4, 6]), palette(23, &[4, 6]));
        assert_eq!(of(&[0, (1 << 25) - 1]), palette(0, &[0, (1 << 25) - 1]));
        let many: Vec<u32> = (0..33).collect();
        assert_eq!(of(&many), None);
        assert!(of(&many[..32]).is_some());
    }

    #[test]
    fn sections_are_padded_to_bytes() {
        let two = Payloads::of([4, 6].into_iter());
        // 23 bits of prefix, an index bit a triangle, two payloads of two bits.
        assert_eq!(two.map(|p| (p.section_bits(5), p.section_bits(6))), Some((32, 40)));
        assert_eq!(Payloads::of([9].into_iter()).map(|p| p.section_bits(64)), Some(0));
    }
}
