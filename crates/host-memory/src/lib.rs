//! How much memory this process may still take.
//!
//! The crates ask before they allocate what an input's numbers demand, and refuse with both numbers what does not fit: a file of a few bytes can
//! announce more than any machine has, and a system out of memory ends the process without a word.

mod available;

pub use available::available;
