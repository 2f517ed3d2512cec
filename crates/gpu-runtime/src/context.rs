//! A context: one device, opened, tested and ready, with the strict form that its kernels take.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytemuck::Pod;

use crate::adapter::{self, AdapterInfo, AdapterSelector};
use crate::arguments::ArgumentCache;
use crate::faults::{Faults, lock};
use crate::kernel::KernelCache;
use crate::memory::Memory;
use crate::numerics::{FormOutcome, Numerics, NumericsChoice, SubgroupInfo};
use crate::pipeline_store::PipelineStore;
use crate::pool::BufferPool;
use crate::strict::decorate::FloatControls;
use crate::{DeviceVec, Error, Kernel, KernelSource, Recording, numerics, trusted};

/// How long waits look before they sleep, on hardware: waking took 0.05 to 0.07 ms on an H200, which is a lot of a call of half a millisecond.
const SPIN: Duration = Duration::from_millis(1);

/// How a [`Context`] is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextOptions {
    /// Which adapter.
    pub selector: AdapterSelector,
    /// Which strict form.
    pub numerics: NumericsChoice,
    /// Whether kernels may use subgroup operations where the device has them and the self-test confirms their lanes.
    pub subgroups: bool,
    /// How long one submission may run before it is given up.
    pub timeout: Duration,
    /// How long a wait looks again and again before it sleeps, since waking a thread takes longer than a short submission; `None` is 1 ms on hardware and 0 on software, which has no processor to spare.
    pub spin: Option<Duration>,
    /// Where compiled pipelines are kept; `None` keeps none.
    pub cache_dir: Option<PathBuf>,
    /// A smaller limit of bytes per binding than the device's, to exercise chunking.
    pub max_binding_bytes: Option<u64>,
}

impl Default for ContextOptions {
    /// Best hardware adapter, best form, subgroups, 300 s, the user's cache folder.
    fn default() -> Self {
        ContextOptions {
            selector: AdapterSelector::default(),
            numerics: NumericsChoice::default(),
            subgroups: true,
            timeout: Duration::from_secs(300),
            spin: None,
            cache_dir: crate::pipeline_store::default_dir(),
            max_binding_bytes: None,
        }
    }
}

/// An open device. Cheap to clone; `Send` and `Sync`; several can live side by side.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

struct Inner {
    id: u64,
    adapter: AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    numerics: Numerics,
    subgroups: Option<SubgroupInfo>,
    doubles: OnceLock<FormOutcome>,
    timeout: Duration,
    spin: Duration,
    faults: Arc<Faults>,
    kernels: KernelCache,
    pipelines: PipelineStore,
    pool: BufferPool,
    arguments: ArgumentCache,
    float_controls: FloatControls,
    memory: Memory,
}

impl Context {
    /// Opens the first adapter of the selection that passes the self-test.
    ///
    /// The self-test runs the patterns that tell strict arithmetic from other arithmetic in every form that
    /// `options.numerics` allows, and compares words with the CPU's; the context takes the decorated form where it
    /// passes, else the guarded one ([`Context::numerics`] tells).
    ///
    /// # Errors
    /// [`Error::UnknownAdapter`], [`Error::NoAdapter`], [`Error::DeviceRequest`], [`Error::FormUnavailable`], and
    /// [`Error::SelfTest`] with pattern, input, expected and got bits when no form of any candidate passes.
    pub fn new(options: &ContextOptions) -> Result<Self, Error> {
        let instance = adapter::instance();
        let mut found = adapter::enumerate(&instance);
        let infos: Vec<_> = found.iter().map(|(_, info)| info.clone()).collect();
        let mut first_error = None;
        for i in options.selector.candidates(&infos)? {
            let (adapter, info) = &mut found[i];
            match Self::open(adapter, info.clone(), options) {
                Ok(context) => return Ok(context),
                Err(e) => first_error = first_error.or(Some(e)),
            }
        }
        Err(first_error.unwrap_or(Error::NoAdapter { wanted: "usable".into(), available: "none".into() }))
    }

    fn open(adapter: &wgpu::Adapter, info: AdapterInfo, options: &ContextOptions) -> Result<Self, Error> {
        use wgpu::Features as F;
        let wanted = F::SHADER_F64
            | F::SHADER_INT64
            | F::SUBGROUP
            | F::TIMESTAMP_QUERY
            | F::PASSTHROUGH_SHADERS
            | F::PIPELINE_CACHE;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("isobit"),
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|e| Error::DeviceRequest { adapter: info.name.clone(), reason: e.to_string() })?;
        let faults = Faults::watch(&device);
        let pipelines = PipelineStore::open(&device, &adapter.get_info(), options.cache_dir.as_deref());
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let hardware = info.is_hardware();
        let mut inner = Inner {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            adapter: info,
            device,
            queue,
            numerics: Numerics::untested(),
            subgroups: None,
            doubles: OnceLock::new(),
            timeout: options.timeout,
            spin: options.spin.unwrap_or(if hardware { SPIN } else { Duration::ZERO }),
            faults,
            kernels: KernelCache::default(),
            pipelines,
            pool: BufferPool::default(),
            arguments: ArgumentCache::default(),
            float_controls: trusted::advertised_float_controls(adapter),
            memory: Memory::default(),
        };
        // The self-test dispatches through a context of its own, so that the real one is complete from the start.
        let probe = Context { inner: Arc::new(inner) };
        let (numerics, subgroups) = numerics::choose(&probe, options)?;
        inner = Arc::into_inner(probe.inner).ok_or_else(|| Error::Validation {
            what: "self-test".into(),
            message: "a buffer of the self-test outlived it".into(),
        })?;
        if let Some(bytes) = options.max_binding_bytes {
            // After the self-test, whose buffers are larger than what a test may ask for.
            let limit = &mut inner.adapter.limits.max_binding_bytes;
            *limit = bytes.min(*limit);
        }
        inner.numerics = numerics;
        inner.subgroups = subgroups;
        Ok(Context { inner: Arc::new(inner) })
    }

    /// The adapter. Its `max_binding_bytes` is the smaller of the device's and the options'.
    pub fn adapter(&self) -> &AdapterInfo {
        &self.inner.adapter
    }

    /// Which strict form the kernels take, and what the self-test saw in each.
    pub fn numerics(&self) -> &Numerics {
        &self.inner.numerics
    }

    /// What the self-test of f64 saw in this context's form: run when first asked, since few programs use f64.
    ///
    /// # Errors
    /// [`Error::Limit`] where the device lacks 64-bit floats or integers, [`Error::SelfTest`] where a word is not the CPU's, and device errors.
    pub fn doubles(&self) -> Result<&FormOutcome, Error> {
        if let Some(outcome) = self.inner.doubles.get() {
            return Ok(outcome);
        }
        let outcome = numerics::doubles(self)?;
        Ok(self.inner.doubles.get_or_init(|| outcome))
    }

    /// Subgroup sizes, where the device has subgroups, the options allow them, and the self-test confirmed that
    /// consecutive local indices are consecutive lanes. Kernels take their form without subgroups otherwise.
    pub fn subgroups(&self) -> Option<SubgroupInfo> {
        self.inner.subgroups
    }

    /// Bytes of all buffers of values ever made, freed ones included: does not move in a steady state.
    ///
    /// Buffers of values are those of [`DeviceVec`]s; the parameter blocks and read-back buffers that a context keeps for its submissions come on top, at most a few of each.
    pub fn allocated_bytes(&self) -> u64 {
        self.inner.memory.made()
    }

    /// Bytes of the buffers of values that are there now.
    pub fn held_bytes(&self) -> u64 {
        self.inner.memory.held()
    }

    /// The most bytes that buffers of values held at once since the last call of this, or since the context was opened: what a call needs at its peak.
    pub fn take_peak_bytes(&self) -> u64 {
        self.inner.memory.take_peak()
    }

    /// From now on, buffers of values hold at most `bytes` together: what passes that is [`Error::OutOfMemory`], as if the device had no more. `None` leaves it to the device.
    ///
    /// For programs that leave memory to others, and for tests of what happens when it is full.
    pub fn limit_memory(&self, bytes: Option<u64>) {
        self.inner.memory.limit(bytes);
    }

    /// Copies `data` to a new device buffer.
    ///
    /// # Errors
    /// [`Error::Limit`] above the device's largest buffer, [`Error::OutOfMemory`], and device errors.
    pub fn upload<T: Pod>(&self, label: &str, data: &[T]) -> Result<DeviceVec<T>, Error> {
        DeviceVec::new(self, label, data.len(), Some(data))
    }

    /// A new device buffer of `len` zeros.
    ///
    /// # Errors
    /// As [`Context::upload`].
    pub fn zeroed<T: Pod>(&self, label: &str, len: usize) -> Result<DeviceVec<T>, Error> {
        DeviceVec::new(self, label, len, None)
    }

    /// The kernel of `source` in this context's strict form: composed, checked, made strict and compiled once, then
    /// found again by its content.
    ///
    /// # Errors
    /// [`Error::Shader`] naming module and line, [`Error::Limit`] for too many bindings or invocations, and device
    /// errors.
    pub fn kernel(&self, source: &KernelSource<'_>) -> Result<Kernel, Error> {
        self.inner.kernels.get(self, source, self.inner.numerics.form)
    }

    /// A kernel in a form, whatever this context's is, with a liberty taken with its float arithmetic; and how often. For tests; a device that takes SPIR-V.
    ///
    /// # Errors
    /// As [`Context::kernel`].
    #[cfg(feature = "adversary")]
    pub fn adversarial_kernel(
        &self,
        source: &KernelSource<'_>,
        form: crate::Form,
        liberty: crate::Liberty,
    ) -> Result<(Kernel, usize), Error> {
        Kernel::create_adversarial(self, source, form, liberty)
    }

    /// Starts a list of dispatches and copies that is submitted as one.
    pub fn record(&self, label: &str) -> Recording {
        Recording::new(self.clone(), label)
    }

    /// Gives the device up at once, as if it had been lost: every later call returns [`Error::DeviceLost`].
    pub fn destroy(&self) {
        lock(&self.inner.faults.lost).get_or_insert("destroyed by the program".to_owned());
        self.inner.device.destroy();
    }

    /// Writes the compiled pipelines to the cache folder. Called when the last handle of the context goes, too.
    pub fn save_pipelines(&self) {
        self.inner.pipelines.save();
    }

    pub(crate) fn arguments(&self) -> &ArgumentCache {
        &self.inner.arguments
    }

    pub(crate) fn kernels(&self) -> &KernelCache {
        &self.inner.kernels
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    pub(crate) fn pipelines(&self) -> &PipelineStore {
        &self.inner.pipelines
    }

    pub(crate) fn pool(&self) -> &BufferPool {
        &self.inner.pool
    }

    pub(crate) fn float_controls(&self) -> FloatControls {
        self.inner.float_controls
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.inner.timeout
    }

    pub(crate) fn spin(&self) -> Duration {
        self.inner.spin
    }

    /// Tells contexts apart; buffers and kernels of one are refused by another.
    pub(crate) fn id(&self) -> u64 {
        self.inner.id
    }

    /// The error that the device reported outside of a call, if any.
    pub(crate) fn fault(&self) -> Result<(), Error> {
        if let Some(reason) = lock(&self.inner.faults.lost).clone() {
            return Err(Error::DeviceLost { reason });
        }
        match lock(&self.inner.faults.uncaptured).take() {
            Some(message) => Err(Error::Validation { what: "outside of a call".into(), message }),
            None => Ok(()),
        }
    }

    /// Runs `f`; what wgpu reports meanwhile comes back as an error about `what`.
    pub(crate) fn scoped<T>(&self, what: &str, needed: u64, f: impl FnOnce() -> T) -> Result<T, Error> {
        self.fault()?;
        let device = &self.inner.device;
        let filters = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation];
        let scopes = filters.map(|filter| device.push_error_scope(filter));
        let value = f();
        // Scopes are a stack: the last one pushed is popped first.
        let errors: Vec<_> = scopes.into_iter().rev().filter_map(|s| pollster::block_on(s.pop())).collect();
        if let Some(reason) = lock(&self.inner.faults.lost).clone() {
            return Err(Error::DeviceLost { reason });
        }
        match errors.into_iter().next() {
            None => Ok(value),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(Error::OutOfMemory { what: what.to_owned(), needed }),
            Some(e) => Err(Error::Validation { what: what.to_owned(), message: e.to_string() }),
        }
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.inner.memory
    }

    pub(crate) fn create_buffer(
        &self,
        label: &str,
        size: u64,
        usage: wgpu::BufferUsages,
        data: Option<&[u8]>,
    ) -> Result<wgpu::Buffer, Error> {
        let allowed = self.inner.adapter.limits.max_buffer_bytes;
        if size > allowed {
            return Err(Error::Limit { what: format!("buffer {label}"), needed: size, allowed, unit: "bytes" });
        }
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: data.is_some() };
        self.scoped(label, size, || {
            let buffer = self.inner.device.create_buffer(&descriptor);
            if let Some(data) = data {
                // Fails only when the creation did, which the scope reports with its cause.
                if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
                    view.slice(..data.len()).copy_from_slice(data);
                }
                buffer.unmap();
            }
            buffer
        })
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({}, {})", self.inner.adapter, self.inner.numerics.form)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.pipelines.save();
    }
}
