//! Signs by winding numbers and rays, applied to unsigned distances that are already on the device.
//!
//! The winding sign of a grid: each cell points to one farther from the surface, as far as no triangle can lie between (`sign_links`); the roots of this
//! forest, tops of the distance and cells close to the surface, are asked (`sign_roots`), and the others take their root's side where the field allows
//! it (`sign_cells`). Only the rest is asked one by one, with ever smaller expansions and at last by all triangles. No step decides a bit: each gives
//! the answer of the exact sum or none.

mod answers;
mod data;
mod params;
mod program;
mod winding;

pub(super) use answers::AnswerSigns;
pub(super) use data::SignData;
pub(super) use program::kernels;

use gpu_runtime::{Binding, Context, DeviceVec, Kernel, Recording};
use gpu_shaders::folded_grid;

use super::program::Source;
use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::signs::{REACHES, growth, quantum};
use crate::{Error, Sign};
use params::SignParams;
use program::{Task, Walk, kernel};

/// Most workgroups of a pass over a list whose length only the device knows.
const LIST_GROUPS: u64 = 8192;
/// The same of exact sums, which are few as a rule: idle workgroups take time, too.
const SUM_GROUPS: u64 = 1024;
/// Most listed queries whose sums come in slices: two at least.
const SLICED: u64 = SUM_GROUPS / 2;
/// Triangles of a slice, at least.
const SLICE: u32 = 1024;
/// From so many queries on each has one lane of its own.
const MANY: u64 = 1 << 19;
/// Up to so many queries each has a subgroup of its own.
const FEW: u64 = 1 << 16;
/// Cells of a fine grid.
const FINE: u64 = 1 << 22;
/// Of an open mesh links stay in blocks of 4 cells along each axis: its field changes with every step. A closed one has no blocks.
const BLOCK_LOGS: [u32; 2] = [31, 2];

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
    links: DeviceVec<u32>,
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

/// How so many queries walk on a device.
fn walk(context: &Context, queries: u64) -> Walk {
    let Some(subgroups) = context.subgroups() else { return Walk::Packet { lanes: 1 } };
    let (least, most) = (subgroups.min_size, subgroups.max_size);
    match queries {
        0..=FEW if least == most && (8..=32).contains(&least) => Walk::Subgroup { lanes: least },
        // Few queries cannot fill a device with one lane each.
        0..=MANY => Walk::Packet { lanes: 8.min(least) },
        _ => Walk::Packet { lanes: 1 },
    }
}

/// The passes of a sign.
fn tasks<R: Precision>(context: &Context, sign: Sign, source: Source, total: u64, closed: bool) -> Vec<Task> {
    let walk = |queries| walk(context, queries);
    match (sign, source) {
        (Sign::Winding, Source::Grid) => {
            // Of a closed surface the cells at the surface, else a few of each block as well.
            let roots = if closed { (total as f64).powf(2.0 / 3.0) as u64 } else { total / 16 };
            let roots = Task::Roots { walk: walk(roots) };
            // Cells at the surface. In fine grids they are so near to each other that lanes of f32 go well together.
            let rest = walk(if R::WORDS == 1 && total > FINE { total } else { total / 32 });
            let rest = Task::List { source, walk: rest };
            vec![Task::Links, roots, Task::Cells, rest, Task::ListedSum { source }, Task::Sides]
        }
        (Sign::Winding, Source::Points) => {
            vec![Task::List { source, walk: walk(total) }, Task::ListedSum { source }, Task::Sides]
        }
        (Sign::SolidAngle, _) => vec![Task::Sum { source, values: false }],
        (Sign::Rays, _) => vec![Task::Rays { source }],
        (Sign::None | Sign::PseudoNormal, _) => vec![],
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
        let winding = sign == Sign::Winding;
        let linked = winding && source == Source::Grid;
        let tasks = tasks::<R>(context, sign, source, total, linked && surface.field()?.rim == 0.0);
        if tasks.is_empty() {
            return Ok(None);
        }
        let passes =
            tasks.into_iter().map(|task| Ok((task, kernel::<R>(context, task)?))).collect::<Result<_, Error>>()?;
        let listed = if winding { total as usize } else { 1 };
        Ok(Some(SignQuery {
            passes,
            total: total as u32,
            links: context.zeroed("sign_links", if linked { listed } else { 1 })?,
            lists: [context.zeroed("sign_list", listed)?, context.zeroed("sign_list", listed)?],
            counters: context.zeroed("sign_counters", 8)?,
            all_listed: context.upload("sign_counters", &[total as u32, 0, 0, 0, 0, 0, 0, 0])?,
            sums: context.zeroed("sign_sums", if winding { 2 * R::WORDS * SLICED as usize } else { 1 })?,
        }))
    }

    /// Makes the counters ready for a grid: before the distances, so that nothing comes between them and the passes.
    pub(super) fn clear(&self, recording: &mut Recording) -> Result<(), Error> {
        Ok(recording.clear(&self.counters)?)
    }

    /// Adds the passes: they set the sign bit of every distance inside. A grid's follow [`Self::clear`].
    pub(super) fn record<R: Precision>(
        &self,
        surface: &DeviceSurface<R>,
        recording: &mut Recording,
        piece: &Piece<'_, R>,
    ) -> Result<(), Error> {
        if let Some(order) = piece.place.order.filter(|_| self.is_listed()) {
            recording.copy(&self.all_listed, 0..8, &self.counters, 0)?;
            recording.copy(order, 0..self.total as usize, &self.lists[0], 0)?;
        }
        let mut list = 0;
        for (task, kernel) in &self.passes {
            let params = self.params(surface, piece, *task, list)?;
            let bindings = self.bindings(surface, piece, *task, list)?;
            dispatch(surface, recording, kernel, params, &bindings)?;
            list += usize::from(matches!(task, Task::List { .. } | Task::Roots { .. }));
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
            Task::Links => vec![results(), ("links", self.links.bind()), ("list_out", own.bind()), counters],
            Task::Cells => vec![("links", self.links.bind()), results(), ("list_out", own.bind()), counters],
            Task::Roots { .. } => {
                let moments = surface.bounds_of_angles()?;
                let lists = [("list_in", own.bind()), ("links", self.links.bind())];
                [tree(), lists, [points(), results()], [("moments", moments), counters]].concat()
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
        // Up by more than the rounding: a larger factor bounds, too.
        let of_walks =
            |f: fn(f64) -> f64| std::array::from_fn(|k| REACHES.get(k).map_or(0.0, |&reach| f(reach) as f32));
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
            reach2: of_walks(|reach| reach * reach * 0.999),
            growth: of_walks(|reach| growth(reach) * 1.001),
            quantum: (quantum(surface.triangles()) * 1.01) as f32,
            ..SignParams::default()
        }
        .at(piece.place.grid);
        let total = u64::from(self.total);
        let groups = |walk: Walk| total.div_ceil(u64::from(64 / walk.lanes()));
        params.group_count = match task {
            Task::Links | Task::Cells => {
                let field = surface.field()?;
                (params.squares, params.cubes, params.quantum) = (field.squares, field.cubes, field.quantum);
                (params.rim, params.nearest) = (field.rim, field.nearest);
                params.block_log = BLOCK_LOGS[usize::from(field.rim > 0.0)];
                params.counts.iter().map(|n| n.div_ceil(4)).product()
            }
            Task::Roots { walk } => groups(walk).min(LIST_GROUPS) as u32,
            Task::List { walk, .. } => groups(walk).min(LIST_GROUPS) as u32,
            Task::Sum { .. } => total.min(LIST_GROUPS) as u32,
            Task::ListedSum { .. } => (total * u64::from(params.most_slices)).min(SUM_GROUPS) as u32,
            Task::Sides => total.min(SLICED).div_ceil(64) as u32,
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
