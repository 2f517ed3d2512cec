//! What the CPU references compute, against tables of higher precision: one program, so that the crate is linked once.

mod common;
mod containment;
mod double;
mod elementary;
mod expr;
mod gamma;
mod interval;
mod itf1788;
mod reported;
mod standard;
mod subdivide;
mod widths;
