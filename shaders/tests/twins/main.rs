//! The Rust twins against independent oracles: exact integer arithmetic, f64, and models of what a device may do.

mod acos;
mod atan2;
mod atan2_double;
mod bit_reader;
mod correction;
mod error_free;
mod folded_grid;
mod ordered_key;
mod rounding;
mod support;
