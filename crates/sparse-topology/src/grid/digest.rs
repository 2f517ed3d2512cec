//! A fingerprint of an item's voxels.

use sha2::{Digest, Sha256};

use super::GridBatch;
use crate::Error;
use crate::kernels::leaf::{leaf_slots, voxel_position};

impl GridBatch {
    /// SHA-256, in lower-case hexadecimal, of the item's coordinates in canonical order, each as three little-endian `i32`.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn sha256(&self, item: usize) -> Result<String, Error> {
        let mut hash = Sha256::new();
        let mut bytes = Vec::with_capacity(512 * 12);
        for leaf in self.item_leaves(item)? {
            let origin = self.leaf_position(leaf).map(|n| n << 3);
            bytes.clear();
            for slot in leaf_slots(&self.masks[leaf]) {
                for (o, p) in origin.into_iter().zip(voxel_position(slot)) {
                    bytes.extend_from_slice(&(o | p as i32).to_le_bytes());
                }
            }
            hash.update(&bytes);
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
