// Schedule: tasks of a mesh: a triangle and a block of 4^3 leaves of which it touches a voxel.

struct Params {
    zero: u32,
    // Tasks at hand.
    count: u32,
    before: u32,
    items: u32,
    tiles: u32,
    lower_capacity: u32,
    leaf_capacity: u32,
    groups: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
// Triangle, rank of the tile, position of the block in the tile (7 bits an axis, x highest).
@group(0) @binding(1) var<storage, read> tasks: array<u32>;
// Fourteen words a triangle: the voxel that corners are counted from; low words of nine coordinates; their 7 higher bits each, lowest first.
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> tiles: array<vec4<i32>>;

fn block_of_task(task: u32) -> vec3<u32> {
    let at = tasks[3u * task + 2u];
    return vec3<u32>(at >> 14u, (at >> 7u) & 127u, at & 127u);
}
