//! What the targets share.

mod meshlets;

pub use meshlets::{decode, overwritten};
