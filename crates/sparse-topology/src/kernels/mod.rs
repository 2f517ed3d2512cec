//! Functions of one leaf or one node, on 32-bit words: the twins of the device kernels.
//!
//! A leaf is 8 x 8 x 8 voxels; its mask is 16 words: words `2x` and `2x + 1` are slice x, byte y of the pair is row y,
//! bit z of the byte is voxel z (voxel slot `x * 64 + y * 8 + z` = word `slot >> 5`, bit `slot & 31`).

// Plain index loops, as in the WGSL twins.
#![allow(clippy::needless_range_loop)]

pub mod curve_code;
pub mod dilate_word;
pub mod leaf;
pub mod leaf_box;
pub mod leaf_dilate;
pub mod leaf_image;
pub mod leaf_word;
pub mod node_key;
pub mod relation_walk;
pub mod triangle_window;
pub mod voxel_of_point;

/// The mask of a leaf.
pub type LeafMask = [u32; 16];
