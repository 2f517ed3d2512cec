//! What a module is, and all of them.

use crate::{
    ACOS, ACOS_DOUBLE, ATAN_TAIL, ATAN2, ATAN2_DOUBLE, BIT_READER, FOLDED_GRID, ORDERED_KEY, STRICT_DOUBLE,
    STRICT_FLOAT,
};

/// One WGSL source file that kernels are composed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WgslModule {
    /// Name of the file without its ending; diagnostics name it.
    pub name: &'static str,
    /// WGSL text: functions and constants only, no entry point and no binding.
    pub source: &'static str,
}

/// Every module of this crate, in an order in which each comes after what it needs; `strict_double`, `acos_double` and `atan2_double` take the
/// places of `strict_float`, `acos` and `atan2`.
pub const ALL: [WgslModule; 10] = [
    STRICT_FLOAT,
    ACOS,
    ATAN_TAIL,
    ATAN2,
    ORDERED_KEY,
    FOLDED_GRID,
    BIT_READER,
    STRICT_DOUBLE,
    ACOS_DOUBLE,
    ATAN2_DOUBLE,
];
