//! The adapters of the machine: what they are, what they allow, and how one is chosen.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::Error;

/// What kind of device an adapter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DeviceType {
    /// A graphics card with memory of its own.
    DiscreteGpu,
    /// A graphics unit that shares the host's memory.
    IntegratedGpu,
    /// A graphics unit of a virtual machine.
    VirtualGpu,
    /// What the driver does not tell.
    Other,
    /// A driver that computes on the CPU.
    Software,
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceType::DiscreteGpu => "discrete",
            DeviceType::IntegratedGpu => "integrated",
            DeviceType::VirtualGpu => "virtual",
            DeviceType::Other => "other",
            DeviceType::Software => "software",
        })
    }
}

/// The limits that shape plans. Bytes where the name says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterLimits {
    /// Largest range of a buffer that one kernel binding can see.
    pub max_binding_bytes: u64,
    /// Largest buffer.
    pub max_buffer_bytes: u64,
    /// Storage buffers that one kernel can bind.
    pub max_storage_buffers: u32,
    /// Invocations of one workgroup.
    pub max_workgroup_invocations: u32,
    /// Memory of one workgroup.
    pub max_workgroup_bytes: u32,
    /// Workgroups of one dispatch along each dimension.
    pub max_workgroups_per_dimension: u32,
    /// Alignment of the offset of a bound range.
    pub binding_alignment_bytes: u32,
    /// Smallest and largest subgroup.
    pub subgroup_size: (u32, u32),
}

/// Optional features. None is required and none changes a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AdapterFeatures {
    /// 64-bit floats in kernels.
    pub f64: bool,
    /// 64-bit integers in kernels.
    pub int64: bool,
    /// Votes and shuffles in a subgroup.
    pub subgroups: bool,
    /// Timestamps at the ends of a compute pass.
    pub timestamps: bool,
    /// SPIR-V handed to the driver as it is: the decorated form needs it.
    pub passthrough: bool,
    /// Compiled pipelines can be kept on disk.
    pub pipeline_cache: bool,
}

/// One adapter of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterInfo {
    /// Position in [`adapters`], usable as [`AdapterSelector::Index`].
    pub index: usize,
    /// The driver's name of the device.
    pub name: String,
    /// What kind of device it is.
    pub device_type: DeviceType,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Driver and its version.
    pub driver: String,
    /// What it allows.
    pub limits: AdapterLimits,
    /// What it can do beyond the minimum.
    pub features: AdapterFeatures,
}

impl AdapterInfo {
    /// Whether the adapter is no software driver.
    pub fn is_hardware(&self) -> bool {
        self.device_type != DeviceType::Software
    }

    pub(crate) fn of(index: usize, adapter: &wgpu::Adapter) -> Self {
        let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
        let has = |f| features.contains(f);
        AdapterInfo {
            index,
            device_type: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => DeviceType::DiscreteGpu,
                wgpu::DeviceType::IntegratedGpu => DeviceType::IntegratedGpu,
                wgpu::DeviceType::VirtualGpu => DeviceType::VirtualGpu,
                wgpu::DeviceType::Cpu => DeviceType::Software,
                wgpu::DeviceType::Other => DeviceType::Other,
            },
            backend: info.backend.to_string(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            name: info.name,
            limits: AdapterLimits {
                max_binding_bytes: limits.max_storage_buffer_binding_size,
                max_buffer_bytes: limits.max_buffer_size,
                max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
                max_workgroup_invocations: limits.max_compute_invocations_per_workgroup,
                max_workgroup_bytes: limits.max_compute_workgroup_storage_size,
                max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
                binding_alignment_bytes: limits.min_storage_buffer_offset_alignment,
                subgroup_size: (info.subgroup_min_size, info.subgroup_max_size),
            },
            features: AdapterFeatures {
                f64: has(wgpu::Features::SHADER_F64),
                int64: has(wgpu::Features::SHADER_INT64),
                subgroups: has(wgpu::Features::SUBGROUP),
                timestamps: has(wgpu::Features::TIMESTAMP_QUERY),
                passthrough: info.backend == wgpu::Backend::Vulkan && has(wgpu::Features::PASSTHROUGH_SHADERS),
                pipeline_cache: has(wgpu::Features::PIPELINE_CACHE),
            },
        }
    }
}

impl fmt::Display for AdapterInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}, {}, {})", self.index, self.name, self.device_type, self.backend, self.driver)
    }
}

/// Which adapter a context opens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AdapterSelector {
    /// The best hardware adapter that passes the self-test.
    #[default]
    Auto,
    /// The best adapter of any type that passes the self-test; software drivers come last.
    Gpu,
    /// The adapter at this position of [`adapters`].
    Index(usize),
    /// The first adapter whose name, driver or type contains this text, whatever its case.
    Name(String),
}

impl FromStr for AdapterSelector {
    type Err = std::convert::Infallible;

    /// `auto`, `gpu`, a number, or a part of a name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.trim() {
            "" | "auto" => AdapterSelector::Auto,
            "gpu" => AdapterSelector::Gpu,
            t => t.parse().map_or_else(|_| AdapterSelector::Name(t.to_owned()), AdapterSelector::Index),
        })
    }
}

impl fmt::Display for AdapterSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdapterSelector::Auto => f.write_str("auto"),
            AdapterSelector::Gpu => f.write_str("gpu"),
            AdapterSelector::Index(i) => write!(f, "{i}"),
            AdapterSelector::Name(n) => f.write_str(n),
        }
    }
}

impl AdapterSelector {
    /// The selection of the environment variable `ISOBIT_DEVICE`; `Auto` when it is not set.
    pub fn from_env() -> Self {
        std::env::var("ISOBIT_DEVICE").unwrap_or_default().parse().unwrap_or_default()
    }

    /// Positions in `all` to try, best first.
    ///
    /// # Errors
    /// [`Error::UnknownAdapter`] for an index or name that none has, [`Error::NoAdapter`] when none qualifies.
    pub(crate) fn candidates(&self, all: &[AdapterInfo]) -> Result<Vec<usize>, Error> {
        let unknown = || Error::UnknownAdapter { asked: self.to_string(), available: listed(all) };
        match self {
            AdapterSelector::Index(i) if *i < all.len() => Ok(vec![*i]),
            AdapterSelector::Index(_) => Err(unknown()),
            AdapterSelector::Name(n) => {
                // Mesa's software driver is known as lavapipe and calls its device llvmpipe.
                let n = n.to_lowercase().replace("lavapipe", "llvmpipe");
                let has = |a: &&AdapterInfo| {
                    [a.name.clone(), a.driver.clone(), a.device_type.to_string()]
                        .iter()
                        .any(|t| t.to_lowercase().contains(&n))
                };
                all.iter().find(has).map(|a| vec![a.index]).ok_or_else(unknown)
            }
            AdapterSelector::Auto | AdapterSelector::Gpu => {
                let any = *self == AdapterSelector::Gpu;
                let mut found: Vec<_> = all.iter().filter(|a| any || a.is_hardware()).collect();
                found.sort_by_key(|a| a.device_type);
                if found.is_empty() {
                    let wanted = if any { "GPU" } else { "hardware" };
                    return Err(Error::NoAdapter { wanted: wanted.into(), available: listed(all) });
                }
                Ok(found.into_iter().map(|a| a.index).collect())
            }
        }
    }
}

fn listed(all: &[AdapterInfo]) -> String {
    if all.is_empty() {
        return "none".into();
    }
    all.iter().map(|a| a.to_string()).collect::<Vec<_>>().join("; ")
}

/// The one instance of the process. Drivers are loaded once and stay: some leave per-thread state behind, and unloading
/// them under a thread that still ends crashes it (seen with NVIDIA's driver and libEGL).
pub(crate) fn instance() -> wgpu::Instance {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    let make = || {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        // Every dispatch is direct and its size is checked on the host: no hidden validation pass is wanted.
        descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        wgpu::Instance::new(descriptor)
    };
    INSTANCE.get_or_init(make).clone()
}

pub(crate) fn enumerate(instance: &wgpu::Instance) -> Vec<(wgpu::Adapter, AdapterInfo)> {
    let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    found
        .into_iter()
        .enumerate()
        .map(|(i, a)| {
            let info = AdapterInfo::of(i, &a);
            (a, info)
        })
        .collect()
}

/// The adapters of this machine, in the drivers' order. Empty where no driver is installed.
pub fn adapters() -> Vec<AdapterInfo> {
    enumerate(&instance()).into_iter().map(|(_, info)| info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake(index: usize, name: &str, device_type: DeviceType) -> AdapterInfo {
        AdapterInfo {
            index,
            name: name.into(),
            device_type,
            backend: "vulkan".into(),
            driver: "test 1".into(),
            limits: AdapterLimits {
                max_binding_bytes: 1 << 27,
                max_buffer_bytes: 1 << 28,
                max_storage_buffers: 8,
                max_workgroup_invocations: 256,
                max_workgroup_bytes: 1 << 14,
                max_workgroups_per_dimension: 65535,
                binding_alignment_bytes: 256,
                subgroup_size: (4, 64),
            },
            features: AdapterFeatures::default(),
        }
    }

    #[test]
    fn selection() {
        let all = [
            fake(0, "llvmpipe (LLVM 15)", DeviceType::Software),
            fake(1, "Some iGPU", DeviceType::IntegratedGpu),
            fake(2, "NVIDIA H200", DeviceType::DiscreteGpu),
        ];
        let pick = |t: &str, a: &[AdapterInfo]| t.parse::<AdapterSelector>().unwrap().candidates(a);
        assert_eq!(pick("auto", &all).unwrap(), [2, 1]);
        assert_eq!(pick("gpu", &all).unwrap(), [2, 1, 0]);
        assert_eq!(pick("1", &all).unwrap(), [1]);
        assert_eq!(pick("LLVMPIPE", &all).unwrap(), [0]);
        assert_eq!(pick("lavapipe", &all).unwrap(), [0]);
        assert_eq!(pick("discrete", &all).unwrap(), [2]);
        let text = pick("radeon", &all).unwrap_err().to_string();
        assert!(text.contains("radeon") && text.contains("llvmpipe") && text.contains("H200"), "{text}");
        assert!(matches!(pick("3", &all), Err(Error::UnknownAdapter { .. })));
        assert!(matches!(pick("auto", &all[..1]), Err(Error::NoAdapter { .. })));
        assert!(pick("gpu", &[]).unwrap_err().to_string().contains("it has: none"));
    }
}
