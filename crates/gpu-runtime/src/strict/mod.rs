//! The two forms in which a plain WGSL kernel gives the same bits everywhere.
//!
//! - [`decorate`]: `NoContraction` on every float instruction of the SPIR-V, and float-controls execution modes where
//!   the device has them. For Vulkan.
//! - [`guard`]: a pass over the naga representation that makes every float result opaque, for every back end.
//!
//! Both forms refuse the same operations ([`audit`]): those that round more than once or that no standard pins down. A
//! kernel that decides bits uses `+ - *`, comparisons, integers and the named functions of gpu-shaders.

pub(crate) mod audit;
pub(crate) mod decorate;
pub(crate) mod guard;
mod marks;
mod operands;
mod statements;
mod walk;
pub(crate) mod words;
mod zero_word;

pub(crate) use audit::{audit, refuse};
pub(crate) use decorate::decorate;
pub(crate) use guard::guard;

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod rule_tests;
#[cfg(test)]
mod stress;
