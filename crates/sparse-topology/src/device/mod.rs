//! Batches on a device: the same words as the CPU references give.
//!
//! Every operation is one of two steps. A **relation** step makes a batch from batches: source leaves mark the destination leaves that their voxels reach, level by
//! level; counting set bits ranks the nodes and lists the leaves in canonical order, so nothing is sorted; every destination leaf then gathers its mask from the source
//! leaves that it is related to. A **filter** step clears voxels of the leaves that are there; the identity relation then drops the empty leaves.
//!
//! A [`Chain`] records any number of operations and reads back once, at its end: only the numbers of nodes, leaves and voxels.

mod arena;
mod axis;
mod build;
mod chain;
mod codes;
mod dense;
mod grid;
mod links;
mod list_params;
mod list_program;
mod mesh;
mod methods;
mod operations;
mod pages;
mod pairs;
mod params;
mod points;
mod program;
mod queries;
mod record;
mod relate;
mod resident;
mod room;
mod session;
mod tiles;
mod values;
mod voxels;

pub use arena::MemoryUse;
pub use chain::{Chain, Input, StepId, Timings};
pub use grid::DeviceGrid;
pub use pairs::DevicePairs;
pub use program::kernels;
pub use session::{TopologyDevice, TopologyOptions};
