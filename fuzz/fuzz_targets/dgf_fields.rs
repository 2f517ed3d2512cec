//! Good DGF files with bytes overwritten: past the header and the tables, into the blocks.
#![no_main]

use fuzz::{data, decode, overwritten};
use libfuzzer_sys::fuzz_target;

const FILES: &[&[u8]] = &[
    data!("dgf/tri1.dgfblob"),
    data!("dgf/bowtie_nonmanifold.dgfblob"),
    data!("dgf/flat17.tb6.dgfblob"),
    data!("dgf/torus_64x48.pal5ud.dgfblob"),
];

fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = overwritten(FILES, input) {
        decode(&bytes);
    }
});
