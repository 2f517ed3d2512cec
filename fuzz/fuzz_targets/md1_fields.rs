//! Good MD1 files of all modes with bytes overwritten.
#![no_main]

use fuzz::{data, decode, overwritten};
use libfuzzer_sys::fuzz_target;

const FILES: &[&[u8]] =
    &[data!("md1/waves40.predicted.md1"), data!("md1/waves40.offsets.md1"), data!("md1/waves40.fixed.md1")];

fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = overwritten(FILES, input) {
        decode(&bytes);
    }
});
