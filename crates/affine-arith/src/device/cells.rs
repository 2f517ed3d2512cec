//! The test of cells for values that the library computes with, intervals and forms with intervals beside them: tables and text.

use super::emit::module;
use super::nest::{AXES, Nest};
use super::value::DeviceValue;
use crate::function::Unary;
use crate::subdivide::{CellValue, Program, Source, Tables, Task};
use crate::wgsl::wgsl_of;
use crate::{Error, Interval, Mixed, Op, Plan};
use gpu_runtime::WgslModule;
use gpu_shaders::STRICT_FLOAT;

/// A kind of number that cells are evaluated with on devices.
pub(super) trait TableValue: DeviceValue<Number = f32> + CellValue {
    /// Words of an entry of a table.
    const WORDS: usize;

    /// The words of a function of one axis.
    fn words(&self, axis: usize) -> Vec<f32>;

    /// The value of an entry, from its words.
    fn from_words(axis: usize, axes: usize, words: &[String]) -> String;
}

impl TableValue for Interval<f32> {
    const WORDS: usize = 2;

    fn words(&self, _: usize) -> Vec<f32> {
        vec![self.lo, self.hi]
    }

    fn from_words(_: usize, _: usize, words: &[String]) -> String {
        format!("Interval({})", words.join(", "))
    }
}

impl<const N: usize> TableValue for Mixed<f32, N> {
    const WORDS: usize = 5;

    fn words(&self, axis: usize) -> Vec<f32> {
        let ((b, x, err), range) = (self.form().parts(), self.interval());
        vec![b, x[axis], err, range.lo, range.hi]
    }

    /// Functions of one axis have no other symbol.
    fn from_words(axis: usize, axes: usize, words: &[String]) -> String {
        let coefficient = |k: usize| if k == axis { words[1].as_str() } else { "0.0" };
        let coefficients: Vec<&str> = (0..axes).map(coefficient).collect();
        let form = format!("Affine({}, array<f32, N>({}), {})", words[0], coefficients.join(", "), words[2]);
        format!("Mixed({form}, Interval({}, {}))", words[3], words[4])
    }
}

/// What the kernels of a subdivision are given.
pub(super) struct CellTest {
    /// The modules with `keeps(x, y, z, row)`, the mask of the children of a cell.
    pub(super) modules: Vec<WgslModule>,
    /// Axis after axis; the entry of child i of level l begins at quad quads(columns) (2^l + i).
    pub(super) table: Vec<f32>,
    /// The quad at which each axis begins.
    pub(super) begins: [u32; 3],
    /// Whether the box itself is kept.
    pub(super) alive: bool,
}

/// Tables of all levels, and the text of the test.
pub(super) fn cell_test<S: TableValue, const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    last: u32,
) -> Result<CellTest, Error> {
    let program = Program::<S>::new(plan);
    let modules = modules(plan, &program, D)?;
    let root = Tables::new(&program, plan, bounds, 0);
    let mut registers = program.registers::<D>();
    let alive = program.children_in(&root, [0; D], 1, &mut registers) & 1 == 1;
    let (mut table, mut begins) = (Vec::new(), [0_u32; 3]);
    let tables: Vec<Tables<S>> = (1..=last).map(|level| Tables::new(&program, plan, bounds, level)).collect();
    for (axis, begin) in begins.iter_mut().enumerate().take(D) {
        *begin = (table.len() / 4) as u32;
        let columns = program.columns[axis].len();
        let width = 4 * quads::<S>(columns);
        // Entries 0 and 1 belong to no level that is looked up.
        table.resize(table.len() + 2 * width, 0.0);
        for (tables, level) in tables.iter().zip(1..) {
            for index in 0..1_usize << level {
                let end = table.len() + width;
                let entry = (0..columns).flat_map(|column| tables.at(axis, column, index).words(axis));
                table.extend(entry);
                table.resize(end, 0.0);
            }
        }
    }
    // A binding has at least one quad.
    table.resize(table.len().max(4), 0.0);
    Ok(CellTest { modules, table, begins, alive })
}

/// Quads of an entry with this many columns.
fn quads<S: TableValue>(columns: usize) -> usize {
    (columns * S::WORDS).div_ceil(4)
}

fn modules<S: TableValue>(plan: &Plan, program: &Program<S>, axes: usize) -> Result<Vec<WgslModule>, Error> {
    let weight = |task: &Task| if matches!(task, Task::Unary(function, _) if *function != Unary::Neg) { 4 } else { 1 };
    let sets: Vec<(usize, u32)> = program.steps.iter().map(|step| (step.set, weight(&step.task))).collect();
    let writer = Writer { program, nest: Nest::new(axes, &sets), indent: 1, text: String::new(), roots: Vec::new() };
    let (text, roots) = writer.written()?;
    let function = |op: &Op| if let Op::Unary(function, _) = op { Some(*function) } else { None };
    let mut functions: Vec<Unary> = plan.ops().iter().filter_map(function).collect();
    functions.sort_unstable();
    functions.dedup();
    let library = wgsl_of::<f32>(axes, &roots, &functions);
    Ok(vec![STRICT_FLOAT, module("cell_functions", library), module("cell_test", text)])
}

struct Writer<'a, S> {
    program: &'a Program<S>,
    nest: Nest,
    indent: usize,
    text: String,
    roots: Vec<String>,
}

impl<S: TableValue> Writer<'_, S> {
    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.indent);
        self.text += line;
        self.text.push('\n');
    }

    /// `keeps`, and the functions that it uses.
    fn written(mut self) -> Result<(String, Vec<String>), Error> {
        self.text += "// Written from an expression: which children of a cell it may vanish in.\n\n";
        self.text += "fn keeps(x: u32, y: u32, z: u32, row: u32) -> u32 {\n";
        self.line("var mask = 0u;");
        for depth in 1..=self.nest.axes() {
            let head = self.nest.head(depth);
            self.line(&head);
            self.indent += 1;
            self.loads(self.nest.axis(depth));
            self.steps(depth)?;
        }
        let result = self.operand(self.program.result);
        self.line(&format!("let result = {result};"));
        let child = self.nest.child();
        self.line(&format!("mask |= select(0u, 1u << ({child}), {}_possibly_zero(result));", S::PREFIX));
        while self.indent > 1 {
            self.indent -= 1;
            self.line("}");
        }
        self.line("return mask;");
        self.text += "}\n";
        self.roots.extend([S::TYPE.to_owned(), format!("{}_possibly_zero", S::PREFIX)]);
        Ok((self.text, self.roots))
    }

    /// The columns of an axis for the child's half along it.
    fn loads(&mut self, axis: usize) {
        let (name, columns, axes) = (AXES[axis], self.program.columns[axis].len(), self.nest.axes());
        let quads = quads::<S>(columns);
        if quads == 0 {
            return;
        }
        self.line(&format!("let at_{name} = params.table.{name} + (2u * (row + {name}) + q{name}) * {quads}u;"));
        for quad in 0..quads {
            self.line(&format!("let {name}{quad} = table[at_{name} + {quad}u];"));
        }
        for column in 0..columns {
            let word = |k: usize| format!("{name}{}.{}", k / 4, ["x", "y", "z", "w"][k % 4]);
            let words: Vec<String> = (0..S::WORDS).map(|k| word(column * S::WORDS + k)).collect();
            self.line(&format!("let c{name}{column} = {};", S::from_words(axis, axes, &words)));
        }
    }

    /// The operations whose axes are all known at this depth, and were not one loop further out.
    fn steps(&mut self, depth: usize) -> Result<(), Error> {
        let program = self.program;
        for (i, step) in program.steps.iter().enumerate() {
            if self.nest.depth(step.set) != depth {
                continue;
            }
            let call = match step.task {
                Task::Unary(function, x) => S::unary_call(function, &self.operand(x))?,
                Task::Binary(function, x, y) => {
                    S::binary_call(function, [&self.operand(x), &self.operand(y)], [None, None])
                }
            };
            self.line(&format!("let v{i} = {};", call.text()));
            self.roots.push(call.root);
        }
        Ok(())
    }

    fn operand(&self, source: Source) -> String {
        match source {
            Source::Constant(k) => self.program.constants[k].spelled(),
            Source::Column { axis, column } => format!("c{}{column}", AXES[axis]),
            Source::Register { step, .. } => format!("v{step}"),
        }
    }
}
