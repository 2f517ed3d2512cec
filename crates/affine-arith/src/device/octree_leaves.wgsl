// Schedule: cells of the last level keep no children. A kernel with this in the place of a test writes them with few registers, whatever the expression.

fn keeps(x: u32, y: u32, z: u32, row: u32) -> u32 {
    return 0u;
}
