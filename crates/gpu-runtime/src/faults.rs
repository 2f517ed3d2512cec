//! What a device reports outside of calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The first loss of a device, and the first error that nothing else catches.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) lost: Mutex<Option<String>>,
    pub(crate) uncaptured: Mutex<Option<String>>,
}

impl Faults {
    /// Keeps what a device reports from now on.
    pub(crate) fn watch(device: &wgpu::Device) -> Arc<Self> {
        let faults = Arc::new(Self::default());
        let latch = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            lock(&latch.lost).get_or_insert(format!("{reason:?}: {message}"));
        });
        let latch = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&latch.uncaptured).get_or_insert(error.to_string());
        }));
        faults
    }
}

pub(crate) fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}
