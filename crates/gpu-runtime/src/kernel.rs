//! Kernels: WGSL modules, composed, made strict and compiled for one device.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use gpu_shaders::WgslModule;

use crate::compose::{Constant, ShaderCapabilities, Validated, compose, parse_and_validate, revalidate};
use crate::numerics::Form;
use crate::reflect::{self, Interface};
use crate::{Context, Error, strict, translate, trusted};

/// What a kernel is made of.
///
/// The entry point is `name`. The modules are joined in order, after `constants`, which become
/// `const NAME: TYPE = VALUE;` lines. Binding 0 of group 0 is `var<uniform> params`, a struct with a member
/// `zero: u32` that the host always leaves 0; storage buffers follow at 1, 2, .. without gaps and are bound by name.
#[derive(Debug, Clone, Copy)]
pub struct KernelSource<'a> {
    /// Entry point, label and name in errors.
    pub name: &'a str,
    /// Constants generated in front of the modules.
    pub constants: &'a [(&'a str, Constant)],
    /// The modules, in order.
    pub modules: &'a [WgslModule],
    /// Whether all indices are proven in range by host checks that run before the dispatch, so that the device need
    /// not check them. Debug builds check nonetheless.
    pub trusted: bool,
}

/// A compiled kernel of one context. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) context_id: u64,
    pub(crate) name: String,
    pub(crate) interface: Interface,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// The entry point.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Invocations of a workgroup along x, y, z.
    pub fn workgroup_size(&self) -> [u32; 3] {
        self.inner.interface.workgroup_size
    }

    pub(crate) fn create(context: &Context, source: &KernelSource<'_>, form: Form) -> Result<Self, Error> {
        let features = context.adapter().features;
        let capabilities =
            ShaderCapabilities { f64: features.f64, int64: features.int64, subgroups: features.subgroups };
        let composed = compose(source.name, source.constants, source.modules)?;
        let validated = parse_and_validate(&composed, capabilities)?;
        let interface = reflect::interface(&composed, &validated)?;
        check_limits(context, source.name, &interface)?;
        let trusted = source.trusted && !cfg!(debug_assertions);
        let module = match form {
            Form::Decorated => {
                let words = translate::decorated_words(&composed, &validated, trusted, context.float_controls())?;
                let device = context.device();
                context.scoped(source.name, 0, || {
                    trusted::passthrough_module(device, source.name, words, interface.workgroup_size)
                })?
            }
            Form::Guarded | Form::Off => {
                let Validated { mut module, info, .. } = validated;
                if form == Form::Guarded {
                    strict::guard(&composed, &mut module, &info, capabilities)?;
                    module = revalidate(&composed, module, capabilities)?.module;
                }
                context
                    .scoped(source.name, 0, || trusted::naga_module(context.device(), source.name, module, trusted))?
            }
        };
        Self::link(context, source.name, interface, &module)
    }

    /// A kernel in `form` with a liberty taken, and how often.
    #[cfg(feature = "adversary")]
    pub(crate) fn create_adversarial(
        context: &Context,
        source: &KernelSource<'_>,
        form: Form,
        liberty: crate::Liberty,
    ) -> Result<(Self, usize), Error> {
        let features = context.adapter().features;
        let capabilities =
            ShaderCapabilities { f64: features.f64, int64: features.int64, subgroups: features.subgroups };
        let composed = compose(source.name, source.constants, source.modules)?;
        let interface = reflect::interface(&composed, &parse_and_validate(&composed, capabilities)?)?;
        let target = translate::Target { capabilities, float_controls: context.float_controls() };
        let words = translate::Translation::new(source, form, &target)?.spirv()?;
        let rewritten = crate::adversary::rewrite(&words, liberty).map_err(|e| composed.fault(e.to_string()))?;
        let module = context.scoped(source.name, 0, || {
            trusted::passthrough_module(context.device(), source.name, rewritten.words, interface.workgroup_size)
        })?;
        Ok((Self::link(context, source.name, interface, &module)?, rewritten.places))
    }

    fn link(context: &Context, name: &str, interface: Interface, module: &wgpu::ShaderModule) -> Result<Self, Error> {
        let device = context.device();
        let (layout, pipeline) = context.scoped(name, 0, || {
            let entries: Vec<_> = interface.layout_entries();
            let layout = device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(name),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module,
                entry_point: Some(name),
                // Kernels write their workgroup memory before they read it.
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: context.pipelines().cache(),
            });
            (layout, pipeline)
        })?;
        context.pipelines().touch();
        let inner = Inner { context_id: context.id(), name: name.to_owned(), interface, pipeline, layout };
        Ok(Kernel { inner: Arc::new(inner) })
    }
}

fn check_limits(context: &Context, name: &str, interface: &Interface) -> Result<(), Error> {
    let limits = &context.adapter().limits;
    let invocations: u32 = interface.workgroup_size.iter().product();
    let checks = [
        ("storage buffers", interface.storage.len() as u32, limits.max_storage_buffers),
        ("invocations a workgroup", invocations, limits.max_workgroup_invocations),
        ("bytes of workgroup memory", interface.workgroup_bytes, limits.max_workgroup_bytes),
    ];
    for (unit, needed, allowed) in checks {
        if needed > allowed {
            let (needed, allowed) = (needed.into(), allowed.into());
            return Err(Error::Limit { what: format!("kernel {name}"), needed, allowed, unit });
        }
    }
    Ok(())
}

/// The kernels of a context, by content.
#[derive(Default)]
pub(crate) struct KernelCache {
    made: Mutex<HashMap<Key, Kernel>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: String,
    form: Form,
    trusted: bool,
    constants: Vec<(String, &'static str, u32)>,
    /// Names and texts: module texts are static, so a key costs no copy of them.
    modules: Vec<(&'static str, &'static str)>,
}

impl Key {
    fn of(source: &KernelSource<'_>, form: Form) -> Self {
        let bits = |c: Constant| match c {
            Constant::U32(v) => ("u32", v),
            Constant::I32(v) => ("i32", v as u32),
            Constant::F32(v) => ("f32", v.to_bits()),
            Constant::Bool(v) => ("bool", v.into()),
        };
        let constant = |(name, value): &(&str, Constant)| {
            let (kind, bits) = bits(*value);
            (name.to_string(), kind, bits)
        };
        Key {
            name: source.name.to_owned(),
            form,
            trusted: source.trusted,
            constants: source.constants.iter().map(constant).collect(),
            modules: source.modules.iter().map(|m| (m.name, m.source)).collect(),
        }
    }
}

impl KernelCache {
    pub(crate) fn get(&self, context: &Context, source: &KernelSource<'_>, form: Form) -> Result<Kernel, Error> {
        let lock = || self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let key = Key::of(source, form);
        if let Some(kernel) = lock().get(&key) {
            return Ok(kernel.clone());
        }
        // Compiled outside of the lock: threads that ask for different kernels do not wait for each other.
        let kernel = Kernel::create(context, source, form)?;
        Ok(lock().entry(key).or_insert(kernel).clone())
    }
}
