//! Composition of a kernel from WGSL modules: constants first, then the modules in the given order, with a line table.
//!
//! WGSL has no imports, so a kernel is a list of modules that are joined as they are. The table turns a line of the
//! joined text back into a module and its own line, which is what an error names.

mod constant;
mod fault;
mod validate;

pub use constant::Constant;
pub use fault::ShaderFault;
pub use validate::ShaderCapabilities;

pub(crate) use validate::{Validated, parse_and_validate, revalidate};

use gpu_shaders::WgslModule;

/// Name under which the generated constants appear in errors.
const HEADER: &str = "constants";

/// The text of one kernel, with the origin of each line.
#[derive(Debug, Clone)]
pub(crate) struct Composed {
    /// The entry point.
    pub(crate) kernel: String,
    /// The WGSL text: constants, then the modules.
    pub(crate) text: String,
    /// Module names with the line of `text` (from 1) at which each begins, ascending.
    starts: Vec<(u32, String)>,
}

/// Joins `constants` and `modules` into one text.
///
/// Each constant becomes `const NAME: TYPE = VALUE;` and reads back to the same bits.
///
/// # Errors
/// A constant's name is no WGSL identifier or its value is NaN or infinite; a module is given twice.
pub(crate) fn compose(
    kernel: &str,
    constants: &[(&str, Constant)],
    modules: &[WgslModule],
) -> Result<Composed, ShaderFault> {
    let mut composed = Composed { kernel: kernel.to_owned(), text: String::new(), starts: Vec::new() };
    if !constants.is_empty() {
        let mut header = String::new();
        for (name, value) in constants {
            header += &value.declaration(name).map_err(|message| ShaderFault::new(kernel, HEADER, message))?;
            header.push('\n');
        }
        composed.push(HEADER, &header);
    }
    for module in modules {
        if composed.starts.iter().any(|(_, name)| name == module.name) {
            let message = format!("module {} is given twice", module.name);
            return Err(ShaderFault::new(kernel, module.name, message));
        }
        composed.push(module.name, module.source);
    }
    Ok(composed)
}

impl Composed {
    fn push(&mut self, name: &str, source: &str) {
        let line = self.text.matches('\n').count() as u32 + 1;
        self.starts.push((line, name.to_owned()));
        self.text += source;
        if !source.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The module that line `line` (from 1) of the text came from, and its line there.
    ///
    /// Lines past the end belong to the last module; a text without modules answers with an empty name.
    pub(crate) fn locate(&self, line: u32) -> (&str, u32) {
        let after = self.starts.partition_point(|(start, _)| *start <= line);
        match after.checked_sub(1).and_then(|i| self.starts.get(i)) {
            Some((start, name)) => (name, line - start + 1),
            None => ("", line),
        }
    }

    /// The line (from 1) that holds byte `offset` of the text.
    pub(crate) fn line_at(&self, offset: usize) -> u32 {
        let end = offset.min(self.text.len());
        self.text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
    }

    /// The text of line `line` (from 1), empty past the end.
    pub(crate) fn line_text(&self, line: u32) -> &str {
        (line as usize).checked_sub(1).and_then(|i| self.text.lines().nth(i)).unwrap_or("")
    }

    /// A fault at byte `offset` of the text.
    pub(crate) fn fault_at(&self, offset: usize, message: impl Into<String>) -> ShaderFault {
        let line = self.line_at(offset);
        let (module, line_in_module) = self.locate(line);
        let line_start = self.text[..offset.min(self.text.len())].rfind('\n').map_or(0, |newline| newline + 1);
        ShaderFault {
            line: line_in_module,
            column: (offset - line_start.min(offset)) as u32 + 1,
            excerpt: self.line_text(line).to_owned(),
            ..ShaderFault::new(&self.kernel, module, message)
        }
    }

    /// A fault of the kernel as a whole.
    pub(crate) fn fault(&self, message: impl Into<String>) -> ShaderFault {
        ShaderFault::new(&self.kernel, "", message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: WgslModule = WgslModule { name: "first", source: "fn one() -> u32 { return 1u; }\n\n" };
    const SECOND: WgslModule = WgslModule { name: "second", source: "fn two() -> u32 {\n  return N;\n}" };

    #[test]
    fn lines_are_traced_to_their_modules() {
        let composed = compose("k", &[("N", Constant::U32(7)), ("M", Constant::I32(-1))], &[FIRST, SECOND]).unwrap();
        let traced: Vec<_> = (1..=8).map(|line| composed.locate(line)).collect();
        let expected = [
            ("constants", 1),
            ("constants", 2),
            ("first", 1),
            ("first", 2),
            ("second", 1),
            ("second", 2),
            ("second", 3),
            ("second", 4),
        ];
        assert_eq!(traced, expected);
        assert_eq!(composed.line_text(6), "  return N;");
        assert_eq!(composed.line_text(0), "");
        assert_eq!(composed.line_text(99), "");
    }

    #[test]
    fn an_empty_composition_locates_nothing() {
        let composed = compose("k", &[], &[]).unwrap();
        assert_eq!(composed.locate(1), ("", 1));
        assert_eq!(composed.fault_at(1000, "x").column, 1001);
    }

    #[test]
    fn a_module_given_twice_is_named() {
        let fault = compose("k", &[], &[FIRST, SECOND, FIRST]).unwrap_err();
        assert!(fault.to_string().contains("module first is given twice"), "{fault}");
    }

    #[test]
    fn constants_without_a_value_in_wgsl_are_refused() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let fault = compose("k", &[("SCALE", Constant::F32(value))], &[FIRST]).unwrap_err();
            assert!(fault.message.contains("SCALE"), "{fault}");
        }
    }
}
