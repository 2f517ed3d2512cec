//! Any bytes as a file of meshlets, of every format.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzz::decode(bytes));
