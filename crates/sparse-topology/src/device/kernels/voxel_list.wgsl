// Schedule: a list of coordinates, item by item, of which a part is at hand.

struct Params {
    zero: u32,
    // Coordinates at hand, and the number of those before.
    count: u32,
    before: u32,
    items: u32,
    tiles: u32,
    lower_capacity: u32,
    leaf_capacity: u32,
    groups: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> voxels: array<i32>;
@group(0) @binding(2) var<storage, read> item_ends: array<u32>;

fn voxel(i: u32) -> vec3<i32> {
    return vec3<i32>(voxels[3u * i], voxels[3u * i + 1u], voxels[3u * i + 2u]);
}

// The first item that ends behind a position of the whole list.
fn item_of(i: u32) -> i32 {
    let at = params.before + i;
    var low = 0u;
    var high = params.items - 1u;
    while (low < high) {
        let middle = (low + high) >> 1u;
        if (item_ends[middle] <= at) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return i32(low);
}

fn tile_of_voxel(i: u32) -> vec4<i32> {
    return vec4<i32>(item_of(i), voxel(i) >> vec3<u32>(12u));
}

fn slots_of_voxel(v: vec3<i32>) -> u32 {
    return slots_of_leaf(bitcast<vec3<u32>>(v >> vec3<u32>(3u)));
}
