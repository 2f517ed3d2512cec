//! Messages about inputs that are text: whether bytes are text at all, and what stands in them, short enough for one line.
//!
//! A file may hold a number of a million digits, and a message that repeats it hides what is wrong. Whoever quotes a word of a file, an
//! option or an expression quotes it with [`token`], the message of another library with [`sentence`], and a 64-bit float with [`number`].

mod kind;
mod quote;

pub use kind::{has_control_characters, why_not_text};
pub use quote::{number, sentence, token};
