//! What the CPU references compute, and the files they read and write: one program, so that the crate is linked once.

mod accuracy;
mod bodies;
mod common;
mod damaged_files;
mod deviation;
mod double;
mod double_rays;
mod double_signs;
mod faults_signs;
mod files;
mod gltf_files;
mod gltf_quantized;
mod gltf_skins;
mod mark;
mod oracle;
mod ply_gltf;
mod query;
mod rays;
mod repair;
mod report;
mod robust_signs;
mod signs;
mod text_files;
mod update;
