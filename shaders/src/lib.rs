//! WGSL modules shared by the isobit crates, each beside its Rust twin.
