//! Benches: whole calls on devices, warm, against the figures of peers.
//!
//! The program `bench` puts all crates into one table ([`together`]); its other verbs measure a device ([`distance`], [`decode`], [`query`], [`topology`]) with its clock watched ([`clock`]) and writes a dated report.
//! Criterion benches of the CPU references lie in `benches/`, one file a crate.

pub mod affine;
pub mod anchors;
pub mod clock;
pub mod compression;
pub mod decode;
pub mod distance;
pub mod figures;
pub mod interleaved;
pub mod moving;
pub mod one_core;
pub mod pictures;
pub mod plot;
pub mod queries;
pub mod query;
pub mod roofline;
pub mod signs;
pub mod table;
pub mod together;
pub mod topology;
mod topology_lists;
