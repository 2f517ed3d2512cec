// Schedule: rows of coordinates, or of the coordinates around them; all ones where one is not active.

struct Params {
    zero: u32,
    count: u32,
    // Coordinates around a query: (2 extent + 1)^3 at the query times 2^shift; 1 and 0 for the query itself.
    extent: u32,
    shift: u32,
    item: i32,
    tiles: u32,
    lower_capacity: u32,
    leaf_capacity: u32,
    // Row of the item's first voxel, subtracted.
    first_row: vec2<u32>,
    groups: u32,
    // Added to every coordinate around a query.
    origin: i32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> queries: array<i32>;
@group(0) @binding(2) var<storage, read> tiles: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> tree_lower: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> tree_masks: array<u32>;
@group(0) @binding(6) var<storage, read> tree_rows: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> rows: array<vec2<u32>>;

struct Axis {
    at: i32,
    inside: bool,
}

// (q << shift) + step, in 64 bits, and whether it is a coordinate.
fn around(q: i32, step: i32) -> Axis {
    let low = bitcast<u32>(q) << params.shift;
    var high = q >> 31u;
    if (params.shift != 0u) {
        high = q >> (32u - params.shift);
    }
    let sum = low + bitcast<u32>(step);
    let carry = select(0, 1, sum < low);
    let at = bitcast<i32>(sum);
    return Axis(at, high + (step >> 31u) + carry == (at >> 31u));
}

@compute @workgroup_size(64)
fn find_rows(@builtin(global_invocation_id) id: vec3<u32>) {
    let side = params.extent;
    let cube = side * side * side;
    let count = params.count * cube;
    for (var i = id.x; i < count; i += params.groups * 64u) {
        let query = 3u * (i / cube);
        let place = i % cube;
        let step = vec3<i32>(vec3<u32>(place / (side * side), place / side % side, place % side)) + params.origin;
        let x = around(queries[query], step.x);
        let y = around(queries[query + 1u], step.y);
        let z = around(queries[query + 2u], step.z);
        var row = vec2<u32>(NONE);
        if (x.inside && y.inside && z.inside) {
            let found = row_of(params.item, vec3<i32>(x.at, y.at, z.at), NONE).row;
            if (any(found != vec2<u32>(NONE))) {
                row = vec2<u32>(found.x - params.first_row.x, found.y - params.first_row.y - select(0u, 1u, found.x < params.first_row.x));
            }
        }
        rows[i] = row;
    }
}
