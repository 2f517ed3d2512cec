//! What is wrong with a kernel's text, and where.

use std::fmt;

/// A fault in the WGSL of a kernel, traced to the module and line it came from.
///
/// `line` 0 means that the fault belongs to the kernel as a whole; then `column` is 0 and `excerpt` empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderFault {
    /// Entry point of the kernel.
    pub kernel: String,
    /// Name of the module; `constants` for the generated constants; may be empty where `line` is 0.
    pub module: String,
    /// Line in the module, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The text of the line.
    pub excerpt: String,
}

impl ShaderFault {
    /// A fault that belongs to no line.
    pub(crate) fn new(kernel: &str, module: &str, message: impl Into<String>) -> Self {
        ShaderFault {
            kernel: kernel.to_owned(),
            module: module.to_owned(),
            line: 0,
            column: 0,
            message: message.into(),
            excerpt: String::new(),
        }
    }
}

impl fmt::Display for ShaderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}: ", self.kernel)?;
        if self.line > 0 {
            write!(f, "{}:{}:{}: ", self.module, self.line, self.column)?;
        }
        f.write_str(&self.message)?;
        if !self.excerpt.trim().is_empty() {
            write!(f, " in `{}`", self.excerpt.trim())?;
        }
        Ok(())
    }
}

impl std::error::Error for ShaderFault {}
