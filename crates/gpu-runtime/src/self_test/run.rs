//! Runs the self-test on a device.

use bytemuck::{Pod, Zeroable};

use super::lanes;
use super::{COUNT, FormReport, KERNEL, MODULES, SelfTestFault, check, doubles, inputs};
use crate::compose::Constant;
use crate::kernel::KernelSource;
use crate::numerics::{Form, SubgroupInfo};
use crate::{Context, Error};

/// Invocations of a workgroup of the self-test.
const WORKGROUP: u32 = 64;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    count: u32,
    zero: u32,
    per_pattern: u32,
    unused: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct DoubleParams {
    count: u32,
    zero: u32,
    pattern: u32,
    unused: u32,
}

/// Runs every pattern in `form` and compares the words with the CPU's.
///
/// # Errors
/// Device errors; words that differ are the inner error.
pub(crate) fn run(context: &Context, form: Form) -> Result<Result<FormReport, SelfTestFault>, Error> {
    let source = KernelSource { name: KERNEL, constants: &[], modules: &MODULES, trusted: false };
    let kernel = context.kernels().get(context, &source, form)?;
    let cases = inputs();
    let count = cases.len() as u32;
    let inputs = context.upload("self-test inputs", &cases)?;
    let outputs = context.zeroed::<[u32; 2]>("self-test outputs", cases.len())?;
    let mut recording = context.record("self-test");
    let params = Params { count, zero: 0, per_pattern: COUNT, unused: 0 };
    let bindings = [("inputs", inputs.bind()), ("outputs", outputs.bind())];
    recording.dispatch(&kernel, &bindings, &params, [count.div_ceil(WORKGROUP), 1, 1])?;
    let download = recording.download(&outputs);
    let words = recording.submit()?.take(download)?;
    Ok(check(&words))
}

/// The same for f64, on devices that have it.
///
/// # Errors
/// Device errors; words that differ are the inner error.
pub(crate) fn run_doubles(context: &Context, form: Form) -> Result<Result<FormReport, SelfTestFault>, Error> {
    let source = KernelSource { name: doubles::KERNEL, constants: &[], modules: &doubles::MODULES, trusted: false };
    let kernel = context.kernels().get(context, &source, form)?;
    // Pattern by pattern, in buffers that every device and every limit of a test allows.
    let mut words = Vec::new();
    for (pattern, cases) in doubles::inputs().chunks(COUNT as usize).enumerate() {
        let inputs = context.upload("self-test inputs of f64", cases)?;
        let outputs = context.zeroed::<[u64; 2]>("self-test outputs of f64", cases.len())?;
        let mut recording = context.record("self-test of f64");
        let params = DoubleParams { count: COUNT, zero: 0, pattern: pattern as u32, unused: 0 };
        let bindings = [("inputs", inputs.bind()), ("outputs", outputs.bind())];
        recording.dispatch(&kernel, &bindings, &params, [COUNT.div_ceil(WORKGROUP), 1, 1])?;
        let download = recording.download(&outputs);
        words.extend(recording.submit()?.take(download)?);
    }
    Ok(doubles::check(&words))
}

/// Whether consecutive local indices are consecutive lanes; `None` where they are not or the kernel does not compile.
///
/// # Errors
/// The device is lost, full or too slow.
pub(crate) fn run_lanes(context: &Context, form: Form) -> Result<Option<SubgroupInfo>, Error> {
    let allowed = context.adapter().limits.subgroup_size;
    for workgroup in lanes::WORKGROUPS {
        let constants = [("WORKGROUP", Constant::U32(workgroup))];
        let source =
            KernelSource { name: lanes::KERNEL, constants: &constants, modules: &[lanes::MODULE], trusted: false };
        let kernel = match context.kernels().get(context, &source, form) {
            Ok(kernel) => kernel,
            Err(Error::Shader(_) | Error::Limit { .. } | Error::Validation { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let buffer = context.zeroed::<lanes::Lane>("self-test lanes", (workgroup * lanes::GROUPS) as usize)?;
        let mut recording = context.record("self-test of lanes");
        let params = Params { count: 0, zero: 0, per_pattern: 0, unused: 0 };
        recording.dispatch(&kernel, &[("lanes", buffer.bind())], &params, [lanes::GROUPS, 1, 1])?;
        let download = recording.download(&buffer);
        let words = recording.submit()?.take(download)?;
        if lanes::check(workgroup, &words, allowed).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(SubgroupInfo { min_size: allowed.0, max_size: allowed.1 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AdapterSelector, ContextOptions, NumericsChoice, adapters};

    /// Drivers that were seen to fold error terms or to contract where nothing forbids it.
    const OPTIMISING: [&str; 2] = ["llvmpipe", "NVIDIA"];

    /// The control of the self-test: it must notice drivers that optimise float arithmetic.
    #[test]
    fn arithmetic_that_is_not_strict_is_noticed() {
        if adapters().is_empty() {
            println!("skipped: no Vulkan, Metal or DX12 adapter on this machine");
        }
        for adapter in adapters() {
            let selector = AdapterSelector::Index(adapter.index);
            let options =
                ContextOptions { selector, numerics: NumericsChoice::Off, cache_dir: None, ..Default::default() };
            let context = Context::new(&options).unwrap();
            let outcome = run(&context, Form::Off).unwrap();
            println!("{adapter}: {outcome:?}");
            if OPTIMISING.iter().any(|name| adapter.name.contains(name)) {
                assert!(outcome.is_err(), "{adapter}");
            }
            if adapter.features.f64 && adapter.features.int64 {
                let outcome = run_doubles(&context, Form::Off).unwrap();
                println!("{adapter}, f64: {outcome:?}");
                if OPTIMISING.iter().any(|name| adapter.name.contains(name)) {
                    assert!(outcome.is_err(), "{adapter}, f64");
                }
            }
        }
    }
}
