//! Chains: operations recorded one behind the other, run as one submission with one read-back at the end.

use std::collections::HashMap;
use std::sync::Arc;

use gpu_runtime::Timestamps;

use super::arena::Purpose;
use super::grid::DeviceGrid;
use super::pages::PageRange;
use super::record::{Recorded, Recorder};
use super::resident::{Capacity, Counts, Resident, STATUS_WORDS, Status};
use super::session::TopologyDevice;
use super::tiles::ItemMap;
use crate::ops::{Relation, check_range_cpu};
use crate::{Error, Neighbours, Transform};

/// A result of a [`Chain`] that does not exist yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StepId {
    pub(crate) chain: u64,
    pub(crate) index: usize,
}

/// What an operation of a chain takes: a batch, or an earlier result of the same chain.
#[derive(Debug, Clone)]
pub enum Input {
    /// A batch.
    Grid(DeviceGrid),
    /// A result of the same chain.
    Step(StepId),
}

impl From<&DeviceGrid> for Input {
    fn from(grid: &DeviceGrid) -> Self {
        Self::Grid(grid.clone())
    }
}

impl From<StepId> for Input {
    fn from(step: StepId) -> Self {
        Self::Step(step)
    }
}

/// A source under a relation.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) source: Input,
    pub(crate) relation: Relation,
    /// Place of the source's items in the result.
    pub(crate) items: ItemMap,
    /// The neighbours within the relation [-1, 1] that count; `None` is any relation.
    pub(crate) neighbours: Option<Neighbours>,
}

impl Term {
    pub(crate) fn new(source: Input, relation: Relation) -> Self {
        Self { source, relation, items: None, neighbours: None }
    }
}

/// What a filter takes away.
#[derive(Debug, Clone)]
pub(crate) enum Filter {
    /// The image of a tree under a relation, or of its complement (`flip`), or what is outside of it (`keep`).
    Related { tree: Term, flip: bool, keep: bool },
    /// Voxels whose bit is 0.
    Prune { bits: Arc<Vec<u32>>, rows: u64 },
    /// Voxels of a box whose bit is 0; x slowest.
    Dense { bits: Arc<Vec<u32>>, min: [i32; 3], size: [u32; 3] },
    /// Voxels outside of a box.
    Clip { min: [i32; 3], max: [i32; 3] },
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Relate {
        terms: Vec<Term>,
        transforms: Arc<Vec<Transform>>,
        /// A source and a relation that bound the result more closely than the terms.
        within: Option<(Input, Relation)>,
    },
    Filter {
        base: Input,
        filter: Filter,
    },
}

/// The relations that a voxel outside of `i32` is looked for under, as the CPU reference does.
#[derive(Debug, Clone)]
pub(crate) struct RangeCheck {
    pub(crate) source: Input,
    pub(crate) relations: Vec<Relation>,
}

/// Device seconds by name of a kernel.
pub type Timings = Vec<(String, f64)>;

/// Operations on batches of one device that run as one submission: what they give stays on the device, and only numbers come back, once.
///
/// Every operation has the name and the meaning of the method of [`GridBatch`](crate::GridBatch) with `_cpu` behind it.
#[derive(Debug)]
pub struct Chain {
    pub(crate) device: TopologyDevice,
    id: u64,
    pub(crate) steps: Vec<Step>,
    pub(crate) checks: Vec<RangeCheck>,
    /// The page that its relation steps make, when it is not the whole.
    pub(crate) page: Option<PageRange>,
}

/// What a submission, or the attempt to plan one, showed.
pub(crate) enum Attempt {
    Done(Run),
    /// A result does not fit one page.
    Pages,
}

/// One submission: every step's batch, what it counted, and device seconds.
pub(crate) struct Run {
    pub(crate) residents: Vec<Resident>,
    pub(crate) counts: Vec<Counts>,
    may_overflow: bool,
    timings: Timings,
}

/// Whether every result had its room.
enum Fit {
    Yes,
    /// Again, with the room that was noted.
    Again,
    Pages,
}

impl Chain {
    pub(crate) fn new(device: &TopologyDevice) -> Self {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Self { device: device.clone(), id, steps: Vec::new(), checks: Vec::new(), page: None }
    }

    /// Adds a step.
    pub(crate) fn push(&mut self, step: Step) -> StepId {
        self.steps.push(step);
        StepId { chain: self.id, index: self.steps.len() - 1 }
    }

    /// The transforms of an input.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a batch of another device and a step of another chain.
    pub(crate) fn transforms(&self, input: &Input) -> Result<Arc<Vec<Transform>>, Error> {
        let foreign = |what: &str, value: &str| Error::Parameter {
            what: what.into(),
            value: value.into(),
            allowed: "those of the chain's own".into(),
        };
        match input {
            Input::Grid(grid) if !grid.device().same(&self.device) => {
                Err(foreign("device of a batch", &grid.device().context().adapter().name))
            }
            Input::Grid(grid) => Ok(grid.shared_transforms().clone()),
            Input::Step(step) if step.chain != self.id => Err(foreign("step of a chain", &step.index.to_string())),
            Input::Step(step) => match &self.steps[step.index] {
                Step::Relate { transforms, .. } => Ok(transforms.clone()),
                Step::Filter { base, .. } => self.transforms(base),
            },
        }
    }

    /// Runs everything and gives the results that are asked for; what nothing asks for is dropped.
    ///
    /// Where the size of a result could not be foretold well enough, its real size is known afterwards and the chain runs again.
    ///
    /// # Errors
    /// [`Error::CoordinateOverflow`] of the first operation that has one, [`Error::Length`] for a mask of [`Chain::prune`] that is no entry a row,
    /// [`Error::Memory`], [`Error::Device`].
    pub fn finish<const N: usize>(self, wanted: [StepId; N]) -> Result<[DeviceGrid; N], Error> {
        Ok(self.finish_timed(wanted, Timestamps::None)?.0)
    }

    /// [`finish`](Self::finish) with the device seconds of its last run: by dispatch, or of all together.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_timed<const N: usize>(
        self,
        wanted: [StepId; N],
        timestamps: Timestamps,
    ) -> Result<([DeviceGrid; N], Timings), Error> {
        let run = match self.attempt(HashMap::new(), timestamps)? {
            Attempt::Done(run) => run,
            Attempt::Pages => return Ok((self.finish_in_pages(wanted)?, Timings::new())),
        };
        self.check(&run)?;
        let grids = wanted.map(|step| {
            let (resident, count) = (run.residents[step.index].clone(), run.counts[step.index]);
            DeviceGrid::of(&self.device, resident, count)
        });
        Ok((grids, run.timings))
    }

    /// Submissions until every result has the room that it needs.
    pub(crate) fn attempt(
        &self,
        mut rooms: HashMap<usize, Capacity>,
        timestamps: Timestamps,
    ) -> Result<Attempt, Error> {
        if self.takes_pages() {
            return Ok(Attempt::Pages);
        }
        loop {
            let Some(run) = self.run(&rooms, timestamps)? else { return Ok(Attempt::Pages) };
            match self.enlarge(&run, &mut rooms) {
                Fit::Yes => return Ok(Attempt::Done(run)),
                Fit::Again => {}
                Fit::Pages => return Ok(Attempt::Pages),
            }
        }
    }

    /// Every step once, with one wait: its batch and what it counted. `None` when a result has more tiles than a page.
    fn run(&self, rooms: &HashMap<usize, Capacity>, timestamps: Timestamps) -> Result<Option<Run>, Error> {
        let words = (STATUS_WORDS * self.steps.len().max(1)) as u64;
        let status = Arc::new(self.device.arena().take(Purpose::Grid, words)?);
        let mut recorder = Recorder::new(&self.device, &self.steps);
        recorder.page = self.page.as_ref();
        let mut recording = self.device.context().record("topology").with_timestamps(timestamps).keep_arguments();
        let mut empty = vec![false; self.steps.len()];
        for (index, step) in self.steps.iter().enumerate() {
            let status = Status { buffer: status.clone(), slot: index };
            match recorder.step(&mut recording, step, status, rooms.get(&index).copied())? {
                // The device begins while the host plans the next step.
                Recorded::Busy if index + 1 < self.steps.len() => recording.flush()?,
                Recorded::Busy => {}
                Recorded::Empty => empty[index] = true,
                Recorded::Pages => return Ok(None),
            }
        }
        let numbers = recording.download_range(&status, 0..STATUS_WORDS * self.steps.len());
        let mut done = recording.submit()?;
        let numbers = done.take(numbers)?;
        let mut counts: Vec<Counts> = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            let n = &numbers[index * STATUS_WORDS..];
            counts.push(match step {
                Step::Filter { base: Input::Step(base), .. } => counts[base.index],
                Step::Filter { base: Input::Grid(grid), .. } => grid.counts(),
                Step::Relate { .. } if empty[index] => Counts::default(),
                Step::Relate { .. } => {
                    Counts { lower: n[0], leaves: n[1], voxels: u64::from(n[2]) | (u64::from(n[3]) << 32) }
                }
            });
        }
        let Recorder { residents, may_overflow, .. } = recorder;
        Ok(Some(Run { residents, counts, may_overflow, timings: done.timings().to_vec() }))
    }

    /// Notes the room that the first step with too little of it needs.
    fn enlarge(&self, run: &Run, rooms: &mut HashMap<usize, Capacity>) -> Fit {
        let limit = self.device.page_limit();
        for (index, (resident, count)) in run.residents.iter().zip(&run.counts).enumerate() {
            let room = resident.capacity();
            if count.lower > room.lower || count.leaves > room.leaves {
                if count.lower > limit.lower || count.leaves > limit.leaves {
                    return Fit::Pages;
                }
                // Leaves of lower nodes that had no room are not counted yet.
                let share = f64::from(count.lower) / f64::from(room.lower.max(1));
                let guess = f64::from(count.leaves) * share.max(1.0) * if share > 1.0 { 1.25 } else { 1.0 };
                let leaves = (guess.ceil() as u32).max(room.leaves).min(limit.leaves);
                rooms.insert(index, Capacity { lower: count.lower.max(room.lower), leaves });
                return Fit::Again;
            }
        }
        Fit::Yes
    }

    /// The errors that only the numbers or the voxels show.
    fn check(&self, Run { residents, counts, may_overflow, .. }: &Run) -> Result<(), Error> {
        for step in &self.steps {
            if let Step::Filter { base, filter: Filter::Prune { rows, .. } } = step {
                let needed = match base {
                    Input::Grid(grid) => grid.voxels(),
                    Input::Step(step) => counts[step.index].voxels,
                };
                if *rows != needed {
                    return Err(Error::Length { what: "entries of the mask", needed, found: *rows });
                }
            }
        }
        if !may_overflow {
            // The relations to check are those of the steps, whose boxes were looked at already.
            return Ok(());
        }
        for check in &self.checks {
            let grid = match &check.source {
                Input::Grid(grid) => grid.clone(),
                Input::Step(step) => DeviceGrid::of(&self.device, residents[step.index].clone(), counts[step.index]),
            };
            Self::check_range(&grid, check)?;
        }
        Ok(())
    }

    /// Looks for a voxel outside of `i32`, where the boxes of the tiles do not rule it out.
    pub(crate) fn check_range(grid: &DeviceGrid, check: &RangeCheck) -> Result<(), Error> {
        let pages = grid.pages();
        if check.relations.iter().any(|relation| pages.iter().any(|page| page.resident.tiles.may_leave(relation))) {
            check_range_cpu(&grid.download()?, &check.relations)?;
        }
        Ok(())
    }
}
