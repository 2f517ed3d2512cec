//! The text of an expression: operations in an order in which a long function has one place for all operands that wait for it.
//!
//! Drivers copy a function to every place that calls it; six waves of 50,000 instructions each take a compiler many seconds.

use super::enclose::Body;
use super::value::{Call, DeviceValue};
use crate::expr::operands;
use crate::function::{Binary, Unary};
use crate::wgsl::DeviceReal;
use crate::{Affine, Error, Op, Plan};

/// One value of the text.
pub(super) struct Task {
    /// Tasks that it needs.
    pub(super) needs: Vec<usize>,
    pub(super) work: Work,
}

/// What a task is.
pub(super) enum Work {
    /// What to write.
    Text(String),
    /// A long function of a task.
    Long(Unary, usize),
}

/// `expression(i0, i1, ..)`: the value of a plan for values of its inputs. Operations of the variables `host` alone (bits) are read from
/// `constants`, four words by the number of the operation; those variables are no inputs.
pub(super) fn expression<V: DeviceValue>(plan: &Plan, host: u32) -> Result<Body, Error> {
    let (kind, mut roots, mut functions) = (V::TYPE, vec![V::TYPE.to_owned()], Vec::new());
    let inputs = (0..plan.variables().len()).filter(|k| host >> k & 1 == 0);
    let inputs: Vec<String> = inputs.map(|k| format!("i{k}: {kind}")).collect();
    let tasks = tasks::<V>(plan, host, &mut roots, &mut functions)?;
    let mut text = format!("fn expression({}) -> {kind} {{\n", inputs.join(", "));
    for (place, group) in schedule(&tasks, family).into_iter().enumerate() {
        text += &written::<V>(&tasks, &group, place, &mut roots)?;
    }
    text += &format!("    return v{};\n}}\n\n", tasks.len() - 1);
    functions.sort_unstable();
    functions.dedup();
    Ok((text, roots, functions))
}

/// The tasks of a plan; the last one is the result.
fn tasks<V: DeviceValue>(
    plan: &Plan,
    host: u32,
    roots: &mut Vec<String>,
    functions: &mut Vec<Unary>,
) -> Result<Vec<Task>, Error> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut places = vec![0; plan.ops().len()];
    for i in used_on_device(plan, host) {
        let leaf = |text: String| Task { needs: vec![], work: Work::Text(text) };
        match plan.ops()[i] {
            _ if is_given(plan, i, host) => tasks.push(leaf(V::from_given(&format!("constants[{i}]")))),
            Op::Constant(lo, hi) => {
                tasks.push(leaf(V::constant_between(f64::from_bits(lo), f64::from_bits(hi)).spelled()));
            }
            Op::Input(k) => tasks.push(leaf(format!("i{k}"))),
            Op::Unary(function, x) => {
                functions.push(function);
                let x = places[x as usize];
                let work = if is_long(function) {
                    Work::Long(function, x)
                } else {
                    let call = V::unary_call(function, &format!("v{x}"))?;
                    roots.push(call.root);
                    Work::Text(call.text)
                };
                tasks.push(Task { needs: vec![x], work });
            }
            Op::Binary(function, x, y) => {
                let exact = [x, y].map(|k| exact::<V::Number>(plan, k));
                let [x, y] = [x, y].map(|k| places[k as usize]);
                let [first, second] = [x, y].map(|k| format!("v{k}"));
                // x/y by way of 1/y, which is long.
                let inverse = tasks.len();
                let divided = V::divided([&first, &second, &format!("v{inverse}")], exact);
                let divided = divided.filter(|_| function == Binary::Div);
                let mut needs = vec![x, y];
                let call = match divided {
                    Some(call) => {
                        tasks.push(Task { needs: vec![y], work: Work::Long(Unary::Reciprocal, y) });
                        needs.push(inverse);
                        call
                    }
                    None => V::binary_call(function, [&first, &second], exact),
                };
                roots.push(call.root);
                tasks.push(Task { needs, work: Work::Text(call.text) });
            }
        }
        places[i] = tasks.len() - 1;
    }
    Ok(tasks)
}

/// Whether the text of a function is long: a search over the ends of a range and critical points.
fn is_long(function: Unary) -> bool {
    use Unary::*;
    !matches!(function, Neg | Sqr | Powi(0..=2) | Floor | Ceil | Trunc | Round | Rint | Fract | Modf)
}

/// The function that stands for all that have one text: cosines are sines a quarter turn on.
fn family(function: Unary) -> Unary {
    match function {
        Unary::Cos => Unary::Sin,
        Unary::CosPi => Unary::SinPi,
        _ => function,
    }
}

/// Groups of tasks in an order in which nothing is needed before it is there: one task, or all operands at hand of the long functions that `family` gives
/// one name, since they have one text.
pub(super) fn schedule(tasks: &[Task], family: impl Fn(Unary) -> Unary) -> Vec<Vec<usize>> {
    let mut done = vec![false; tasks.len()];
    let mut groups = Vec::new();
    while done.contains(&false) {
        // [1] Whatever is short.
        for (i, task) in tasks.iter().enumerate() {
            let short = matches!(task.work, Work::Text(_));
            if short && !done[i] && task.needs.iter().all(|k| done[*k]) {
                done[i] = true;
                groups.push(vec![i]);
            }
        }
        // [2] The long function with the most operands.
        let mut waiting: Vec<(Unary, Vec<usize>)> = Vec::new();
        for (i, task) in tasks.iter().enumerate() {
            let Work::Long(function, _) = task.work else { continue };
            if done[i] || !task.needs.iter().all(|k| done[*k]) {
                continue;
            }
            match waiting.iter_mut().find(|(known, _)| *known == family(function)) {
                Some((_, group)) => group.push(i),
                None => waiting.push((family(function), vec![i])),
            }
        }
        if let Some((_, group)) =
            waiting.into_iter().reduce(|most, next| if next.1.len() > most.1.len() { next } else { most })
        {
            group.iter().for_each(|i| done[*i] = true);
            groups.push(group);
        }
    }
    groups
}

/// A group as statements.
fn written<V: DeviceValue>(
    tasks: &[Task],
    group: &[usize],
    place: usize,
    roots: &mut Vec<String>,
) -> Result<String, Error> {
    let mut used = |call: Call| {
        roots.push(call.root);
        call.text
    };
    match (&tasks[group[0]].work, group) {
        (Work::Text(text), _) => Ok(format!("    let v{} = {text};\n", group[0])),
        (Work::Long(function, x), [i]) => {
            Ok(format!("    let v{i} = {};\n", used(V::unary_call(*function, &format!("v{x}"))?)))
        }
        (Work::Long(function, _), _) => {
            let operands: Vec<String> = group.iter().map(|i| format!("v{}", tasks[*i].needs[0])).collect();
            let (kind, count, list) = (V::TYPE, group.len(), operands.join(", "));
            let mut text = format!("    var g{place} = array<{kind}, {count}>({list});\n");
            let operand = format!("g{place}[k]");
            let same = group.iter().all(|i| matches!(tasks[*i].work, Work::Long(other, _) if other == *function));
            let call = if same {
                V::unary_call(*function, &operand)?
            } else {
                let turn = |i: &usize| matches!(tasks[*i].work, Work::Long(Unary::Cos | Unary::CosPi, _));
                let turns: Vec<String> = group.iter().map(|i| format!("{}u", u32::from(turn(i)))).collect();
                text += &format!("    var t{place} = array<u32, {count}>({});\n", turns.join(", "));
                V::wave_call(family(*function), &operand, &format!("t{place}[k]"))
            };
            text += &format!("    for (var k = 0u; k < {count}u; k++) {{\n");
            text += &format!("        {operand} = {};\n    }}\n", used(call));
            for (k, i) in group.iter().enumerate() {
                text += &format!("    let v{i} = g{place}[{k}];\n");
            }
            Ok(text)
        }
    }
}

/// The number that an operation is, if it is one.
fn exact<T: DeviceReal>(plan: &Plan, i: u32) -> Option<T> {
    match plan.ops()[i as usize] {
        Op::Constant(lo, hi) => {
            let form = Affine::<T, 0>::between(f64::from_bits(lo), f64::from_bits(hi));
            (form.err == T::ZERO).then_some(form.b)
        }
        _ => None,
    }
}

/// Whether the host computes an operation.
fn is_given(plan: &Plan, i: usize, host: u32) -> bool {
    plan.sets()[i] & host != 0 && plan.sets()[i] & !host == 0
}

/// The operations that the result needs when those of the host's variables alone are given.
fn used_on_device(plan: &Plan, host: u32) -> Vec<usize> {
    let mut used = vec![false; plan.ops().len()];
    if let Some(last) = used.last_mut() {
        *last = true;
    }
    for i in (0..used.len()).rev() {
        if used[i] && !is_given(plan, i, host) {
            operands(plan.ops()[i]).into_iter().flatten().for_each(|k| used[k as usize] = true);
        }
    }
    (0..used.len()).filter(|i| used[*i]).collect()
}

#[cfg(test)]
mod tests {
    use super::expression;
    use crate::{Affine, Plan};

    #[test]
    fn a_long_function_has_one_place_for_all_operands_at_hand() {
        let text = "sin(x)*sin(y) + tan(y)*tan(z) + sin(z) + 1/(1+sqr(x)) - 2/(3+sqr(y)) + sin(1/(2+sqr(x*y)))";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("in x, y, z");
        let (text, roots, _) = expression::<Affine<f32, 1>>(&plan, 0).expect("kernels have them");
        let places = |name: &str| text.matches(&format!("{name}(")).count();
        // The last sine needs a reciprocal, the reciprocals nothing long.
        assert_eq!([places("affine_sin"), places("affine_tan"), places("affine_reciprocal")], [2, 1, 1], "{text}");
        assert!(roots.iter().any(|root| root == "affine_reciprocal"));
    }

    #[test]
    fn sines_and_cosines_have_one_place() {
        let text = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x) + cospi(x)";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("in x, y, z");
        let (text, roots, _) = expression::<Affine<f32, 1>>(&plan, 0).expect("kernels have them");
        assert_eq!(
            ["wave(", "sin(", "cos(", "cospi("].map(|name| text.matches(&format!("affine_{name}")).count()),
            [1, 0, 0, 1]
        );
        assert!(roots.iter().any(|root| root == "affine_wave"));
    }
}
