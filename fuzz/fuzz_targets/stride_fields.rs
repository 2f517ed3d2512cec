//! Good STRIDE blobs and containers with bytes overwritten.
#![no_main]

use fuzz::{data, decode, overwritten};
use libfuzzer_sys::fuzz_target;

const FILES: &[&[u8]] = &[
    data!("stride/tri1.dprb"),
    data!("stride/bowtie_nonmanifold.dprb"),
    data!("stride/flat17.dprb"),
    data!("stride/fan200.dprb"),
    data!("stride/tetra.dpr4"),
    data!("stride/bowtie_nonmanifold.dpr4"),
    data!("stride/flat17.dpr4"),
];

fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = overwritten(FILES, input) {
        decode(&bytes);
    }
});
