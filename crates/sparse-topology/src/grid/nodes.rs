//! The two inner levels: child masks with ranks.

/// Words of an upper node's child mask (32^3 lower nodes).
const UPPER_WORDS: usize = 1024;
/// Words of a lower node's child mask (16^3 leaves).
const LOWER_WORDS: usize = 128;

/// The inner nodes of a batch. A child's index is the rank of its bit: the number of children before the word plus the set bits before it, so no child tables are stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nodes {
    upper: Vec<[u32; 2]>,
    lower_keys: Vec<u64>,
    lower: Vec<[u32; 2]>,
    leaves: usize,
}

impl Nodes {
    /// The nodes over sorted leaf keys (tile << 32 | upper slot << 12 | lower slot) of `tiles` tiles.
    pub(crate) fn over(tiles: usize, leaf_keys: &[u64]) -> Self {
        // [1] lower nodes: one for every distinct key without the lower slot
        let mut lower_keys: Vec<u64> = leaf_keys.iter().map(|key| key >> 12).collect();
        lower_keys.dedup();
        // [2] their child masks
        let mut lower = vec![[0; 2]; lower_keys.len() * LOWER_WORDS];
        let mut node = 0;
        for &key in leaf_keys {
            if key >> 12 != lower_keys[node] {
                node += 1;
            }
            let slot = key as u32 & 4095;
            lower[node * LOWER_WORDS + (slot >> 5) as usize][0] |= 1 << (slot & 31);
        }
        // [3] the child masks of the upper nodes; a lower key is tile << 20 | upper slot, the field above the slot's 15 bits is zero
        let mut upper = vec![[0; 2]; tiles * UPPER_WORDS];
        for key in &mut lower_keys {
            let (tile, slot) = ((*key >> 20) as usize, *key as u32 & 0x7fff);
            upper[tile * UPPER_WORDS + (slot >> 5) as usize][0] |= 1 << (slot & 31);
            *key = ((tile as u64) << 32) | u64::from(slot);
        }
        // [4] ranks
        rank(&mut upper);
        rank(&mut lower);
        Self { upper, lower_keys, lower, leaves: leaf_keys.len() }
    }

    /// Nodes whose words are known already.
    #[cfg(feature = "gpu")]
    pub(crate) fn of_words(upper: Vec<[u32; 2]>, lower_keys: Vec<u64>, lower: Vec<[u32; 2]>, leaves: usize) -> Self {
        Self { upper, lower_keys, lower, leaves }
    }

    /// The 1,024 words of every tile's child mask, each with the number of lower nodes before it.
    pub fn upper(&self) -> &[[u32; 2]] {
        &self.upper
    }

    /// Keys of the lower nodes, ascending: tile `<< 32`, upper slot (15 bits).
    pub fn lower_keys(&self) -> &[u64] {
        &self.lower_keys
    }

    /// The 128 words of every lower node's child mask, each with the number of leaves before it.
    pub fn lower(&self) -> &[[u32; 2]] {
        &self.lower
    }

    /// Number of lower nodes.
    pub fn lower_nodes(&self) -> usize {
        self.lower_keys.len()
    }

    /// Number of lower nodes before a tile.
    pub(crate) fn first_lower(&self, tile: usize) -> usize {
        self.upper.get(tile * UPPER_WORDS).map_or(self.lower_nodes(), |word| word[1] as usize)
    }

    /// Leaves of a lower node.
    pub(crate) fn leaves(&self, lower: usize) -> std::ops::Range<usize> {
        let first = |node: usize| self.lower.get(node * LOWER_WORDS).map_or(self.leaves, |word| word[1] as usize);
        first(lower)..first(lower + 1)
    }

    /// The leaf of a tile's 27-bit slots.
    pub(crate) fn find_leaf(&self, tile: usize, slots: u32) -> Option<usize> {
        let lower = ranked(&self.upper[tile * UPPER_WORDS..], slots >> 12)?;
        ranked(&self.lower[lower * LOWER_WORDS..], slots & 4095)
    }
}

/// Writes into each word's second half the number of set bits before it.
fn rank(words: &mut [[u32; 2]]) {
    let mut total = 0;
    for word in words {
        word[1] = total;
        total += word[0].count_ones();
    }
}

/// Rank of a set bit; `None` when it is not set.
fn ranked(words: &[[u32; 2]], slot: u32) -> Option<usize> {
    let [word, before] = words[(slot >> 5) as usize];
    let bit = 1 << (slot & 31);
    (word & bit != 0).then(|| (before + (word & (bit - 1)).count_ones()) as usize)
}
