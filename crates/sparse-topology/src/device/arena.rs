//! Device memory that operations borrow and give back, so that a steady state allocates nothing; and how much of it is in use.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gpu_runtime::{Binding, Context, DeviceVec};

use crate::Error;

/// Bytes of device memory of a [`TopologyDevice`](super::TopologyDevice).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// Bytes of grids that live: what was asked for, without rounding.
    pub grids: u64,
    /// Bytes of scratch in use.
    pub scratch: u64,
    /// Most bytes of grids since the last [`reset`](super::TopologyDevice::reset_peak).
    pub peak_grids: u64,
    /// Most bytes of scratch since the last reset.
    pub peak_scratch: u64,
    /// Bytes of all buffers, free ones included.
    pub reserved: u64,
}

/// What a buffer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Grid,
    Scratch,
}

/// The buffers of a device.
#[derive(Debug)]
pub(crate) struct Arena {
    context: Context,
    limit: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    free: Vec<DeviceVec<u32>>,
    usage: MemoryUse,
}

impl Arena {
    pub(crate) fn new(context: &Context, limit: u64) -> Arc<Self> {
        Arc::new(Self { context: context.clone(), limit, state: Mutex::default() })
    }

    /// At least `words` words (at least 1) of any content; freed when dropped.
    ///
    /// # Errors
    /// [`Error::Memory`] above the limit or when the device gives no more; [`Error::Device`].
    pub(crate) fn take(self: &Arc<Self>, purpose: Purpose, words: u64) -> Result<Pooled, Error> {
        let words = words.max(64);
        let mut state = self.state();
        // The smallest that fits, and not one that a much larger request will want.
        let fits = |v: &DeviceVec<u32>| (words..=words * 2 + 4096).contains(&(v.len() as u64));
        let best = (0..state.free.len()).filter(|&i| fits(&state.free[i])).min_by_key(|&i| state.free[i].len());
        let buffer = match best {
            Some(i) => state.free.swap_remove(i),
            None => self.make(&mut state, words)?,
        };
        let usage = &mut state.usage;
        match purpose {
            Purpose::Grid => usage.grids += words * 4,
            Purpose::Scratch => usage.scratch += words * 4,
        }
        usage.peak_grids = usage.peak_grids.max(usage.grids);
        usage.peak_scratch = usage.peak_scratch.max(usage.scratch);
        Ok(Pooled { buffer: Some(buffer), words, purpose, arena: self.clone() })
    }

    fn make(&self, state: &mut State, words: u64) -> Result<DeviceVec<u32>, Error> {
        // An eighth of the next power of two: near sizes share buffers.
        let grain = (words.next_power_of_two() / 8).max(64);
        let bytes = words.next_multiple_of(grain) * 4;
        let refuse = |needed, allowed| Error::Memory { what: "device memory", needed, allowed };
        let live = state.usage.reserved - state.free.iter().map(DeviceVec::byte_len).sum::<u64>();
        if live.saturating_add(bytes) > self.limit {
            return Err(refuse(live.saturating_add(bytes), self.limit));
        }
        if state.usage.reserved + bytes > self.limit {
            state.drop_free();
        }
        let mut made = self.context.zeroed("topology", (bytes / 4) as usize);
        if matches!(made, Err(gpu_runtime::Error::OutOfMemory { .. })) {
            state.drop_free();
            made = self.context.zeroed("topology", (bytes / 4) as usize);
        }
        match made {
            Ok(buffer) => {
                state.usage.reserved += bytes;
                Ok(buffer)
            }
            Err(gpu_runtime::Error::OutOfMemory { .. }) => Err(refuse(live + bytes, live)),
            Err(gpu_runtime::Error::Limit { needed, allowed, .. }) => Err(refuse(needed, allowed)),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn usage(&self) -> MemoryUse {
        self.state().usage
    }

    pub(crate) fn reset_peak(&self) {
        let usage = &mut self.state().usage;
        (usage.peak_grids, usage.peak_scratch) = (usage.grids, usage.scratch);
    }

    /// Gives the free buffers back to the device.
    pub(crate) fn trim(&self) {
        self.state().drop_free();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn drop_free(&mut self) {
        self.usage.reserved -= self.free.drain(..).map(|v| v.byte_len()).sum::<u64>();
    }
}

/// A buffer of the arena.
#[derive(Debug)]
pub(crate) struct Pooled {
    buffer: Option<DeviceVec<u32>>,
    words: u64,
    purpose: Purpose,
    arena: Arc<Arena>,
}

impl Pooled {
    /// The words asked for, as an argument of a dispatch.
    pub(crate) fn words(&self) -> Result<Binding<'_>, Error> {
        Ok(self.bind_range(0..self.words as usize)?)
    }
}

impl Deref for Pooled {
    type Target = DeviceVec<u32>;
    fn deref(&self) -> &DeviceVec<u32> {
        // Taken in `drop` alone.
        match &self.buffer {
            Some(buffer) => buffer,
            None => unreachable!("a buffer in use"),
        }
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let mut state = self.arena.state();
        match self.purpose {
            Purpose::Grid => state.usage.grids -= self.words * 4,
            Purpose::Scratch => state.usage.scratch -= self.words * 4,
        }
        state.free.extend(self.buffer.take());
    }
}
