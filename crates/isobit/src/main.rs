//! Command line of isobit: signed distances and more, the same bits on every device.

fn main() {}
