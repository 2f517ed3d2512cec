//! Signs by winding numbers and rays, applied to unsigned distances that are already on the device.
//!
//! The winding sign of a grid: the middles of blocks first, then cells take their block's side where the field allows it (`sign_cells`),
//! and only the rest is asked one by one, with ever tighter expansions and at last by all triangles. No step decides a bit: each
//! gives the answer of the exact sum or none.

mod answers;
mod data;
mod params;
mod program;
mod winding;

pub(super) use answers::AnswerSigns;
pub(super) use data::SignData;
pub(super) use program::kernels;

use gpu_runtime::{Binding, DeviceVec, Kernel, Recording};
use gpu_shaders::folded_grid;

use super::program::Source;
use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::signs::{REACHES, growth, quantum};
use crate::{Error, Sign};
use params::SignParams;
use program::{Task, kernel};

/// Up to so many cells every cell is asked: another pass takes longer than it saves.
const FEW: u64 = 1 << 17;
/// Most workgroups of a pass over a list whose length only the device knows.
const LIST_GROUPS: u64 = 8192;
/// Most listed queries whose sums come in slices: two at least.
const SLICED: u64 = LIST_GROUPS / 2;
/// Triangles of a slice, at least.
const SLICE: u32 = 1024;
/// From so many queries on each has one lane of its own.
const MANY: u64 = 1 << 19;
/// Largest radius over distance of expansions for the middles of blocks in fine and in coarse grids: tighter than a sign needs where cells are
/// small, since there the margin is what carries the side to cells near the surface.
const MIDDLE_REACHES: [f64; 2] = [1.0 / 5.0, 1.0 / 3.0];
/// Cells of a fine grid.
const FINE: u32 = 1 << 20;

/// Whether a sign is made after the distances.
pub(super) fn is_robust(sign: Sign) -> bool {
    !matches!(sign, Sign::None | Sign::PseudoNormal)
}

/// Most queries of one submission, so that it ends in time.
pub(super) fn most_queries<R: Precision>(sign: Sign, triangles: usize, hardware: bool) -> u64 {
    let single: u64 = if hardware { 1 << 34 } else { 1 << 24 };
    // An angle in f64 is a few hundred operations of 64 bits.
    let pairs = if R::WORDS == 1 { single } else { single >> 3 };
    match sign {
        Sign::SolidAngle => (pairs / triangles.max(1) as u64).max(64),
        Sign::Winding | Sign::Rays if !hardware => 1 << 15,
        _ => u64::MAX,
    }
}

/// Kernels and buffers of a sign, to be used as often as wanted.
#[derive(Debug)]
pub(super) struct SignQuery {
    passes: Vec<(Task, Kernel)>,
    total: u32,
    margins: DeviceVec<f32>,
    lists: [DeviceVec<u32>; 2],
    counters: DeviceVec<u32>,
    /// The counters when every point is listed.
    all_listed: DeviceVec<u32>,
    /// Sums that come in slices: zeros between two uses.
    sums: DeviceVec<u32>,
}

/// Where the queries of a piece are.
pub(super) struct Place<'a, R = f32> {
    /// The grid, the index of the piece's first cell and its counts; nothing for points.
    pub(super) grid: Option<(&'a FrameGrid<R>, [u32; 3], [u32; 3])>,
    /// The points; a grid binds anything.
    pub(super) points: Binding<'a>,
    /// The order of the points in packets; a grid makes its own.
    pub(super) order: Option<&'a DeviceVec<u32>>,
}

/// The queries of a piece, and what becomes of them.
pub(super) struct Piece<'a, R = f32> {
    /// Where they are.
    pub(super) place: Place<'a, R>,
    /// Where the distances are.
    pub(super) results: Binding<'a>,
    /// Words a query, the distance first.
    pub(super) stride: u32,
    /// The word of a query that holds the distance's sign.
    pub(super) upper: u32,
    /// Whether they are squares.
    pub(super) squared: bool,
}

/// The passes of a sign.
fn tasks(sign: Sign, source: Source, shared: bool, total: u64, widest: u32) -> Vec<Task> {
    match sign {
        Sign::Winding => {
            // Few queries cannot fill a device with one lane each.
            let lanes = |queries: u64| if queries > MANY { 1 } else { 8.min(widest) };
            let mut tasks = vec![];
            tasks.extend(shared.then_some(Task::Blocks { lanes: lanes(total / 64) }));
            tasks.extend((source == Source::Grid).then_some(Task::Cells { shared }));
            // Of a shared grid about the cells at the surface are left.
            let left = if shared { total / 32 } else { total };
            tasks.push(Task::List { source, lanes: lanes(left) });
            tasks.extend([Task::List { source, lanes: lanes(left / 32) }; REACHES.len() - 1]);
            tasks.extend([Task::ListedSum { source }, Task::Sides]);
            tasks
        }
        Sign::SolidAngle => vec![Task::Sum { source, values: false }],
        Sign::Rays => vec![Task::Rays { source }],
        Sign::None | Sign::PseudoNormal => vec![],
    }
}

impl SignQuery {
    /// For grids of these counts, or `[n, 1, 1]` for n points; `None` for signs that the distance makes itself.
    pub(super) fn new<R: Precision>(
        surface: &DeviceSurface<R>,
        sign: Sign,
        source: Source,
        counts: [u32; 3],
    ) -> Result<Option<SignQuery>, Error> {
        let context = surface.context();
        let total: u64 = counts.iter().map(|&n| u64::from(n)).product();
        let shared = source == Source::Grid && total > FEW;
        let widest = context.subgroups().map_or(1, |s| s.min_size);
        let tasks = tasks(sign, source, shared, total, widest);
        if tasks.is_empty() {
            return Ok(None);
        }
        let passes =
            tasks.into_iter().map(|task| Ok((task, kernel::<R>(context, task)?))).collect::<Result<_, Error>>()?;
        let blocks: u64 = counts.iter().map(|&n| u64::from(n.div_ceil(4))).product();
        let listed = if sign == Sign::Winding { total as usize } else { 1 };
        Ok(Some(SignQuery {
            passes,
            total: total as u32,
            margins: context.zeroed("margins", if shared { blocks as usize } else { 1 })?,
            lists: [context.zeroed("sign_list", listed)?, context.zeroed("sign_list", listed)?],
            counters: context.zeroed("sign_counters", 8)?,
            all_listed: context.upload("sign_counters", &[total as u32, 0, 0, 0, 0, 0, 0, 0])?,
            sums: context
                .zeroed("sign_sums", if sign == Sign::Winding { 2 * R::WORDS * SLICED as usize } else { 1 })?,
        }))
    }

    /// Adds the passes: they set the sign bit of every distance inside.
    pub(super) fn record<R: Precision>(
        &self,
        surface: &DeviceSurface<R>,
        recording: &mut Recording,
        piece: &Piece<'_, R>,
    ) -> Result<(), Error> {
        match piece.place.order.filter(|_| self.is_listed()) {
            None => recording.clear(&self.counters)?,
            Some(order) => {
                recording.copy(&self.all_listed, 0..8, &self.counters, 0)?;
                recording.copy(order, 0..self.total as usize, &self.lists[0], 0)?;
            }
        }
        let mut list = 0;
        for (task, kernel) in &self.passes {
            let params = self.params(surface, piece, *task, list)?;
            let bindings = self.bindings(surface, piece, *task, list)?;
            dispatch(surface, recording, kernel, params, &bindings)?;
            list += usize::from(matches!(task, Task::List { .. }));
        }
        Ok(())
    }

    fn is_listed(&self) -> bool {
        self.passes.iter().any(|(task, _)| matches!(task, Task::List { .. }))
    }

    fn bindings<'a, R: Precision>(
        &'a self,
        surface: &'a DeviceSurface<R>,
        piece: &Piece<'a, R>,
        task: Task,
        list: usize,
    ) -> Result<Vec<(&'static str, Binding<'a>)>, Error> {
        let (own, other) = (&self.lists[list % 2], &self.lists[(list + 1) % 2]);
        let tree = || [("nodes", surface.node_buffer().bind()), ("records", surface.records())];
        let points = || ("points", piece.place.points.clone());
        let results = || ("results", piece.results.clone());
        let counters = ("counters", self.counters.bind());
        Ok(match task {
            Task::Blocks { .. } => {
                let moments = surface.bounds_of_angles()?;
                [tree(), [("moments", moments), ("margins", self.margins.bind())]].concat()
            }
            Task::Cells { .. } => {
                vec![("margins", self.margins.bind()), results(), ("list_out", own.bind()), counters]
            }
            Task::List { .. } => {
                let moments = surface.bounds_of_angles()?;
                let lists = [("list_in", own.bind()), ("list_out", other.bind())];
                [tree(), lists, [points(), results()], [("moments", moments), counters]].concat()
            }
            Task::Sum { .. } => {
                vec![points(), ("records", surface.records()), results(), ("list_in", own.bind()), counters]
            }
            Task::ListedSum { .. } => {
                let sums = [("list_in", own.bind()), counters, ("sums", self.sums.bind())];
                [&[points(), ("records", surface.records()), results()], &sums[..]].concat()
            }
            Task::Sides => vec![results(), ("list_in", own.bind()), counters, ("sums", self.sums.bind())],
            Task::Rays { .. } | Task::Value | Task::Distances { .. } => {
                let boxes = ("boxes", surface.boxes.bind());
                vec![points(), ("records", surface.records()), boxes, results()]
            }
        })
    }

    fn params<R: Precision>(
        &self,
        surface: &DeviceSurface<R>,
        piece: &Piece<'_, R>,
        task: Task,
        list: usize,
    ) -> Result<SignParams, Error> {
        let reach = match task {
            Task::Blocks { .. } => MIDDLE_REACHES[usize::from(self.total < FINE)],
            _ => REACHES[list.min(REACHES.len() - 1)],
        };
        let mut params = SignParams {
            exponent: surface.frame.exponent,
            counts: [self.total, 1, 1],
            total: self.total,
            stride: piece.stride,
            upper: piece.upper,
            squared: u32::from(piece.squared),
            list: list as u32,
            triangles: surface.triangles() as u32,
            most_slices: (surface.triangles() as u32).div_ceil(SLICE).max(1),
            // Up by more than the rounding: a larger factor bounds, too.
            reach2: (reach * reach * 0.999) as f32,
            growth: (growth(reach) * 1.001) as f32,
            quantum: (quantum(surface.triangles()) * 1.01) as f32,
            ..SignParams::default()
        }
        .at(piece.place.grid);
        let total = u64::from(self.total);
        params.group_count = match task {
            Task::Blocks { lanes } => {
                params.blocks = params.counts.map(|n| n.div_ceil(if lanes == 1 { 16 } else { 8 }));
                params.blocks.iter().product()
            }
            Task::Cells { .. } => {
                let field = surface.field()?;
                (params.squares, params.cubes, params.quantum) = (field.squares, field.cubes, field.quantum);
                (params.rim, params.nearest) = (field.rim, field.nearest);
                params.counts.iter().map(|n| n.div_ceil(4)).product()
            }
            Task::Sum { .. } => total.min(LIST_GROUPS) as u32,
            Task::ListedSum { .. } => (total * u64::from(params.most_slices)).min(LIST_GROUPS) as u32,
            Task::Sides => total.min(SLICED).div_ceil(64) as u32,
            Task::List { lanes, .. } => total.div_ceil(u64::from(64 / lanes)).min(LIST_GROUPS) as u32,
            _ => total.div_ceil(64).min(LIST_GROUPS) as u32,
        };
        Ok(params)
    }
}

/// Adds a dispatch of `params.group_count` workgroups, folded to the device's limit.
fn dispatch<R: Precision>(
    surface: &DeviceSurface<R>,
    recording: &mut Recording,
    kernel: &Kernel,
    mut params: SignParams,
    bindings: &[(&str, Binding<'_>)],
) -> Result<(), Error> {
    let limit = surface.context().adapter().limits.max_workgroups_per_dimension;
    let groups = folded_grid::plan(params.group_count, limit);
    params.groups_x = groups[0];
    Ok(recording.dispatch(kernel, bindings, &params, groups)?)
}
