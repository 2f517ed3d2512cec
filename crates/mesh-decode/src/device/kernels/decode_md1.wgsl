// Schedule: MD1 meshlets, one a workgroup of LANES lanes; PREDICTED chooses the mode. Connectivity is closed form, unary planes are cut among the
// lanes. In predicted mode the vertices that this kernel writes are residuals: chain_md1 turns them into positions.
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
// The codes of the chain have stage 16, in chain_md1.
const STAGE_END = 17u;

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

// Writes the place of each one under first + rank, for ranks below `limit`.
fn place_ones(block: Block, at: u32, unary: u32, rank: u32, first: u32, limit: u32, lane: u32) {
    let words = lane_words(unary, lane);
    var next = rank;
    for (var k = words.x; k < words.y; k++) {
        var bits = plane_word(block, at, unary, k);
        while bits != 0u && next < limit {
            let slot = first + next;
            atomicOr(&one_places[slot >> 1u], (32u * k + firstTrailingBit(bits)) << (16u * (slot & 1u)));
            bits &= bits - 1u;
            next += 1u;
        }
    }
}

fn clear_places(lane: u32) {
    for (var k = lane; k < 384u; k += LANES) { atomicStore(&one_places[k], 0u); }
}

// The value of the Rice code of this rank, from the places of the ones.
fn rice_at(block: Block, first: u32, rank: u32, k: u32, fields: u32) -> u32 {
    let previous = select(place_of_one(first + max(rank, 1u) - 1u) + 1u, 0u, rank == 0u);
    return rice_value(place_of_one(first + rank) - previous, k, field(block, fields + rank * k, k));
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
        if restart_bit(triangle) == 0u { continue; }
        let word = triangle >> 5u;
        let restarts = restarts_up_to(restart_word(word), words_before[word].x, triangle);
        let first = min(triangle + 2u * (restarts - 1u), 765u);
        for (var k = first; k < first + 3u; k++) {
            let vertex = first_rank(k) & 255u;
            if first_bit(k) == 1u { atomicOr(&root_words[vertex >> 5u], 1u << (vertex & 31u)); }
        }
    }
}

fn write_triangles(job: vec4<u32>, count: u32, lane: u32, good: bool) {
    for (var i = lane; i < count; i += LANES) {
        var triangle = Triangle(0u, 0u, 0u);
        if good {
            let word = i >> 5u;
            let before = words_before[word];
            let restarts = restart_word(word);
            let first = last_set(~edge_words[word], before.y, i);
            let second = last_set(edge_words[word] | restarts, before.z, i);
            let corners = corner_entries(i, first, second, restart_bit(first), restarts_up_to(restarts, before.x, i));
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

// What the words before each word say, and first uses before each word of theirs.
fn sum_words(entries: u32, lane: u32) {
    for (var k = lane; k < 24u; k += LANES) {
        var sum = 0u;
        for (var j = 0u; j < k && 32u * j < entries; j++) { sum += countOneBits(first_words[j]); }
        first_before[k] = sum;
    }
    if lane < 8u {
        var before = vec3<u32>(0u);
        for (var j = 0u; j < lane; j++) {
            let restarts = restart_word(j);
            let last = 32u * j + 31u;
            before = vec3<u32>(before.x + countOneBits(restarts), last_set(~edge_words[j], before.y, last), last_set(edge_words[j] | restarts, before.z, last));
        }
        words_before[lane] = before;
    }
}

@compute @workgroup_size(LANES)
fn decode_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let row = table[select(0u, unit, live)];
    let job = jobs[min(index, params.jobs - 1u)];
    let block = Block(row.x, row.y + 1u, 32u * (row.y - row.x));
    let entry = Entry((row.z & 255u) + 1u, ((row.z >> 8u) & 255u) + 1u, ((row.z >> 16u) & 255u) + 1u);
    let entries = entry.triangles + 2u * entry.restarts;
    let repeats = entries - min(entry.vertices, entries);
    if lane == 0u { atomicStore(&fault, NO_FAULT); }
    for (var k = lane; k < 8u; k += LANES) {
        atomicStore(&restart_words[k], 0u);
        atomicStore(&root_words[k], 0u);
    }
    clear_places(lane);
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
    sum_words(entries, lane);
    if lane < 8u { fail_if((edge_words[lane] & restart_word(lane)) != 0u, STAGE_EDGES, STATUS_CONTROL); }
    fail_if(places.positions > block.bits, STAGE_DISTANCES, STATUS_TRUNCATED);
    let before = ones_before(0u, head.distance_unary, lane);
    fail_if(before.y != repeats, STAGE_DISTANCE_ONES, STATUS_COUNT);
    place_ones(block, places.distances, head.distance_unary, before.x, 0u, 768u, lane);
    workgroupBarrier();
    // [3] the vertex of each index entry
    fail_if(first_before[23] + countOneBits(first_words[23]) != entry.vertices, STAGE_FIRSTS, STATUS_COUNT);
    fail_if(words_before[7].x + countOneBits(restart_word(7u)) != entry.restarts, STAGE_RESTARTS, STATUS_COUNT);
    workgroupBarrier();
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
        clear_places(lane);
        workgroupBarrier();
        for (var axis = 0u; axis < 3u; axis++) {
            let unary = r.fields[axis] - r.axes[axis];
            let ones = ones_before(LANES * axis, unary, lane);
            fail_if(head.is_fixed[axis] == 0u && ones.y != count, STAGE_AXES + 2u * axis + 1u, STATUS_COUNT);
            place_ones(block, r.axes[axis], unary, ones.x, 256u * axis, 256u, lane);
        }
        fail_if(((r.end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
        workgroupBarrier();
        // [5] outputs; a meshlet that only ends at the wrong place still needs its chain checked first
        let whole = (atomicLoad(&fault) >> 8u) >= STAGE_END;
        if live {
            write_triangles(job, entry.triangles, lane, whole);
            for (var i = lane; i < entry.vertices; i += LANES) {
                var residual = vec3<u32>(0u);
                if whole {
                    let rooted = roots_before(i);
                    let root = root_bit(i);
                    let x = residual_of(block, head, r, i, 0u, rooted, root);
                    let y = residual_of(block, head, r, i, 1u, rooted, root);
                    let z = residual_of(block, head, r, i, 2u, rooted, root);
                    residual = vec3<u32>(x, y, z);
                }
                vertices[job.y + i] = Vertex(residual.x, residual.y, residual.z);
            }
            if lane < 8u {
                strips[16u * index + lane] = restart_word(lane);
                strips[16u * index + 8u + lane] = edge_words[lane];
            }
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
            write_triangles(job, entry.triangles, lane, good);
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
