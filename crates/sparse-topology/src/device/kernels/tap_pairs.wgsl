// Schedule: for one tap, the voxels of a list that have a partner in a tree; a word of a leaf's mask an invocation.
// Constants: DIVIDE is whether the tree is the coarse side: the partner of x is (x - offset) / step where that is whole, else step * c + offset.
// `use_pair` and `use_count` come from count_pairs or write_pairs.

struct Params {
    step: vec3<u32>,
    zero: u32,
    offset: vec3<i32>,
    leaves: u32,
    tiles: u32,
    lower_capacity: u32,
    leaf_capacity: u32,
    groups: u32,
    // Where the pairs of this tap begin.
    base: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
// Tiles of the tree, then those of the list.
@group(0) @binding(1) var<storage, read> tiles: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> tree_lower: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> tree_masks: array<u32>;
@group(0) @binding(5) var<storage, read> tree_rows: array<vec2<u32>>;
// Keys (two words a leaf), masks (16) and first rows (two) of the list.
@group(0) @binding(6) var<storage, read> list_keys: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> list_masks: array<u32>;

struct Axis {
    at: i32,
    inside: bool,
}

// step * c + offset, in 64 bits, and whether it is a coordinate.
fn tap_axis(step: u32, c: i32, offset: i32) -> Axis {
    // [1] step * |c|: 16 bits by 32, twice
    let magnitude = select(u32(c), 0u - u32(c), c < 0);
    let a = (magnitude & 0xffffu) * (step & 0xffffu);
    let b = (magnitude >> 16u) * (step & 0xffffu);
    let d = (magnitude & 0xffffu) * (step >> 16u);
    let middle = (a >> 16u) + (b & 0xffffu) + (d & 0xffffu);
    var low = (a & 0xffffu) | (middle << 16u);
    var high = (magnitude >> 16u) * (step >> 16u) + (b >> 16u) + (d >> 16u) + (middle >> 16u);
    // [2] its sign
    if (c < 0) {
        low = 0u - low;
        high = ~high + select(0u, 1u, low == 0u);
    }
    // [3] plus the offset
    let sum = low + bitcast<u32>(offset);
    high += bitcast<u32>(offset >> 31u) + select(0u, 1u, sum < low);
    let at = bitcast<i32>(sum);
    return Axis(at, bitcast<i32>(high) == (at >> 31u));
}

// (x - offset) / step where that is whole, and whether it is a coordinate.
fn divided_axis(step: u32, x: i32, offset: i32) -> Axis {
    // [1] the difference, in 33 bits: sign and magnitude
    let low = bitcast<u32>(x) - bitcast<u32>(offset);
    let borrow = select(0, 1, bitcast<u32>(x) < bitcast<u32>(offset));
    let negative = (x >> 31u) - (offset >> 31u) - borrow < 0;
    let magnitude = select(low, 0u - low, negative);
    // [2] the quotient
    let q = magnitude / step;
    let whole = q * step == magnitude;
    let at = bitcast<i32>(select(q, 0u - q, negative));
    return Axis(at, whole && (q < 0x80000000u || (negative && q == 0x80000000u)));
}

fn partner_axis(step: u32, c: i32, offset: i32) -> Axis {
    if (DIVIDE) {
        return divided_axis(step, c, offset);
    }
    return tap_axis(step, c, offset);
}

// The row in the tree of the partner of a voxel; all ones when there is none.
fn partner(item: i32, v: vec3<i32>, hint: u32) -> Found {
    let x = partner_axis(params.step.x, v.x, params.offset.x);
    let y = partner_axis(params.step.y, v.y, params.offset.y);
    let z = partner_axis(params.step.z, v.z, params.offset.z);
    if (!(x.inside && y.inside && z.inside)) {
        return Found(vec2<u32>(NONE), hint);
    }
    return row_of(item, vec3<i32>(x.at, y.at, z.at), hint);
}

@compute @workgroup_size(64)
fn tap_pairs(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < 16u * params.leaves; i += params.groups * 64u) {
        let leaf = i >> 4u;
        let word = i & 15u;
        let key = list_keys[leaf];
        let tile = tiles[params.tiles + key.y];
        let origin = (tile.yzw << vec3<u32>(12u)) + vec3<i32>(leaf_of_slots(key.x) << vec3<u32>(3u));
        var rest = list_masks[i];
        var hint = NONE;
        var count = 0u;
        while (rest != 0u) {
            let bit = firstTrailingBit(rest);
            let slot = 32u * word + bit;
            let v = origin + vec3<i32>(vec3<u32>(slot >> 6u, (slot >> 3u) & 7u, slot & 7u));
            let found = partner(tile.x, v, hint);
            hint = found.tile;
            if (any(found.row != vec2<u32>(NONE))) {
                use_pair(i, bit, count, found.row);
                count++;
            }
            rest &= rest - 1u;
        }
        use_count(i, count);
    }
}
