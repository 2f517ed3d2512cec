//! Bind groups that recordings with the same arguments share.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::kernel::Inner;

/// Most groups kept; then all are forgotten.
const KEPT: usize = 1024;

/// A kernel and the bytes of its buffers, in the order of its slots, parameters first.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Arguments {
    kernel: usize,
    buffers: Vec<(wgpu::Buffer, Range<u64>)>,
}

impl Arguments {
    pub(crate) fn new(kernel: &Arc<Inner>, buffers: Vec<(wgpu::Buffer, Range<u64>)>) -> Self {
        Self { kernel: Arc::as_ptr(kernel) as usize, buffers }
    }
}

/// Groups by arguments. A kept group keeps its buffers and, through its value, its kernel.
#[derive(Default)]
pub(crate) struct ArgumentCache(Mutex<Made>);

#[derive(Default)]
struct Made {
    groups: HashMap<Arguments, (Arc<Inner>, wgpu::BindGroup)>,
    /// All buffers of the groups, so that a buffer of none goes without a search.
    buffers: HashSet<wgpu::Buffer>,
}

impl ArgumentCache {
    fn made(&self) -> std::sync::MutexGuard<'_, Made> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The group of these arguments, made by `make` when there is none.
    pub(crate) fn get(
        &self,
        kernel: &Arc<Inner>,
        arguments: Arguments,
        make: impl FnOnce() -> wgpu::BindGroup,
    ) -> wgpu::BindGroup {
        let mut made = self.made();
        if let Some((_, group)) = made.groups.get(&arguments) {
            return group.clone();
        }
        if made.groups.len() >= KEPT {
            *made = Made::default();
        }
        made.buffers.extend(arguments.buffers.iter().map(|(buffer, _)| buffer.clone()));
        let group = make();
        made.groups.insert(arguments, (kernel.clone(), group.clone()));
        group
    }

    /// Forgets the groups that hold a buffer whose handle is gone, and with them its memory.
    pub(crate) fn forget(&self, gone: &wgpu::Buffer) {
        let mut made = self.made();
        if made.buffers.remove(gone) {
            made.groups.retain(|arguments, _| arguments.buffers.iter().all(|(buffer, _)| buffer != gone));
        }
    }
}
