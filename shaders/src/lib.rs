//! WGSL modules shared by the isobit crates, each beside its Rust twin.
//!
//! A module is a pair of files: `NAME.wgsl`, compiled into kernels by the runtime, and `NAME.rs`, whose functions carry the same
//! names and give the same words. `docs/numerics.md` is the normative contract (domains, errors, subnormals);
//! the comments here repeat only what a caller needs.
//!
//! | module | functions | needs |
//! |---|---|---|
//! | [`strict_float`] | `flush`, `snap`, `two_sum`, `two_prod`, `div_rn`, `sqrt_rn`, `scale_pow2` | |
//! | [`strict_double`] | the same but `flush`, for f64: it takes the place of `strict_float` | |
//! | [`acos`] | `acos_strict` | `strict_float` |
//! | [`acos_double`] | the same for f64 | `strict_double` |
//! | [`atan_tail`] | `atan_tail` | |
//! | [`atan2`] | `atan2_strict` | `strict_float`, `atan_tail` |
//! | [`atan2_double`] | the same for f64 | `strict_double` |
//! | [`ordered_key`] | `ordered_key`, `ordered_value` | |
//! | [`folded_grid`] | `folded_index` (and the host's `plan`) | |
//! | [`bit_reader`] | `extract_bits` (and the host's `read_bits`) | |

pub mod acos;
pub mod acos_double;
pub mod atan2;
pub mod atan2_double;
pub mod atan_tail;
pub mod bit_reader;
pub mod folded_grid;
mod module;
pub mod ordered_key;
pub mod strict_double;
pub mod strict_float;

pub use acos::ACOS;
pub use acos_double::ACOS_DOUBLE;
pub use atan_tail::ATAN_TAIL;
pub use atan2::ATAN2;
pub use atan2_double::ATAN2_DOUBLE;
pub use bit_reader::BIT_READER;
pub use folded_grid::FOLDED_GRID;
pub use module::{ALL, WgslModule};
pub use ordered_key::ORDERED_KEY;
pub use strict_double::STRICT_DOUBLE;
pub use strict_float::STRICT_FLOAT;
