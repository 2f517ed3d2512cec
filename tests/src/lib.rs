//! CPU = GPU on every adapter of the machine, oracles, corpora and snapshots.
