//! Checksums of a grid: CRC-32 of its header, and of blocks of the rest.

use flate2::Crc;

use super::layout::ROOT_AT;
use super::{Checksum, bytes::put};

/// No checksum.
pub(super) const NOTHING: u32 = u32::MAX;
/// Block of the rest.
const BLOCK: usize = 4096;

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Over the grid's and the tree's data without magic and checksum.
pub(super) fn head(grid: &[u8]) -> u32 {
    crc(&grid[16..ROOT_AT as usize])
}

/// Over the rest: the CRC of the CRCs of blocks of 4,096 bytes, of which the last takes the remainder; 0 when there is less than one block.
pub(super) fn tail(grid: &[u8]) -> u32 {
    let rest = &grid[ROOT_AT as usize..];
    let blocks = rest.len() / BLOCK;
    let mut sums = Vec::with_capacity(blocks * 4);
    for i in 0..blocks {
        let end = if i + 1 == blocks { rest.len() } else { (i + 1) * BLOCK };
        sums.extend_from_slice(&crc(&rest[i * BLOCK..end]).to_le_bytes());
    }
    crc(&sums)
}

/// Writes the checksum of a finished grid.
pub(super) fn seal(grid: &mut [u8], checksum: Checksum) {
    let head = if checksum == Checksum::None { NOTHING } else { head(grid) };
    let tail = if checksum == Checksum::Full { tail(grid) } else { NOTHING };
    put(grid, 8, &head.to_le_bytes());
    put(grid, 12, &tail.to_le_bytes());
}
