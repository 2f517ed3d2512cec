//! Levels of a query, coarsest first: pure planning, no device.

use super::program::Lanes;

/// Most queries of the first level: each takes a workgroup of its own.
const FIRST_LEVEL: u64 = 4096;
/// The same where seeds are far between (see [`CROWDED`]): what the first level costs more, the next one saves.
const FIRST_CROWDED: u64 = 16_384;

/// Triangles a seed from which on a seed bounds its queries' distances so badly that they look at hundreds of nodes: seeds come closer together, and
/// queries look for one of their own. Measured on an H200 (`docs/perf-notes.md`), as the next one; both decide no bit.
const CROWDED: f64 = 800.0;
/// The same from which on a query's lanes are better spent on it than on its neighbours, which look elsewhere.
const SHARED: f64 = 500.0;

/// One level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    /// Finest cells that one query stands for, along each axis (grids) or along the list (points).
    pub(super) ratio: u32,
    /// Queries along each axis.
    pub(super) counts: [u32; 3],
    /// Triangles a seed, as on a face of the cell that a seed stands for; 0 at the first level, which has no seeds.
    crowding: f64,
}

impl Level {
    pub(super) fn queries(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).product()
    }

    /// Lanes that share one query, and whether they look for a second seed. Few queries cannot fill a device with one lane each; many run best so,
    /// unless each has far to look.
    ///
    /// `widest` is the smallest subgroup of the device.
    pub(super) fn lanes(&self, widest: u32) -> Lanes {
        let wanted: u32 = match self.queries() {
            0..=150_000 => 8,
            150_001..=500_000 => 4,
            _ if self.crowding > SHARED => 4,
            _ => 1,
        };
        let count = wanted.min(widest);
        Lanes { count, descend: count > 1 && self.crowding > CROWDED }
    }
}

/// How queries lie: how far apart a coarse level's are, and how much they have in common.
struct Layout {
    /// Queries of a level for one of the next, along each axis; the second where seeds would be crowded.
    steps: [u32; 2],
    /// Weight of the crowding: neighbours of a list are farther apart than those of a grid.
    apart: f64,
}

/// Levels of a grid of `counts` cells round so many triangles: ratio 1 last, each ratio four times the next, or twice where seeds would lie many
/// triangles apart, the first small enough.
pub(super) fn of_grid(counts: [u32; 3], triangles: usize) -> Vec<Level> {
    of(&Layout { steps: [4, 2], apart: 1.0 }, |ratio| counts.map(|n| n.div_ceil(ratio)), triangles)
}

/// Levels of a list of `count` points.
pub(super) fn of_points(count: u32, triangles: usize) -> Vec<Level> {
    of(&Layout { steps: [64, 16], apart: 4.0 }, |ratio| [count.div_ceil(ratio), 1, 1], triangles)
}

fn of(layout: &Layout, counts: impl Fn(u32) -> [u32; 3], triangles: usize) -> Vec<Level> {
    let level = |ratio| Level { ratio, counts: counts(ratio), crowding: 0.0 };
    let crowding = |seeds: &Level| layout.apart * triangles as f64 / (seeds.queries() as f64).powf(2.0 / 3.0);
    let mut levels = vec![level(1)];
    let mut most = 0;
    while let Some(last) = levels.last_mut().filter(|l| l.queries() > most) {
        let coarser = |step| level(last.ratio.saturating_mul(step));
        let crowded = crowding(&coarser(layout.steps[0])) > CROWDED;
        let next = coarser(layout.steps[usize::from(crowded)]);
        last.crowding = crowding(&next);
        most = if crowded { FIRST_CROWDED } else { FIRST_LEVEL };
        levels.push(next);
    }
    levels.reverse();
    levels
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
        assert_eq!(ratios(&of_grid([256; 3], 30_000)), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([128; 3], 30_000)), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([64; 3], 30_000)), [4, 1]);
        assert_eq!(ratios(&of_grid([1; 3], 12)), [4, 1]);
        assert_eq!(ratios(&of_points(1, 12)), [64, 1]);
        assert_eq!(ratios(&of_points(300_000, 30_000)), [1024, 64, 1]);
        for counts in [[1, 1, 1], [5, 7, 1000], [1 << 23, 1, 1], [1 << 23, 3, 2]] {
            let levels = of_grid(counts, 12);
            assert!(levels[0].queries() <= FIRST_LEVEL);
            assert_eq!(levels.last().unwrap().counts, counts);
            for pair in levels.windows(2) {
                assert_eq!(pair[0].ratio, 4 * pair[1].ratio);
            }
        }
        assert_eq!(of_points(u32::MAX, 12).last().unwrap().counts, [u32::MAX, 1, 1]);
    }

    #[test]
    fn many_triangles_a_cell_make_levels_finer() {
        let of = |n, triangles| of_grid([n; 3], triangles);
        assert_eq!(ratios(&of(32, 1_000_000)), [2, 1]);
        assert_eq!(ratios(&of(48, 1_000_000)), [2, 1]);
        assert_eq!(ratios(&of(128, 1_000_000)), [8, 4, 2, 1]);
        assert_eq!(ratios(&of(256, 1_000_000)), [16, 8, 4, 1]);
        assert_eq!(ratios(&of_points(1_000_000, 1_000_000)), [256, 16, 1]);
        let lanes = |levels: Vec<Level>| {
            levels.iter().skip(1).map(|l| l.lanes(32)).map(|l| (l.count, l.descend)).collect::<Vec<_>>()
        };
        assert_eq!(lanes(of(128, 1_000_000)), [(8, true), (4, true), (1, false)]);
        assert_eq!(lanes(of(256, 30_000)), [(4, false), (1, false)]);
        assert_eq!(of(128, 1_000_000)[1].lanes(1), Lanes { count: 1, descend: false });
        for triangles in [100_000, 10_000_000, 1 << 31] {
            for counts in [[1, 1, 1], [5, 7, 1000], [300, 200, 100], [1 << 12; 3]] {
                let levels = of_grid(counts, triangles);
                assert!(levels.len() < 20 && levels[0].queries() <= FIRST_CROWDED, "{counts:?} {triangles}");
                assert!(levels.windows(2).all(|pair| [2, 4].contains(&(pair[0].ratio / pair[1].ratio))));
                assert_eq!(levels.last().unwrap().counts, counts);
            }
        }
    }

    #[test]
    fn a_packet_fills_a_workgroup() {
        for lanes in [1, 2, 4, 8] {
            assert_eq!(block_size(lanes).iter().product::<u32>() * lanes, 64);
        }
        let lanes = |n, widest| of_grid([n; 3], 12).last().unwrap().lanes(widest).count;
        assert_eq!([lanes(32, 32), lanes(64, 32), lanes(256, 32), lanes(1, 4)], [8, 4, 1, 4]);
    }
}
