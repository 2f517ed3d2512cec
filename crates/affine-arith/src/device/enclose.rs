//! Expressions over many boxes on a device: a kernel written from the plan, made of the library's functions.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, WgslModule};

use super::emit::module;
use super::expression::expression;
use super::standard::{box_modules, lowered};
use super::value::DeviceValue;
use crate::function::Unary;
use crate::subdivide::Model;
use crate::wgsl::{DeviceReal, wgsl_of};
use crate::{Affine, Error, Interval, Mixed, Plan, StandardForm};

const ENCLOSE_BOXES: WgslModule = WgslModule { name: "enclose_boxes", source: include_str!("enclose_boxes.wgsl") };

/// Boxes of one submission: the results stay below the smallest binding there is.
const PIECE: usize = 1 << 20;
/// Workgroups along the first dimension.
const ROW: u32 = 32_768;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    pad: u32,
}

/// A form and the interval beside it.
pub type FormAndRange<const V: usize, T = f32> = (Affine<T, V>, Interval<T>);

/// An expression made ready to be evaluated over boxes on a device, in f32 or, where the device has it, in f64.
#[derive(Debug)]
pub struct BoxQuery<const V: usize, T = f32> {
    context: Context,
    kernel: Kernel,
    model: Model,
    /// Symbols of the result of standard forms.
    symbols: usize,
    number: PhantomData<T>,
}

impl<const V: usize, T: DeviceReal> BoxQuery<V, T> {
    /// Writes and compiles the kernel of a plan in V variables.
    ///
    /// # Errors
    /// [`Error::Count`] for another number of variables; [`Error::NotOnDevice`] for functions that kernels lack (x^y with an integral y given as a
    /// real number, standard forms of f64); [`Error::Symbols`] for [`Model::Standard`] where a value has more than 32 symbols; [`Error::Device`], f64 on a
    /// device without it among them.
    pub fn new(context: &Context, plan: &Plan, model: Model) -> Result<Self, Error> {
        let entry = entry::<V, T>(plan, model)?;
        T::require(context)?;
        let kernel = context.kernel(&entry.source())?;
        let symbols = if model == Model::Standard { lowered(plan)?.symbols().len() } else { V };
        Ok(Self { context: context.clone(), kernel, model, symbols, number: PhantomData })
    }

    /// The forms of the expression over boxes, those of [`Plan::evaluate`] on [`Affine::variable`], word for word.
    ///
    /// # Errors
    /// [`Error::NotOnDevice`] when the query was made for another model; [`Error::Device`].
    pub fn forms(&self, boxes: &[[Interval<T>; V]]) -> Result<Vec<Affine<T, V>>, Error> {
        self.made_for(Model::Affine)?;
        Ok(self.run(boxes, V + 2)?.chunks_exact(V + 2).map(form).collect())
    }

    /// Forms and the intervals beside them, those of [`Plan::evaluate`] on [`Mixed::variable`], word for word.
    ///
    /// # Errors
    /// As [`Self::forms`].
    pub fn mixed(&self, boxes: &[[Interval<T>; V]]) -> Result<Vec<FormAndRange<V, T>>, Error> {
        self.made_for(Model::Mixed)?;
        let pair = |parts: &[T]| (form(parts), Interval { lo: parts[V + 2], hi: parts[V + 3] });
        Ok(self.run(boxes, V + 4)?.chunks_exact(V + 4).map(pair).collect())
    }

    /// Standard forms, those of [`crate::StandardPlan::evaluate`], word for word.
    ///
    /// # Errors
    /// As [`Self::forms`].
    pub fn standard(&self, boxes: &[[Interval<T>; V]]) -> Result<Vec<StandardForm<T>>, Error> {
        self.made_for(Model::Standard)?;
        let n = self.symbols;
        let form = |parts: &[T]| StandardForm { b: parts[0], x: parts[1..=n].to_vec(), err: parts[n + 1] };
        Ok(self.run(boxes, n + 2)?.chunks_exact(n + 2).map(form).collect())
    }

    fn made_for(&self, model: Model) -> Result<(), Error> {
        if self.model == model {
            return Ok(());
        }
        Err(Error::NotOnDevice { what: format!("results of model {model:?} from a query for model {:?}", self.model) })
    }

    /// The ranges of the expression over boxes, those of the CPU with the same model.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn ranges(&self, boxes: &[[Interval<T>; V]]) -> Result<Vec<Interval<T>>, Error> {
        if self.model == Model::Affine {
            return Ok(self.forms(boxes)?.iter().map(Affine::interval).collect());
        }
        if self.model == Model::Standard {
            return Ok(self.standard(boxes)?.iter().map(StandardForm::interval).collect());
        }
        if self.model == Model::Mixed {
            return Ok(self.mixed(boxes)?.into_iter().map(|(_, range)| range).collect());
        }
        let range = |parts: &[T]| Interval { lo: parts[0], hi: parts[1] };
        Ok(self.run(boxes, 2)?.chunks_exact(2).map(range).collect())
    }

    fn run(&self, boxes: &[[Interval<T>; V]], words: usize) -> Result<Vec<T>, Error> {
        let mut all = Vec::with_capacity(boxes.len() * words);
        for piece in boxes.chunks(PIECE) {
            let bounds: Vec<[T; 2]> = piece.iter().flatten().map(|range| [range.lo, range.hi]).collect();
            let boxes = self.context.upload("boxes", &bounds)?;
            let results: DeviceVec<T> = self.context.zeroed("enclosures", piece.len() * words)?;
            let groups = (piece.len() as u32).div_ceil(64);
            let groups_x = groups.min(ROW);
            let params = Params { zero: 0, count: piece.len() as u32, groups_x, pad: 0 };
            let mut recording = self.context.record("enclose_boxes");
            let bindings = [("boxes", boxes.bind()), ("results", results.bind())];
            recording.dispatch(&self.kernel, &bindings, &params, [groups_x, groups.div_ceil(ROW), 1])?;
            let read = recording.download(&results);
            all.extend(recording.submit()?.take(read)?);
        }
        Ok(all)
    }
}

/// Centre, coefficients, error.
fn form<const V: usize, T: DeviceReal>(parts: &[T]) -> Affine<T, V> {
    Affine { b: parts[0], x: std::array::from_fn(|k| parts[1 + k]), err: parts[V + 1] }
}

/// The kernel of a plan.
pub(super) fn entry<const V: usize, T: DeviceReal>(plan: &Plan, model: Model) -> Result<KernelEntry, Error> {
    if plan.variables().len() != V {
        return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: V });
    }
    // Not trusted: kernels of long expressions gain nothing from it.
    let made = |modules| KernelEntry { name: "enclose_boxes", constants: Vec::new(), modules, trusted: false };
    let (body, roots, functions) = match model {
        Model::Affine => body::<V, Affine<T, V>>(plan, &form_parts::<V>("value"))?,
        Model::Intervals => body::<V, Interval<T>>(plan, &range_parts("value"))?,
        Model::Mixed => {
            let parts = [form_parts::<V>("value.form"), range_parts("value.range")].concat();
            body::<V, Mixed<T, V>>(plan, &parts)?
        }
        Model::Standard if T::TYPE != f32::TYPE => return Err(absent(format!("{model:?} in {}", T::TYPE))),
        Model::Standard => {
            let mut modules = box_modules::<V>(&lowered(plan)?)?;
            modules.push(ENCLOSE_BOXES);
            return Ok(made(modules));
        }
    };
    let library = wgsl_of::<T>(V, &roots, &functions);
    let boxes = module(ENCLOSE_BOXES.name, T::spelled(ENCLOSE_BOXES.source));
    let modules = vec![T::STRICT, module("affine_functions", library), module("box_expression", body), boxes];
    Ok(made(modules))
}

/// Text, functions that it uses, powers among them.
pub(super) type Body = (String, Vec<String>, Vec<Unary>);

pub(super) fn absent(what: impl std::fmt::Debug) -> Error {
    Error::NotOnDevice { what: format!("{what:?}") }
}

fn form_parts<const V: usize>(form: &str) -> Vec<String> {
    let coefficients = (0..V).map(|k| format!("{form}.x[{k}]"));
    std::iter::once(format!("{form}.b")).chain(coefficients).chain([format!("{form}.err")]).collect()
}

fn range_parts(range: &str) -> Vec<String> {
    vec![format!("{range}.lo"), format!("{range}.hi")]
}

/// `enclose_box(i)`: the parts of the value over a box.
fn body<const V: usize, S: DeviceValue>(plan: &Plan, parts: &[String]) -> Result<Body, Error> {
    let (mut text, mut roots, functions) = expression::<S>(plan)?;
    let variable = format!("{}_variable", S::PREFIX);
    let input = |k: usize| {
        let range = format!("Interval(boxes[i * {V}u + {k}u].x, boxes[i * {V}u + {k}u].y)");
        if S::PREFIX == "interval" { range } else { format!("{variable}({k}u, {range})") }
    };
    let inputs: Vec<String> = (0..V).map(input).collect();
    roots.push(variable.clone());
    text += &format!("fn enclose_box(i: u32) {{\n    let value = expression({});\n", inputs.join(", "));
    for (k, part) in parts.iter().enumerate() {
        text += &format!("    results[i * {}u + {k}u] = {part};\n", parts.len());
    }
    Ok((text + "}\n", roots, functions))
}
