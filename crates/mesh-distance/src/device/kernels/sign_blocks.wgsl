// Schedule: on which side of 1/2 the winding number lies in the middle of each block of 4 x 4 x 4 cells, and by how much.
// Needs winding_certified, sign_block_middle and a lanes module.

@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read> moments: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> margins: array<f32>;

// A packet takes 4 x 4 x 4 neighbouring blocks, with eight lanes a block 2 x 2 x 2; blocks is the number of packets along each axis.
fn work(group: u32, lane: u32) {
    let packet = vec3<u32>(group % params.blocks.x, (group / params.blocks.x) % params.blocks.y, group / (params.blocks.x * params.blocks.y));
    let side = select(2u, 4u, LANES == 1u);
    let query = lane / LANES;
    let block = packet * side + vec3<u32>(query % side, (query / side) % side, query / (side * side));
    let size = block_counts();
    let middle = block_middle(min(block, size - 1u));
    let margin = margin_of(certified_angle(middle, true, lane % LANES), middle);
    if lane % LANES == 0u && all(block < size) { margins[(block.z * size.y + block.y) * size.x + block.x] = margin; }
}

fn groups_of_work() -> u32 {
    return params.group_count;
}
