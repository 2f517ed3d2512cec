// Schedule: the predictor chain of STRIDE meshlets and their positions, a lane an axis of a meshlet, 32 meshlets a workgroup of 96 lanes; the ranges of damaged
// ones are filled with zeros here. Needs decode_job, stride_state, predictor, stride_position, strict_float, folded_grid.

@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(6) var<storage, read_write> strips: array<u32>;
// Three words a vertex of the walk; behind those of all vertices, the codes by vertex.
@group(0) @binding(7) var<storage, read_write> residuals: array<u32>;
@group(0) @binding(8) var<storage, read_write> vertices: array<u32>;

const UNITS = 32u;

// Not 0: a code of the meshlet is out of range.
var<workgroup> bad_codes: array<atomic<u32>, UNITS>;

struct Chain { entries: u32, first_bits: u32, deltas: u32, others: u32, previous: i32, bad: bool }

fn write_coordinate(at: u32, code: i32, axis: u32) {
    residuals[3u * params.vertices + at] = bitcast<u32>(code);
    var word = bitcast<u32>(code);
    if !GRID { word = bitcast<u32>(coordinate(code, params.low[axis], params.step[axis], params.scale, params.centre[axis])); }
    vertices[at] = word;
}

// The code of the next index entry: a vertex met before, or one with a residual.
fn entry_code(chain: ptr<function, Chain>, vertex: u32, predicted: i32, root: bool, at: vec4<u32>, axis: u32) -> i32 {
    if ((*chain).entries & 31u) == 0u { (*chain).first_bits = strips[at.x + FIRSTS_AT + (*chain).entries / 32u]; }
    let fresh = ((*chain).first_bits & 1u) != 0u;
    (*chain).first_bits >>= 1u;
    (*chain).entries += 1u;
    let place = 3u * (at.y + vertex) + axis;
    if !fresh { return bitcast<i32>(residuals[3u * params.vertices + place]); }
    // The first delta is the anchor, which stands in the last place.
    var source = (*chain).others;
    if root {
        source = select((*chain).deltas - 1u, at.z - 1u, (*chain).deltas == 0u);
        (*chain).deltas += 1u;
    } else {
        (*chain).others += 1u;
    }
    let code = select(predicted, (*chain).previous, root) + bitcast<i32>(residuals[3u * (at.y + min(source, at.z - 1u)) + axis]);
    (*chain).bad = (*chain).bad || bitcast<u32>(code) >= (1u << params.bits[axis]);
    (*chain).previous = code;
    write_coordinate(place, code, axis);
    return code;
}

// Whether a code of this axis leaves its range.
fn walk_axis(entry: Entry, job: vec4<u32>, strip: u32, axis: u32) -> bool {
    var weights = params.predictor_x;
    if axis == 1u { weights = params.predictor_y; }
    if axis == 2u { weights = params.predictor_z; }
    let at = vec4<u32>(strip, job.y, entry.vertices, 0u);
    var chain = Chain(0u, 0u, 0u, entry.roots - 1u, 0, false);
    var corner = vec3<i32>(0);
    var root_bits = 0u;
    var edge_bits = 0u;
    var coming = triangles[job.z];
    for (var i = 0u; i < entry.triangles; i++) {
        if (i & 31u) == 0u {
            root_bits = strips[strip + (i >> 5u)];
            edge_bits = strips[strip + EDGES_AT + (i >> 5u)];
        }
        let ids = coming;
        coming = triangles[job.z + min(i + 1u, entry.triangles - 1u)];
        if (root_bits & 1u) != 0u {
            corner.x = entry_code(&chain, ids.a - job.w, 0, true, at, axis);
            corner.y = entry_code(&chain, ids.b - job.w, 0, true, at, axis);
            corner.z = entry_code(&chain, ids.c - job.w, 0, true, at, axis);
        } else {
            let edge = (edge_bits & 1u) != 0u;
            let a = select(corner.y, corner.x, edge);
            let opposite = select(corner.x, corner.y, edge);
            let predicted = predict_code(weights, a, corner.z, opposite, 0);
            corner = vec3<i32>(a, corner.z, entry_code(&chain, ids.c - job.w, predicted, false, at, axis));
        }
        root_bits >>= 1u;
        edge_bits >>= 1u;
    }
    return chain.bad;
}

@compute @workgroup_size(96)
fn chain_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / 3u;
    let axis = local % 3u;
    let index = folded_index(workgroup, slot, UNITS, params.groups_x);
    let job = jobs[min(index, params.jobs - 1u)];
    let live = index < params.jobs && job.x != NO_UNIT;
    let entry = load_entry(select(0u, job.x, live));
    if axis == 0u { atomicStore(&bad_codes[slot], 0u); }
    var status = 0u;
    if live { status = statuses[index]; }
    workgroupBarrier();
    if live && status == 0u && walk_axis(entry, job, STRIP_WORDS * index, axis) { atomicOr(&bad_codes[slot], 1u); }
    workgroupBarrier();
    let bad = atomicLoad(&bad_codes[slot]) != 0u;
    if live && (bad || status != 0u) {
        for (var i = 0u; i < entry.vertices; i++) { vertices[3u * (job.y + i) + axis] = 0u; }
        if axis == 0u {
            for (var i = 0u; i < entry.triangles; i++) { triangles[job.z + i] = Triangle(0u, 0u, 0u); }
            if bad { statuses[index] = STATUS_RANGE; }
        }
    }
}
