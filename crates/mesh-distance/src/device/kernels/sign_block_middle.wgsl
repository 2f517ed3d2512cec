// Schedule: blocks of 4 x 4 x 4 cells. Needs sign_params.

// Blocks of the piece along each axis.
fn block_counts() -> vec3<u32> {
    return (params.counts + 3u) / 4u;
}

fn block_middle(block: vec3<u32>) -> vec3<real> {
    return (vec3<real>(params.first + block * 4u) + vec3<real>(real(2.0))) * grid_h() + grid_lo();
}
