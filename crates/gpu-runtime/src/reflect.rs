//! What a kernel binds, read off its module: nothing is declared twice.

use naga::{AddressSpace, StorageAccess, TypeInner};

use crate::compose::{Composed, ShaderFault, Validated};

/// One storage buffer of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StorageSlot {
    pub(crate) name: String,
    pub(crate) binding: u32,
    pub(crate) writes: bool,
}

/// Bindings, parameter block and workgroup of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interface {
    pub(crate) params_bytes: u32,
    pub(crate) storage: Vec<StorageSlot>,
    pub(crate) workgroup_size: [u32; 3],
    pub(crate) workgroup_bytes: u32,
}

impl Interface {
    pub(crate) fn layout_entries(&self) -> Vec<wgpu::BindGroupLayoutEntry> {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let storage = |s: &StorageSlot| entry(s.binding, wgpu::BufferBindingType::Storage { read_only: !s.writes });
        std::iter::once(entry(0, wgpu::BufferBindingType::Uniform)).chain(self.storage.iter().map(storage)).collect()
    }
}

/// Reads the interface of the kernel's module.
///
/// # Errors
/// Binding 0 is no uniform `params`; a binding is outside of group 0, no buffer, or leaves a gap (drivers number them
/// without gaps, and so must SPIR-V that is handed over as it is).
pub(crate) fn interface(composed: &Composed, validated: &Validated) -> Result<Interface, ShaderFault> {
    let module = &validated.module;
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| composed.fault(format!("layout: {e}")))?;
    let mut params_bytes = None;
    let mut storage = Vec::new();
    let mut workgroup_bytes = 0;
    for (_, global) in module.global_variables.iter() {
        let name = global.name.clone().unwrap_or_default();
        let size = module.types[global.ty].inner.size(module.to_ctx());
        if global.space == AddressSpace::WorkGroup {
            workgroup_bytes += size;
        }
        let Some(at) = &global.binding else { continue };
        match global.space {
            _ if at.group != 0 => return Err(composed.fault(format!("binding {name} is in group {}, not 0", at.group))),
            AddressSpace::Uniform if at.binding == 0 && name == "params" => {
                if !matches!(module.types[global.ty].inner, TypeInner::Struct { .. }) {
                    return Err(composed.fault("binding 0: params is no struct"));
                }
                params_bytes = Some(layouter[global.ty].size);
            }
            AddressSpace::Storage { access } => {
                storage.push(StorageSlot { name, binding: at.binding, writes: access.contains(StorageAccess::STORE) });
            }
            space => return Err(composed.fault(format!("binding {} {name}: {space:?} is not supported", at.binding))),
        }
    }
    let Some(params_bytes) = params_bytes else {
        return Err(composed.fault("binding 0 must be `var<uniform> params: Params`"));
    };
    storage.sort_by_key(|s| s.binding);
    for (slot, expected) in storage.iter().zip(1..) {
        if slot.binding != expected {
            let (name, binding) = (&slot.name, slot.binding);
            return Err(composed.fault(format!("{name} has binding {binding}, expected {expected}: no gaps")));
        }
    }
    let workgroup_size = module.entry_points.first().map_or([1; 3], |e| e.workgroup_size);
    Ok(Interface { params_bytes, storage, workgroup_size, workgroup_bytes })
}
