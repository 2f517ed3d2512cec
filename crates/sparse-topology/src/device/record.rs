//! Steps as dispatches.

use std::sync::Arc;

use gpu_runtime::Recording;

use super::arena::Purpose;
use super::axis::tables;
use super::chain::{Filter, Input, Step, Term};
use super::pages::PageRange;
use super::params::{ClipParams, ListParams};
use super::program::Program;
use super::relate::word_of;
use super::resident::{Capacity, Resident, Status, Structure, take_masks};
use super::room::{Room, most_tiles, too_many_tiles};
use super::session::TopologyDevice;
use super::tiles::{Reached, TileTable};
use crate::Error;
use crate::ops::Relation;

/// Records steps and keeps their batches.
pub(crate) struct Recorder<'a> {
    pub(crate) device: &'a TopologyDevice,
    pub(crate) residents: Vec<Resident>,
    /// The page that relation steps make, when it is not the whole.
    pub(crate) page: Option<&'a PageRange>,
    /// Whether a step may have had a voxel outside of `i32`, as far as boxes tell.
    pub(crate) may_overflow: bool,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// Its dispatches are recorded.
    Busy,
    /// There is nothing to do.
    Empty,
    /// Its result has more tiles than a page.
    Pages,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(device: &'a TopologyDevice, steps: &[Step]) -> Self {
        Self { device, residents: Vec::with_capacity(steps.len()), page: None, may_overflow: false }
    }

    pub(crate) fn resident(&self, input: &Input) -> Resident {
        match input {
            Input::Grid(grid) => grid.resident().clone(),
            Input::Step(step) => self.residents[step.index].clone(),
        }
    }

    /// Records a step.
    pub(crate) fn step(
        &mut self,
        recording: &mut Recording,
        step: &Step,
        status: Status,
        room: Option<Capacity>,
    ) -> Result<Recorded, Error> {
        let (resident, busy) = match step {
            Step::Relate { terms, transforms, within } => {
                let (tiles, capacity, expected) = self.plan(terms, within.as_ref(), room)?;
                if tiles.len() > self.device.page_limit().tiles as usize {
                    return Ok(Recorded::Pages);
                }
                let groups = self.device.groups(capacity.leaves, 16);
                let structure = Arc::new(Structure::new(self.device.arena(), tiles.len(), capacity, groups, status)?);
                let masks = take_masks(self.device.arena(), Purpose::Grid, capacity.leaves)?;
                let transforms = transforms.clone();
                let tiles = Arc::new(tiles);
                let resident = Resident { transforms, tiles, structure, masks, filtered: false, expected };
                if resident.tiles.len() > 0 {
                    self.relate(recording, terms, &resident, groups)?;
                }
                let busy = resident.tiles.len() > 0;
                (resident, busy)
            }
            Step::Filter { base, filter } => (self.filter(recording, base, filter)?, true),
        };
        self.residents.push(resident);
        Ok(if busy { Recorded::Busy } else { Recorded::Empty })
    }

    /// Tiles, room and expected numbers of a relation step.
    fn plan(
        &mut self,
        terms: &[Term],
        within: Option<&(Input, Relation)>,
        room: Option<Capacity>,
    ) -> Result<(TileTable, Capacity, [f64; 2]), Error> {
        let mut reached = Reached::default();
        let mut rooms = Room::default();
        let most = most_tiles();
        for term in terms {
            let source = self.resident(&term.source);
            if self.page.is_none() && !reached.add(&source.tiles, &term.relation, &term.items, most) {
                return Err(too_many_tiles());
            }
            rooms.add(&source, &term.relation)?;
        }
        let mut near = None;
        if let Some((input, relation)) = within {
            let mut closer = Room::default();
            closer.add(&self.resident(input), relation)?;
            near = Some(closer);
        }
        self.may_overflow |= reached.overflow || self.page.is_some();
        let tiles = self.page.map_or_else(|| reached.table(), |page| page.table());
        let (capacity, expected) = rooms.capacity(&tiles, near.as_ref(), self.device.page_limit());
        Ok((tiles, room.unwrap_or(capacity), expected))
    }

    /// Other masks on the nodes of `base`.
    fn filter(&self, recording: &mut Recording, base: &Input, filter: &Filter) -> Result<Resident, Error> {
        let base = self.resident(base);
        let capacity = base.capacity().leaves;
        let filtered = take_masks(self.device.arena(), Purpose::Scratch, capacity)?;
        let out = || -> Result<_, Error> {
            let status = base.structure.status.bind()?;
            Ok([("list_status", status), ("list_masks", base.masks.words()?), ("filtered", filtered.words()?)])
        };
        if base.tiles.len() == 0 {
            return Ok(base);
        }
        match filter {
            Filter::Related { tree: term, flip, keep } => {
                let tree = self.resident(&term.source);
                let axes = tables(&term.relation)?;
                let expand = !term.relation[0].is_up();
                let mut gather = self.relative(recording, (&base.tiles, &tree.tiles), &axes, expand, Some);
                gather.params.list_capacity = capacity;
                gather.params.groups = self.device.groups(capacity, 16);
                let program = Program::Filter { word: word_of(term), expand, flip: *flip, keep: *keep };
                self.gather(recording, program, &base, &tree, &mut gather, &out()?[1..])?;
            }
            Filter::Prune { bits, .. } => {
                let groups = self.device.groups(capacity, 64);
                let words = bits.len() as u32;
                let params = ListParams { list_capacity: capacity, groups, words, zero: 0 };
                let bits = recording.data(bits);
                let mut bindings = out()?.to_vec();
                bindings.extend([("list_rows", base.structure.rows.words()?), ("bits", bits.bind())]);
                recording.dispatch(&self.device.kernel(Program::Prune)?, &bindings, &params, [groups, 1, 1])?;
            }
            Filter::Clip { min, max } => {
                let kernel = self.device.kernel(Program::Clip)?;
                let params = self.box_params(*min, *max, capacity);
                let tables = recording.data(&positions(&base.tiles));
                let mut bindings = out()?.to_vec();
                bindings.extend([("tables", tables.bind()), ("list_keys", base.structure.leaf_keys.words()?)]);
                recording.dispatch(&kernel, &bindings, &params, [params.groups, 1, 1])?;
            }
            Filter::Dense { bits, min, size } => {
                let kernel = self.device.kernel(Program::Dense)?;
                let params = self.box_params(*min, size.map(|n| n as i32), capacity);
                let tables = recording.data(&positions(&base.tiles));
                let bits = recording.data(bits);
                let mut bindings = out()?.to_vec();
                bindings.extend([("tables", tables.bind()), ("list_keys", base.structure.leaf_keys.words()?)]);
                bindings.push(("bits", bits.bind()));
                recording.dispatch(&kernel, &bindings, &params, [params.groups, 1, 1])?;
            }
        }
        Ok(Resident { masks: filtered, filtered: true, ..base })
    }

    fn box_params(&self, low: [i32; 3], high: [i32; 3], list_capacity: u32) -> ClipParams {
        let groups = self.device.groups(list_capacity, 4);
        ClipParams { low, high, list_capacity, groups, ..ClipParams::default() }
    }
}

/// Positions of tiles, four words each.
fn positions(tiles: &TileTable) -> Vec<i32> {
    tiles.tiles.iter().flat_map(|t| [t.position[0], t.position[1], t.position[2], 0]).collect()
}
