// Schedule: every coordinate of a list marks its lower node in the child mask of its tile.

@group(0) @binding(3) var<storage, read> tiles: array<vec4<i32>>;

@compute @workgroup_size(64)
fn voxel_upper(@builtin(global_invocation_id) id: vec3<u32>) {
    var tile = NONE;
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        tile = find_tile(tile_of_voxel(i), params.tiles, tile);
        if (tile != NONE) {
            let slot = slots_of_voxel(voxel(i)) >> 12u;
            mark_bit(tile * 1024u + (slot >> 5u), 1u << (slot & 31u));
        }
    }
}
