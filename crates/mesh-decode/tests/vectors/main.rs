//! Every vector of the corpus, lists of units, hostile files, and random damage.

mod common;
mod corpus;
mod dgf;
mod extremes;
mod gltf;
mod hostile;
mod md1;
mod meshes;
mod meshopt;
mod meshopt_streams;
mod query;
mod random;
mod reports;
mod selection;
mod stride;
