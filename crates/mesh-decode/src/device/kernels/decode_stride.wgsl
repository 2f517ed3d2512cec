// Schedule: STRIDE meshlets, one a workgroup of 64 lanes: one lane walks the connectivity while six of the other half read a residual stream each; three lanes
// run the predictor chain, an axis each, while the other half writes triangles. The format allows no more. Needs decode_job, stride_state,
// stride_walk, predictor, stride_position, strict_float, folded_grid.

// Stages in the order of the CPU reference; the first that fails gives the status.
const STAGE_TABLE = 0u;
const STAGE_WALK = 1u;
const STAGE_WALK_END = 2u;
const STAGE_ROOTS = 3u;
const STAGE_HEAD = 4u;
// Two stages a stream: its symbols, its end.
const STAGE_STREAMS = 5u;
const STAGE_CODES = 20u;

// The head of the residuals: anchor, and tag | parameter << 8 of the six streams.
struct Head { anchor: vec3<u32>, coding: array<u32, 6>, end: u32, status: u32 }

fn read_residual_head(entry: Entry) -> Head {
    var cursor = Cursor(entry.residuals, entry.end, 0u);
    var head: Head;
    for (var axis = 0u; axis < 3u; axis++) { head.anchor[axis] = take(&cursor, params.bits[axis]); }
    for (var k = 0u; k < 6u; k++) {
        let tag = take(&cursor, 8u);
        let parameter = take(&cursor, 8u);
        stop(&cursor, tag - 1u >= 2u || parameter > 16u, STATUS_PARAMETER);
        head.coding[k] = tag | (parameter << 8u);
    }
    head.end = cursor.at;
    head.status = cursor.status;
    return head;
}

// Reads stream `k`: deltas of the three axes, then residuals.
fn read_stream(entry: Entry, head: Head, k: u32) {
    var begin = head.end;
    if k > 0u { begin = entry.residuals + entry.streams[k - 1u]; }
    var cursor = Cursor(begin, entry.end, 0u);
    let deltas = entry.roots - 1u;
    let axis = k % 3u;
    let first = 256u * axis + select(deltas, 0u, k < 3u);
    let count = select(entry.vertices - entry.roots, deltas, k < 3u);
    let tag = head.coding[k] & 255u;
    let parameter = min(head.coding[k] >> 8u, 16u);
    for (var rank = 0u; rank < count && cursor.status == 0u; rank++) {
        let value = symbol(&cursor, tag, parameter);
        values[first + rank] = bitcast<u32>(unzigzag(value));
    }
    fail_if(cursor.status != 0u, STAGE_STREAMS + 2u * k, cursor.status);
    if k < 5u { fail_if(cursor.at != entry.residuals + entry.streams[k], STAGE_STREAMS + 2u * k + 1u, STATUS_STREAM_END); }
}

// The residual of a step, or the anchor.
fn residual_of(entry: Entry, head: Head, step: u32, axis: u32, roots: u32, root: bool) -> u32 {
    if root {
        if roots == 0u { return head.anchor[axis]; }
        return values[256u * axis + roots - 1u];
    }
    return values[256u * axis + min(entry.roots - 1u + step - roots, 255u)];
}

// Walks the triangles and turns the residuals of one axis into codes, in place.
fn walk_axis(entry: Entry, axis: u32) {
    let first = 256u * axis;
    var weights = params.predictor_x;
    if axis == 1u { weights = params.predictor_y; }
    if axis == 2u { weights = params.predictor_z; }
    let limit = 1u << params.bits[axis];
    var corner = vec3<i32>(0);
    var previous = 0;
    var bad = false;
    for (var t = 0u; t < entry.triangles; t++) {
        let word = triangle_words[t];
        let root = (word & (1u << 24u)) != 0u;
        let edge = (word & (1u << 25u)) != 0u;
        let old = corner;
        corner = vec3<i32>(select(old.y, old.x, edge), old.z, 0);
        let opposite = select(old.x, old.y, edge);
        for (var k = select(2u, 0u, root); k < 3u; k++) {
            let step = (word >> (8u * k)) & 255u;
            var code = bitcast<i32>(values[first + step]);
            if (word & (1u << (26u + k))) != 0u {
                code = select(predict_code(weights, corner.x, corner.y, opposite, code), previous + code, root);
                bad = bad || bitcast<u32>(code) >= limit;
                values[first + step] = bitcast<u32>(code);
                previous = code;
            }
            if k == 0u { corner.x = code; } else if k == 1u { corner.y = code; } else { corner.z = code; }
        }
    }
    fail_if(bad, STAGE_CODES, STATUS_RANGE);
}

fn write_triangles(job: vec4<u32>, count: u32, lane: u32, good: bool) {
    for (var i = lane; i < count; i += LANES / 2u) {
        var triangle = Triangle(0u, 0u, 0u);
        if good {
            let word = triangle_words[i];
            let a = maps[word & 255u] >> 16u;
            let b = maps[(word >> 8u) & 255u] >> 16u;
            let c = maps[(word >> 16u) & 255u] >> 16u;
            triangle = Triangle(job.w + a, job.w + b, job.w + c);
        }
        triangles[job.z + i] = triangle;
    }
}

fn write_vertex(place: u32, code: vec3<i32>) {
    var words = bitcast<vec3<u32>>(code);
    if !GRID { words = bitcast<vec3<u32>>(position(code, params.low, params.step, params.scale, params.centre)); }
    vertices[place] = Vertex(words.x, words.y, words.z);
}

@compute @workgroup_size(64)
fn decode_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let job = jobs[min(index, params.jobs - 1u)];
    let live = index < params.jobs && job.x != NO_UNIT;
    let entry = load_entry(select(0u, job.x, live));
    let sound = live && entry.status == 0u;
    for (var k = lane; k < 256u; k += LANES) { maps[k] = NO_STEP; }
    if lane < 8u { root_words[lane] = 0u; }
    if lane == 0u { atomicStore(&fault, select(NO_FAULT, (STAGE_TABLE << 8u) | entry.status, entry.status != 0u)); }
    workgroupBarrier();
    // [1] connectivity and streams
    var head: Head;
    if sound {
        head = read_residual_head(entry);
        if lane == 0u {
            fail_if(head.status != 0u, STAGE_HEAD, head.status);
            let end = walk_strips(entry);
        } else if lane >= LANES / 2u && lane < LANES / 2u + 6u && head.status == 0u {
            read_stream(entry, head, lane - LANES / 2u);
        }
    }
    workgroupBarrier();
    let whole = sound && atomicLoad(&fault) == NO_FAULT;
    // [2] residuals by step
    var own: array<vec3<u32>, 4>;
    if whole {
        for (var k = 0u; k < 4u; k++) {
            let step = k * LANES + lane;
            if step < entry.vertices {
                var roots = 0u;
                for (var w = 0u; w < (step >> 5u); w++) { roots += countOneBits(root_words[w]); }
                let word = root_words[step >> 5u];
                roots += countOneBits(word & ((1u << (step & 31u)) - 1u));
                let root = ((word >> (step & 31u)) & 1u) != 0u;
                for (var axis = 0u; axis < 3u; axis++) { own[k][axis] = residual_of(entry, head, step, axis, roots, root); }
            }
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < 4u; k++) {
        let step = k * LANES + lane;
        values[step] = own[k].x;
        values[256u + step] = own[k].y;
        values[512u + step] = own[k].z;
    }
    workgroupBarrier();
    // [3] the chain, beside the triangles
    if lane < 3u {
        if whole { walk_axis(entry, lane); }
    } else if live && lane >= LANES / 2u {
        write_triangles(job, entry.triangles, lane - LANES / 2u, whole);
    }
    workgroupBarrier();
    let last = atomicLoad(&fault);
    let good = sound && last == NO_FAULT;
    if live {
        for (var i = lane; i < entry.vertices; i += LANES) {
            if good {
                let step = maps[i] & 255u;
                write_vertex(job.y + i, bitcast<vec3<i32>>(vec3<u32>(values[step], values[256u + step], values[512u + step])));
            } else {
                vertices[job.y + i] = Vertex(0u, 0u, 0u);
            }
        }
        if whole && !good && lane >= LANES / 2u { write_triangles(job, entry.triangles, lane - LANES / 2u, false); }
        if lane == 0u { statuses[index] = select(last & 255u, 0u, good); }
    }
}
