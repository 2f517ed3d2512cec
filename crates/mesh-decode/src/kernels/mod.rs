//! Per-unit functions, written as twins of WGSL: u32 words, i32 and f32 in the order written, no 64-bit integers, every loop bounded by a checked
//! count, every index checked before its use. They define every bit of every answer.

pub mod bits;
pub mod box_filter;
pub mod cluster;
pub mod dgf_block;
pub mod dgf_topology;
pub mod dgf_walk;
pub mod md1_fixed;
pub mod md1_meshlet;
pub mod md1_positions;
pub mod md1_walk;
pub mod meshlet_codec;
pub mod predictor;
pub mod stride_meshlet;
pub mod stride_position;
pub mod vertex_filters;
