//! Levels of a query, coarsest first: pure planning, no device.

/// Most queries of the first level: each takes a workgroup of its own.
const FIRST_LEVEL: u64 = 4096;

/// One level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// Finest cells that one query stands for, along each axis (grids) or along the list (points).
    pub(super) ratio: u32,
    /// Queries along each axis.
    pub(super) counts: [u32; 3],
}

impl Level {
    pub(super) fn queries(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).product()
    }
}

/// Levels of a grid of `counts` cells: ratio 1 last, each ratio four times the next, the first small enough.
pub(super) fn of_grid(counts: [u32; 3]) -> Vec<Level> {
    of(4, |ratio| counts.map(|n| n.div_ceil(ratio)))
}

/// Levels of a list of `count` points.
pub(super) fn of_points(count: u32) -> Vec<Level> {
    of(64, |ratio| [count.div_ceil(ratio), 1, 1])
}

fn of(step: u32, counts: impl Fn(u32) -> [u32; 3]) -> Vec<Level> {
    let level = |ratio| Level { ratio, counts: counts(ratio) };
    let mut levels = vec![level(1), level(step)];
    while let Some(last) = levels.last().filter(|l| l.queries() > FIRST_LEVEL) {
        let ratio = last.ratio.saturating_mul(step);
        levels.push(level(ratio));
    }
    levels.reverse();
    levels
}

/// Lanes that share one query. Few queries cannot fill a device with one lane each; many run best so.
///
/// Measured on an H200 (`docs/perf-notes.md`); `widest` is the smallest subgroup of the device.
pub(super) fn lanes(queries: u64, widest: u32) -> u32 {
    let wanted: u32 = match queries {
        0..=150_000 => 8,
        150_001..=500_000 => 4,
        _ => 1,
    };
    wanted.min(widest)
}

/// Cells of a packet of `64 / lanes` queries along each axis; `block_size` of grid_queries.wgsl.
pub(super) fn block_size(lanes: u32) -> [u32; 3] {
    match lanes {
        1 => [4, 4, 4],
        2 => [4, 4, 2],
        4 => [4, 2, 2],
        _ => [2, 2, 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(levels: &[Level]) -> Vec<u32> {
        levels.iter().map(|l| l.ratio).collect()
    }

    #[test]
    fn the_first_level_is_small_and_the_last_is_the_grid() {
        assert_eq!(ratios(&of_grid([256; 3])), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([128; 3])), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([64; 3])), [4, 1]);
        assert_eq!(ratios(&of_grid([1; 3])), [4, 1]);
        assert_eq!(ratios(&of_points(1)), [64, 1]);
        assert_eq!(ratios(&of_points(300_000)), [4096, 64, 1]);
        for counts in [[1, 1, 1], [5, 7, 1000], [1 << 23, 1, 1], [1 << 23, 3, 2]] {
            let levels = of_grid(counts);
            assert!(levels[0].queries() <= FIRST_LEVEL);
            assert_eq!(levels.last().unwrap().counts, counts);
            for pair in levels.windows(2) {
                assert_eq!(pair[0].ratio, 4 * pair[1].ratio);
            }
        }
        assert_eq!(of_points(u32::MAX).last().unwrap().counts, [u32::MAX, 1, 1]);
    }

    #[test]
    fn a_packet_fills_a_workgroup() {
        for lanes in [1, 2, 4, 8] {
            assert_eq!(block_size(lanes).iter().product::<u32>() * lanes, 64);
        }
        assert_eq!([lanes(32_768, 32), lanes(262_144, 32), lanes(16_777_216, 32), lanes(1, 4)], [8, 4, 1, 4]);
    }
}
