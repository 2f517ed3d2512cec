//! Levels of a query, coarsest first: pure planning, no device.

/// Most queries of the first level: each takes a workgroup of its own.
const FIRST_LEVEL: u64 = 4096;
/// The same where seeds are far between (see [`crowded`]): what the first level costs more, the next one saves.
const FIRST_CROWDED: u64 = 16_384;

/// One level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// Finest cells that one query stands for, along each axis (grids) or along the list (points).
    pub(super) ratio: u32,
    /// Queries along each axis.
    pub(super) counts: [u32; 3],
    /// Whether its queries go down the tree to a second seed of their own before they walk.
    pub(super) descends: bool,
}

impl Level {
    pub(super) fn queries(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).product()
    }
}

/// Whether seeds, one a query of the coarser level, lie many triangles apart: a seed then bounds its cells' distances so badly that they
/// look at hundreds of nodes.
///
/// `triangles` over the square of the seeds along an axis, the triangles on a face of a coarse cell; the limit was measured on an H200
/// (`docs/perf-notes.md`). It decides no bit.
fn crowded(triangles: usize, seeds: u64) -> bool {
    triangles as f64 > 2000.0 * (seeds as f64).powf(2.0 / 3.0)
}

/// Levels of a grid of `counts` cells round so many triangles: ratio 1 last, each ratio four times the next, or twice where seeds would lie many
/// triangles apart, the first small enough.
pub(super) fn of_grid(counts: [u32; 3], triangles: usize) -> Vec<Level> {
    of([4, 2], |ratio| counts.map(|n| n.div_ceil(ratio)), triangles)
}

/// Levels of a list of `count` points.
pub(super) fn of_points(count: u32) -> Vec<Level> {
    of([64; 2], |ratio| [count.div_ceil(ratio), 1, 1], 0)
}

fn of([step, small_step]: [u32; 2], counts: impl Fn(u32) -> [u32; 3], triangles: usize) -> Vec<Level> {
    let level = |ratio| Level { ratio, counts: counts(ratio), descends: false };
    let mut levels = vec![level(1)];
    let mut most = 0;
    while let Some(last) = levels.last_mut().filter(|l| l.queries() > most) {
        let coarser = |step| level(last.ratio.saturating_mul(step));
        let far = crowded(triangles, coarser(step).queries());
        let next = coarser(if far { small_step } else { step });
        last.descends = crowded(triangles, next.queries());
        most = if far { FIRST_CROWDED } else { FIRST_LEVEL };
        levels.push(next);
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
        assert_eq!(ratios(&of_grid([256; 3], 30_000)), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([128; 3], 30_000)), [16, 4, 1]);
        assert_eq!(ratios(&of_grid([64; 3], 30_000)), [4, 1]);
        assert_eq!(ratios(&of_grid([1; 3], 12)), [4, 1]);
        assert_eq!(ratios(&of_points(1)), [64, 1]);
        assert_eq!(ratios(&of_points(300_000)), [4096, 64, 1]);
        for counts in [[1, 1, 1], [5, 7, 1000], [1 << 23, 1, 1], [1 << 23, 3, 2]] {
            let levels = of_grid(counts, 12);
            assert!(levels[0].queries() <= FIRST_LEVEL);
            assert_eq!(levels.last().unwrap().counts, counts);
            for pair in levels.windows(2) {
                assert_eq!(pair[0].ratio, 4 * pair[1].ratio);
            }
        }
        assert_eq!(of_points(u32::MAX).last().unwrap().counts, [u32::MAX, 1, 1]);
    }

    #[test]
    fn many_triangles_a_cell_make_levels_finer() {
        let of = |n, triangles| of_grid([n; 3], triangles);
        assert_eq!(ratios(&of(32, 1_000_000)), [2, 1]);
        assert_eq!(ratios(&of(48, 1_000_000)), [2, 1]);
        assert_eq!(ratios(&of(128, 1_000_000)), [8, 4, 1]);
        assert_eq!(ratios(&of(256, 1_000_000)), [16, 8, 4, 1]);
        let descends = |levels: Vec<Level>| levels.iter().map(|l| l.descends).collect::<Vec<_>>();
        assert_eq!(descends(of(128, 1_000_000)), [false, true, false]);
        assert_eq!(descends(of(256, 30_000)), [false; 3]);
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
        assert_eq!([lanes(32_768, 32), lanes(262_144, 32), lanes(16_777_216, 32), lanes(1, 4)], [8, 4, 1, 4]);
    }
}
