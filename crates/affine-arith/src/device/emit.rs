//! WGSL text from the test of cells: every operation once for each combination of its axes among the children of a cell.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use gpu_runtime::WgslModule;
use gpu_shaders::STRICT_FLOAT;

use super::nest::{AXES, Nest};
use crate::Error;
use crate::function::Unary;
use crate::real::Real;
use crate::subdivide::{FormIds, Function, Node, NodeId, Test, slots};
use crate::wgsl::{DeviceReal, binary_name, unary_name, wgsl_of};

/// Kernel texts live as long as the program; each is kept once.
pub(super) fn module(name: &'static str, text: String) -> WgslModule {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_with(HashSet::new);
    if let Some(source) = texts.get(text.as_str()) {
        return WgslModule { name, source };
    }
    let source: &'static str = Box::leak(text.into_boxed_str());
    texts.insert(source);
    WgslModule { name, source }
}

/// Quads of the table for the two children of a cell along an axis with this many slots.
pub(super) fn quads(slots: usize) -> usize {
    (2 * slots).div_ceil(4)
}

/// The modules with `keeps(x, y, z, row)`, the mask of the children of a cell (row is 2^level), and with what it uses of the library.
///
/// Errors: a function of several variables that the library lacks.
pub(super) fn test_modules(test: &Test, axes: usize) -> Result<Vec<WgslModule>, Error> {
    let slots = slots(test, axes);
    let looped = is_looped(test, axes);
    let nest = Nest::new(axes, &weights(test));
    let mut writer = Writer { test, names: HashMap::new(), text: String::new(), looped };
    writer.text += "// Written from an expression: which children of a cell it may vanish in.\n\n";
    writer.text += "fn keeps(x: u32, y: u32, z: u32, row: u32) -> u32 {\n";
    for (axis, slots) in slots.iter().enumerate() {
        writer.loads(axis, slots);
    }
    writer.line(format_args!("var mask = 0u;"));
    if looped {
        for depth in 1..=axes {
            writer.line(format_args!("{}", nest.head(depth)));
            writer.picks(nest.axis(depth), &slots[nest.axis(depth)]);
            writer.operations(axes, |set| nest.depth(set) == depth);
        }
        writer.looped_test(&nest.child());
        (0..axes).for_each(|_| writer.line(format_args!("}}")));
    } else {
        writer.operations(axes, |_| true);
        writer.tests(axes);
    }
    writer.line(format_args!("return mask;"));
    writer.text += "}\n";
    let tested = module("cell_test", writer.text);
    let (functions, roots) = called(test)?;
    if roots.is_empty() {
        return Ok(vec![tested]);
    }
    let roots = [roots, vec!["affine_checked".to_owned()]].concat();
    let library = wgsl_of::<f32>(axes, &roots, &functions) + &assembler(axes);
    Ok(vec![STRICT_FLOAT, module("affine_functions", library), tested])
}

/// `affine_of`: a form from its parts.
fn assembler(axes: usize) -> String {
    let mut text =
        "\nfn affine_of(b: f32, x: vec3<f32>, err: f32) -> Affine {\n    var form: Affine;\n    form.b = b;\n"
            .to_owned();
    for (axis, name) in AXES.iter().enumerate().take(axes) {
        text += &format!("    form.x[{axis}] = x.{name};\n");
    }
    text + "    form.err = err;\n    return affine_checked(form);\n}\n"
}

/// The functions of forms that a test calls, and their names in the library.
fn called(test: &Test) -> Result<(Vec<Unary>, Vec<String>), Error> {
    let (mut functions, mut roots) = (Vec::new(), Vec::new());
    for id in test.graph.needed(&[test.centre, test.limit]) {
        let Node::Call { function, .. } = test.graph.nodes[id as usize] else { continue };
        let name = match function {
            Function::Unary(function) => {
                functions.push(function);
                unary_name::<f32>(function)
            }
            Function::Binary(function) => Some(binary_name(function).to_owned()),
        };
        let absent = || Error::NotOnDevice { what: format!("{function:?} of several variables") };
        let name = format!("affine_{}", name.ok_or_else(absent)?);
        if !roots.contains(&name) {
            roots.push(name);
        }
    }
    functions.sort_unstable();
    functions.dedup();
    Ok((functions, roots))
}

/// The axes of every operation on several of them, and what it costs: functions much more than others.
fn weights(test: &Test) -> Vec<(usize, u32)> {
    let graph = &test.graph;
    let weight = |id: NodeId| match graph.nodes[id as usize] {
        Node::Call { .. } => 64,
        Node::Add(..) | Node::Mul(..) | Node::Snap(_) | Node::Within { .. } => 1,
        _ => 0,
    };
    let needed = graph.needed(&[test.centre, test.limit]).into_iter();
    needed.map(|id| (usize::from(graph.set(id)), weight(id))).filter(|(set, _)| set.count_ones() > 1).collect()
}

/// Whether the children are tested in loops: where they share little, and where functions make the text long.
fn is_looped(test: &Test, axes: usize) -> bool {
    let graph = &test.graph;
    let (mut shared, mut alone) = (0_u32, 0_u32);
    for id in graph.needed(&[test.centre, test.limit]) {
        match graph.nodes[id as usize] {
            Node::Call { .. } => return true,
            Node::Add(..) | Node::Mul(..) | Node::Snap(_) | Node::Within { .. } if graph.set(id).count_ones() > 1 => {
                shared += 1 << graph.set(id).count_ones();
                alone += 1 << axes;
            }
            _ => {}
        }
    }
    shared > 600 && alone * 4 < shared * 5
}

struct Writer<'a> {
    test: &'a Test,
    /// By node and child: what to write for it.
    names: HashMap<(NodeId, usize), String>,
    text: String,
    /// Children in loops: then all names are those of child 0.
    looped: bool,
}

impl Writer<'_> {
    fn line(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {arguments}");
    }

    /// The slots of both children along an axis.
    fn loads(&mut self, axis: usize, slots: &[NodeId]) {
        let (name, quads) = (AXES[axis], quads(slots.len()));
        if quads == 0 {
            return;
        }
        self.line(format_args!("let row_{name} = params.table.{name} + (row + {name}) * {quads}u;"));
        for quad in 0..quads {
            self.line(format_args!("let {name}{quad} = table[row_{name} + {quad}u];"));
        }
        for bit in 0..2 {
            for (slot, id) in slots.iter().enumerate() {
                let place = bit * slots.len() + slot;
                let component = ["x", "y", "z", "w"][place % 4];
                self.names.insert((*id, bit << axis), format!("{name}{}.{component}", place / 4));
            }
        }
    }

    /// The slots of an axis for the child of this turn of the loop.
    fn picks(&mut self, axis: usize, slots: &[NodeId]) {
        let name = AXES[axis];
        for id in slots {
            let [first, second] = [0, 1].map(|bit| self.names[&(*id, bit << axis)].clone());
            self.line(format_args!("let s{id} = select({first}, {second}, q{name} == 1u);"));
            self.names.insert((*id, 0), format!("s{id}"));
        }
    }

    /// What stands for a node in child q.
    fn operand(&self, id: NodeId, q: usize) -> String {
        let set = usize::from(self.test.graph.set(id));
        if let Some(name) = self.names.get(&(id, q & set)) {
            return name.clone();
        }
        match self.test.graph.nodes[id as usize] {
            Node::Constant(bits) => f32::from_bits(bits).literal(),
            Node::Neg(x) => format!("(-{})", self.operand(x, q)),
            Node::Abs(x) => format!("abs({})", self.operand(x, q)),
            Node::Part { call, part } => {
                let part = ["b", "x[0]", "x[1]", "x[2]", "err"][usize::from(part)];
                format!("{}.{part}", self.operand(call, q))
            }
            // Every other node was named before it is used.
            _ => "unnamed".to_owned(),
        }
    }

    /// The operations on several axes whose set is wanted.
    fn operations(&mut self, axes: usize, wanted: impl Fn(usize) -> bool) {
        let graph = &self.test.graph;
        for id in graph.needed(&[self.test.centre, self.test.limit]) {
            let set = usize::from(graph.set(id));
            if set.count_ones() < 2 || !wanted(set) {
                continue;
            }
            let children = if self.looped { 1 } else { 1 << axes };
            for q in (0..children).filter(|q| q & !set == 0) {
                let at = |id: NodeId| self.operand(id, q);
                let value = match graph.nodes[id as usize] {
                    Node::Add(x, y) => format!("{} + {}", at(x), at(y)),
                    Node::Mul(x, y) => format!("{} * {}", at(x), at(y)),
                    Node::Snap(x) => format!("select(0.0, {0}, abs({0}) >= {1})", at(x), f32::TINY.literal()),
                    Node::Within { total, value, beyond } => {
                        let beyond = f32::from_bits(beyond).literal();
                        format!("select({beyond}, {}, {} <= {})", at(value), at(total), f32::LIMIT.literal())
                    }
                    Node::Call { function, x, y } => {
                        let form = |[b, x0, x1, x2, err]: FormIds| {
                            let x = [x0, x1, x2].map(at).join(", ");
                            format!("affine_of({}, vec3<f32>({x}), {})", at(b), at(err))
                        };
                        let operands: Vec<String> = [Some(x), y].into_iter().flatten().map(form).collect();
                        let name = match function {
                            Function::Unary(function) => unary_name::<f32>(function).unwrap_or_default(),
                            Function::Binary(function) => binary_name(function).to_owned(),
                        };
                        format!("affine_{name}({})", operands.join(", "))
                    }
                    _ => continue,
                };
                let name = format!("v{id}_{q}");
                self.line(format_args!("let {name} = {value};"));
                self.names.insert((id, q), name);
            }
        }
    }

    /// The test of the child with this number.
    fn looped_test(&mut self, child: &str) {
        let (centre, limit) = (self.operand(self.test.centre, 0), self.operand(self.test.limit, 0));
        self.line(format_args!("mask |= select(1u << ({child}), 0u, abs({centre}) > {limit});"));
    }

    fn tests(&mut self, axes: usize) {
        for q in 0..1 << axes {
            let (centre, limit) = (self.operand(self.test.centre, q), self.operand(self.test.limit, q));
            self.line(format_args!("mask |= select({}u, 0u, abs({centre}) > {limit});", 1 << q));
        }
    }
}
