//! Any bytes as a `.nvdb` file: an error, or a batch that is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sparse_topology::nvdb::{self, WriteOptions};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = nvdb::read(bytes) else { return };
    let names: Vec<&str> = file.names.iter().map(String::as_str).collect();
    let written = nvdb::write(&file.batch, &names, &WriteOptions::default()).expect("what was read can be written");
    let again = nvdb::read(&written).expect("what was written can be read");
    assert_eq!((again.batch, again.names), (file.batch, file.names));
});
