//! Strict-float GPU compute runtime on wgpu: the same bits on every adapter.
//!
//! A kernel is written in plain infix WGSL; the runtime makes its float arithmetic strict in one of two forms
//! ([`Form`]): SPIR-V whose float instructions carry NoContraction, or naga's representation in which every float result
//! passes through an integer operation with a run-time zero. Both give the bits that Rust's `f32` gives, and a
//! [`Context`] proves so on its device before it is handed out.
//!
//! The life of one query: [`Context::new`] opens and tests a device, [`Context::upload`] puts data there once,
//! [`Context::kernel`] composes, checks and compiles a kernel, [`Context::record`] lists dispatches and copies,
//! [`Recording::submit`] runs them as one and waits once.
//!
//! What is not promised: results of kernels that use built-ins outside of the contract of `docs/numerics.md` (the guard
//! pass refuses them), and anything under [`NumericsChoice::Off`].

mod adapter;
#[cfg(feature = "adversary")]
mod adversary;
mod arguments;
mod catalogue;
mod compose;
mod context;
mod data;
mod device_vec;
mod error;
mod faults;
mod kernel;
mod memory;
mod numerics;
mod pipeline_store;
mod pool;
pub mod primitives;
mod recording;
mod reflect;
mod self_test;
mod strict;
mod submit;
pub mod translate;
mod trusted;

pub use adapter::{AdapterFeatures, AdapterInfo, AdapterLimits, AdapterSelector, DeviceType, adapters};
#[cfg(feature = "adversary")]
pub use adversary::Liberty;
pub use catalogue::{KernelEntry, kernels};
pub use compose::{Constant, ShaderFault};
pub use context::{Context, ContextOptions};
pub use data::Data;
pub use device_vec::{Binding, DeviceVec};
pub use error::Error;
pub use gpu_shaders::WgslModule;
pub use kernel::{Kernel, KernelSource};
pub use numerics::{Form, FormOutcome, Numerics, NumericsChoice, SubgroupInfo};
pub use recording::{Download, Recording, Timestamps};
pub use self_test::{FormReport, SelfTestFault, Subnormals};
pub use submit::Completed;
pub use trusted::quiet_drivers;
