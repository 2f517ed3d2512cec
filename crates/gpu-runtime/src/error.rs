//! What can go wrong between a host and a device, with the numbers that matter.

use crate::compose::ShaderFault;
use crate::self_test::SelfTestFault;

/// Errors of gpu-runtime. Messages are one line and carry the values: what was asked, what is allowed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The machine has no adapter that the selection allows.
    #[error("no {wanted} adapter on this machine; it has: {available}")]
    NoAdapter {
        /// What was looked for, such as `hardware`.
        wanted: String,
        /// The adapters that exist, or `none`.
        available: String,
    },
    /// No adapter has the index or name asked for.
    #[error("no adapter matches \"{asked}\"; this machine has: {available}")]
    UnknownAdapter {
        /// The selection as it was given.
        asked: String,
        /// The adapters that exist, or `none`.
        available: String,
    },
    /// The driver would not make a device.
    #[error("adapter {adapter}: cannot open the device: {reason}")]
    DeviceRequest {
        /// Name of the adapter.
        adapter: String,
        /// The driver's words.
        reason: String,
    },
    /// The strict form that was asked for does not exist on this adapter.
    #[error("adapter {adapter}: numerics form {form} is not available: {reason}")]
    FormUnavailable {
        /// Name of the adapter.
        adapter: String,
        /// The form asked for.
        form: String,
        /// Why it is not there.
        reason: String,
    },
    /// The start-up self-test found other bits than the CPU's in every form that was tried.
    #[error("adapter {adapter} fails the strict-float self-test in form {form}: {fault}")]
    SelfTest {
        /// Name of the adapter.
        adapter: String,
        /// The last form tried.
        form: String,
        /// Pattern, input, expected and got bits.
        fault: Box<SelfTestFault>,
    },
    /// A kernel's WGSL does not parse, validate or translate.
    #[error("{0}")]
    Shader(Box<ShaderFault>),
    /// A dispatch does not fit its kernel's declared bindings or parameters.
    #[error("kernel {kernel}: {what}")]
    Binding {
        /// Entry point of the kernel.
        kernel: String,
        /// Which binding or parameter, and how it differs.
        what: String,
    },
    /// More was asked of the device than it allows.
    #[error("{what}: needs {needed} {unit}, the device allows {allowed}")]
    Limit {
        /// What was being made.
        what: String,
        /// How much it needs.
        needed: u64,
        /// How much the device allows.
        allowed: u64,
        /// Unit of both numbers.
        unit: &'static str,
    },
    /// An argument holds fewer values than the call needs.
    #[error("{what}: {needed} values needed, {given} given")]
    Length {
        /// Which call and argument.
        what: String,
        /// How many values it needs.
        needed: usize,
        /// How many there are.
        given: usize,
    },
    /// The device's memory is full.
    #[error("{what}: the device is out of memory ({needed} bytes asked)")]
    OutOfMemory {
        /// What was being made.
        what: String,
        /// Bytes asked for by this request; 0 where no single request is at fault.
        needed: u64,
    },
    /// The device is gone; nothing further can run on this context.
    #[error("the device was lost: {reason}")]
    DeviceLost {
        /// The driver's words.
        reason: String,
    },
    /// The device did not finish in time.
    #[error("{what}: the device did not finish within {seconds} s")]
    Timeout {
        /// Label of the recording.
        what: String,
        /// The limit of the context.
        seconds: f64,
    },
    /// wgpu refused a call: a defect of the caller or of this crate.
    #[error("{what}: {message}")]
    Validation {
        /// What was being done.
        what: String,
        /// wgpu's words.
        message: String,
    },
    /// A buffer or kernel of one context was used with another.
    #[error("{what} belongs to another context")]
    WrongContext {
        /// Label of the buffer or kernel.
        what: String,
    },
}

impl From<ShaderFault> for Error {
    fn from(fault: ShaderFault) -> Self {
        Error::Shader(Box::new(fault))
    }
}
