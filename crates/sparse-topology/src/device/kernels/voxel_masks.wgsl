// Schedule: every coordinate of a list sets its voxel in the mask of its leaf.

@group(0) @binding(3) var<storage, read> tiles: array<vec4<i32>>;
@group(0) @binding(5) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> tree_lower: array<vec2<u32>>;

@compute @workgroup_size(64)
fn voxel_masks(@builtin(global_invocation_id) id: vec3<u32>) {
    var tile = NONE;
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        tile = find_tile(tile_of_voxel(i), params.tiles, tile);
        if (tile != NONE) {
            let v = voxel(i);
            // A leaf that is not there would be the zero leaf behind the last, which stays zero.
            let leaf = find_leaf(tile, slots_of_voxel(v), params.lower_capacity, params.leaf_capacity);
            let p = bitcast<vec3<u32>>(v) & vec3<u32>(7u);
            let slot = (p.x << 6u) | (p.y << 3u) | p.z;
            if (leaf < params.leaf_capacity) {
                mark_bit(16u * leaf + (slot >> 5u), 1u << (slot & 31u));
            }
        }
    }
}
