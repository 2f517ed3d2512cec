//! Chains whose batches are larger than a binding: step by step, the result in pages.
//!
//! A page is a range of lower nodes. A relation step runs once a page of the result, over all pages of its sources, and marks lower nodes of that page alone; a page that turns out too large is cut in halves.
//! A filter step runs once a page of its batch. A filter by a complement needs neighbours of other pages: what is not in S but near it is a batch of its own (B = near(S) \ S), and the voxels near B are those that have a neighbour outside of S.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gpu_runtime::Timestamps;

use super::chain::{Attempt, Chain, Filter, Input, Step, StepId, Term};
use super::grid::{DeviceGrid, Page};
use super::resident::{Capacity, Counts, Resident};
use super::room::{PageLimit, Room, lower_node_too_large, most_tiles, too_many_tiles};
use super::session::TopologyDevice;
use super::tiles::{Reached, TileTable};
use crate::ops::{AxisRelation, Relation, pad};
use crate::{Error, Tile, Transform};

type Result<T> = std::result::Result<T, Error>;

/// Upper slots of a tile.
const SLOTS: u32 = 32_768;

/// The lower nodes of a page: some tiles of a result, or some upper slots of one tile.
#[derive(Debug, Clone)]
pub(crate) struct PageRange {
    all: Arc<TileTable>,
    tiles: Range<usize>,
    pub(crate) slots: Range<u32>,
}

impl PageRange {
    /// The tiles of the page.
    pub(crate) fn table(&self) -> TileTable {
        let TileTable { tiles, bounds } = &*self.all;
        TileTable { tiles: tiles[self.tiles.clone()].to_vec(), bounds: bounds[self.tiles.clone()].to_vec() }
    }

    fn holds(&self, tile: &Tile) -> bool {
        let tiles = &self.all.tiles[self.tiles.clone()];
        tiles.first().is_some_and(|first| first <= tile) && tiles.last().is_some_and(|last| tile <= last)
    }

    /// Ranges of the whole result of about `share` each, none with more tiles than a page has.
    fn cut(all: Arc<TileTable>, shares: f64, limit: PageLimit) -> Vec<Self> {
        let count = all.len();
        let shares = (shares.ceil().max(1.0) as usize).min(1 << 20);
        let each = count.div_ceil(shares).clamp(1, limit.tiles as usize);
        // Where a tile is shared by pages: the slots that its box reaches, x slowest.
        let pieces = if each == 1 { (shares / count.max(1)).max(1) as u32 } else { 1 };
        let mut ranges = Vec::new();
        for first in (0..count).step_by(each) {
            let tiles = first..count.min(first + each);
            let x = |side: i32| (side >> 7) as u32 & 31;
            let (low, high) = all.bounds[first];
            let slots = if pieces > 1 { x(low[0]) << 10..(x(high[0]) + 1) << 10 } else { 0..SLOTS };
            let edge = |i: u32| slots.start + (slots.end - slots.start) * i / pieces;
            for i in 0..pieces {
                ranges.push(Self { all: all.clone(), tiles: tiles.clone(), slots: edge(i)..edge(i + 1) });
            }
        }
        ranges
    }

    /// Both halves; `None` of a single lower node.
    fn halves(&self) -> Option<[Self; 2]> {
        let (tiles, slots) = (&self.tiles, &self.slots);
        if tiles.len() > 1 {
            let middle = tiles.start + tiles.len() / 2;
            let half = |tiles| Self { tiles, ..self.clone() };
            return Some([half(tiles.start..middle), half(middle..tiles.end)]);
        }
        let middle = slots.start + (slots.end - slots.start) / 2;
        let half = |slots| Self { slots, ..self.clone() };
        (middle > slots.start).then(|| [half(slots.start..middle), half(middle..slots.end)])
    }
}

/// A source of one page and the tiles that it reaches, sorted.
struct Source {
    term: Term,
    tiles: Vec<Tile>,
}

impl Chain {
    /// Whether a batch that it takes has several pages.
    pub(crate) fn takes_pages(&self) -> bool {
        let several = |input: &Input| matches!(input, Input::Grid(grid) if grid.pages().len() > 1);
        let takes = |step: &Step| match step {
            Step::Relate { terms, .. } => terms.iter().any(|term| several(&term.source)),
            Step::Filter { base, filter: Filter::Related { tree, .. } } => several(base) || several(&tree.source),
            Step::Filter { base, .. } => several(base),
        };
        self.steps.iter().any(takes) || self.checks.iter().any(|check| several(&check.source))
    }

    /// Runs the steps one by one.
    pub(crate) fn finish_in_pages<const N: usize>(self, wanted: [StepId; N]) -> Result<[DeviceGrid; N]> {
        let mut made: Vec<Option<DeviceGrid>> = Vec::with_capacity(self.steps.len());
        self.check_source(None, &made)?;
        for (index, step) in self.steps.iter().enumerate() {
            let grid = match step {
                Step::Relate { terms, transforms, .. } => {
                    let terms = terms.iter().map(|term| resolved(term, &made)).collect::<Result<Vec<_>>>()?;
                    relate(&self.device, &terms, transforms)?
                }
                Step::Filter { base, filter } => self.filter(&grid_of(base, &made)?, filter, &made)?,
            };
            made.push(Some(grid));
            self.check_source(Some(index), &made)?;
            // What no later step takes gives its memory back.
            for (i, grid) in made.iter_mut().enumerate() {
                let kept =
                    wanted.iter().any(|step| step.index == i) || self.steps[index + 1..].iter().any(|s| takes(s, i));
                if !kept {
                    *grid = None;
                }
            }
        }
        let mut grids = Vec::with_capacity(N);
        for step in wanted {
            grids.push(grid_of(&Input::Step(step), &made)?);
        }
        grids.try_into().map_err(|_| missing())
    }

    /// The checks of the batches that were given, or of a step's result.
    fn check_source(&self, step: Option<usize>, made: &[Option<DeviceGrid>]) -> Result<()> {
        for check in &self.checks {
            let here = match &check.source {
                Input::Grid(_) => step.is_none(),
                Input::Step(source) => step == Some(source.index),
            };
            if here {
                Self::check_range(&grid_of(&check.source, made)?, check)?;
            }
        }
        Ok(())
    }

    fn filter(&self, base: &DeviceGrid, filter: &Filter, made: &[Option<DeviceGrid>]) -> Result<DeviceGrid> {
        match filter {
            Filter::Related { tree, flip: true, .. } => erode(&self.device, base, &resolved(tree, made)?),
            Filter::Related { tree, keep, .. } => {
                let trees = split(&resolved(tree, made)?);
                page_by_page(base, |chain, page, _| take_related(chain, page, &trees, *keep))
            }
            Filter::Prune { bits, rows } => {
                if *rows != base.voxels() {
                    return Err(Error::Length { what: "entries of the mask", needed: base.voxels(), found: *rows });
                }
                page_by_page(base, |chain, page, rows| {
                    let bits = Arc::new(bits_of(bits, &rows));
                    let filter = Filter::Prune { bits, rows: rows.end - rows.start };
                    Ok(chain.push(Step::Filter { base: page.clone(), filter }))
                })
            }
            Filter::Dense { .. } => page_by_page(base, |chain, page, _| {
                Ok(chain.push(Step::Filter { base: page.clone(), filter: filter.clone() }))
            }),
            Filter::Clip { min, max } => page_by_page(base, |chain, page, _| {
                let filter = Filter::Clip { min: *min, max: *max };
                Ok(chain.push(Step::Filter { base: page.clone(), filter }))
            }),
        }
    }
}

fn takes(step: &Step, index: usize) -> bool {
    let is = |input: &Input| matches!(input, Input::Step(step) if step.index == index);
    match step {
        Step::Relate { terms, .. } => terms.iter().any(|term| is(&term.source)),
        Step::Filter { base, filter: Filter::Related { tree, .. } } => is(base) || is(&tree.source),
        Step::Filter { base, .. } => is(base),
    }
}

fn missing() -> Error {
    Error::Parameter {
        what: "step of a chain".into(),
        value: "a result".into(),
        allowed: "those of the chain's own".into(),
    }
}

fn grid_of(input: &Input, made: &[Option<DeviceGrid>]) -> Result<DeviceGrid> {
    match input {
        Input::Grid(grid) => Ok(grid.clone()),
        Input::Step(step) => made.get(step.index).cloned().flatten().ok_or_else(missing),
    }
}

fn resolved(term: &Term, made: &[Option<DeviceGrid>]) -> Result<Term> {
    Ok(Term { source: Input::Grid(grid_of(&term.source, made)?), ..term.clone() })
}

/// A term a page of its source.
fn split(term: &Term) -> Vec<Term> {
    match &term.source {
        Input::Grid(grid) => {
            grid.page_batches().map(|page| Term { source: Input::Grid(page), ..term.clone() }).collect()
        }
        Input::Step(_) => vec![term.clone()],
    }
}

/// Bits `rows` of a mask, from bit 0 on.
fn bits_of(bits: &[u32], rows: &Range<u64>) -> Vec<u32> {
    let (first, shift) = ((rows.start / 32) as usize, rows.start % 32);
    let word = |i: usize| u64::from(bits.get(first + i).copied().unwrap_or(0));
    let count = (rows.end - rows.start).div_ceil(32) as usize;
    (0..=count).map(|i| ((word(i) | (word(i + 1) << 32)) >> shift) as u32).collect()
}

fn batch_of(device: &TopologyDevice, transforms: &Arc<Vec<Transform>>, pages: Vec<Page>) -> Result<DeviceGrid> {
    if pages.is_empty() {
        return DeviceGrid::upload(device, &crate::GridBatch::empty(transforms));
    }
    Ok(DeviceGrid::of_pages(device, transforms.clone(), pages))
}

/// A relation step over pages.
fn relate(device: &TopologyDevice, terms: &[Term], transforms: &Arc<Vec<Transform>>) -> Result<DeviceGrid> {
    let limit = device.page_limit();
    let mut reached = Reached::default();
    let mut room = Room::default();
    let mut sources = Vec::new();
    for term in terms.iter().flat_map(split) {
        let Input::Grid(page) = &term.source else { continue };
        room.add(page.resident(), &term.relation)?;
        let (resident, mut own) = (page.resident(), Reached::default());
        for reached in [&mut reached, &mut own] {
            if !reached.add(&resident.tiles, &term.relation, &term.items, most_tiles()) {
                return Err(too_many_tiles());
            }
        }
        let tiles = own.tiles().collect();
        sources.push(Source { term, tiles });
    }
    let all = Arc::new(reached.table());
    let [leaves, lower] = room.expected();
    let shares = (leaves / f64::from(limit.leaves)).max(lower / f64::from(limit.lower)).max(1.0);
    let guess = |expected: f64, most: u32| ((expected / shares * 1.25) as u64 + 1024).min(u64::from(most)) as u32;
    let guess = Capacity { lower: guess(lower, limit.lower), leaves: guess(leaves, limit.leaves) };
    let mut open = PageRange::cut(all, shares, limit);
    open.reverse();
    let mut pages = Vec::new();
    while let Some(range) = open.pop() {
        let reaches = |source: &&Source| source.tiles.iter().any(|tile| range.holds(tile));
        let terms: Vec<Term> = sources.iter().filter(reaches).map(|source| source.term.clone()).collect();
        if terms.is_empty() {
            continue;
        }
        let mut chain = device.chain();
        chain.push(Step::Relate { terms, transforms: transforms.clone(), within: None });
        chain.page = Some(range.clone());
        match chain.attempt(HashMap::from([(0, guess)]), Timestamps::None)? {
            Attempt::Done(run) => pages.extend(run.residents.into_iter().zip(run.counts).filter_map(page_of)),
            Attempt::Pages => {
                let [first, second] = range.halves().ok_or_else(|| lower_node_too_large(limit))?;
                open.extend([second, first]);
            }
        }
    }
    batch_of(device, transforms, pages)
}

fn page_of((resident, counts): (Resident, Counts)) -> Option<Page> {
    (counts.leaves > 0).then(|| Page::new(resident, counts))
}

/// A filter of every page, which has the rows that are given, and a copy without the empty leaves.
fn page_by_page(
    base: &DeviceGrid,
    filter: impl Fn(&mut Chain, &Input, Range<u64>) -> Result<StepId>,
) -> Result<DeviceGrid> {
    let device = base.device();
    let mut pages = Vec::new();
    let mut first = 0;
    for page in base.page_batches() {
        let rows = first..first + page.voxels();
        first = rows.end;
        let mut chain = device.chain();
        let step = filter(&mut chain, &Input::Grid(page), rows)?;
        let terms = vec![Term::new(step.into(), pad([0; 3], [0; 3]))];
        chain.push(Step::Relate { terms, transforms: base.shared_transforms().clone(), within: None });
        match chain.attempt(HashMap::new(), Timestamps::None)? {
            Attempt::Done(mut run) => {
                pages.extend(run.residents.pop().zip(run.counts.pop()).and_then(page_of));
            }
            Attempt::Pages => return Err(lower_node_too_large(device.page_limit())),
        }
    }
    batch_of(device, base.shared_transforms(), pages)
}

/// The voxels of a page that are related to a voxel of the trees, or those that are not.
fn take_related(chain: &mut Chain, page: &Input, trees: &[Term], keep: bool) -> Result<StepId> {
    let filter = |tree: &Term| Filter::Related { tree: tree.clone(), flip: false, keep };
    if keep {
        let terms = trees
            .iter()
            .map(|tree| {
                let step = chain.push(Step::Filter { base: page.clone(), filter: filter(tree) });
                Term::new(step.into(), pad([0; 3], [0; 3]))
            })
            .collect();
        let transforms = chain.transforms(page)?;
        return Ok(chain.push(Step::Relate { terms, transforms, within: None }));
    }
    let mut last = page.clone();
    let mut done = None;
    for tree in trees {
        let step = chain.push(Step::Filter { base: last, filter: filter(tree) });
        last = step.into();
        done = Some(step);
    }
    done.ok_or_else(missing)
}

/// The voxels of `base` that are not related to a voxel outside of the tree: `tree.relation` is a sum with a box, which leads from the voxels outside to those that go.
fn erode(device: &TopologyDevice, base: &DeviceGrid, tree: &Term) -> Result<DeviceGrid> {
    let Input::Grid(solid) = &tree.source else { return Err(missing()) };
    let ends = tree.relation.map(|axis| axis.image(0, 0));
    // [1] what lies around the voxels of the batch and is not in the tree
    let back: Relation = ends.map(|(low, high)| AxisRelation::pad(-high, -low));
    let around = Term { source: Input::Grid(base.clone()), relation: back, ..tree.clone() };
    let around = relate(device, &[around], base.shared_transforms())?;
    let inside = split(&Term::new(Input::Grid(solid.clone()), pad([0; 3], [0; 3])));
    let outside = page_by_page(&around, |chain, page, _| take_related(chain, page, &inside, false))?;
    // [2] the voxels that it does not lead to
    let outside = split(&Term { source: Input::Grid(outside), ..tree.clone() });
    let kept = page_by_page(base, |chain, page, _| take_related(chain, page, &outside, false))?;
    // [3] a voxel outside of i32 is in no batch, and neither in the tree
    let end = |value: i64| value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let min = ends.map(|(_, high)| end(i64::from(i32::MIN) + high.max(0)));
    let max = ends.map(|(low, _)| end(i64::from(i32::MAX) + low.min(0)));
    page_by_page(&kept, |chain, page, _| {
        Ok(chain.push(Step::Filter { base: page.clone(), filter: Filter::Clip { min, max } }))
    })
}
