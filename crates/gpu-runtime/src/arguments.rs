//! Bind groups that recordings with the same arguments share.

use std::collections::HashMap;
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
pub(crate) struct ArgumentCache {
    made: Mutex<HashMap<Arguments, (Arc<Inner>, wgpu::BindGroup)>>,
}

impl ArgumentCache {
    /// The group of these arguments, made by `make` when there is none.
    pub(crate) fn get(
        &self,
        kernel: &Arc<Inner>,
        arguments: Arguments,
        make: impl FnOnce() -> wgpu::BindGroup,
    ) -> wgpu::BindGroup {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.len() >= KEPT && !made.contains_key(&arguments) {
            made.clear();
        }
        made.entry(arguments).or_insert_with(|| (kernel.clone(), make())).1.clone()
    }

    pub(crate) fn forget(&self) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
