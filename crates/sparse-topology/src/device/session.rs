//! A device with what operations on batches need: kernels and memory.

use std::sync::Arc;

use gpu_runtime::{Context, Kernel};

use super::arena::{Arena, MemoryUse};
use super::chain::Chain;
use super::list_program::ListProgram;
use super::program::{Program, Programs};
use super::room::PageLimit;
use crate::Error;

/// How a [`TopologyDevice`] is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopologyOptions {
    /// Most bytes of device memory to hold at a time, free buffers included.
    pub memory_limit: u64,
}

impl Default for TopologyOptions {
    /// What the device gives.
    fn default() -> Self {
        Self { memory_limit: u64::MAX }
    }
}

/// A device that holds batches and runs the operations on them. Cheap to clone.
///
/// Buffers that a batch or an operation gives back are kept for the next one, so that a steady state makes none.
#[derive(Debug, Clone)]
pub struct TopologyDevice {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    context: Context,
    arena: Arc<Arena>,
    programs: Programs<Program>,
    list_programs: Programs<ListProgram>,
    hardware: bool,
    page_limit: PageLimit,
}

/// Workgroups of a kernel that shares a list out: eight for each of 132 multiprocessors.
const GROUPS: u32 = 1056;
/// Rounds of a workgroup on a processor: lavapipe leaves a shader's loops after 65,535 iterations in all.
const SOFTWARE_ROUNDS: u32 = 16;

impl TopologyDevice {
    /// Takes a context; kernels are compiled when first used.
    pub fn new(context: &Context, options: &TopologyOptions) -> Self {
        let arena = Arena::new(context, options.memory_limit);
        let hardware = context.adapter().is_hardware();
        let (programs, list_programs) = (Programs::default(), Programs::default());
        let page_limit = PageLimit::new(&context.adapter().limits);
        let inner = Inner { context: context.clone(), arena, programs, list_programs, hardware, page_limit };
        Self { inner: Arc::new(inner) }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.inner.context
    }

    /// Starts a chain of operations that run as one submission.
    pub fn chain(&self) -> Chain {
        Chain::new(self)
    }

    /// Device memory in use, and the most since [`reset_peak`](Self::reset_peak).
    pub fn memory(&self) -> MemoryUse {
        self.inner.arena.usage()
    }

    /// Sets the peaks to what is in use.
    pub fn reset_peak(&self) {
        self.inner.arena.reset_peak();
    }

    /// Gives buffers that nothing uses back to the device.
    pub fn trim(&self) {
        self.inner.arena.trim();
    }

    pub(crate) fn arena(&self) -> &Arc<Arena> {
        &self.inner.arena
    }

    pub(crate) fn kernel(&self, program: Program) -> Result<Kernel, Error> {
        self.inner.programs.get(&self.inner.context, program)
    }

    pub(crate) fn list_kernel(&self, program: ListProgram) -> Result<Kernel, Error> {
        self.inner.list_programs.get(&self.inner.context, program)
    }

    /// Workgroups for a list whose entries wait for memory: as many as a device holds at a time.
    pub(crate) fn list_groups(&self, work: u32, each: u32) -> u32 {
        if self.inner.hardware { work.div_ceil(each).clamp(1, 4 * GROUPS) } else { self.groups(work, each) }
    }

    /// Workgroups for `work` units of which one takes `each`.
    pub(crate) fn groups(&self, work: u32, each: u32) -> u32 {
        let rounds = work.div_ceil(each);
        if self.inner.hardware { rounds.clamp(1, GROUPS) } else { rounds.div_ceil(SOFTWARE_ROUNDS).clamp(1, 65_535) }
    }

    /// What a page of a batch may hold.
    pub(crate) fn page_limit(&self) -> PageLimit {
        self.inner.page_limit
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}
