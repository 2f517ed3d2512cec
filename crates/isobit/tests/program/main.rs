//! The built program as a user runs it: one test program for all verbs.

mod bad_input;
mod codec;
mod common_rules;
mod devices;
mod far_input;
mod gltf;
mod implicit;
mod inspect;
#[cfg(unix)]
mod interrupt;
mod messages;
mod pipeline;
mod queries;
mod sdf;
mod sdf_band;
mod support;
mod surfaces;
mod topology;
mod verbs;
