//! naga's writers with the options that this crate's kernels run under.
//!
//! Loop counters are off everywhere: every loop of these kernels ends by construction. Workgroup memory is not zeroed:
//! kernels write it before they read it. Index and integer-division checks are on unless the kernel is trusted.

use naga::back::{hlsl, msl, spv, wgsl};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::ModuleInfo;
use naga::{AddressSpace, Module, ScalarKind, StorageAccess, TypeInner};

fn bounds_checks(trusted: bool) -> BoundsCheckPolicies {
    let policy = if trusted { BoundsCheckPolicy::Unchecked } else { BoundsCheckPolicy::Restrict };
    BoundsCheckPolicies { index: policy, buffer: policy, image_load: policy, binding_array: policy }
}

pub(super) fn spirv(module: &Module, info: &ModuleInfo, trusted: bool) -> Result<Vec<u32>, String> {
    let options = spv::Options {
        // 1.3 is what Vulkan 1.1 takes: storage buffers, subgroups.
        lang_version: (1, 3),
        flags: spv::WriterFlags::empty(),
        // Sets and bindings as in the WGSL.
        fake_missing_bindings: true,
        bounds_check_policies: bounds_checks(trusted),
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        emit_int_div_checks: !trusted,
        ..Default::default()
    };
    spv::write_vec(module, info, &options, None).map_err(|error| error.to_string())
}

pub(super) fn msl(module: &Module, info: &ModuleInfo, trusted: bool) -> Result<String, String> {
    let wide = |inner: &TypeInner| inner.scalar_kind() == Some(ScalarKind::Float) && inner.scalar_width() == Some(8);
    if module.types.iter().any(|(_, of)| wide(&of.inner)) {
        return Err("Metal has no f64".to_owned());
    }
    let options = msl::Options {
        lang_version: (3, 0),
        per_entry_point_map: msl_slots(module),
        fake_missing_bindings: false,
        bounds_check_policies: bounds_checks(trusted),
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        emit_int_div_checks: !trusted,
        ..Default::default()
    };
    let (text, _) =
        msl::write_string(module, info, &options, &Default::default()).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Buffers at the slots of their bindings; their sizes in the slot after the last one.
fn msl_slots(module: &Module) -> msl::EntryPointResourceMap {
    let mut resources = msl::EntryPointResources::default();
    for (_, variable) in module.global_variables.iter() {
        if let Some(binding) = variable.binding {
            let slot = binding.binding as msl::Slot;
            let mutable =
                matches!(variable.space, AddressSpace::Storage { access } if access.contains(StorageAccess::STORE));
            resources.resources.insert(binding, msl::BindTarget { buffer: Some(slot), mutable, ..Default::default() });
            resources.sizes_buffer = resources.sizes_buffer.max(Some(slot + 1));
        }
    }
    module.entry_points.iter().map(|entry_point| (entry_point.name.clone(), resources.clone())).collect()
}

pub(super) fn hlsl(module: &Module, info: &ModuleInfo, trusted: bool) -> Result<String, String> {
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_0,
        // Registers and spaces as the bindings and groups in the WGSL.
        fake_missing_bindings: true,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: !trusted,
        force_loop_bounding: false,
        ..Default::default()
    };
    let mut text = String::new();
    let pipeline = hlsl::PipelineOptions::default();
    hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None).map_err(|error| error.to_string())?;
    Ok(text)
}

pub(super) fn wgsl(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    let text = wgsl::write_string(module, info, wgsl::WriterFlags::empty()).map_err(|error| error.to_string())?;
    // naga takes subgroup operations without their extension; other compilers of WGSL do not, and they cannot see that a loop left by a vote of
    // the subgroup is left by all of it.
    let used = |(at, word): (usize, &str)| text[at + word.len()..].starts_with(|c: char| c.is_ascii_uppercase());
    let subgroups = text.match_indices("subgroup").any(used) || text.contains("@builtin(subgroup");
    Ok(if subgroups { format!("enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n\n{text}") } else { text })
}
