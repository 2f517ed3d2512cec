// Schedule: the rank of a tile among the sorted tiles of a batch. Needs `tiles`: item, x, y, z of each.

const NONE: u32 = 0xffffffffu;

fn tile_below(a: vec4<i32>, b: vec4<i32>) -> bool {
    if (a.x != b.x) {
        return a.x < b.x;
    }
    if (a.y != b.y) {
        return a.y < b.y;
    }
    if (a.z != b.z) {
        return a.z < b.z;
    }
    return a.w < b.w;
}

// `hint` is a rank to try first.
fn find_tile(key: vec4<i32>, count: u32, hint: u32) -> u32 {
    if (hint < count && all(tiles[hint] == key)) {
        return hint;
    }
    var low = 0u;
    var high = count;
    while (low < high) {
        let middle = (low + high) >> 1u;
        if (tile_below(tiles[middle], key)) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if (low < count && all(tiles[low] == key)) {
        return low;
    }
    return NONE;
}
