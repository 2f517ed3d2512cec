//! Host-visible buffers that submissions borrow and give back, so that a steady state allocates nothing.

use std::sync::Mutex;

use crate::{Context, Error};

/// What a pooled buffer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Parameter blocks of the dispatches of one recording, and its data.
    Params,
    /// Words on their way back to the host.
    Readback,
    /// Resolved timestamps.
    Timestamps,
}

impl Role {
    fn usage(self) -> wgpu::BufferUsages {
        use wgpu::BufferUsages as U;
        match self {
            Role::Params => U::UNIFORM | U::STORAGE | U::COPY_DST,
            Role::Readback => U::MAP_READ | U::COPY_DST,
            Role::Timestamps => U::QUERY_RESOLVE | U::COPY_SRC,
        }
    }
}

/// Free buffers by role. At most [`KEPT`] of each are kept.
#[derive(Default)]
pub(crate) struct BufferPool {
    free: Mutex<Vec<(Role, wgpu::Buffer)>>,
}

const KEPT: usize = 16;
/// A read-back buffer above this size is freed at once: it would hold host memory for nothing.
const KEPT_BYTES: u64 = 64 << 20;

impl BufferPool {
    /// A buffer of at least `bytes`: the smallest free one, or a new one of the next power of two.
    pub(crate) fn take(&self, context: &Context, role: Role, bytes: u64) -> Result<wgpu::Buffer, Error> {
        let mut free = self.free.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let fits = |(r, b): &&(Role, wgpu::Buffer)| *r == role && b.size() >= bytes;
        let best = free.iter().filter(fits).map(|(_, b)| b.size()).min();
        if let Some(i) = free.iter().position(|(r, b)| *r == role && Some(b.size()) == best) {
            return Ok(free.swap_remove(i).1);
        }
        drop(free);
        let size = if bytes > KEPT_BYTES { bytes.next_multiple_of(256) } else { bytes.next_power_of_two().max(256) };
        context.create_buffer(&format!("{role:?}"), size, role.usage(), None)
    }

    /// Gives a buffer back; it must be unmapped and no longer in use by the device.
    pub(crate) fn give(&self, role: Role, buffer: wgpu::Buffer) {
        let mut free = self.free.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buffer.size() <= KEPT_BYTES && free.iter().filter(|(r, _)| *r == role).count() < KEPT {
            free.push((role, buffer));
        }
    }
}
