//! mesh-distance on every adapter: the words of the CPU. One program, so that what several tests ask of a device is compiled once.

mod deviation;
mod distance;
mod distance_double;
mod double_queries;
mod faults;
mod faults_signs;
mod moving;
mod pipeline;
mod query;
mod query_signs;
mod residency;
mod signs;
mod triangle_records;
