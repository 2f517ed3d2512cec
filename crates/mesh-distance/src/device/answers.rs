//! The second half of a query with chosen outputs: from slots to words.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Binding, DeviceVec, Kernel, Recording};
use gpu_shaders::folded_grid;

use super::grid;
use super::params::split;
use super::point_search::PointSearch;
use super::program::{self, Source};
use super::signs::{self, AnswerSigns, Place};
use super::surface::DeviceSurface;
use crate::answers::reach2;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::query::Progress;
use crate::{Answers, Error, Grid, Question};

/// `Params` of query_answers.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Params {
    lo: [u32; 3],
    zero: u32,
    h: [u32; 3],
    exponent: i32,
    counts: [u32; 3],
    groups_x: u32,
    first: [u32; 3],
    count: u32,
    lo_high: [u32; 3],
    limit_step: u32,
    h_high: [u32; 3],
    pad: u32,
}

/// Kernel and buffers for one number of queries.
#[derive(Debug)]
pub(super) struct Plan<R: Precision> {
    kernel: Kernel,
    params: Params,
    limits: DeviceVec<R>,
    results: DeviceVec<u32>,
    signs: Option<AnswerSigns>,
}

impl<R: Precision> Plan<R> {
    pub(super) fn new(
        surface: &DeviceSurface<R>,
        count: usize,
        question: &Question<'_>,
        limits: &[R],
    ) -> Result<Plan<R>, Error> {
        Self::with_source(surface, [count as u32, 1, 1], question, limits, Source::Points)
    }

    fn with_source(
        surface: &DeviceSurface<R>,
        counts: [u32; 3],
        question: &Question<'_>,
        limits: &[R],
        source: Source,
    ) -> Result<Plan<R>, Error> {
        let count: usize = counts.iter().map(|&n| n as usize).product();
        let context = surface.context();
        let entry = program::answers_entry::<R>(source, question.outputs, question.sign, !limits.is_empty());
        let limit_step = u32::from(limits.len() > 1);
        Ok(Plan {
            kernel: context.kernel(&entry.source())?,
            params: Params { exponent: surface.frame.exponent, count: count as u32, limit_step, ..Params::default() },
            limits: context.upload("limits", limits)?,
            results: context.zeroed("answers", count * question.outputs.words::<R>())?,
            signs: AnswerSigns::new(surface, question.sign, source, counts, limits.len())?,
        })
    }

    /// Records the answers for slots and points in the same order.
    pub(super) fn record_listed(
        &self,
        surface: &DeviceSurface<R>,
        recording: &mut Recording,
        search: &PointSearch<R>,
    ) -> Result<(), Error> {
        let (slots, points) = (search.results().bind(), search.points().bind());
        self.record(surface, recording, slots, self.params, Some((points, search.order())), None)
    }

    fn record(
        &self,
        surface: &DeviceSurface<R>,
        recording: &mut Recording,
        slots: Binding<'_>,
        mut params: Params,
        points: Option<(Binding<'_>, &DeviceVec<u32>)>,
        grid: Option<(&FrameGrid<R>, [u32; 3], [u32; 3])>,
    ) -> Result<(), Error> {
        let limit = surface.context().adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(params.count.div_ceil(64), limit);
        params.groups_x = groups[0];
        let [_, records, vectors, features] = surface.arrays();
        let mut bindings = vec![records, vectors, features, ("slots", slots.clone()), ("limits", self.limits.bind())];
        let mut signs = slots.clone();
        if let Some(query) = self.signs.as_ref() {
            let order = points.as_ref().map(|(_, order)| *order);
            let points = points.as_ref().map_or_else(|| surface.records(), |(points, _)| points.clone());
            signs = query.record(surface, recording, slots, self.limits.bind(), Place { grid, points, order })?;
        }
        bindings.extend(points.map(|(points, _)| ("points", points)));
        bindings.extend([("results", self.results.bind()), ("signs", signs)]);
        Ok(recording.dispatch(&self.kernel, &bindings, &params, groups)?)
    }

    /// The words, query by query.
    pub(super) fn results(&self) -> &DeviceVec<u32> {
        &self.results
    }
}

impl<R: Precision> DeviceSurface<R> {
    /// Everything that `question` chooses about the closest point of each cell centre, x fastest: what
    /// [`crate::Surface::query_grid_cpu`] gives.
    ///
    /// # Errors
    /// As [`crate::Surface::query_grid_cpu`], and [`Error::Device`].
    pub fn query_grid(
        &self,
        grid: &Grid,
        question: &Question<'_>,
        progress: &Progress<'_>,
    ) -> Result<Answers<R>, Error> {
        let limits = crate::query_grid::grid_limits(question)?;
        let frame_grid = FrameGrid::<R>::new(grid, &self.frame)?;
        let (total, stride) = (grid.cells()?, question.outputs.words::<R>());
        let mut words = Vec::new();
        // A third of what a binding holds: an answer has up to 28 words.
        let most = self.context().adapter().limits.max_binding_bytes / (4 * stride.max(1) as u64);
        let hardware = self.context().adapter().is_hardware();
        let most = most.min(if hardware { 1 << 24 } else { 1 << 16 });
        let most = most.min(signs::most_queries::<R>(question.sign, self.triangles(), hardware));
        let piece = grid::piece_counts(grid.counts, most);
        let (mut first, mut done) = ([0; 3], 0);
        while first[2] < grid.counts[2] {
            if progress(done, total).is_break() {
                return Err(Error::Interrupted { done, total });
            }
            let counts: [u32; 3] = std::array::from_fn(|k| piece[k].min(grid.counts[k] - first[k]));
            let own = self.piece(&frame_grid, first, counts, question, &limits)?;
            if counts == grid.counts {
                (words, done) = (own, total);
                break;
            }
            if words.is_empty() {
                words = crate::query_grid::zeroed_words(grid, stride)?;
            }
            grid::scatter(&own, stride, counts, first, grid.counts, &mut words);
            done += counts.iter().map(|&n| n as usize).product::<usize>();
            first = grid::next_piece(first, piece, grid.counts);
        }
        let _ = progress(done, total);
        Ok(Answers::from_words(&words, question, &self.frame))
    }

    fn piece(
        &self,
        grid: &FrameGrid<R>,
        first: [u32; 3],
        counts: [u32; 3],
        question: &Question<'_>,
        limits: &[R],
    ) -> Result<Vec<u32>, Error> {
        let reach2 = limits.first().map(|&limit| reach2(limit, self.frame.exponent));
        let kernels = grid::Kernels::within(self, counts, None, reach2)?;
        let buffers = grid::Buffers::new(self, counts)?;
        let plan = Plan::with_source(self, counts, question, limits, Source::Grid)?;
        let ([lo, lo_high], [h, h_high]) = (split(grid.lo), split(grid.h));
        let params = Params { lo, lo_high, h, h_high, counts, first, ..plan.params };
        let mut recording = self.context().record("grid_query");
        grid::record(self, grid, first, &kernels, &buffers, &mut recording)?;
        plan.record(self, &mut recording, buffers.results.bind(), params, None, Some((grid, first, counts)))?;
        let read = recording.download(&plan.results);
        Ok(recording.submit()?.take(read)?)
    }
}
