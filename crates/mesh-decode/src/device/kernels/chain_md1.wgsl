// Schedule: the predictor chain of MD1 meshlets: a lane an axis of a meshlet, 32 meshlets a workgroup of 96 lanes. It reads triangles and residuals that
// decode_md1 left in the outputs and puts positions in the residuals' places. Needs decode_job, predictor, folded_grid.

@group(0) @binding(2) var<storage, read> strips: array<u32>;
// Three words a vertex.
@group(0) @binding(3) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(4) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> statuses: array<u32>;
@group(0) @binding(6) var<storage, read> table: array<vec4<u32>>;

const UNITS = 32u;

// Not 0: a code of the meshlet is out of range.
var<workgroup> bad_codes: array<atomic<u32>, UNITS>;

// What is written for a coordinate of this code, and back.
fn coordinate_word(code: i32, axis: u32) -> u32 {
    let grid = params.origin[axis] + code;
    if GRID { return bitcast<u32>(grid); }
    return bitcast<u32>(f32(grid) * bitcast<f32>(params.exponent << 23u));
}

fn code_of_word(word: u32, axis: u32) -> i32 {
    if GRID { return bitcast<i32>(word) - params.origin[axis]; }
    return i32(bitcast<f32>(word) * bitcast<f32>((254u - params.exponent) << 23u)) - params.origin[axis];
}

struct Chain { next: u32, previous: i32, ahead: i32, bad: bool }

// The code of a corner that is no first use, or of the next vertex, whose residual has been read ahead.
fn corner_code(chain: ptr<function, Chain>, vertex: u32, predicted: i32, first: u32, count: u32, axis: u32) -> i32 {
    if vertex != (*chain).next { return code_of_word(vertices[first + 3u * vertex], axis); }
    let code = predicted + (*chain).ahead;
    (*chain).bad = (*chain).bad || bitcast<u32>(code) >= (1u << params.bits[axis]);
    vertices[first + 3u * vertex] = coordinate_word(code, axis);
    (*chain).previous = code;
    (*chain).next = vertex + 1u;
    (*chain).ahead = bitcast<i32>(vertices[first + 3u * min(vertex + 1u, count - 1u)]);
    return code;
}

// Whether a code of this axis leaves its range.
fn walk_axis(index: u32, job: vec4<u32>, counts: vec2<u32>, axis: u32) -> bool {
    let first = 3u * job.y + axis;
    var weights = params.predictor_x;
    if axis == 1u { weights = params.predictor_y; }
    if axis == 2u { weights = params.predictor_z; }
    var chain = Chain(0u, 0, bitcast<i32>(vertices[first]), false);
    var corner = vec3<i32>(0);
    // The next triangle is read while this one is worked on.
    var coming = triangles[job.z];
    var restart_bits = 0u;
    var edge_bits = 0u;
    for (var i = 0u; i < counts.y; i++) {
        if (i & 31u) == 0u {
            restart_bits = strips[16u * index + (i >> 5u)];
            edge_bits = strips[16u * index + 8u + (i >> 5u)];
        }
        let ids = coming;
        coming = triangles[job.z + min(i + 1u, counts.y - 1u)];
        if (restart_bits & 1u) != 0u {
            // A vertex of a restart lies a delta after the one before it; the first is the anchor.
            corner.x = corner_code(&chain, ids.a - job.w, chain.previous, first, counts.x, axis);
            corner.y = corner_code(&chain, ids.b - job.w, chain.previous, first, counts.x, axis);
            corner.z = corner_code(&chain, ids.c - job.w, chain.previous, first, counts.x, axis);
        } else {
            let edge = (edge_bits & 1u) != 0u;
            let a = select(corner.z, corner.x, edge);
            let b = select(corner.y, corner.z, edge);
            let opposite = select(corner.x, corner.y, edge);
            let predicted = predict_code(weights, a, b, opposite, 0);
            corner = vec3<i32>(a, b, corner_code(&chain, ids.c - job.w, predicted, first, counts.x, axis));
        }
        restart_bits >>= 1u;
        edge_bits >>= 1u;
    }
    return chain.bad;
}

@compute @workgroup_size(96)
fn chain_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / 3u;
    let axis = local % 3u;
    let index = folded_index(workgroup, slot, UNITS, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let row = table[select(0u, unit, live)];
    let job = jobs[min(index, params.jobs - 1u)];
    let counts = vec2<u32>((row.z & 255u) + 1u, ((row.z >> 8u) & 255u) + 1u);
    if axis == 0u { atomicStore(&bad_codes[slot], 0u); }
    var status = 0u;
    if live { status = statuses[index]; }
    workgroupBarrier();
    let whole = live && (status == 0u || status == STATUS_STREAM_END);
    if whole && walk_axis(index, job, counts, axis) { atomicOr(&bad_codes[slot], 1u); }
    workgroupBarrier();
    let bad = atomicLoad(&bad_codes[slot]) != 0u;
    if whole && (bad || status != 0u) {
        for (var i = 0u; i < counts.x; i++) { vertices[3u * (job.y + i) + axis] = 0u; }
        if axis == 0u {
            for (var i = 0u; i < counts.y; i++) { triangles[job.z + i] = Triangle(0u, 0u, 0u); }
            if bad { statuses[index] = STATUS_RANGE; }
        }
    }
}
