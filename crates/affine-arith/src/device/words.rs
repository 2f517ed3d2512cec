//! A function at the floats of a range of words on a device: what sweeps compare with the CPU.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, WgslModule};
use gpu_shaders::{STRICT_FLOAT, folded_grid};

use super::emit::module;
use crate::function::Unary;
use crate::wgsl::{powf_word, unary_name, wgsl_of};
use crate::{Error, Interval};

const ENCLOSE_WORDS: WgslModule = WgslModule { name: "enclose_words", source: include_str!("enclose_words.wgsl") };

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    first: u32,
    stride: u32,
    pad: [u32; 3],
}

/// A function of one variable made ready to be enclosed at many f32.
#[derive(Debug)]
pub struct WordQuery {
    context: Context,
    kernel: Kernel,
}

impl WordQuery {
    /// Writes and compiles the kernel of a function.
    ///
    /// # Errors
    /// [`Error::NotOnDevice`] for x^y with an integral y given as a real number; [`Error::Device`].
    pub fn new(context: &Context, function: Unary) -> Result<Self, Error> {
        Ok(Self { context: context.clone(), kernel: context.kernel(&entry(function)?.source())? })
    }

    /// The ranges at the floats with the bits `first`, `first + stride`, .., `count` of them: the words of [`crate::enclose_word`], zeros where that
    /// has none. At most 2^23 a call.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn ranges(&self, first: u32, stride: u32, count: u32) -> Result<Vec<Interval<f32>>, Error> {
        let results: DeviceVec<[f32; 2]> = self.context.zeroed("enclosures", count as usize)?;
        let most = self.context.adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(count.div_ceil(64), most);
        let params = Params { zero: 0, count, groups_x: groups[0], first, stride, pad: [0; 3] };
        let mut recording = self.context.record("enclose_words");
        recording.dispatch(&self.kernel, &[("results", results.bind())], &params, groups)?;
        let read = recording.download(&results);
        let mut found = recording.submit()?.take(read)?;
        found.truncate(count as usize);
        Ok(found.into_iter().map(|[lo, hi]| Interval { lo, hi }).collect())
    }
}

/// The kernel of a function.
pub(super) fn entry(function: Unary) -> Result<KernelEntry, Error> {
    let absent = || Error::NotOnDevice { what: format!("{function:?}") };
    let (name, more) = match function {
        Unary::Powi(n) => ("powi".to_owned(), format!(", {n}")),
        Unary::Powf(y) => {
            unary_name::<f32>(function).ok_or_else(absent)?;
            ("powf".to_owned(), format!(", {}", powf_word::<f32>(f64::from_bits(y))))
        }
        _ => (function.name().to_owned(), String::new()),
    };
    let body = format!("fn enclose(x: Interval) -> Interval {{\n    return interval_{name}(x{more});\n}}\n\n");
    let roots = [format!("interval_{name}"), "TINY".to_owned(), "LIMIT".to_owned()];
    let library = wgsl_of::<f32>(1, &roots, &[]);
    let modules =
        vec![STRICT_FLOAT, module("interval_functions", library), module("function_of_words", body), ENCLOSE_WORDS];
    Ok(KernelEntry { name: "enclose_words", constants: Vec::new(), modules, trusted: false })
}
