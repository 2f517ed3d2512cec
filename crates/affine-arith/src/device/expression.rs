//! The text of an expression: operations in an order in which a long function has one place for all operands that wait for it.
//!
//! Drivers copy a function to every place that calls it; six waves of 50,000 instructions each take a compiler many seconds.

use super::enclose::Body;
use super::schedule::{Kind, schedule};
use super::value::{Argument, Call, DeviceValue, exact};
use crate::function::{Binary, Unary};
use crate::{Error, Op, Plan};

/// What a value is.
enum Work {
    /// What to write.
    Text(String),
    /// An operation that no loop makes shorter.
    Single(Call),
    /// A short operation.
    Short(Call),
    /// A long one: a product, a quotient, or a search over the ends of a range and critical points.
    Long(Call),
}

/// Values of the text, in an order in which they can be computed, and what each needs.
#[derive(Default)]
struct Tasks {
    needs: Vec<Vec<usize>>,
    works: Vec<Work>,
}

impl Tasks {
    /// Adds a value and gives its place.
    fn push(&mut self, needs: Vec<usize>, work: Work) -> usize {
        self.needs.push(needs);
        self.works.push(work);
        self.works.len() - 1
    }
}

/// `expression(i0, i1, ..)`: the value of a plan for values of its inputs.
pub(super) fn expression<V: DeviceValue>(plan: &Plan) -> Result<Body, Error> {
    let (kind, mut roots, mut functions) = (V::TYPE, vec![V::TYPE.to_owned()], Vec::new());
    let inputs: Vec<String> = (0..plan.variables().len()).map(|k| format!("i{k}: {kind}")).collect();
    let Tasks { needs, works } = tasks::<V>(plan, &mut functions)?;
    let mut text = format!("fn expression({}) -> {kind} {{\n", inputs.join(", "));
    let kinds: Vec<Kind<&Call>> = works.iter().map(kind_of).collect();
    for (place, group) in schedule(&needs, &kinds, |one, other| one.is_like(other)).into_iter().enumerate() {
        text += &written::<V>(&works, &group, place, &mut roots);
    }
    text += &format!("    return v{};\n}}\n\n", works.len() - 1);
    functions.sort_unstable();
    functions.dedup();
    Ok((text, roots, functions))
}

fn kind_of(work: &Work) -> Kind<&Call> {
    match work {
        Work::Text(_) | Work::Single(_) => Kind::Alone,
        Work::Short(call) => Kind::Soon(call),
        Work::Long(call) => Kind::Late(call),
    }
}

/// The values of a plan; the last one is the result.
fn tasks<V: DeviceValue>(plan: &Plan, functions: &mut Vec<Unary>) -> Result<Tasks, Error> {
    let mut tasks = Tasks::default();
    let mut places = vec![0; plan.ops().len()];
    for (i, op) in plan.ops().iter().enumerate() {
        places[i] = match *op {
            Op::Constant(lo, hi) => {
                let constant = V::constant_between(f64::from_bits(lo), f64::from_bits(hi));
                tasks.push(vec![], Work::Text(constant.spelled()))
            }
            Op::Input(k) => tasks.push(vec![], Work::Text(format!("i{k}"))),
            Op::Unary(function, x) => {
                functions.push(function);
                let x = places[x as usize];
                tasks.push(vec![x], unary::<V>(function, &format!("v{x}"))?)
            }
            Op::Binary(function, x, y) => {
                let exact = [x, y].map(|k| exact::<V::Number>(plan, k));
                binary::<V>(&mut tasks, function, [x, y].map(|k| places[k as usize]), exact)?
            }
        };
    }
    Ok(tasks)
}

fn unary<V: DeviceValue>(function: Unary, x: &str) -> Result<Work, Error> {
    let call = match V::wave_call(function, x) {
        Some(wave) => wave,
        None => V::unary_call(function, x)?,
    };
    Ok(match function {
        Unary::Neg => Work::Single(call),
        _ if is_long(function) => Work::Long(call),
        _ => Work::Short(call),
    })
}

/// Adds a function of two values; x/y by way of 1/y, which is long.
fn binary<V: DeviceValue>(
    tasks: &mut Tasks,
    function: Binary,
    [x, y]: [usize; 2],
    exact: [Option<V::Number>; 2],
) -> Result<usize, Error> {
    let [first, second] = [x, y].map(|k| format!("v{k}"));
    let inverse = format!("v{}", tasks.works.len());
    if function == Binary::Div
        && let Some(call) = V::divided([&first, &second, &inverse], exact)
    {
        let inverse = tasks.push(vec![y], unary::<V>(Unary::Reciprocal, &second)?);
        return Ok(tasks.push(vec![x, y, inverse], Work::Long(call)));
    }
    let call = V::binary_call(function, [&first, &second], exact);
    let product = function == Binary::Mul && exact == [None, None];
    let short = matches!(function, Binary::Add | Binary::Sub) || function == Binary::Mul && !product;
    Ok(tasks.push(vec![x, y], if short { Work::Short(call) } else { Work::Long(call) }))
}

/// Whether the text of a function is long: a search over the ends of a range and critical points.
fn is_long(function: Unary) -> bool {
    use Unary::*;
    !matches!(function, Neg | Sqr | Powi(0..=2) | Floor | Ceil | Trunc | Round | Rint | Fract | Modf)
}

/// Least short operations that are written as a loop.
const LOOP: usize = 3;

/// A group as statements: a loop over arrays of the operands that differ, or one after another.
fn written<V: DeviceValue>(works: &[Work], group: &[usize], place: usize, roots: &mut Vec<String>) -> String {
    let mut calls = Vec::new();
    for i in group {
        match &works[*i] {
            Work::Text(text) => return format!("    let v{i} = {text};\n"),
            Work::Single(call) | Work::Short(call) | Work::Long(call) => calls.push(call),
        }
    }
    roots.push(calls[0].root.clone());
    let least = if matches!(works[group[0]], Work::Long(_)) { 2 } else { LOOP };
    if group.len() < least {
        let line = |(i, call): (&usize, &&Call)| format!("    let v{i} = {};\n", call.text());
        return group.iter().zip(&calls).map(line).collect();
    }
    let (mut text, mut looped, mut result) = (String::new(), calls[0].clone(), None);
    for k in 0..looped.arguments.len() {
        let parts = |call: &&Call| match &call.arguments[k] {
            Argument::Value(text) | Argument::Number(_, text, _) | Argument::Fixed(text) => text.clone(),
        };
        let texts: Vec<String> = calls.iter().map(parts).collect();
        let (count, name) = (texts.len(), format!("g{place}_{k}"));
        let same = texts.iter().all(|text| *text == texts[0]);
        match &mut looped.arguments[k] {
            Argument::Value(text_of) if result.is_none() || !same => {
                text += &format!("    var {name} = array<{}, {count}>({});\n", V::TYPE, texts.join(", "));
                *text_of = format!("{name}[k]");
                result.get_or_insert(name);
            }
            Argument::Number(kind, text_of, _) if !same => {
                text += &format!("    var {name} = array<{kind}, {count}>({});\n", texts.join(", "));
                *text_of = format!("{name}[k]");
            }
            _ => {}
        }
    }
    // Every function has a value among its operands.
    let result = result.unwrap_or_default();
    text += &format!("    for (var k = 0u; k < {}u; k++) {{\n", group.len());
    text += &format!("        {result}[k] = {};\n    }}\n", looped.text());
    for (k, i) in group.iter().enumerate() {
        text += &format!("    let v{i} = {result}[{k}];\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::expression;
    use crate::{Affine, Plan};

    #[test]
    fn a_long_function_has_one_place_for_all_operands_at_hand() {
        let text = "sin(x)*sin(y) + tan(y)*tan(z) + sin(z) + 1/(1+sqr(x)) - 2/(3+sqr(y)) + sin(1/(2+sqr(x*y)))";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("in x, y, z");
        let (text, roots, _) = expression::<Affine<f32, 1>>(&plan).expect("kernels have them");
        let places = |name: &str| text.matches(&format!("affine_{name}(")).count();
        // The last sine needs a reciprocal, the reciprocals nothing long.
        assert_eq!(["wave", "tan", "reciprocal", "constant_quotient"].map(places), [2, 1, 1, 1], "{text}");
        // Of two sines and of x y together, of two tangents later.
        assert_eq!(places("mul"), 2, "{text}");
        assert!(roots.iter().any(|root| root == "affine_reciprocal"));
    }

    #[test]
    fn sines_and_cosines_have_one_place() {
        let text = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x) + cospi(x)";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("in x, y, z");
        let (text, roots, _) = expression::<Affine<f32, 1>>(&plan).expect("kernels have them");
        assert_eq!(
            ["wave(", "sin(", "cos(", "wave_pi("].map(|name| text.matches(&format!("affine_{name}")).count()),
            [1, 0, 0, 1]
        );
        assert!(roots.iter().any(|root| root == "affine_wave"));
    }
}
