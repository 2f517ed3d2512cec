// Schedule: every coordinate of a list marks its leaf in the child mask of its lower node.

@group(0) @binding(3) var<storage, read> tiles: array<vec4<i32>>;
@group(0) @binding(5) var<storage, read> upper: array<vec2<u32>>;

@compute @workgroup_size(64)
fn voxel_lower(@builtin(global_invocation_id) id: vec3<u32>) {
    var tile = NONE;
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        tile = find_tile(tile_of_voxel(i), params.tiles, tile);
        if (tile != NONE) {
            let slots = slots_of_voxel(voxel(i));
            let word = upper[tile * 1024u + (slots >> 17u)];
            let bit = 1u << ((slots >> 12u) & 31u);
            let lower = min(word.y + countOneBits(word.x & (bit - 1u)), params.lower_capacity - 1u);
            mark_bit(params.tiles * 1024u + lower * 128u + ((slots & 4095u) >> 5u), 1u << (slots & 31u));
        }
    }
}
