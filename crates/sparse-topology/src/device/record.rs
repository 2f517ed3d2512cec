//! Steps as dispatches.

use gpu_runtime::{Binding, Data, Recording};

use std::sync::Arc;

use super::arena::{Pooled, Purpose};
use super::axis::{AxisTables, tables};
use super::chain::{Filter, Input, Step, Term};
use super::params::{ClipParams, ListParams, RankParams, RelationParams};
use super::program::Program;
use super::resident::{Capacity, Resident, Status, Structure, take_masks};
use super::room::{Room, most_tiles};
use super::session::TopologyDevice;
use super::tiles::{ItemMap, Reached, TileTable, item_place, link};
use crate::Error;
use crate::ops::Relation;

/// Tiles above which the bits before a tile are summed by a kernel of their own.
const SUMMED_TILES: usize = 64;

/// Records steps and keeps their batches.
pub(crate) struct Recorder<'a> {
    device: &'a TopologyDevice,
    pub(crate) residents: Vec<Resident>,
}

/// Leaves of `list` and a tree that they are related to, as a kernel reads it.
struct Relative {
    params: RelationParams,
    tables: Data,
    expand: bool,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(device: &'a TopologyDevice, steps: &[Step]) -> Self {
        Self { device, residents: Vec::with_capacity(steps.len()) }
    }

    pub(crate) fn resident(&self, input: &Input) -> Resident {
        match input {
            Input::Grid(grid) => grid.resident().clone(),
            Input::Step(step) => self.residents[step.index].clone(),
        }
    }

    /// Records a step; whether there is anything to do.
    pub(crate) fn step(
        &mut self,
        recording: &mut Recording,
        step: &Step,
        status: Status,
        room: Option<Capacity>,
    ) -> Result<bool, Error> {
        let (resident, busy) = match step {
            Step::Relate { terms, transforms, within } => {
                let (tiles, capacity, expected) = self.plan(terms, within.as_ref(), room)?;
                let groups = self.device.groups(capacity.leaves, 16);
                let structure = Arc::new(Structure::new(self.device.arena(), tiles.len(), capacity, groups, status)?);
                let masks = take_masks(self.device.arena(), Purpose::Grid, capacity.leaves)?;
                let transforms = transforms.clone();
                let resident = Resident { transforms, tiles: Arc::new(tiles), structure, masks, expected };
                if resident.tiles.len() > 0 {
                    self.relate(recording, terms, &resident, groups)?;
                }
                let busy = resident.tiles.len() > 0;
                (resident, busy)
            }
            Step::Filter { base, filter } => (self.filter(recording, base, filter)?, true),
        };
        self.residents.push(resident);
        Ok(busy)
    }

    /// Tiles, room and expected numbers of a relation step.
    fn plan(
        &self,
        terms: &[Term],
        within: Option<&(Input, Relation)>,
        room: Option<Capacity>,
    ) -> Result<(TileTable, Capacity, [f64; 2]), Error> {
        let mut reached = Reached::default();
        let mut rooms = Room::default();
        let most = most_tiles();
        for term in terms {
            let source = self.resident(&term.source);
            if !reached.add(&source.tiles, &term.relation, &term.items, most) {
                let needed = most.saturating_add(1).saturating_mul(8208);
                return Err(Error::Memory { what: "the tiles of the result", needed, allowed: most * 8208 });
            }
            rooms.add(&source, &term.relation)?;
        }
        let mut near = None;
        if let Some((input, relation)) = within {
            let mut closer = Room::default();
            closer.add(&self.resident(input), relation)?;
            near = Some(closer);
        }
        let tiles = reached.table();
        let (capacity, expected) = rooms.capacity(&tiles, near.as_ref())?;
        Ok((tiles, room.unwrap_or(capacity), expected))
    }

    fn relate(&self, recording: &mut Recording, terms: &[Term], to: &Resident, groups: u32) -> Result<(), Error> {
        let capacity = to.capacity();
        let lower_at = 1024 * to.tiles.len() as u64;
        let sums_at = lower_at + 128 * u64::from(capacity.lower);
        let lower_groups = self.device.groups(capacity.lower, 2);
        let sums = u64::from(lower_groups).max(to.tiles.len() as u64);
        let marks = self.device.arena().take(Purpose::Scratch, sums_at + sums)?;
        recording.clear_range(&marks, 0..sums_at as usize)?;
        let rank = RankParams {
            zero: 0,
            tiles: to.tiles.len() as u32,
            lower_capacity: capacity.lower,
            leaf_capacity: capacity.leaves,
            lower_at: lower_at as u32,
            sums_at: sums_at as u32,
            groups: lower_groups,
            summed: u32::from(to.tiles.len() > SUMMED_TILES),
        };
        let mut sources = Vec::with_capacity(terms.len());
        // What has no tiles has no numbers either.
        let busy = terms.iter().filter(|term| self.resident(&term.source).tiles.len() > 0);
        let terms: Vec<&Term> = busy.collect();
        for term in &terms {
            let source = self.resident(&term.source);
            let axes = tables(&term.relation)?;
            let up = term.relation[0].is_up();
            let place = |item| item_place(&term.items, item);
            let mut reach = self.relative(recording, (&source.tiles, &to.tiles), &axes, up, place);
            reach.params.list_capacity = source.capacity().leaves;
            reach.params.tree_lower_capacity = capacity.lower;
            reach.params.tree_leaf_capacity = lower_at as u32;
            reach.params.groups = self.device.groups(source.capacity().leaves, 64);
            sources.push((source, axes, up, reach));
        }
        for (source, _, _, reach) in &sources {
            let program = Program::ReachUpper { expand: reach.expand, test: true };
            self.reach(recording, program, source, reach, &[("marks", marks.words()?)])?;
        }
        self.rank_upper(recording, &marks, to, rank)?;
        for (source, _, _, reach) in &sources {
            let program = Program::ReachLower { expand: reach.expand, test: true };
            let bindings = [("marks", marks.words()?), ("upper", to.structure.upper.words()?)];
            self.reach(recording, program, source, reach, &bindings)?;
        }
        self.rank_lower(recording, &marks, to, rank)?;
        for (i, ((source, axes, up, _), term)) in sources.iter().zip(&terms).enumerate() {
            let back = inverse(&term.items, to.transforms.len());
            let place = |item| item_place(&back, item);
            let mut gather = self.relative(recording, (&to.tiles, &source.tiles), axes, !up, place);
            gather.params.list_capacity = capacity.leaves;
            gather.params.groups = groups;
            let bindings = [("list_masks", to.masks.words()?), ("list_rows", to.structure.rows.words()?)];
            let program = Program::Gather { expand: gather.expand, add: i > 0 };
            self.gather(recording, program, to, source, &mut gather, &bindings)?;
        }
        let params = ListParams { list_capacity: capacity.leaves, groups, ..ListParams::default() };
        let bindings = [("list_rows", to.structure.rows.words()?), ("status", to.structure.status.bind()?)];
        recording.dispatch(&self.device.kernel(Program::LeafRows)?, &bindings, &params, [groups, 1, 1])?;
        Ok(())
    }

    /// Tables and parameters that link a list with a tree.
    fn relative(
        &self,
        recording: &mut Recording,
        (list, tree): (&TileTable, &TileTable),
        axes: &AxisTables,
        expand: bool,
        place: impl Fn(u32) -> Option<u32>,
    ) -> Relative {
        let mut links = link(list, tree, axes, expand, place);
        let mut axis_at = [0; 3];
        for (k, axis) in axes.iter().enumerate() {
            axis_at[k] = links.words.len() as u32;
            links.words.extend_from_slice(&axis.words);
        }
        let each = |f: &dyn Fn(usize) -> i64| std::array::from_fn(|k| f(k) as u32);
        let params = RelationParams {
            step: each(&|k| axes[k].step),
            first: each(&|k| axes[k].first),
            entries: each(&|k| axes[k].entries),
            extent: links.extent,
            reach: each(&|k| axes[k].reach(expand) as i64),
            axis_at,
            ..RelationParams::default()
        };
        Relative { params, tables: recording.data(&links.words), expand }
    }

    fn reach(
        &self,
        recording: &mut Recording,
        program: Program,
        source: &Resident,
        reach: &Relative,
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let mut bindings = vec![
            ("tables", reach.tables.bind()),
            ("list_status", source.structure.status.bind()?),
            ("list_keys", source.structure.leaf_keys.words()?),
            ("list_masks", source.masks.words()?),
        ];
        bindings.extend_from_slice(more);
        let groups = reach.params.groups;
        recording.dispatch(&self.device.kernel(program)?, &bindings, &reach.params, [groups, 1, 1])?;
        Ok(())
    }

    fn rank_upper(
        &self,
        recording: &mut Recording,
        marks: &Pooled,
        to: &Resident,
        rank: RankParams,
    ) -> Result<(), Error> {
        if rank.summed != 0 {
            let kernel = self.device.kernel(Program::SumUpper)?;
            recording.dispatch(&kernel, &[("marks", marks.words()?)], &rank, [rank.tiles, 1, 1])?;
        }
        let structure = &to.structure;
        let bindings = [
            ("marks", marks.words()?),
            ("upper", structure.upper.words()?),
            ("lower_keys", structure.lower_keys.words()?),
            ("status", structure.status.bind()?),
        ];
        recording.dispatch(&self.device.kernel(Program::RankUpper)?, &bindings, &rank, [rank.tiles, 1, 1])?;
        Ok(())
    }

    fn rank_lower(
        &self,
        recording: &mut Recording,
        marks: &Pooled,
        to: &Resident,
        rank: RankParams,
    ) -> Result<(), Error> {
        let structure = &to.structure;
        let bindings = [("status", structure.status.bind()?), ("marks", marks.words()?)];
        recording.dispatch(&self.device.kernel(Program::SumLower)?, &bindings, &rank, [rank.groups, 1, 1])?;
        let bindings = [
            ("marks", marks.words()?),
            ("lower_keys", structure.lower_keys.words()?),
            ("lower", structure.lower.words()?),
            ("leaf_keys", structure.leaf_keys.words()?),
            ("status", structure.status.bind()?),
        ];
        recording.dispatch(&self.device.kernel(Program::RankLower)?, &bindings, &rank, [rank.groups, 1, 1])?;
        Ok(())
    }

    fn gather(
        &self,
        recording: &mut Recording,
        program: Program,
        list: &Resident,
        tree: &Resident,
        relative: &mut Relative,
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        relative.params.tree_lower_capacity = tree.capacity().lower;
        relative.params.tree_leaf_capacity = tree.capacity().leaves;
        let mut bindings = vec![
            ("tables", relative.tables.bind()),
            ("list_status", list.structure.status.bind()?),
            ("list_keys", list.structure.leaf_keys.words()?),
            ("tree_upper", tree.structure.upper.words()?),
            ("tree_lower", tree.structure.lower.words()?),
            ("tree_masks", tree.masks.words()?),
        ];
        bindings.extend_from_slice(more);
        let groups = relative.params.groups;
        recording.dispatch(&self.device.kernel(program)?, &bindings, &relative.params, [groups, 1, 1])?;
        Ok(())
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
            Filter::Related { tree, relation, flip, keep } => {
                let tree = self.resident(tree);
                let axes = tables(relation)?;
                let expand = !relation[0].is_up();
                let mut gather = self.relative(recording, (&base.tiles, &tree.tiles), &axes, expand, Some);
                gather.params.list_capacity = capacity;
                gather.params.groups = self.device.groups(capacity, 16);
                let program = Program::Filter { expand, flip: *flip, keep: *keep };
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
                let groups = self.device.groups(capacity, 4);
                let params =
                    ClipParams { low: *min, high: *max, list_capacity: capacity, groups, ..ClipParams::default() };
                let word = |t: &crate::Tile| [t.position[0], t.position[1], t.position[2], 0];
                let positions: Vec<i32> = base.tiles.tiles.iter().flat_map(word).collect();
                let tables = recording.data(&positions);
                let mut bindings = out()?.to_vec();
                bindings.extend([("tables", tables.bind()), ("list_keys", base.structure.leaf_keys.words()?)]);
                recording.dispatch(&self.device.kernel(Program::Clip)?, &bindings, &params, [groups, 1, 1])?;
            }
        }
        Ok(Resident { masks: filtered, ..base })
    }
}

/// Items of the source by items of the result.
fn inverse(items: &ItemMap, count: usize) -> ItemMap {
    items.as_ref().map(|places| {
        let mut back = vec![None; count];
        for (item, place) in places.iter().enumerate() {
            if let Some(slot) = place.and_then(|place| back.get_mut(place as usize)) {
                *slot = Some(item as u32);
            }
        }
        back
    })
}
