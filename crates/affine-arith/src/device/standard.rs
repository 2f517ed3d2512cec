//! Standard forms in kernels: every value has the symbols on which it depends in the graph, and the functions of its size.

use gpu_runtime::WgslModule;
use gpu_shaders::STRICT_FLOAT;
use rayon::prelude::*;

use super::cells::CellTest;
use super::emit::module;
use super::nest::{AXES, Nest};
use super::schedule::{Kind, schedule};
use crate::function::{Binary, Unary};
use crate::standard::{Divisor, StandardPlan, Step, constant, divisor, operands};
use crate::subdivide::cell_range;
use crate::wgsl::{DeviceReal, LineName, StandardRoots};
use crate::{Error, Interval, Plan, StandardForm};

/// Most symbols of a value in a kernel: its coefficients are in registers.
pub(super) const MOST_SYMBOLS: usize = 32;

/// The steps of a plan, if kernels have room for their symbols.
pub(super) fn lowered(plan: &Plan) -> Result<StandardPlan, Error> {
    let standard = StandardPlan::new(plan);
    let needed = standard.most_symbols();
    if needed > MOST_SYMBOLS {
        return Err(Error::Symbols { needed, allowed: MOST_SYMBOLS });
    }
    Ok(standard)
}

/// Writes the steps of a plan as statements; `input(k)` is the text of the range of a variable.
struct Writer<'a, F> {
    standard: &'a StandardPlan,
    roots: StandardRoots,
    input: F,
}

impl<F: Fn(u32) -> String> Writer<'_, F> {
    fn size(&self, k: u32) -> usize {
        self.standard.layouts[k as usize].len()
    }

    /// The constant that a step is.
    fn constant(&self, k: u32) -> Option<StandardForm<f32>> {
        match self.standard.steps[k as usize] {
            Step::Constant(lo, hi) => {
                let (b, slack) = constant(lo, hi);
                Some(StandardForm { b, x: Vec::new(), err: slack })
            }
            _ => None,
        }
    }

    /// The value of step `k` in the layout of step `i`.
    fn aligned(&mut self, k: u32, i: usize) -> String {
        let (from, to) = (&self.standard.layouts[k as usize], &self.standard.layouts[i]);
        if from == to {
            return format!("v{k}");
        }
        let (b, err) = match self.constant(k) {
            Some(form) => (form.b.literal(), form.err.literal()),
            None => (format!("v{k}.b"), format!("v{k}.err")),
        };
        let place = |symbol: &u32| from.binary_search(symbol);
        let x: Vec<String> =
            to.iter().map(|symbol| place(symbol).map_or("0.0".to_owned(), |at| format!("v{k}.x[{at}]"))).collect();
        let n = to.len();
        format!("{}({b}, array<f32, {n}>({}), {err})", self.roots.name("Affine", n), x.join(", "))
    }

    /// Centre and range of step `k`.
    fn centre(&self, k: u32) -> String {
        self.constant(k).map_or_else(|| format!("v{k}.b"), |form| form.b.literal())
    }

    fn range(&mut self, k: u32) -> String {
        if let Some(form) = self.constant(k) {
            let Interval { lo, hi } = form.interval();
            return format!("Interval({}, {})", lo.literal(), hi.literal());
        }
        let n = self.size(k);
        format!("{}(v{k})", self.roots.name("affine_interval", n))
    }

    fn call(&mut self, name: &str, i: usize, operands: &[u32], more: &str) -> String {
        let aligned: Vec<String> = operands.iter().map(|k| self.aligned(*k, i)).collect();
        format!("{}({}{more})", self.roots.name(name, self.standard.layouts[i].len()), aligned.join(", "))
    }

    /// The value of step `i`, but for functions by their lines; None for constants, which are written where they are used.
    fn value(&mut self, i: usize) -> Option<String> {
        Some(match self.standard.steps[i] {
            Step::Constant(..) | Step::Unary(..) | Step::Atan { .. } => return None,
            Step::Input(k) => format!("{}(0u, {})", self.roots.name("affine_variable", 1), (self.input)(k)),
            Step::Neg(x) => self.call("affine_neg", i, &[x], ""),
            Step::Add(x, y) => self.call("affine_add", i, &[x, y], ""),
            Step::Sub(x, y) => self.call("affine_sub", i, &[x, y], ""),
            Step::Times(x, lo, hi) => {
                let (c, slack) = constant(lo, hi);
                self.times(i, x, c, slack)
            }
            Step::Over(x, lo, hi) => match divisor::<f32>(lo, hi) {
                Divisor::Exact(c) => self.call("affine_over_constant", i, &[x], &format!(", {}", c.literal())),
                Divisor::Inverse(c, slack) => self.times(i, x, c, slack),
            },
            Step::Mul(x, y) => self.call("standard_mul", i, &[x, y], ""),
            Step::Sqr(x) => self.call("standard_sqr", i, &[x], ""),
            Step::Smaller(x, y) => self.call("standard_smaller", i, &[x, y], ""),
            Step::Pick { right, left, x } => {
                let condition = format!(", ({}).lo > 0.0", self.range(x));
                self.call("affine_select", i, &[left, right], &condition)
            }
            Step::Angle { turned, y, x } => {
                let ranges = format!(", {}, {}", self.range(y), self.range(x));
                self.call("standard_angle", i, &[turned], &ranges)
            }
            Step::Remainder(function, x, y) => {
                self.call("standard_remainder", i, &[x, y], &format!(", {}", function == Binary::Fmod))
            }
        })
    }

    fn times(&mut self, i: usize, x: u32, c: f32, slack: f32) -> String {
        if slack == 0.0 {
            return self.call("affine_scaled", i, &[x], &format!(", {}", c.literal()));
        }
        self.call("standard_times", i, &[x], &format!(", {}, {}", c.literal(), slack.literal()))
    }

    /// The function of step `i`, its operand, and the range of that; None where the step is no function by its line.
    fn function(&mut self, i: usize) -> Option<(Unary, u32, String)> {
        match self.standard.steps[i] {
            Step::Unary(function, x) => Some((function, x, self.range(x))),
            Step::Atan { quotient, under, over } => {
                let ranges = [quotient, under, over].map(|k| self.range(k));
                let range = format!("interval_intersect({}, interval_div({}, {}))", ranges[0], ranges[1], ranges[2]);
                Some((Unary::Atan, quotient, range))
            }
            _ => None,
        }
    }

    /// Step `i` as statements.
    fn statements(&mut self, i: usize, indent: &str) -> Result<String, Error> {
        if let Some((function, x, range)) = self.function(i) {
            let LineName { name, turn } = self.roots.line(function)?;
            let turn = turn.map_or_else(String::new, |turn| format!(", {turn}u"));
            let line = format!("{name}({}, {range}{turn})", self.centre(x));
            let value = self.call("standard_on_line", i, &[x], &format!(", l{i}"));
            return Ok(format!("{indent}let l{i} = {line};\n{indent}let v{i} = {value};\n"));
        }
        Ok(self.value(i).map_or_else(String::new, |value| format!("{indent}let v{i} = {value};\n")))
    }

    /// The columns of an axis for the child's half along it.
    fn loads(&mut self, axis: usize, columns: &[usize], indent: &str) -> String {
        let (name, quads) = (AXES[axis], quads(self.standard, columns));
        if quads == 0 {
            return String::new();
        }
        let mut text =
            format!("{indent}let at_{name} = params.table.{name} + (2u * (row + {name}) + q{name}) * {quads}u;\n");
        for quad in 0..quads {
            text += &format!("{indent}let {name}{quad} = table[at_{name} + {quad}u];\n");
        }
        let mut words = (0..4 * quads).map(|k| format!("{name}{}.{}", k / 4, ["x", "y", "z", "w"][k % 4]));
        for i in columns {
            let n = self.standard.layouts[*i].len();
            let mut parts = words.by_ref().take(n + 2).collect::<Vec<String>>();
            let (err, b) = (parts.pop().unwrap_or_default(), parts.remove(0));
            let form = self.roots.name("Affine", n);
            text += &format!("{indent}let v{i} = {form}({b}, array<f32, {n}>({}), {err});\n", parts.join(", "));
        }
        text
    }

    /// Steps whose lines have one place, in a loop.
    fn lines(&mut self, group: &[usize]) -> Result<String, Error> {
        if let [i] = group {
            return self.statements(*i, "    ");
        }
        let (count, g) = (group.len(), group[0]);
        let (mut name, mut operands) = (String::new(), Vec::new());
        let [mut centres, mut ranges, mut turns] = [const { Vec::new() }; 3];
        for i in group {
            let Some((function, x, range)) = self.function(*i) else { continue };
            let line = self.roots.line(function)?;
            name = line.name;
            turns.extend(line.turn.map(|turn| format!("{turn}u")));
            centres.push(self.centre(x));
            ranges.push(range);
            operands.push(x);
        }
        let mut text = format!("    var b{g} = array<f32, {count}>({});\n", centres.join(", "));
        text += &format!("    var r{g} = array<Interval, {count}>({});\n", ranges.join(", "));
        let mut turn = String::new();
        if !turns.is_empty() {
            text += &format!("    var t{g} = array<u32, {count}>({});\n", turns.join(", "));
            turn = format!(", t{g}[k]");
        }
        text += &format!("    var l{g}: array<Line, {count}>;\n    for (var k = 0u; k < {count}u; k++) {{\n");
        text += &format!("        l{g}[k] = {name}(b{g}[k], r{g}[k]{turn});\n    }}\n");
        for (k, (i, x)) in group.iter().zip(operands).enumerate() {
            let value = self.call("standard_on_line", *i, &[x], &format!(", l{g}[{k}]"));
            text += &format!("    let v{i} = {value};\n");
        }
        Ok(text)
    }
}

/// The function whose line has one text with that of this step.
fn family(step: &Step) -> Kind<Unary> {
    match step {
        Step::Unary(Unary::Cos, _) => Kind::Late(Unary::Sin),
        Step::Unary(Unary::CosPi, _) => Kind::Late(Unary::SinPi),
        Step::Unary(function, _) => Kind::Late(*function),
        Step::Atan { .. } => Kind::Late(Unary::Atan),
        _ => Kind::Alone,
    }
}

/// The modules with `enclose_box(i)` of an expression in V variables, which writes centre, coefficients and error of its form.
pub(super) fn box_modules<const V: usize>(standard: &StandardPlan) -> Result<Vec<WgslModule>, Error> {
    let input = |k: u32| format!("Interval(boxes[i * {V}u + {k}u].x, boxes[i * {V}u + {k}u].y)");
    let mut writer = Writer { standard, roots: StandardRoots::default(), input };
    let needs: Vec<Vec<usize>> =
        standard.steps.iter().map(|step| operands(*step).iter().map(|k| *k as usize).collect()).collect();
    let kinds: Vec<Kind<Unary>> = standard.steps.iter().map(family).collect();
    let mut text = "fn enclose_box(i: u32) {\n".to_owned();
    for group in schedule(&needs, &kinds, |one, other| one == other) {
        text += &writer.lines(&group)?;
    }
    let (result, symbols) = (standard.steps.len() - 1, standard.symbols().len());
    let parts =
        std::iter::once("b".to_owned()).chain((0..symbols).map(|k| format!("x[{k}]"))).chain(["err".to_owned()]);
    for (k, part) in parts.enumerate() {
        text += &format!("    results[i * {}u + {k}u] = v{result}.{part};\n", symbols + 2);
    }
    text += "}\n";
    let library = writer.roots.library(&text);
    Ok(vec![STRICT_FLOAT, module("affine_functions", library), module("box_expression", text)])
}

/// For every axis the steps that depend on it alone and are read by others of more axes, or are the result.
fn columns(standard: &StandardPlan, axes: usize) -> Vec<Vec<usize>> {
    let mut read = vec![false; standard.steps.len()];
    for (step, set) in standard.steps.iter().zip(&standard.sets) {
        if set.count_ones() > 1 {
            operands(*step).iter().for_each(|k| read[*k as usize] = true);
        }
    }
    *read.last_mut().unwrap_or(&mut false) = true;
    let of_axis = |axis: usize| (0..read.len()).filter(|i| read[*i] && standard.sets[*i] == 1 << axis).collect();
    (0..axes).map(of_axis).collect()
}

/// Quads of an entry of a table with these columns: centre, coefficients and error of each.
fn quads(standard: &StandardPlan, columns: &[usize]) -> usize {
    columns.iter().map(|i| standard.layouts[*i].len() + 2).sum::<usize>().div_ceil(4)
}

/// The test of cells: forms of one axis for all its cells of every level, and the text.
pub(super) fn standard_test<const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    last: u32,
) -> Result<CellTest, Error> {
    let standard = lowered(plan)?;
    let modules = cell_modules(&standard, D)?;
    let root: Vec<Interval<f32>> = bounds.iter().map(|bounds| cell_range(*bounds, 0, 0)).collect();
    let alive = standard.evaluate(&root)?.possibly_zero();
    let (mut table, mut begins) = (Vec::new(), [0_u32; 3]);
    for (axis, columns) in columns(&standard, D).iter().enumerate() {
        begins[axis] = (table.len() / 4) as u32;
        let width = 4 * quads(&standard, columns);
        // Entries 0 and 1 belong to no level that is looked up; entry i of level l is at 2^l + i.
        table.resize(table.len() + 2 * width, 0.0);
        let entry = |level: u32, i: u32| {
            let forms = standard.forms_of(axis, cell_range(bounds[axis], i, level));
            let words = columns.iter().flat_map(|i| {
                let (b, x, err) = forms[*i].parts();
                std::iter::once(b).chain(x.iter().copied()).chain([err]).collect::<Vec<f32>>()
            });
            let mut words: Vec<f32> = words.collect();
            words.resize(width, 0.0);
            words
        };
        for level in 1..=if columns.is_empty() { 0 } else { last } {
            let entries = (0..1_u32 << level).into_par_iter().flat_map_iter(|i| entry(level, i));
            table.par_extend(entries);
        }
    }
    // A binding has at least one quad.
    table.resize(table.len().max(4), 0.0);
    Ok(CellTest { modules, table, begins, alive })
}

/// `keeps(x, y, z, row)`: operations of several axes in loops over them; those of one axis are looked up.
fn cell_modules(standard: &StandardPlan, axes: usize) -> Result<Vec<WgslModule>, Error> {
    let weight = |step: &Step| if matches!(step, Step::Unary(..)) { 4 } else { 1 };
    let several = standard.sets.iter().zip(&standard.steps).filter(|(set, _)| set.count_ones() > 1);
    let sets: Vec<(usize, u32)> = several.map(|(set, step)| (*set as usize, weight(step))).collect();
    let nest = Nest::new(axes, &sets);
    let columns = columns(standard, axes);
    // Variables are looked up.
    let mut writer = Writer { standard, roots: StandardRoots::default(), input: |_| String::new() };
    let mut text = "// Written from an expression: which children of a cell it may vanish in.\n\n".to_owned();
    text += "fn keeps(x: u32, y: u32, z: u32, row: u32) -> u32 {\n    var mask = 0u;\n";
    for depth in 0..=axes {
        let indent = "    ".repeat(depth + 1);
        if depth > 0 {
            text += &format!("{}{}\n", "    ".repeat(depth), nest.head(depth));
            text += &writer.loads(nest.axis(depth), &columns[nest.axis(depth)], &indent);
        }
        for (i, set) in standard.sets.iter().enumerate() {
            if set.count_ones() != 1 && nest.depth(*set as usize) == depth {
                text += &writer.statements(i, &indent)?;
            }
        }
    }
    let indent = "    ".repeat(axes + 1);
    let zero = writer.roots.name("affine_possibly_zero", standard.symbols().len());
    let result = standard.steps.len() - 1;
    text += &format!("{indent}mask |= select(0u, 1u << ({}), {zero}(v{result}));\n", nest.child());
    (1..=axes).rev().for_each(|depth| text += &format!("{}}}\n", "    ".repeat(depth)));
    text += "    return mask;\n}\n";
    let library = writer.roots.library(&text);
    Ok(vec![STRICT_FLOAT, module("affine_functions", library), module("cell_test", text)])
}
