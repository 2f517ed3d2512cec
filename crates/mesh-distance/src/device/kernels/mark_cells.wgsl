// Schedule: marks of the cells of a grid, four an invocation.
// Needs strict_float and real_single, or strict_double and real_double; folded_grid, triangle_record, triangle_distance, cell_triangle.
// Constants: BY_SURFACE.

struct Params {
    lo: vec3<u32>,
    zero: u32,
    h: vec3<u32>,
    // Half a diagonal; with BY_SURFACE a little more, beyond which no triangle can meet the cell. The lower word.
    limit: u32,
    counts: vec3<u32>,
    groups_x: u32,
    first: vec3<u32>,
    count: u32,
    lo_high: vec3<u32>,
    limit_high: u32,
    h_high: vec3<u32>,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// As in ray_walk.
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read> distances: array<u32>;
// Four marks a word, the first in the low byte.
@group(0) @binding(4) var<storage, read_write> marks: array<u32>;

const BOX_WORDS = 52u;
const STACK = 113u;

fn box_word(node: u32, row: u32, child: u32) -> real {
    return real(bitcast<f32>(boxes[node * BOX_WORDS + row * 8u + child]));
}

// Whether a triangle meets the cell.
fn meets_cell(index: vec3<u32>) -> bool {
    let grid_lo = real_vector(params.lo, params.lo_high);
    let grid_h = real_vector(params.h, params.h_high);
    let lo = cell_corner(index, grid_lo, grid_h);
    let hi = cell_corner(index + vec3<u32>(1u), grid_lo, grid_h);
    var stack: array<u32, STACK>;
    stack[0] = 0u;
    var height = 1u;
    loop {
        if height == 0u { break; }
        height -= 1u;
        let node = stack[height];
        let header = node * BOX_WORDS + 48u;
        let inner = boxes[header + 2u] & 0xffu;
        let children = boxes[header + 2u] >> 8u;
        for (var k = 0u; k < children; k += 1u) {
            let low = vec3<real>(box_word(node, 0u, k), box_word(node, 1u, k), box_word(node, 2u, k));
            let high = vec3<real>(box_word(node, 3u, k), box_word(node, 4u, k), box_word(node, 5u, k));
            if !boxes_meet(lo, hi, low, high) { continue; }
            if k < inner {
                stack[height] = boxes[header] + k;
                height += 1u;
                continue;
            }
            let r = records[boxes[header + 1u] + k - inner];
            if cell_meets_triangle(lo, hi, r.a, r.b, r.c) { return true; }
        }
    }
    return false;
}

@compute @workgroup_size(64)
fn mark_cells(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let word = folded_index(workgroup, local, 64u, params.groups_x);
    if word >= (params.count + 3u) / 4u { return; }
    let limit = real_of_words(params.limit, params.limit_high);
    var packed = 0u;
    for (var k = 0u; k < 4u; k += 1u) {
        let i = 4u * word + k;
        if i >= params.count { break; }
        let upper = distances[i * REAL_WORDS + REAL_WORDS - 1u];
        var cut = abs(real_of_words(distances[i * REAL_WORDS], upper)) <= limit;
        if BY_SURFACE && cut {
            let row = i / params.counts.x;
            cut = meets_cell(params.first + vec3<u32>(i % params.counts.x, row % params.counts.y, row / params.counts.y));
        }
        packed |= cell_mark(cut, upper) << (8u * k);
    }
    marks[word] = packed;
}
