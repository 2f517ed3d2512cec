//! The text of a tape: one loop over its clauses, with one place for each function.

use super::{Clause, OPERANDS, Tape, Value};
use crate::device::value::DeviceValue;
use crate::function::Unary;

/// Invocations of a workgroup, and bytes of workgroup memory that every device has.
const GROUP: usize = 64;
const SHARED: usize = 16_384;

/// The text of a kernel, functions of the library that it uses, powers among them.
pub(in crate::device) struct TapeText {
    pub(in crate::device) text: String,
    pub(in crate::device) roots: Vec<String>,
    pub(in crate::device) functions: Vec<Unary>,
}

impl Tape {
    /// `expression(lane, i0, i1, ..)`: the value for values of the inputs, of the buffers `tape` and `constants`. Slots are in workgroup memory where
    /// they fit: a compiler that keeps an array in registers takes chains of selections to index it.
    pub(in crate::device) fn text<V: DeviceValue>(&self) -> TapeText {
        let (kind, slots) = (V::TYPE, self.places().1);
        let shared = slots * GROUP * V::NUMBERS * size_of::<f32>() <= SHARED;
        let slot = |place: &str| {
            format!("slots[{place}{}]", if shared { format!(" * {GROUP}u + lane") } else { String::new() })
        };
        let array = |length: usize| format!("slots: array<{kind}, {length}>;\n");
        let mut text = if shared { format!("var<workgroup> {}\n", array(slots * GROUP)) } else { String::new() };
        let inputs: Vec<String> = (0..self.inputs).map(|k| format!("i{k}: {kind}")).collect();
        text += &format!("fn expression(lane: u32, {}) -> {kind} {{\n", inputs.join(", "));
        if !shared {
            text += &format!("    var {}", array(slots));
        }
        for k in 0..self.inputs {
            text += &format!("    {} = i{k};\n", slot(&format!("{k}u")));
        }
        text += "    let head = tape[0];\n";
        let calls = self.calls();
        let negates = self.values.iter().any(|value| matches!(value, Value::Clause(Clause { negates: true, .. })));
        if !calls.is_empty() {
            text += "    for (var k = 0u; k < head.x; k++) {\n        let clause = tape[2u * k + 1u];\n        let places = tape[2u * k + 2u];\n";
            for (name, component) in OPERANDS.iter().zip(["x", "y", "z"]).take(self.most_operands()) {
                text += &fetched::<V>(name, &format!("places.{component}"), slots, &slot, 8);
            }
            if negates {
                text += &format!("        if clause.w != 0u {{\n            b = {}_neg(b);\n        }}\n", V::PREFIX);
            }
            text += &format!("        var value: {kind};\n        switch clause.x {{\n");
            for (k, (call, _)) in calls.iter().enumerate() {
                let case = if k + 1 == calls.len() { "default".to_owned() } else { format!("case {k}u") };
                text += &format!("            {case}: {{\n                value = {call};\n            }}\n");
            }
            text += &format!("        }}\n        {} = value;\n    }}\n", slot("clause.y"));
        }
        text += &fetched::<V>("result", "head.y", slots, &slot, 4);
        text += "    return result;\n}\n\n";
        let mut roots = vec![kind.to_owned()];
        roots.extend(calls.iter().map(|(_, root)| (*root).to_owned()));
        if negates {
            roots.push(format!("{}_neg", V::PREFIX));
        }
        TapeText { text, roots, functions: self.functions.clone() }
    }

    fn most_operands(&self) -> usize {
        let operands = |value: &Value| match value {
            Value::Clause(clause) => clause.operands.len(),
            _ => 0,
        };
        self.values.iter().map(operands).max().unwrap_or(0)
    }
}

/// A variable with the value at a place: of a slot, or a constant.
fn fetched<V: DeviceValue>(
    name: &str,
    place: &str,
    slots: usize,
    slot: &impl Fn(&str) -> String,
    indent: usize,
) -> String {
    let lines = [
        format!("var {name}: {};", V::TYPE),
        format!("if {place} < {slots}u {{"),
        format!("    {name} = {};", slot(place)),
        "} else {".to_owned(),
        format!("    {name} = {};", V::from_given(&format!("constants[{place} - {slots}u]"))),
        "}".to_owned(),
    ];
    lines.map(|line| " ".repeat(indent) + &line + "\n").concat()
}
