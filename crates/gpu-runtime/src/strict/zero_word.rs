//! The word of a kernel's parameter block that the host always writes as 0.
//!
//! The guard needs a zero that no compiler can know: a constant, an override or a literal would be folded.

use naga::{AddressSpace, GlobalVariable, Handle, Module, ResourceBinding, Scalar, TypeInner};

/// Group and binding of the parameter block.
const PARAMS: ResourceBinding = ResourceBinding { group: 0, binding: 0 };

/// Name of the member.
const MEMBER: &str = "zero";

/// Where the zero is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ZeroWord {
    /// The parameter block.
    pub(super) global: Handle<GlobalVariable>,
    /// Index of the member `zero`.
    pub(super) member: u32,
}

/// Finds the member `zero: u32` of the uniform struct at group 0, binding 0, or says what is missing.
pub(super) fn find(module: &Module) -> Result<ZeroWord, String> {
    let needs = "float arithmetic needs a member `zero: u32` in the uniform struct at @group(0) @binding(0)";
    let Some((global, variable)) = module.global_variables.iter().find(|(_, v)| v.binding == Some(PARAMS)) else {
        return Err(format!("{needs}; nothing is bound there"));
    };
    let name = variable.name.as_deref().unwrap_or("the variable");
    if variable.space != AddressSpace::Uniform {
        return Err(format!("{needs}; {name} is not var<uniform>"));
    }
    let TypeInner::Struct { members, .. } = &module.types[variable.ty].inner else {
        return Err(format!("{needs}; {name} is no struct"));
    };
    match members.iter().position(|member| member.name.as_deref() == Some(MEMBER)) {
        Some(index) if module.types[members[index].ty].inner == TypeInner::Scalar(Scalar::U32) => {
            Ok(ZeroWord { global, member: index as u32 })
        }
        Some(_) => Err(format!("{needs}; the member of {name} is no u32")),
        None => Err(format!("{needs}; {name} has no such member")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(declarations: &str) -> Result<u32, String> {
        find(&naga::front::wgsl::parse_str(declarations).unwrap()).map(|word| word.member)
    }

    #[test]
    fn the_member_is_found_by_name() {
        let text = "struct P { count: u32, zero: u32, a: u32, b: u32 } @group(0) @binding(0) var<uniform> p: P;";
        assert_eq!(found(text), Ok(1));
    }

    #[test]
    fn each_way_to_lack_it_is_told() {
        let cases = [
            ("@group(0) @binding(1) var<uniform> p: vec4<u32>;", "nothing is bound there"),
            ("@group(0) @binding(0) var<storage, read> p: array<u32>;", "p is not var<uniform>"),
            ("@group(0) @binding(0) var<uniform> p: vec4<u32>;", "p is no struct"),
            ("struct P { zero: f32 } @group(0) @binding(0) var<uniform> p: P;", "the member of p is no u32"),
            ("struct P { one: u32 } @group(0) @binding(0) var<uniform> p: P;", "p has no such member"),
        ];
        for (text, end) in cases {
            let message = found(text).unwrap_err();
            assert!(message.ends_with(end), "{message}");
        }
    }
}
