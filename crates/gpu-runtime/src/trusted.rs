//! The only unsafe code of the workspace: calls of wgpu and Vulkan that cannot check what they are given.
//!
//! Which kernels run without bounds checks is decided by [`crate::KernelSource::trusted`]; the table of them, each with
//! the host check that proves its indices, is in `docs/architecture.md`.
#![allow(unsafe_code)]

use std::borrow::Cow;

use crate::strict::decorate::{FloatControls, FloatModes};

/// Hands SPIR-V words to the driver as they are.
pub(crate) fn passthrough_module(
    device: &wgpu::Device,
    label: &str,
    words: Vec<u32>,
    workgroup_size: [u32; 3],
) -> wgpu::ShaderModule {
    let [x, y, z] = workgroup_size;
    let entry_point =
        wgpu::PassthroughShaderEntryPoint { name: Cow::Owned(label.to_owned()), workgroup_size: (x, y, z) };
    // SAFETY: the words were written by naga from a module that its validator accepted, and `strict::decorate` added
    // decorations and execution modes only (in tests `adversary` changes float arithmetic, no index). Bounds checks are in the words unless the kernel is trusted.
    unsafe {
        device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
            label: Some(label),
            entry_points: Cow::Owned(vec![entry_point]),
            spirv: Some(Cow::Owned(words)),
            ..Default::default()
        })
    }
}

/// A module from naga's representation, without loop counters, and without index checks where `trusted`.
pub(crate) fn naga_module(
    device: &wgpu::Device,
    label: &str,
    module: naga::Module,
    trusted: bool,
) -> wgpu::ShaderModule {
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    checks.force_loop_bounding = false;
    if trusted {
        checks.bounds_checks = false;
        checks.int_div_checks = false;
    }
    let source = wgpu::ShaderSource::Naga(Cow::Owned(module));
    // SAFETY: every loop of the workspace's kernels ends by construction (counters or a stack that only the kernel
    // fills), and checks of indices are off only for kernels whose indices the host proves in range before the dispatch.
    unsafe { device.create_shader_module_trusted(wgpu::ShaderModuleDescriptor { label: Some(label), source }, checks) }
}

/// A pipeline cache, filled from `data` when there is any.
pub(crate) fn pipeline_cache(device: &wgpu::Device, data: Option<&[u8]>) -> wgpu::PipelineCache {
    // SAFETY: `data` was returned by `PipelineCache::get_data` for this adapter and driver: `PipelineStore` checks name,
    // driver and checksum of the file before it hands the bytes on.
    unsafe {
        device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor { label: Some("isobit"), data, fallback: true })
    }
}

/// The float-controls modes that the contract uses and the adapter advertises: rounding to nearest even, at both widths.
///
/// Subnormals need no mode, since no result depends on them (`docs/numerics.md`), and keeping them makes `sqrt` slower.
pub(crate) fn advertised_float_controls(adapter: &wgpu::Adapter) -> FloatControls {
    #[cfg(all(feature = "vulkan", not(target_vendor = "apple"), not(target_arch = "wasm32")))]
    {
        use ash::vk;
        // SAFETY: nothing of the driver is destroyed here, and the guard lives to the end of this block.
        if let Some(hal) = unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() } {
            let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut controls);
            let instance = hal.shared_instance().raw_instance();
            if hal.physical_device_capabilities().properties().api_version >= vk::API_VERSION_1_2 {
                // SAFETY: the physical device belongs to this instance; version 1.2 has both structures.
                unsafe { instance.get_physical_device_properties2(hal.raw_physical_device(), &mut properties) };
            }
            let mode = |rte| FloatModes { rounding_mode_rte: rte == vk::TRUE, ..FloatModes::default() };
            return FloatControls {
                f32: mode(controls.shader_rounding_mode_rte_float32),
                f64: mode(controls.shader_rounding_mode_rte_float64),
            };
        }
    }
    let _ = adapter;
    FloatControls::default()
}

/// Keeps Mesa's device-selection layer from printing `error: XDG_RUNTIME_DIR ..` on machines without a desktop.
///
/// For programs: call it first in `main`. It sets `NODEVICE_SELECT=1` for this process, on Linux, when there is no
/// desktop session and the variable is not set; it does nothing once a second thread runs.
pub fn quiet_drivers() {
    let unset = |name| std::env::var_os(name).is_none();
    if cfg!(target_os = "linux") && unset("XDG_RUNTIME_DIR") && unset("NODEVICE_SELECT") {
        let threads = std::fs::read_dir("/proc/self/task").map_or(usize::MAX, Iterator::count);
        if threads == 1 {
            // SAFETY: this is the only thread of the process, so nothing reads the environment meanwhile.
            unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
        }
    }
}
