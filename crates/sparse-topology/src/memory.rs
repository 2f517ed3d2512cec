//! A bound on what an operation may allocate.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// Below this nothing is asked of the system.
const SMALL: u64 = 256 << 20;

/// Bytes that an operation has announced so far; any thread may add.
pub(crate) struct Budget {
    what: &'static str,
    used: AtomicU64,
    allowed: OnceLock<u64>,
}

impl Budget {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, used: AtomicU64::new(0), allowed: OnceLock::new() }
    }

    /// Announces an allocation.
    ///
    /// # Errors
    /// [`Error::Memory`] when all announced together exceed what the machine had free at first use.
    pub(crate) fn add(&self, bytes: u64) -> Result<(), Error> {
        let needed = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if needed <= SMALL {
            return Ok(());
        }
        let allowed = *self.allowed.get_or_init(host_memory::available);
        if needed > allowed {
            return Err(Error::Memory { what: self.what, needed, allowed });
        }
        Ok(())
    }
}
