//! The narrow band on a device: levels of listed blocks, each compacted to the blocks that stay.

use gpu_runtime::DeviceVec;
use gpu_runtime::primitives::Compact;
use rayon::prelude::*;

use super::band_on::DeviceBand;
use super::band_signs;
use super::levels::{self, Level};
use super::params::Params;
use super::program::{self, Source};
use super::surface::DeviceSurface;
use crate::band::{Band, BandGrid};
use crate::double::Precision;
use crate::query::Progress;
use crate::{Error, Grid, Sign};

/// Blocks of one submission; 64 parts each.
const BATCH: usize = 1 << 17;
const SOFTWARE_BATCH: usize = 1 << 10;

/// Blocks of a level with what goes with them: slots, or the bits of distances at last.
#[derive(Default)]
struct Listed {
    blocks: Vec<u32>,
    values: Vec<u32>,
    /// The upper words of distances of f64.
    upper: Vec<u32>,
}

/// Blocks that stayed, on the device: their indices plus 1, and slots or the bits of distances, of f64 the upper words apart.
pub(super) struct KeptBlocks {
    pub(super) marks: DeviceVec<u32>,
    pub(super) values: DeviceVec<u32>,
    pub(super) upper: Option<DeviceVec<u32>>,
}

impl<R: Precision> DeviceSurface<R> {
    /// The cells within `width` of the surface: what [`crate::Surface::band_cpu`] gives.
    ///
    /// Each level is one dispatch over the blocks that stayed and a compaction; only what stays comes back.
    ///
    /// # Errors
    /// As [`crate::Surface::band_cpu`], and [`Error::Device`].
    pub fn band(&self, grid: &Grid, width: f64, sign: Sign, progress: &Progress<'_>) -> Result<Band<R>, Error> {
        let mut listed = Listed::default();
        for part in self.band_parts(grid, width, sign, progress)? {
            self.read(&part, &mut listed)?;
        }
        let _ = progress(1000, 1000);
        let Listed { blocks, values, upper } = listed;
        let distance = |k: usize| R::of_words(values[k], upper.get(k).copied().unwrap_or(values[k]));
        Ok(Band::sorted(blocks.into_par_iter().enumerate().map(|(k, block)| (block, distance(k))).collect()))
    }

    /// What stays at the last level, in parts.
    fn band_parts(
        &self,
        grid: &Grid,
        width: f64,
        sign: Sign,
        progress: &Progress<'_>,
    ) -> Result<Vec<KeptBlocks>, Error> {
        let band = BandGrid::<R>::new(&self.frame, grid, width)?;
        // Blocks of a band are four of the next level a side, however many triangles there are.
        let levels = levels::of_grid(grid.counts, 0);
        let mut listed = self.coarsest(&band, &levels[0])?;
        let mut kept = Vec::new();
        for (at, pair) in levels.windows(2).enumerate() {
            let batch = if self.context().adapter().is_hardware() { BATCH } else { SOFTWARE_BATCH };
            for first in (0..listed.blocks.len()).step_by(batch) {
                // Levels count as equal parts of the work: how many blocks will stay is not known before.
                let done = (at * listed.blocks.len() + first) * 1000 / (levels.len() * listed.blocks.len());
                if progress(done, 1000).is_break() {
                    return Err(Error::Interrupted { done, total: 1000 });
                }
                let end = listed.blocks.len().min(first + batch);
                let part = (&listed.blocks[first..end], &listed.values[first..end]);
                let stayed = self.refine(&band, pair[0], pair[1], part, sign)?;
                if pair[1].ratio == 1 {
                    band_signs::record(self, &band, &stayed, sign)?;
                }
                kept.push(stayed);
            }
            if at + 2 < levels.len() {
                listed = Listed::default();
                for part in kept.drain(..) {
                    self.read(&part, &mut listed)?;
                }
            }
        }
        Ok(kept)
    }

    /// All blocks of the first level, with the slots near their middles.
    fn coarsest(&self, band: &BandGrid<R>, level: &Level) -> Result<Listed, Error> {
        let context = self.context();
        let count = level.queries() as u32;
        let seeds: DeviceVec<u32> = context.zeroed("seeds", 1)?;
        let slots: DeviceVec<u32> = context.zeroed("slots", count as usize)?;
        let params = Params {
            counts: level.counts,
            ratio: level.ratio,
            group_count: count,
            seed_counts: level.counts,
            seed_ratio: level.ratio,
            ..Params::of_grid(&band.grid)
        };
        let mut recording = context.record("band_first");
        let kernel = program::first::<R>(context, Source::Grid)?;
        self.dispatch(&mut recording, &kernel, params, seeds.bind(), slots.bind(), &[])?;
        let read = recording.download(&slots);
        Ok(Listed { blocks: (0..count).collect(), values: recording.submit()?.take(read)?, ..Listed::default() })
    }

    /// The parts of the listed blocks that stay.
    fn refine(
        &self,
        band: &BandGrid<R>,
        coarse: Level,
        fine: Level,
        (blocks, slots): (&[u32], &[u32]),
        sign: Sign,
    ) -> Result<KeptBlocks, Error> {
        let context = self.context();
        let parts = blocks.len() * 64;
        let last = fine.ratio == 1;
        let kernel = program::band::<R>(context, sign, last)?;
        let block_reach2 = band.block_reach2(fine.ratio);
        let reach2 = if last { crate::answers::reach2(band.limit, self.frame.exponent) } else { block_reach2 };
        let params = Params {
            counts: fine.counts,
            ratio: fine.ratio,
            blocks: [block_reach2.to_bits(), band.limit.words()[0], band.limit.words()[1]],
            reach2,
            group_count: blocks.len() as u32,
            seed_counts: coarse.counts,
            seed_ratio: coarse.ratio,
            ..Params::of_grid(&band.grid)
        };
        let (blocks, slots) = (context.upload("blocks", blocks)?, context.upload("slots", slots)?);
        let buffer = |label| context.zeroed::<u32>(label, parts);
        // Of f64 the upper words behind all lower ones.
        let wide = last && R::WORDS == 2;
        let (values, kept) =
            (context.zeroed::<u32>("band values", if wide { 2 * parts } else { parts })?, buffer("band kept")?);
        let (kept_indices, kept_values) = (buffer("kept indices")?, buffer("kept values")?);
        let upper = if wide { Some((buffer("band upper")?, buffer("kept upper")?)) } else { None };
        let compact = Compact::new(context, parts)?;
        let mut recording = context.record("band");
        let listed = [("blocks", blocks.bind()), ("kept", kept.bind())];
        self.dispatch(&mut recording, &kernel, params, slots.bind(), values.bind(), &listed)?;
        compact.record(&mut recording, &kept, &kept, &kept_indices, parts)?;
        compact.record(&mut recording, &kept, &values, &kept_values, parts)?;
        if let Some((upper, kept_upper)) = &upper {
            recording.copy(&values, parts..2 * parts, upper, 0)?;
            compact.record(&mut recording, &kept, upper, kept_upper, parts)?;
        }
        let count = recording.download(compact.count());
        let count = recording.submit()?.take(count)?[0] as usize;
        // Only what stayed is kept.
        let mut recording = context.record("band_kept");
        let mut only = |label: &'static str, all: &DeviceVec<u32>| {
            let out = context.zeroed::<u32>(label, count)?;
            recording.copy(all, 0..count, &out, 0)?;
            Ok::<_, Error>(out)
        };
        let (marks, values) = (only("band indices", &kept_indices)?, only("band out", &kept_values)?);
        let upper = upper.map(|(_, kept_upper)| only("band upper", &kept_upper)).transpose()?;
        recording.submit()?;
        Ok(KeptBlocks { marks, values, upper })
    }

    /// Reads what stayed back.
    fn read(&self, kept: &KeptBlocks, into: &mut Listed) -> Result<(), Error> {
        let mut recording = self.context().record("band_read");
        let reads = [&kept.marks, &kept.values].map(|buffer| recording.download(buffer));
        let upper = kept.upper.as_ref().map(|buffer| recording.download(buffer));
        let mut done = recording.submit()?;
        let [marks, values] = reads;
        into.blocks.extend(done.take(marks)?.into_iter().map(|mark| mark - 1));
        into.values.extend(done.take(values)?);
        if let Some(upper) = upper {
            into.upper.extend(done.take(upper)?);
        }
        Ok(())
    }
}

impl DeviceSurface {
    /// [`Self::band`] left on the device, block by block: for what goes on there.
    ///
    /// # Errors
    /// As [`Self::band`].
    pub fn band_on(&self, grid: &Grid, width: f64, sign: Sign, progress: &Progress<'_>) -> Result<DeviceBand, Error> {
        let parts = self.band_parts(grid, width, sign, progress)?;
        let _ = progress(1000, 1000);
        DeviceBand::joined(self.context(), grid, &parts)
    }
}
