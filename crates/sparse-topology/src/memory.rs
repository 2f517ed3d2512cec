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
        let allowed = *self.allowed.get_or_init(available);
        if needed > allowed {
            return Err(Error::Memory { what: self.what, needed, allowed });
        }
        Ok(())
    }
}

/// Bytes that the machine can still give; no bound where the system does not say.
fn available() -> u64 {
    let read = || -> Option<u64> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    };
    read().unwrap_or(u64::MAX)
}
