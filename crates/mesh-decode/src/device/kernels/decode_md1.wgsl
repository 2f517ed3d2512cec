// Schedule: MD1 meshlets, one a workgroup of LANES lanes; PREDICTED chooses the mode. Connectivity is closed form, unary planes are cut among the
// lanes; only the predictor chain is serial: three lanes walk it, an axis each, while the others write triangles.
// Needs decode_job, md1_state, md1_meshlet, predictor, md1_positions, folded_grid.

// Stages in the order of the CPU reference; the first that fails gives the status.
const STAGE_HEAD = 1u;
const STAGE_PLANES = 2u;
const STAGE_RESTARTS = 3u;
const STAGE_EDGES = 4u;
const STAGE_FIRSTS = 5u;
const STAGE_DISTANCES = 6u;
const STAGE_DISTANCE_ONES = 7u;
const STAGE_REPEATS = 8u;
const STAGE_DELTAS = 9u;
// Two stages an axis follow.
const STAGE_AXES = 10u;
const STAGE_CODES = 16u;
const STAGE_END = 17u;

const VERTICES_A_LANE = 256u / LANES;

// Where the sections of a meshlet begin.
struct Places { restarts: u32, edges: u32, firsts: u32, distances: u32, distance_fields: u32, positions: u32 }

// Copies the planes to workgroup memory.
fn load_planes(block: Block, entry: Entry, places: Places, lane: u32) {
    if restarts_are_listed(entry.triangles, entry.restarts) {
        if lane == 0u { atomicOr(&restart_words[0], 1u); }
        for (var k = lane; k + 1u < entry.restarts; k += LANES) {
            let triangle = field(block, places.restarts + 8u * k, 8u);
            let previous = select(field(block, places.restarts + 8u * k - 8u, 8u), 0u, k == 0u);
            fail_if(triangle <= previous || triangle >= entry.triangles, STAGE_RESTARTS, STATUS_CONTROL);
            atomicOr(&restart_words[triangle >> 5u], 1u << (triangle & 31u));
        }
    } else if lane < 8u {
        let bits = plane_word(block, places.restarts, entry.triangles, lane);
        fail_if(lane == 0u && (bits & 1u) == 0u, STAGE_RESTARTS, STATUS_CONTROL);
        atomicStore(&restart_words[lane], bits);
    }
    for (var k = lane; k < 8u; k += LANES) { edge_words[k] = plane_word(block, places.edges, entry.triangles, k); }
    let entries = entry.triangles + 2u * entry.restarts;
    for (var k = lane; k < 24u; k += LANES) { first_words[k] = plane_word(block, places.firsts, entries, k); }
}

// Words of a unary plane that belong to a lane: from .x up to .y.
fn lane_words(unary: u32, lane: u32) -> vec2<u32> {
    let words = (unary + 31u) >> 5u;
    let chunk = (words + LANES - 1u) / LANES;
    return vec2<u32>(min(lane * chunk, words), min(lane * chunk + chunk, words));
}

fn count_ones(block: Block, at: u32, unary: u32, lane: u32) -> u32 {
    let words = lane_words(unary, lane);
    var sum = 0u;
    for (var k = words.x; k < words.y; k++) { sum += countOneBits(plane_word(block, at, unary, k)); }
    return sum;
}

// Ones before a lane's words (.x) and of the whole plane (.y).
fn ones_before(first: u32, unary: u32, lane: u32) -> vec2<u32> {
    let words = (unary + 31u) >> 5u;
    let chunk = max((words + LANES - 1u) / LANES, 1u);
    let active_lanes = (words + chunk - 1u) / chunk;
    var sums = vec2<u32>(0u);
    for (var k = 0u; k < active_lanes; k++) {
        let ones = lane_ones[first + k];
        sums += vec2<u32>(select(0u, ones, k < lane), ones);
    }
    return sums;
}

// Writes the place of each one to values[first + rank], for ranks below `limit`.
fn place_ones(block: Block, at: u32, unary: u32, rank: u32, first: u32, limit: u32, lane: u32) {
    let words = lane_words(unary, lane);
    var next = rank;
    for (var k = words.x; k < words.y; k++) {
        var bits = plane_word(block, at, unary, k);
        while bits != 0u && next < limit {
            values[first + next] = 32u * k + firstTrailingBit(bits);
            bits &= bits - 1u;
            next += 1u;
        }
    }
}

// The value of the Rice code of this rank, from the places of the ones.
fn rice_at(block: Block, first: u32, rank: u32, k: u32, fields: u32) -> u32 {
    let previous = select(values[first + max(rank, 1u) - 1u] + 1u, 0u, rank == 0u);
    return rice_value(values[first + rank] - previous, k, field(block, fields + rank * k, k));
}

// The ids of four index entries as one word.
fn read_ids(block: Block, head: Head, places: Places, entries: u32, word: u32) -> u32 {
    var packed = 0u;
    for (var k = 0u; k < 4u; k++) {
        let entry = 4u * word + k;
        if entry >= entries { break; }
        let used = first_rank(entry);
        let first = first_bit(entry);
        var distance = 0u;
        if first == 0u {
            distance = rice_at(block, 0u, entry - used, head.distance_rice, places.distance_fields);
            fail_if(distance >= used, STAGE_REPEATS, STATUS_INDEX);
        }
        packed |= (entry_vertex(first, used, distance) & 255u) << (8u * k);
    }
    return packed;
}

// Marks the vertices that restarts use first.
fn mark_roots(entry: Entry, lane: u32) {
    for (var triangle = lane; triangle < entry.triangles; triangle += LANES) {
        if ((restart_word(triangle >> 5u) >> (triangle & 31u)) & 1u) == 0u { continue; }
        let first = min(triangle + 2u * (restarts_up_to(triangle) - 1u), 765u);
        for (var k = first; k < first + 3u; k++) {
            let vertex = first_rank(k) & 255u;
            if first_bit(k) == 1u { atomicOr(&root_words[vertex >> 5u], 1u << (vertex & 31u)); }
        }
    }
}

fn write_triangles(job: vec4<u32>, count: u32, from_lane: u32, lanes: u32, good: bool) {
    for (var i = from_lane; i < count; i += lanes) {
        var triangle = Triangle(0u, 0u, 0u);
        if good {
            let corners = min(corner_entries(i), vec3<u32>(767u));
            triangle = Triangle(job.w + entry_id(corners.x), job.w + entry_id(corners.y), job.w + entry_id(corners.z));
        }
        triangles[job.z + i] = triangle;
    }
}

fn write_vertex(place: u32, code: vec3<i32>) {
    if GRID {
        let grid = bitcast<vec3<u32>>(params.origin + code);
        vertices[place] = Vertex(grid.x, grid.y, grid.z);
    } else {
        let p = bitcast<vec3<u32>>(position(params.origin, code, params.exponent));
        vertices[place] = Vertex(p.x, p.y, p.z);
    }
}

// First bits of the sections of residuals (.xyz: axes) and the end; roots are at least 1.
struct Residuals { deltas: vec3<u32>, axes: vec3<u32>, fields: vec3<u32>, end: u32 }

fn place_residuals(head: Head, at: u32, roots: u32, count: u32, lengths: ptr<function, array<u32, 3>>) -> Residuals {
    var r: Residuals;
    var next = at;
    for (var axis = 0u; axis < 3u; axis++) {
        r.deltas[axis] = next;
        next += (max(roots, 1u) - 1u) * head.delta_width[axis];
    }
    for (var axis = 0u; axis < 3u; axis++) {
        r.axes[axis] = next;
        next += select(head.unary[axis], 0u, head.is_fixed[axis] == 1u);
        r.fields[axis] = next;
        next += count * head.parameter[axis];
        (*lengths)[axis] = next;
    }
    r.end = next;
    return r;
}

// Delta, residual or anchor of a vertex on one axis.
fn residual_of(block: Block, head: Head, r: Residuals, vertex: u32, axis: u32, before: u32, root: bool) -> u32 {
    if root {
        if before == 0u { return head.anchor[axis]; }
        let width = head.delta_width[axis];
        return bitcast<u32>(unzigzag(field(block, r.deltas[axis] + (before - 1u) * width, width)));
    }
    let rank = vertex - before;
    let k = head.parameter[axis];
    if head.is_fixed[axis] == 1u { return bitcast<u32>(unzigzag(field(block, r.fields[axis] + rank * k, k))); }
    return bitcast<u32>(unzigzag(rice_at(block, 256u * axis, rank, k, r.fields[axis])));
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
    var next = 0u;
    var place = 0u;
    var bad = false;
    var residual = bitcast<i32>(values[first]);
    var restart_bits = 0u;
    var edge_bits = 0u;
    var first_bits = first_words[0];
    for (var triangle = 0u; triangle < entry.triangles; triangle++) {
        if (triangle & 31u) == 0u {
            restart_bits = restart_word(triangle >> 5u);
            edge_bits = edge_words[triangle >> 5u];
        }
        let restart = (restart_bits & 1u) != 0u;
        let edge = (edge_bits & 1u) != 0u;
        restart_bits >>= 1u;
        edge_bits >>= 1u;
        // [1] the last corner, or all three of a restart
        let old = corner;
        corner = vec3<i32>(select(old.z, old.x, edge), select(old.y, old.z, edge), 0);
        let opposite = select(old.x, old.y, edge);
        for (var k = select(2u, 0u, restart); k < 3u; k++) {
            var code = 0;
            if (first_bits & 1u) != 0u {
                code = select(predict_code(weights, corner.x, corner.y, opposite, residual), previous + residual, restart);
                bad = bad || bitcast<u32>(code) >= limit;
                values[first + (next & 255u)] = bitcast<u32>(code);
                previous = code;
                next += 1u;
                residual = bitcast<i32>(values[first + (next & 255u)]);
            } else {
                code = bitcast<i32>(values[first + entry_id(place)]);
            }
            if k == 0u { corner.x = code; } else if k == 1u { corner.y = code; } else { corner.z = code; }
            place = min(place + 1u, 767u);
            first_bits >>= 1u;
            if (place & 31u) == 0u { first_bits = first_words[place >> 5u]; }
        }
    }
    fail_if(bad, STAGE_CODES, STATUS_RANGE);
}

@compute @workgroup_size(LANES)
fn decode_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let inside = index < params.jobs;
    let job = jobs[min(index, params.jobs - 1u)];
    let live = inside && job.x != NO_UNIT;
    let row = table[select(0u, job.x, live)];
    let block = Block(row.x, row.y + 1u, 32u * (row.y - row.x));
    let entry = Entry((row.z & 255u) + 1u, ((row.z >> 8u) & 255u) + 1u, ((row.z >> 16u) & 255u) + 1u);
    let entries = entry.triangles + 2u * entry.restarts;
    let repeats = entries - min(entry.vertices, entries);
    if lane == 0u { atomicStore(&fault, NO_FAULT); }
    for (var k = lane; k < 8u; k += LANES) {
        atomicStore(&restart_words[k], 0u);
        atomicStore(&root_words[k], 0u);
    }
    workgroupBarrier();
    // [1] head and planes
    let head = read_head(block, params.bits);
    fail_if(head.end > block.bits, STAGE_HEAD, STATUS_TRUNCATED);
    fail_if(head.status != 0u && head.end <= block.bits, STAGE_HEAD, head.status);
    var places: Places;
    places.restarts = head.end;
    let listed = restarts_are_listed(entry.triangles, entry.restarts);
    places.edges = head.end + select(entry.triangles, 8u * (entry.restarts - 1u), listed);
    places.firsts = places.edges + entry.triangles;
    places.distances = places.firsts + entries;
    places.distance_fields = places.distances + head.distance_unary;
    places.positions = places.distance_fields + repeats * head.distance_rice;
    fail_if(places.distances > block.bits, STAGE_PLANES, STATUS_TRUNCATED);
    load_planes(block, entry, places, lane);
    lane_ones[lane] = count_ones(block, places.distances, head.distance_unary, lane);
    workgroupBarrier();
    // [2] first uses before each word, checks of the planes, places of the distances' ones
    for (var k = lane; k < 24u; k += LANES) {
        var sum = 0u;
        for (var j = 0u; j < k; j++) { sum += countOneBits(first_words[j]); }
        first_before[k] = sum;
        fail_if(k == 23u && sum + countOneBits(first_words[23]) != entry.vertices, STAGE_FIRSTS, STATUS_COUNT);
    }
    if lane < 8u {
        fail_if((edge_words[lane] & restart_word(lane)) != 0u, STAGE_EDGES, STATUS_CONTROL);
        fail_if(lane == 0u && restarts_up_to(255u) != entry.restarts, STAGE_RESTARTS, STATUS_COUNT);
    }
    fail_if(places.positions > block.bits, STAGE_DISTANCES, STATUS_TRUNCATED);
    let before = ones_before(0u, head.distance_unary, lane);
    fail_if(before.y != repeats, STAGE_DISTANCE_ONES, STATUS_COUNT);
    place_ones(block, places.distances, head.distance_unary, before.x, 0u, 768u, lane);
    workgroupBarrier();
    // [3] the vertex of each index entry
    let sound = atomicLoad(&fault) == NO_FAULT;
    workgroupBarrier();
    if sound {
        for (var k = lane; 4u * k < entries; k += LANES) { ids[k] = read_ids(block, head, places, entries, k); }
        if PREDICTED { mark_roots(entry, lane); }
    }
    workgroupBarrier();
    if PREDICTED {
        // [4] residuals of each vertex
        let roots = roots_before(255u) + select(0u, 1u, root_bit(255u));
        let count = entry.vertices - min(roots, entry.vertices);
        var ends: array<u32, 3>;
        let r = place_residuals(head, places.positions, roots, count, &ends);
        fail_if(roots == 0u, STAGE_DELTAS, STATUS_COUNT);
        fail_if(r.axes.x > block.bits, STAGE_DELTAS, STATUS_TRUNCATED);
        for (var axis = 0u; axis < 3u; axis++) {
            fail_if(ends[axis] > block.bits, STAGE_AXES + 2u * axis, STATUS_TRUNCATED);
            let unary = r.fields[axis] - r.axes[axis];
            lane_ones[LANES * axis + lane] = count_ones(block, r.axes[axis], unary, lane);
        }
        workgroupBarrier();
        for (var axis = 0u; axis < 3u; axis++) {
            let unary = r.fields[axis] - r.axes[axis];
            let ones = ones_before(LANES * axis, unary, lane);
            fail_if(head.is_fixed[axis] == 0u && ones.y != count, STAGE_AXES + 2u * axis + 1u, STATUS_COUNT);
            place_ones(block, r.axes[axis], unary, ones.x, 256u * axis, 256u, lane);
        }
        workgroupBarrier();
        var own: array<vec3<u32>, VERTICES_A_LANE>;
        for (var k = 0u; k < VERTICES_A_LANE; k++) {
            let vertex = k * LANES + lane;
            if vertex < entry.vertices {
                let rooted = roots_before(vertex);
                let root = root_bit(vertex);
                for (var axis = 0u; axis < 3u; axis++) {
                    own[k][axis] = residual_of(block, head, r, vertex, axis, rooted, root);
                }
            }
        }
        workgroupBarrier();
        for (var k = 0u; k < VERTICES_A_LANE; k++) {
            let vertex = k * LANES + lane;
            values[vertex] = own[k].x;
            values[256u + vertex] = own[k].y;
            values[512u + vertex] = own[k].z;
        }
        fail_if(((r.end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
        workgroupBarrier();
        // [5] the chain, beside the triangles
        let whole = live && (atomicLoad(&fault) >> 8u) >= STAGE_END;
        if lane < 3u {
            if whole { walk_axis(entry, lane); }
        } else if live {
            write_triangles(job, entry.triangles, lane - 3u, LANES - 3u, whole);
        }
        workgroupBarrier();
        let good = atomicLoad(&fault) == NO_FAULT;
        if live {
            for (var i = lane; i < entry.vertices; i += LANES) {
                let code = bitcast<vec3<i32>>(vec3<u32>(values[i], values[256u + i], values[512u + i]));
                if good { write_vertex(job.y + i, code); } else { vertices[job.y + i] = Vertex(0u, 0u, 0u); }
            }
            if whole && !good && lane >= 3u { write_triangles(job, entry.triangles, lane - 3u, LANES - 3u, false); }
        }
    } else {
        // [4] offsets from the anchor, one field a vertex and axis
        let x = places.positions;
        let y = x + entry.vertices * head.parameter.x;
        let z = y + entry.vertices * head.parameter.y;
        let end = z + entry.vertices * head.parameter.z;
        fail_if(y > block.bits, STAGE_AXES, STATUS_TRUNCATED);
        fail_if(z > block.bits, STAGE_AXES + 2u, STATUS_TRUNCATED);
        fail_if(end > block.bits, STAGE_AXES + 4u, STATUS_TRUNCATED);
        fail_if(((end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
        let starts = vec3<u32>(x, y, z);
        let limits = vec3<u32>(1u) << params.bits;
        for (var i = lane; i < entry.vertices; i += LANES) {
            var code = head.anchor;
            for (var axis = 0u; axis < 3u; axis++) {
                let width = head.parameter[axis];
                code[axis] += field(block, starts[axis] + i * width, width);
                fail_if(code[axis] >= limits[axis], STAGE_AXES + 2u * axis + 1u, STATUS_RANGE);
            }
            if live { write_vertex(job.y + i, bitcast<vec3<i32>>(code)); }
        }
        workgroupBarrier();
        let good = atomicLoad(&fault) == NO_FAULT;
        if live {
            write_triangles(job, entry.triangles, lane, LANES, good);
            if !good {
                for (var i = lane; i < entry.vertices; i += LANES) { vertices[job.y + i] = Vertex(0u, 0u, 0u); }
            }
        }
    }
    if live && lane == 0u {
        let first = atomicLoad(&fault);
        statuses[index] = select(first & 255u, 0u, first == NO_FAULT);
    }
}
