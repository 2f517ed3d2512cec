//! A relation as the device reads it.

use crate::Error;
use crate::ops::{AxisRelation, Relation};

/// Words of a table entry.
pub(crate) const ENTRY_WORDS: usize = 8;
/// Most entries of an axis.
const MAX_ENTRIES: i64 = 1 << 16;

/// How leaves are related along an axis: for every difference d = fine leaf - step * coarse leaf, how their voxels are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AxisTable {
    pub(crate) step: i64,
    /// The least difference.
    pub(crate) first: i64,
    /// Number of differences.
    pub(crate) entries: i64,
    /// By entry: the map (2 words, byte p has the destinations of source position p), its transpose (2 words), the source positions with a destination.
    pub(crate) words: Vec<u32>,
}

impl AxisTable {
    /// # Errors
    /// [`Error::TooMany`] when the step and window reach over more than 65,536 leaves.
    fn new(relation: &AxisRelation) -> Result<Self, Error> {
        let (first, entries) = span(relation)?;
        let [step, ..] = relation.window();
        let mut words = Vec::with_capacity(entries as usize * ENTRY_WORDS);
        for d in first..first + entries {
            let entry = if relation.is_up() { relation.entry(0, 8 * d) } else { relation.entry(8 * d, 0) };
            let mut transpose = [0_u8; 8];
            for (p, map) in entry.map.iter().enumerate() {
                for (q, sources) in transpose.iter_mut().enumerate() {
                    *sources |= ((map >> q) & 1) << p;
                }
            }
            let two = |b: [u8; 8]| [[b[0], b[1], b[2], b[3]], [b[4], b[5], b[6], b[7]]].map(u32::from_le_bytes);
            let ([m0, m1], [t0, t1]) = (two(entry.map), two(transpose));
            words.extend([m0, m1, t0, t1, entry.sources, 0, 0, 0]);
        }
        Ok(Self { step, first, entries, words })
    }

    /// Most fine leaves that a coarse leaf is related to, or coarse leaves that a fine one is.
    pub(crate) fn reach(&self, expand: bool) -> u64 {
        reach(self.entries, self.step, expand)
    }
}

fn reach(entries: i64, step: i64, expand: bool) -> u64 {
    if expand { entries as u64 } else { (entries as u64).div_ceil(step as u64) }
}

/// The least difference and the number of differences.
///
/// # Errors
/// [`Error::TooMany`] when the step and window reach over more than 65,536 leaves.
fn span(relation: &AxisRelation) -> Result<(i64, i64), Error> {
    let [step, before, after] = relation.window();
    let (first, last) = ((-before).div_euclid(8), (7 * step + after).div_euclid(8));
    let entries = last - first + 1;
    if entries > MAX_ENTRIES {
        return Err(Error::TooMany {
            what: "leaves along an axis in the reach of a factor, kernel or stencil on a device (the CPU takes any)",
            needed: entries as u64,
            allowed: MAX_ENTRIES as u64,
        });
    }
    Ok((first, entries))
}

/// Most leaves that a leaf is related to.
pub(crate) fn related(relation: &Relation, expand: bool) -> Result<u64, Error> {
    relation.iter().try_fold(1, |product: u64, axis| {
        let (_, entries) = span(axis)?;
        Ok(product.saturating_mul(reach(entries, axis.window()[0], expand)))
    })
}

/// The tables of x, y and z.
pub(crate) type AxisTables = [AxisTable; 3];

/// The tables of a relation.
pub(crate) fn tables(relation: &Relation) -> Result<AxisTables, Error> {
    let [x, y, z] = relation;
    let first = AxisTable::new(x)?;
    let second = if y == x { first.clone() } else { AxisTable::new(y)? };
    let third = if z == x { first.clone() } else { AxisTable::new(z)? };
    Ok([first, second, third])
}

/// Related leaves above which a relation goes axis by axis: a product of relations is the same as one after the other.
const MOST_RELATED: u64 = 64;

/// The relation itself, or three that go one after the other.
pub(crate) fn split(relation: &Relation) -> Result<Vec<Relation>, Error> {
    if related(relation, true)?.max(related(relation, false)?) <= MOST_RELATED {
        return Ok(vec![*relation]);
    }
    let identity = relation.map(|axis| axis.identity_like());
    let one = |k: usize| {
        let mut alone = identity;
        alone[k] = relation[k];
        alone
    };
    // Finer results last, coarser ones first: z is the axis along which masks are densest, so the order matters little.
    Ok((0..3).filter(|&k| relation[k] != identity[k]).map(one).collect())
}
