//! What the CPU references compute, and the files they read and write: one program, so that the crate is linked once.

mod convolution;
mod corpus;
mod far;
mod mesh;
mod nvdb;
mod nvdb_fields;
mod nvdb_files;
mod nvdb_writers;
mod oracle;
mod queries;
mod reports;
mod support;
mod transforms;
