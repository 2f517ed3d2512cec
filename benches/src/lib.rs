//! Criterion benches of the CPU twins, one file a crate.
