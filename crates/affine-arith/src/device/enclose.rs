//! Expressions over many boxes on a device: a kernel written from the plan, made of the library's functions.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, Kernel, KernelEntry, WgslModule};
use gpu_shaders::STRICT_FLOAT;

use super::emit::module;
use crate::function::{Binary, Unary};
use crate::subdivide::Model;
use crate::wgsl::{binary_name, literal, powf_word, unary_name, wgsl_of};
use crate::{Affine, Error, Interval, Op, Plan, Scalar};

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

/// An expression made ready to be evaluated over boxes on a device.
#[derive(Debug)]
pub struct BoxQuery<const V: usize> {
    context: Context,
    kernel: Kernel,
    model: Model,
}

impl<const V: usize> BoxQuery<V> {
    /// Writes and compiles the kernel of a plan in V variables.
    ///
    /// # Errors
    /// [`Error::Count`] for another number of variables; [`Error::NotOnDevice`] for [`Model::Mixed`] and for functions that kernels lack
    /// (x^y with an integral y given as a real number); [`Error::Device`].
    pub fn new(context: &Context, plan: &Plan, model: Model) -> Result<Self, Error> {
        let kernel = context.kernel(&entry::<V>(plan, model)?.source())?;
        Ok(Self { context: context.clone(), kernel, model })
    }

    /// The forms of the expression over boxes, those of [`Plan::evaluate`] on [`Affine::variable`], word for word.
    ///
    /// # Errors
    /// [`Error::NotOnDevice`] when the query was made for intervals; [`Error::Device`].
    pub fn forms(&self, boxes: &[[Interval<f32>; V]]) -> Result<Vec<Affine<f32, V>>, Error> {
        if self.model != Model::Affine {
            return Err(Error::NotOnDevice { what: "forms of a query for intervals".into() });
        }
        let form = |parts: &[f32]| Affine { b: parts[0], x: std::array::from_fn(|k| parts[1 + k]), err: parts[V + 1] };
        Ok(self.run(boxes, V + 2)?.chunks_exact(V + 2).map(form).collect())
    }

    /// The ranges of the expression over boxes, those of the CPU with the same model.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn ranges(&self, boxes: &[[Interval<f32>; V]]) -> Result<Vec<Interval<f32>>, Error> {
        if self.model == Model::Affine {
            return Ok(self.forms(boxes)?.iter().map(Affine::interval).collect());
        }
        let range = |parts: &[f32]| Interval { lo: parts[0], hi: parts[1] };
        Ok(self.run(boxes, 2)?.chunks_exact(2).map(range).collect())
    }

    fn run(&self, boxes: &[[Interval<f32>; V]], words: usize) -> Result<Vec<f32>, Error> {
        let mut all = Vec::with_capacity(boxes.len() * words);
        for piece in boxes.chunks(PIECE) {
            let bounds: Vec<[f32; 2]> = piece.iter().flatten().map(|range| [range.lo, range.hi]).collect();
            let boxes = self.context.upload("boxes", &bounds)?;
            let results: DeviceVec<f32> = self.context.zeroed("enclosures", piece.len() * words)?;
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

/// The kernel of a plan.
pub(super) fn entry<const V: usize>(plan: &Plan, model: Model) -> Result<KernelEntry, Error> {
    if plan.variables().len() != V {
        return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: V });
    }
    let (body, roots, functions) = match model {
        Model::Affine => affine_body::<V>(plan)?,
        Model::Intervals => interval_body::<V>(plan)?,
        Model::Mixed | Model::Standard => {
            return Err(Error::NotOnDevice { what: format!("model {model:?}: affine forms and intervals alone") });
        }
    };
    let library = wgsl_of(V, &roots, &functions);
    let modules =
        vec![STRICT_FLOAT, module("affine_functions", library), module("box_expression", body), ENCLOSE_BOXES];
    // Not trusted: kernels of long expressions gain nothing from it.
    Ok(KernelEntry { name: "enclose_boxes", constants: Vec::new(), modules, trusted: false })
}

/// Text, functions that it uses, powers among them.
pub(super) type Body = (String, Vec<String>, Vec<Unary>);

fn absent(what: impl std::fmt::Debug) -> Error {
    Error::NotOnDevice { what: format!("{what:?}") }
}

/// `expression(i0, i1, ..)`: the form of a plan for forms of its inputs, with N symbols. Operations of the variables `host` alone (bits) are read from
/// `constants`, centre and error by the number of the operation; those variables are no inputs.
pub(super) fn affine_expression<const N: usize>(plan: &Plan, host: u32) -> Result<Body, Error> {
    let (mut roots, mut functions) = (vec!["Affine".to_owned()], Vec::new());
    let inputs = (0..plan.variables().len()).filter(|k| host >> k & 1 == 0);
    let inputs: Vec<String> = inputs.map(|k| format!("i{k}: Affine")).collect();
    let mut text = format!("fn expression({}) -> Affine {{\n", inputs.join(", "));
    let used: Vec<usize> = used_on_device(plan, host);
    for (i, op) in plan.ops().iter().enumerate().filter(|(i, _)| used.contains(i)) {
        if plan.sets()[i] & host != 0 && plan.sets()[i] & !host == 0 {
            text +=
                &format!("    var v{i}: Affine;\n    v{i}.b = constants[{i}].x;\n    v{i}.err = constants[{i}].y;\n");
            continue;
        }
        let value = match *op {
            Op::Constant(lo, hi) => {
                let form = Affine::<f32, N>::constant_between(f64::from_bits(lo), f64::from_bits(hi));
                let (b, err) = (literal(form.b), literal(form.err));
                text += &format!("    var v{i}: Affine;\n    v{i}.b = {b};\n    v{i}.err = {err};\n");
                continue;
            }
            Op::Input(k) => format!("i{k}"),
            Op::Unary(function, x) => {
                functions.push(function);
                let name = format!("affine_{}", unary_name(function).ok_or_else(|| absent(function))?);
                roots.push(name.clone());
                format!("{name}(v{x})")
            }
            Op::Binary(function, x, y) => {
                let (name, operands) = match with_a_constant::<N>(plan, function, x, y) {
                    Some((name, form, c)) => (name.to_owned(), format!("v{form}, {}", literal(c))),
                    None => (format!("affine_{}", binary_name(function)), format!("v{x}, v{y}")),
                };
                roots.push(name.clone());
                format!("{name}({operands})")
            }
        };
        text += &format!("    let v{i} = {value};\n");
    }
    text += &format!("    return v{};\n}}\n\n", plan.ops().len() - 1);
    functions.sort_unstable();
    functions.dedup();
    Ok((text, roots, functions))
}

/// Products and quotients with a constant that is a float, as a function of the other operand: a part of the general function's text.
fn with_a_constant<const N: usize>(plan: &Plan, function: Binary, x: u32, y: u32) -> Option<(&'static str, u32, f32)> {
    let exact = |i: u32| match plan.ops()[i as usize] {
        Op::Constant(lo, hi) => {
            let form = Affine::<f32, N>::constant_between(f64::from_bits(lo), f64::from_bits(hi));
            (form.err == 0.0).then_some(form.b)
        }
        _ => None,
    };
    match function {
        Binary::Mul => {
            exact(x).map(|c| (y, c)).or_else(|| exact(y).map(|c| (x, c))).map(|(v, c)| ("affine_times", v, c))
        }
        Binary::Div => exact(y).filter(|c| *c != 0.0).map(|c| ("affine_over_constant", x, c)),
        _ => None,
    }
}

/// The operations that the result needs when those of the host's variables alone are given.
fn used_on_device(plan: &Plan, host: u32) -> Vec<usize> {
    let mut used = vec![false; plan.ops().len()];
    if let Some(last) = used.last_mut() {
        *last = true;
    }
    for i in (0..used.len()).rev() {
        let given = plan.sets()[i] & host != 0 && plan.sets()[i] & !host == 0;
        if used[i] && !given {
            crate::expr::operands(plan.ops()[i]).into_iter().flatten().for_each(|k| used[k as usize] = true);
        }
    }
    (0..used.len()).filter(|i| used[*i]).collect()
}

fn affine_body<const V: usize>(plan: &Plan) -> Result<Body, Error> {
    let (mut text, mut roots, functions) = affine_expression::<V>(plan, 0)?;
    roots.push("affine_variable".to_owned());
    let input =
        |k: usize| format!("affine_variable({k}u, Interval(boxes[i * {V}u + {k}u].x, boxes[i * {V}u + {k}u].y))");
    let inputs: Vec<String> = (0..V).map(input).collect();
    let words = V + 2;
    text += &format!("fn enclose_box(i: u32) {{\n    let form = expression({});\n", inputs.join(", "));
    text += &format!("    let at = i * {words}u;\n    results[at] = form.b;\n");
    for k in 0..V {
        text += &format!("    results[at + {}u] = form.x[{k}];\n", k + 1);
    }
    text += &format!("    results[at + {}u] = form.err;\n}}\n", V + 1);
    Ok((text, roots, functions))
}

fn interval_body<const V: usize>(plan: &Plan) -> Result<Body, Error> {
    let mut roots = vec!["Interval".to_owned()];
    let mut text = String::from("fn enclose_box(i: u32) {\n");
    for (i, op) in plan.ops().iter().enumerate() {
        let mut call = |name: String, operands: String| {
            let name = format!("interval_{name}");
            roots.push(name.clone());
            format!("{name}({operands})")
        };
        let value = match *op {
            Op::Constant(lo, hi) => {
                let range = Interval::<f32>::constant_between(f64::from_bits(lo), f64::from_bits(hi));
                format!("Interval({}, {})", literal(range.lo), literal(range.hi))
            }
            Op::Input(k) => format!("Interval(boxes[i * {V}u + {k}u].x, boxes[i * {V}u + {k}u].y)"),
            Op::Unary(Unary::Powi(n), x) => call("powi".into(), format!("v{x}, {n}")),
            Op::Unary(function @ Unary::Powf(y), x) => {
                unary_name(function).ok_or_else(|| absent(function))?;
                call("powf".into(), format!("v{x}, {}", powf_word(f64::from_bits(y))))
            }
            Op::Unary(function, x) => call(function.name().into(), format!("v{x}")),
            Op::Binary(function, x, y) => call(binary_name(function).into(), format!("v{x}, v{y}")),
        };
        text += &format!("    let v{i} = {value};\n");
    }
    let last = plan.ops().len() - 1;
    text += &format!("    results[2u * i] = v{last}.lo;\n    results[2u * i + 1u] = v{last}.hi;\n}}\n");
    Ok((text, roots, Vec::new()))
}
