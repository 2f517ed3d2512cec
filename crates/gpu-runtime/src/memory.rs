//! How much memory the buffers of a context hold.

use std::sync::Mutex;

/// Bytes of the buffers that handles hold, and the limit that the program has set.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    made: u64,
    held: u64,
    peak: u64,
    limit: Option<u64>,
}

impl Memory {
    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Counts a buffer of `bytes` that is about to be made; false when it would pass the limit.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let mut counts = self.counts();
        let held = counts.held.saturating_add(bytes);
        if counts.limit.is_some_and(|limit| held > limit) {
            return false;
        }
        counts.held = held;
        counts.peak = counts.peak.max(held);
        counts.made = counts.made.saturating_add(bytes);
        true
    }

    /// A buffer of `bytes` is gone, or was not made after all.
    pub(crate) fn give(&self, bytes: u64) {
        let mut counts = self.counts();
        counts.held = counts.held.saturating_sub(bytes);
    }

    /// Bytes of all buffers ever made.
    pub(crate) fn made(&self) -> u64 {
        self.counts().made
    }

    /// Bytes held now.
    pub(crate) fn held(&self) -> u64 {
        self.counts().held
    }

    /// The most bytes that were held at once since the last call; the next peak starts from what is held now.
    pub(crate) fn take_peak(&self) -> u64 {
        let mut counts = self.counts();
        let peak = counts.peak;
        counts.peak = counts.held;
        peak
    }

    /// From now on at most `limit` bytes.
    pub(crate) fn limit(&self, limit: Option<u64>) {
        self.counts().limit = limit;
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn the_limit_is_of_what_is_held_at_once() {
        let memory = Memory::default();
        memory.limit(Some(100));
        assert!(memory.take(60) && !memory.take(41) && memory.take(40));
        memory.give(60);
        assert!(memory.take(50));
        assert_eq!((memory.made(), memory.held()), (150, 90));
        assert_eq!((memory.take_peak(), memory.take_peak()), (100, 90));
        memory.limit(None);
        assert!(memory.take(u64::MAX));
        assert_eq!(memory.held(), u64::MAX, "counts stay at their largest instead of wrapping");
    }
}
