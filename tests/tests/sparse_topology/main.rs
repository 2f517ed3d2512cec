//! sparse-topology on every adapter: the words of the CPU.

mod far_input;
mod topology;
mod topology_chains;
mod topology_meshes;
mod topology_pages;
mod topology_reports;
mod voxel_lists;
