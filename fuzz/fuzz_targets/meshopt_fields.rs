//! Good meshlet sets and cluster files with bytes overwritten.
#![no_main]

use fuzz::{data, decode, overwritten};
use libfuzzer_sys::fuzz_target;

const FILES: &[&[u8]] = &[
    data!("meshopt/tri1.m64_96.mml"),
    data!("meshopt/fan200.m64_96.mml"),
    data!("meshopt/fan200.m128_256.mml"),
    data!("meshopt/tetra.c64_96.mxc"),
    data!("meshopt/fan200.c64_96.mxc"),
    data!("meshopt/fan200.c128_256.mxc"),
];

fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = overwritten(FILES, input) {
        decode(&bytes);
    }
});
