//! affine-arith on every adapter: the words of the CPU.

mod adversary;
mod affine_corners;
mod affine_double;
mod affine_functions;
mod affine_standard;
mod affine_words;
mod march;
mod octree;
