//! The search for listed points: sorted along a Morton curve, level by level, in packets of neighbours.

use gpu_runtime::primitives::{Pairs, RadixSort};
use gpu_runtime::{Context, DeviceVec, Kernel, Recording};
use gpu_shaders::folded_grid;
use rayon::prelude::*;

use super::levels::{self, Level};
use super::morton::{self, KeyParams};
use super::params::Params;
use super::program::{self, Output, Reach, Source};
use super::signs::{Piece, Place, SignQuery};
use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::kernels::Vec3;
use crate::{Error, Sign};

/// Who puts the points into the order of a Morton curve. The order decides packets, no bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The host, before the upload.
    Host,
    /// The device: keys, then a radix sort.
    Device,
}

/// Kernels and buffers for one number of points, made once.
#[derive(Debug)]
pub(super) struct PointSearch<R: Precision> {
    count: u32,
    levels: Vec<(Level, u32, Kernel)>,
    /// Three words a point, then the squared reaches where each has its own.
    points: DeviceVec<R>,
    order: DeviceVec<u32>,
    sort: Option<DeviceSort>,
    seeds: [DeviceVec<u32>; 2],
    results: DeviceVec<u32>,
    /// Squared distance beyond which nothing is looked for, unless each point has its own.
    reach2: f32,
    /// A sign that is made after the distances, and what is written.
    signs: Option<(SignQuery, Output)>,
}

#[derive(Debug)]
struct DeviceSort {
    keys_kernel: Kernel,
    params: KeyParams,
    radix: RadixSort,
    keys: DeviceVec<u32>,
    indices: DeviceVec<u32>,
    sorted_keys: DeviceVec<u32>,
}

impl<R: Precision> PointSearch<R> {
    /// Uploads the points (working coordinates, at least one) and prepares what the last level writes: `output`, or the slots that won.
    ///
    /// `reaches` are the squared distances beyond which nothing is looked for: none, one for all points, or one each.
    pub(super) fn new(
        surface: &DeviceSurface<R>,
        points: &[Vec3<R>],
        output: Option<Output>,
        order: Order,
        reaches: &[f32],
    ) -> Result<PointSearch<R>, Error> {
        let context = surface.context();
        let count = points.len() as u32;
        let widest = context.subgroups().map_or(1, |s| s.min_size);
        let all = levels::of_points(count, surface.triangles());
        let last = all.len() - 1;
        let (reach, each) = match reaches.len() {
            0 => (Reach::None, reaches),
            1 => (Reach::All, &[][..]),
            _ => (Reach::Each, reaches),
        };
        let kernel = |(i, level): (usize, Level)| {
            let lanes = level.lanes(widest);
            let kernel = match i {
                0 => program::first::<R>(context, Source::Points)?,
                _ if i == last => program::packet::<R>(context, Source::Points, lanes, output, reach)?,
                _ => program::packet::<R>(context, Source::Points, lanes, None, Reach::None)?,
            };
            Ok((level, lanes.count, kernel))
        };
        let levels: Vec<_> = all.into_iter().enumerate().map(kernel).collect::<Result<_, Error>>()?;
        let coarse = |skip: usize| levels.iter().rev().skip(skip).step_by(2).map(|l| l.0.queries() as usize).max();
        let seeds = |skip| context.zeroed("seeds", coarse(skip).unwrap_or(1));
        let uploaded = if each.is_empty() {
            context.upload("points", points.as_flattened())?
        } else {
            let each = each.iter().map(|&reach2| R::from_f64(f64::from(reach2)));
            context.upload("points", &points.as_flattened().iter().copied().chain(each).collect::<Vec<R>>())?
        };
        let words = output.map_or(1, Output::words::<R>);
        // The order decides no bit.
        let rounded: Vec<Vec3> = points.par_iter().map(|p| p.map(R::to_f32)).collect();
        let (sort, order) = match order {
            Order::Host => (None, context.upload("order", &morton::order(&rounded))?),
            Order::Device => (Some(DeviceSort::new::<R>(context, &rounded)?), context.zeroed("order", points.len())?),
        };
        let sign = output.map_or(Sign::None, |output| output.sign().0);
        let signs = SignQuery::new(surface, sign, Source::Points, [count, 1, 1])?;
        Ok(PointSearch {
            count,
            signs: signs.zip(output),
            points: uploaded,
            order,
            sort,
            seeds: [seeds(1)?, seeds(2)?],
            results: context.zeroed("results", points.len() * words)?,
            reach2: reaches.first().copied().unwrap_or(f32::MAX),
            levels,
        })
    }

    /// Records the search; [`PointSearch::results`] holds the words afterwards, in the order of the points.
    pub(super) fn record(&self, surface: &DeviceSurface<R>, recording: &mut Recording) -> Result<(), Error> {
        if let Some(sort) = &self.sort {
            sort.record(recording, &self.points, &self.order)?;
        }
        let mut coarser = self.levels[0].0;
        for (i, (level, lanes, kernel)) in self.levels.iter().enumerate() {
            let turn = (self.levels.len() - 1 - i) % 2;
            let (written, read) = (&self.seeds[1 - turn], &self.seeds[turn]);
            let results = if i + 1 == self.levels.len() { self.results.bind() } else { written.bind() };
            let queries = level.counts[0];
            let params = Params {
                counts: level.counts,
                first: [self.count, 0, 0],
                ratio: level.ratio,
                group_count: if i == 0 { queries } else { queries.div_ceil(64 / lanes) },
                seed_counts: coarser.counts,
                seed_ratio: coarser.ratio,
                // The coarser levels are not bounded: they find seeds for points that may be nearer.
                reach2: self.reach2,
                ..Params::default()
            };
            let listed = [("points", self.points.bind()), ("order", self.order.bind())];
            surface.dispatch(recording, kernel, params, read.bind(), results, &listed)?;
            coarser = *level;
        }
        if let Some((signs, output)) = self.signs.as_ref() {
            let (points, results) = (self.points.bind(), self.results.bind());
            let (stride, squared) = (output.words::<R>() as u32, output.sign().1);
            let order = Some(&self.order);
            let place = Place { grid: None, points, order };
            let upper = R::WORDS as u32 - 1;
            signs.record(surface, recording, &Piece { place, results, stride, upper, squared })?;
        }
        Ok(())
    }

    /// What the last level writes.
    pub(super) fn results(&self) -> &DeviceVec<u32> {
        &self.results
    }

    /// Indices of the points along the curve.
    pub(super) fn order(&self) -> &DeviceVec<u32> {
        &self.order
    }

    /// The points on the device, three numbers each; others may follow.
    pub(super) fn points(&self) -> &DeviceVec<R> {
        &self.points
    }
}

impl DeviceSort {
    fn new<R: Precision>(context: &Context, points: &[Vec3]) -> Result<DeviceSort, Error> {
        let len = points.len();
        Ok(DeviceSort {
            keys_kernel: context.kernel(&program::keys_entry::<R>().source())?,
            params: KeyParams::of(points),
            radix: RadixSort::with_key_bits(context, len, morton::KEY_BITS)?,
            keys: context.zeroed("point keys", len)?,
            indices: context.zeroed("point indices", len)?,
            sorted_keys: context.zeroed("sorted point keys", len)?,
        })
    }

    fn record<R: Precision>(
        &self,
        recording: &mut Recording,
        points: &DeviceVec<R>,
        order: &DeviceVec<u32>,
    ) -> Result<(), Error> {
        let limit = points.context().adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(self.params.count.div_ceil(64), limit);
        let mut params = self.params;
        params.groups_x = groups[0];
        let bindings = [("points", points.bind()), ("keys", self.keys.bind()), ("indices", self.indices.bind())];
        recording.dispatch(&self.keys_kernel, &bindings, &params, groups)?;
        let (input, output) =
            (Pairs { keys: &self.keys, values: &self.indices }, Pairs { keys: &self.sorted_keys, values: order });
        Ok(self.radix.record(recording, input, output, self.params.count as usize)?)
    }
}
