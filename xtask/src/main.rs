//! Tests, checks, benches and certifies a machine.

fn main() {}
