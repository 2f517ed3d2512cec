// Schedule: the code of every voxel of an item, by row; a word of a leaf's mask an invocation.
// Constants: HILBERT is whether the curve is Hilbert's, else Morton's; ZYX is whether z comes first.

struct Params {
    offset: vec3<i32>,
    zero: u32,
    // Leaves of the item, and the row of its first voxel.
    first_leaf: u32,
    leaves: u32,
    first_row: vec2<u32>,
    groups: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tiles: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> list_masks: array<u32>;
@group(0) @binding(4) var<storage, read> list_rows: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> codes: array<vec2<u32>>;
// Not zero when a coordinate plus the offset has no code.
@group(0) @binding(6) var<storage, read_write> failed: array<u32>;

// a + b is a number of CURVE_BITS bits, also where the sum of 32 bits wraps.
fn codable(a: i32, b: i32) -> bool {
    let sum = a + b;
    let wraps = ((a ^ sum) & (b ^ sum)) < 0;
    return !wraps && sum >= 0 && sum < (1 << CURVE_BITS);
}

fn code_of(v: vec3<i32>) -> vec2<u32> {
    var p = bitcast<vec3<u32>>(v + params.offset);
    if (ZYX) {
        p = p.zyx;
    }
    if (HILBERT) {
        p = hilbert_transpose(p);
    }
    return interleave(p);
}

@compute @workgroup_size(64)
fn voxel_codes(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < 16u * params.leaves; i += params.groups * 64u) {
        let leaf = params.first_leaf + (i >> 4u);
        let word = i & 15u;
        let key = list_keys[leaf];
        let tile = tiles[key.y];
        let origin = (tile.yzw << vec3<u32>(12u)) + vec3<i32>(leaf_of_slots(key.x) << vec3<u32>(3u));
        var row = list_rows[leaf].x - params.first_row.x;
        for (var w = 0u; w < word; w++) {
            row += countOneBits(list_masks[16u * leaf + w]);
        }
        var rest = list_masks[16u * leaf + word];
        while (rest != 0u) {
            let slot = 32u * word + firstTrailingBit(rest);
            let v = origin + vec3<i32>(vec3<u32>(slot >> 6u, (slot >> 3u) & 7u, slot & 7u));
            if (codable(v.x, params.offset.x) && codable(v.y, params.offset.y) && codable(v.z, params.offset.z)) {
                codes[row] = code_of(v);
            } else {
                failed[0] = 1u;
            }
            row++;
            rest &= rest - 1u;
        }
    }
}
