//! CPU = GPU on every adapter of the machine, oracles, corpora and snapshots.
//!
//! The tests lie in `tests/`, one file a subject; each names the kernels that it covers. They take their devices from
//! [`adapters::contexts`] and compare words, never with a tolerance; an independent oracle checks the CPU twin.
//! `cargo xtask test` runs them once for each adapter; plain `cargo test` runs them on all adapters in one process.
//!
//! The program `conformance` lists the adapters and runs the long sweeps ([`sweep`]) with a dated report; it also runs folders of
//! test vectors ([`corpus`]), and measures the widths of affine-arith's results ([`widths`]).

pub mod adapters;
pub mod corpus;
pub mod encoders;
pub mod engines;
pub mod error;
pub mod kernels;
pub mod meshes;
pub mod operations;
pub mod report;
pub mod soak;
pub mod sweep;
pub mod texts;
pub mod voxels;
pub mod widths;
