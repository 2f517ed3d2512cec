//! Distances and closest points of listed points.

use gpu_runtime::{Context, DeviceVec};
use rayon::prelude::*;

use super::levels;
use super::params::Params;
use super::program::{self, Output, Source};
use super::surface::DeviceSurface;
use crate::query::Feature;
use crate::{Closest, Error, Sign};

/// Points of one submission: the answers of so many fit into any device's binding.
const CHUNK: usize = 1 << 20;
/// Points of one submission to a software device, to keep within time limits.
const SOFTWARE_CHUNK: usize = 1 << 16;

impl DeviceSurface {
    /// Distance from each point to the surface: the words of [`crate::Surface::distance_cpu`].
    ///
    /// Points are sorted along a Morton curve first, so that a packet holds neighbours; the answers come in the order of
    /// the points.
    ///
    /// # Errors
    /// As [`crate::Surface::distance_cpu`], and [`Error::Device`].
    pub fn distance(&self, points: &[[f64; 3]], sign: Sign, squared: bool) -> Result<Vec<f32>, Error> {
        let mut values = vec![0.0; points.len()];
        self.answer(points, Output::Distance { sign, squared }, |at, words| values[at] = f32::from_bits(words[0]))?;
        Ok(values)
    }

    /// Closest point, triangle, feature and distance for each point: what [`crate::Surface::closest_cpu`] gives.
    ///
    /// # Errors
    /// As [`DeviceSurface::distance`].
    pub fn closest(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<Closest>, Error> {
        let frame = self.frame;
        let mut values = vec![None; points.len()];
        self.answer(points, Output::Closest { sign }, |at, words| {
            let float = |k: usize| f32::from_bits(words[k]);
            values[at] = Some(Closest {
                distance: float(0),
                point: frame.restore([float(5), float(6), float(7)]),
                triangle: words[1],
                uv: [float(3), float(4)],
                feature: Feature::from_kernel(words[2]),
            });
        })?;
        Ok(values.into_iter().flatten().collect())
    }

    fn answer(&self, points: &[[f64; 3]], output: Output, mut take: impl FnMut(usize, &[u32])) -> Result<(), Error> {
        let working: Vec<[f32; 3]> =
            points.par_iter().enumerate().map(|(i, p)| self.frame.point("point", i, p)).collect::<Result<_, _>>()?;
        let order = morton_order(&working);
        let chunk = if self.context().adapter().is_hardware() { CHUNK } else { SOFTWARE_CHUNK };
        for order in order.chunks(chunk) {
            let sorted: Vec<[f32; 3]> = order.iter().map(|&i| working[i as usize]).collect();
            let words = self.answer_chunk(&sorted, output)?;
            for (words, &i) in words.chunks_exact(output.words()).zip(order) {
                take(i as usize, words);
            }
        }
        Ok(())
    }

    fn answer_chunk(&self, sorted: &[[f32; 3]], output: Output) -> Result<Vec<u32>, Error> {
        let context = self.context();
        let count = sorted.len() as u32;
        let points = context.upload("points", sorted)?;
        let mut seeds: DeviceVec<u32> = context.zeroed("seeds", 1)?;
        let levels = levels::of_points(count);
        let mut recording = context.record("point_distance");
        let mut coarser = levels[0];
        for (i, level) in levels.iter().enumerate() {
            let lanes = levels::lanes(level.queries(), widest(context));
            let last = i + 1 == levels.len();
            let kernel = match i {
                0 => program::first(context, Source::Points)?,
                _ => program::packet(context, Source::Points, lanes, last.then_some(output))?,
            };
            let queries = level.counts[0];
            let words = if last { output.words() } else { 1 };
            let results: DeviceVec<u32> = context.zeroed("results", queries as usize * words)?;
            let params = Params {
                counts: level.counts,
                first: [count, 0, 0],
                ratio: level.ratio,
                group_count: if i == 0 { queries } else { queries.div_ceil(64 / lanes) },
                seed_counts: coarser.counts,
                seed_ratio: coarser.ratio,
                ..Params::default()
            };
            self.dispatch(&mut recording, &kernel, params, seeds.bind(), results.bind(), Some(points.bind()))?;
            seeds = results;
            coarser = *level;
        }
        let read = recording.download(&seeds);
        Ok(recording.submit()?.take(read)?)
    }
}

fn widest(context: &Context) -> u32 {
    context.subgroups().map_or(1, |s| s.min_size)
}

/// Indices of the points along a Morton curve through their box, 21 bits an axis. Decides packets, no bits.
fn morton_order(points: &[[f32; 3]]) -> Vec<u32> {
    let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            lo[k] = lo[k].min(p[k]);
            hi[k] = hi[k].max(p[k]);
        }
    }
    let cell = |x: f32, k: usize| {
        let extent = f64::from(hi[k]) - f64::from(lo[k]);
        let t = if extent > 0.0 { (f64::from(x) - f64::from(lo[k])) / extent } else { 0.0 };
        spread((t * 2_097_151.0) as u64)
    };
    let key = |p: &[f32; 3]| cell(p[0], 0) | cell(p[1], 1) << 1 | cell(p[2], 2) << 2;
    let mut keyed: Vec<(u64, u32)> = points.par_iter().enumerate().map(|(i, p)| (key(p), i as u32)).collect();
    keyed.par_sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// The low 21 bits of x, two zeros after each.
fn spread(x: u64) -> u64 {
    let masks =
        [0x1f_0000_0000_ffff, 0x1f_0000_ff00_00ff, 0x100f_00f0_0f00_f00f, 0x10c3_0c30_c30c_30c3, 0x1249_2492_4924_9249];
    masks.into_iter().zip([32, 16, 8, 4, 2]).fold(x & 0x1f_ffff, |x, (mask, shift)| (x | x << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_spreads_bits_and_orders_every_point_once() {
        for bit in 0..21 {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        let points: Vec<[f32; 3]> =
            (0..1000).map(|i| [(i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32]).collect();
        let mut order = morton_order(&points);
        assert_eq!(points[order[0] as usize], [0.0; 3]);
        assert_eq!(points[order[999] as usize], [9.0; 3]);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..1000));
        assert_eq!(morton_order(&[[1.0; 3]; 3]).len(), 3);
    }
}
