//! The dispatches of a relation step.

use gpu_runtime::{Binding, Data, Recording};

use super::arena::{Pooled, Purpose};
use super::axis::{AxisTables, tables};
use super::chain::Term;
use super::links::link;
use super::params::{ListParams, RankParams, RelationParams};
use super::program::{Program, Reach, Word};
use super::record::Recorder;
use super::resident::Resident;
use super::tiles::{ItemMap, TileTable, item_place};
use crate::ops::Relation;
use crate::{Error, Neighbours};

/// Tiles above which the bits before a tile are summed by a kernel of their own.
const SUMMED_TILES: usize = 64;

/// Room for lower nodes above which the bits before a group of them are summed by a kernel of their own.
const SUMMED_LOWER: u32 = 96;

/// Leaves of `list` and a tree that they are related to, as a kernel reads it.
pub(crate) struct Relative {
    pub(crate) params: RelationParams,
    pub(crate) tables: Data,
    pub(crate) expand: bool,
}

/// A source of a relation step, and how its leaves mark.
struct Source<'t> {
    term: &'t Term,
    resident: Resident,
    axes: AxisTables,
    reach: Relative,
}

impl Recorder<'_> {
    /// Records the dispatches of a relation step.
    pub(crate) fn relate(
        &self,
        recording: &mut Recording,
        terms: &[Term],
        to: &Resident,
        groups: u32,
    ) -> Result<(), Error> {
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
            summed: u32::from(to.tiles.len() > SUMMED_TILES) | (u32::from(capacity.lower > SUMMED_LOWER) << 1),
        };
        let sources = self.sources(recording, terms, to, lower_at as u32)?;
        for source in &sources {
            let reach = reach_of(source.term, &source.resident, source.reach.expand);
            if reach.test {
                self.reach(recording, Program::ReachUpper(reach), source, &[("marks", marks.words()?)])?;
            } else {
                self.reach_nodes(recording, reach, source, &marks)?;
            }
        }
        self.rank_upper(recording, &marks, to, rank)?;
        for source in &sources {
            let reach = reach_of(source.term, &source.resident, source.reach.expand);
            let bindings = [("marks", marks.words()?), ("upper", to.structure.upper.words()?)];
            self.reach(recording, Program::ReachLower(reach), source, &bindings)?;
        }
        self.rank_lower(recording, &marks, to, rank)?;
        self.gather_sources(recording, &sources, to, groups)
    }

    /// The sources of a step; what has no tiles has no numbers either, and is left out.
    fn sources<'t>(
        &self,
        recording: &mut Recording,
        terms: &'t [Term],
        to: &Resident,
        lower_at: u32,
    ) -> Result<Vec<Source<'t>>, Error> {
        let mut sources = Vec::with_capacity(terms.len());
        for term in terms {
            let resident = self.resident(&term.source);
            if resident.tiles.len() == 0 {
                continue;
            }
            let axes = tables(&term.relation)?;
            let place = |item| item_place(&term.items, item);
            let up = term.relation[0].is_up();
            let mut reach = self.relative(recording, (&resident.tiles, &to.tiles), &axes, up, place);
            reach.params.list_capacity = resident.capacity().leaves;
            reach.params.tree_lower_capacity = to.capacity().lower;
            reach.params.tree_leaf_capacity = lower_at;
            reach.params.groups = self.device.groups(resident.capacity().leaves, 64);
            let slots = self.page.map_or(0..u32::MAX, |page| page.slots.clone());
            (reach.params.first_slot, reach.params.end_slot) = (slots.start, slots.end);
            sources.push(Source { term, resident, axes, reach });
        }
        Ok(sources)
    }

    /// Masks and first rows of the result.
    fn gather_sources(
        &self,
        recording: &mut Recording,
        sources: &[Source<'_>],
        to: &Resident,
        groups: u32,
    ) -> Result<(), Error> {
        for (i, Source { term, resident, axes, reach }) in sources.iter().enumerate() {
            let back = inverse(&term.items, to.transforms.len());
            let place = |item| item_place(&back, item);
            let mut gather = self.relative(recording, (&to.tiles, &resident.tiles), axes, !reach.expand, place);
            gather.params.list_capacity = to.capacity().leaves;
            gather.params.groups = groups;
            let bindings = [("list_masks", to.masks.words()?), ("list_rows", to.structure.rows.words()?)];
            let program = Program::Gather { word: word_of(term), expand: gather.expand, add: i > 0 };
            self.gather(recording, program, to, resident, &mut gather, &bindings)?;
        }
        let params = ListParams { list_capacity: to.capacity().leaves, groups, ..ListParams::default() };
        let bindings = [("list_rows", to.structure.rows.words()?), ("status", to.structure.status.bind()?)];
        recording.dispatch(&self.device.kernel(Program::LeafRows)?, &bindings, &params, [groups, 1, 1])?;
        Ok(())
    }

    /// Tables and parameters that link a list with a tree.
    pub(crate) fn relative(
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
            // Axes are mostly alike.
            axis_at[k] = match axes[..k].iter().position(|other| other == axis) {
                Some(other) => axis_at[other],
                None => links.words.len() as u32,
            };
            if axis_at[k] == links.words.len() as u32 {
                links.words.extend_from_slice(&axis.words);
            }
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
        Source { resident: source, reach, .. }: &Source<'_>,
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

    /// Lower nodes mark for all of their leaves.
    fn reach_nodes(
        &self,
        recording: &mut Recording,
        reach: Reach,
        Source { resident: source, reach: relative, .. }: &Source<'_>,
        marks: &Pooled,
    ) -> Result<(), Error> {
        let capacity = source.capacity().lower;
        let groups = self.device.groups(capacity, 64);
        let params = RelationParams { list_capacity: capacity, groups, ..relative.params };
        let bindings = [
            ("tables", relative.tables.bind()),
            ("list_status", source.structure.status.bind()?),
            ("list_keys", source.structure.lower_keys.words()?),
            ("list_masks", source.masks.words()?),
            ("marks", marks.words()?),
        ];
        let kernel = self.device.kernel(Program::ReachUpper(Reach { nodes: true, ..reach }))?;
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        Ok(())
    }

    fn rank_upper(
        &self,
        recording: &mut Recording,
        marks: &Pooled,
        to: &Resident,
        rank: RankParams,
    ) -> Result<(), Error> {
        if rank.summed & 1 != 0 {
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
        if rank.summed & 2 != 0 {
            let bindings = [("status", structure.status.bind()?), ("marks", marks.words()?)];
            recording.dispatch(&self.device.kernel(Program::SumLower)?, &bindings, &rank, [rank.groups, 1, 1])?;
        }
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

    pub(crate) fn gather(
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

/// The factor of a relation that joins blocks of voxels, or makes them.
fn block(relation: &Relation) -> Option<[u32; 3]> {
    let windows = relation.map(|axis| axis.window());
    let whole = windows.iter().all(|[step, before, after]| *before == 0 && *after == step - 1);
    let factor = windows.map(|[step, ..]| step.min(65) as u32);
    (whole && factor.iter().product::<u32>() <= 64).then_some(factor)
}

/// Whether a relation joins blocks of voxels, or leaves them as they are: every leaf then reaches one leaf for sure.
fn joins(relation: &Relation) -> bool {
    block(relation).is_some_and(|factor| !relation[0].is_up() || factor == [1; 3])
}

/// Coordinates in which neighbours differ.
fn most(neighbours: Option<Neighbours>) -> u32 {
    match neighbours {
        Some(Neighbours::Face) => 1,
        Some(Neighbours::Edge) => 2,
        Some(Neighbours::Vertex) | None => 3,
    }
}

/// The fastest way to gather words.
pub(crate) fn word_of(term: &Term) -> Word {
    match (block(&term.relation), term.neighbours) {
        (_, Some(_)) => Word::Dilate(most(term.neighbours)),
        (Some(factor), None) if joins(&term.relation) => Word::Coarsen(factor),
        (Some(factor), None) => Word::Refine(factor),
        (None, None) => Word::Any,
    }
}

/// The fastest way to mark: where every leaf reaches one leaf for sure, no voxel is looked at.
fn reach_of(term: &Term, source: &Resident, expand: bool) -> Reach {
    let test = source.filtered || !joins(&term.relation);
    Reach { expand, test, nodes: false, most: most(term.neighbours) }
}
