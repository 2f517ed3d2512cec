//! Every vector of the corpus, hostile files, and random damage.

mod common;
mod dgf;
mod meshopt;
mod stride;
