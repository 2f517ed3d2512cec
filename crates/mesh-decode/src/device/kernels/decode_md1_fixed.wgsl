// Schedule: MD1 meshlets of mode 2. A lane takes eight triangles in a row and walks them; between the walks lie prefix counts over planes of bits, so no
// lane waits for the one before it. Only the predictor chain is serial: a lane an axis of a meshlet, all meshlets of the workgroup side by side.
// Needs decode_job, md1_fixed_state, md1_meshlet, md1_fixed, predictor, md1_positions, folded_grid.

// Stages in the order of the CPU reference; the first that fails gives the status.
const STAGE_HEAD = 1u;
const STAGE_PLANES = 2u;
const STAGE_RESTARTS = 3u;
const STAGE_EDGES = 4u;
const STAGE_FIRSTS = 5u;
const STAGE_DISTANCES = 6u;
const STAGE_REPEATS = 7u;
const STAGE_RECORDS = 8u;
const STAGE_CODES = 9u;
const STAGE_END = 10u;

// Where the sections of a meshlet begin, and whether it is long enough for the planes and for the distances.
struct Places { restarts: u32, edges: u32, firsts: u32, distances: u32, records: u32, entries: u32, planes_fit: bool, distances_fit: bool }

fn place_sections(block: Block, entry: Entry, head: FixedHead) -> Places {
    var places: Places;
    places.entries = entry.triangles + 2u * entry.restarts;
    places.restarts = head.end;
    let listed = restarts_are_listed(entry.triangles, entry.restarts);
    places.edges = head.end + select(entry.triangles, 8u * (entry.restarts - 1u), listed);
    places.firsts = places.edges + entry.triangles;
    places.distances = places.firsts + places.entries;
    places.records = places.distances + (places.entries - min(entry.vertices, places.entries)) * head.distance_width;
    places.planes_fit = head.status == 0u && places.distances <= block.bits;
    places.distances_fit = head.status == 0u && places.records <= block.bits;
    return places;
}

// Copies the planes to workgroup memory.
fn load_planes(block: Block, entry: Entry, places: Places, slot: u32, lane: u32) {
    if restarts_are_listed(entry.triangles, entry.restarts) {
        if lane == 0u { atomicOr(&restart_words[8u * slot], 1u); }
        for (var k = lane; k + 1u < entry.restarts; k += LANES) {
            let triangle = field(block, places.restarts + 8u * k, 8u);
            let previous = select(field(block, places.restarts + 8u * k - 8u, 8u), 0u, k == 0u);
            fail_if(slot, triangle <= previous || triangle >= entry.triangles, STAGE_RESTARTS, STATUS_CONTROL);
            atomicOr(&restart_words[8u * slot + (triangle >> 5u)], 1u << (triangle & 31u));
        }
    } else if lane < 8u {
        let bits = plane_word(block, places.restarts, entry.triangles, lane);
        fail_if(slot, lane == 0u && (bits & 1u) == 0u, STAGE_RESTARTS, STATUS_CONTROL);
        atomicStore(&restart_words[8u * slot + lane], bits);
    }
    if lane < 8u { edge_words[8u * slot + lane] = plane_word(block, places.edges, entry.triangles, lane); }
    first_words[FIRST_WORDS * slot + lane] = plane_word(block, places.firsts, places.entries, lane);
}

// Eight triangles of a lane: their restart and edge bits, their index entries from `entry` on with a bit each that is a first use, and the
// restarts and first uses before them.
struct Run { count: u32, restarts: u32, edges: u32, entry: u32, entries: u32, firsts: u32, restarts_before: u32, used: u32 }

fn load_run(entry: Entry, slot: u32, lane: u32) -> Run {
    var run: Run;
    let word = lane >> 2u;
    let shift = 8u * (lane & 3u);
    let restarts = restart_word(slot, word);
    run.count = min(max(entry.triangles, 8u * lane) - 8u * lane, 8u);
    run.restarts = (restarts >> shift) & 255u;
    run.edges = (edge_words[8u * slot + word] >> shift) & 255u;
    run.restarts_before = bits_below(restarts, shift);
    for (var k = 0u; k < 7u; k++) {
        if k < word { run.restarts_before += countOneBits(restart_word(slot, k)); }
    }
    run.entry = 8u * lane + 2u * run.restarts_before;
    run.entries = run.count + 2u * countOneBits(run.restarts);
    let first = FIRST_WORDS * slot;
    let last = run.entry >> 5u;
    for (var k = 0u; k < last; k++) { run.used += countOneBits(first_words[first + k]); }
    let low = first_words[first + last];
    let place = run.entry & 31u;
    run.used += bits_below(low, place);
    run.firsts = ((low >> place) | ((first_words[first + last + 1u] << 1u) << (31u - place))) & ((1u << run.entries) - 1u);
    return run;
}

// The vertices of a run's index entries, and a mark for each that a restart uses first.
fn read_ids(block: Block, head: FixedHead, places: Places, run: Run, slot: u32) {
    var used = run.used;
    var at = places.distances + (run.entry - run.used) * head.distance_width;
    var bad = false;
    for (var k = 0u; k < run.entries; k++) {
        let first = (run.firsts >> k) & 1u;
        var distance = 0u;
        if first == 0u {
            distance = field(block, at, head.distance_width);
            at += head.distance_width;
            bad = bad || distance >= used;
        }
        let place = run.entry + k;
        atomicOr(&ids[ID_WORDS * slot + (place >> 2u)], (entry_vertex(first, used, distance) & 255u) << (8u * (place & 3u)));
        used += first;
    }
    fail_if(slot, bad, STAGE_REPEATS, STATUS_INDEX);
    var left = run.restarts;
    var shift = 0u;
    while left != 0u {
        let at_first = firstTrailingBit(left) + shift;
        for (var k = at_first; k < at_first + 3u; k++) {
            let vertex = (run.used + bits_below(run.firsts, k)) & 255u;
            if ((run.firsts >> k) & 1u) == 1u { atomicOr(&root_words[8u * slot + (vertex >> 5u)], 1u << (vertex & 31u)); }
        }
        left &= left - 1u;
        shift += 2u;
    }
}

// The last triangle up to this one whose bit is set in the planes `edges` xor flip, or `restarts` too.
fn last_change(slot: u32, triangle: u32, second: bool) -> u32 {
    var word = triangle >> 5u;
    var bits = 0u;
    var upper = triangle;
    loop {
        let edges = edge_words[8u * slot + word];
        bits = select(~edges, edges | restart_word(slot, word), second);
        bits &= 0xffffffffu >> (31u - (upper & 31u));
        if bits != 0u || word == 0u { break; }
        word -= 1u;
        upper = 31u;
    }
    return last_set(bits, 0u, 32u * word + (upper & 31u));
}

// A context word of the vertices a, b, c.
fn context_of(a: u32, b: u32, c: u32) -> u32 {
    return 3u * (a | (b << 10u) | (c << 20u));
}

// Walks the triangles of a run: their corners, and what each new vertex is predicted from (a vertex of a restart: the one before it).
fn walk_run(run: Run, slot: u32, lane: u32) {
    var corner = vec3<u32>(0u);
    if lane != 0u && run.count != 0u && (run.restarts & 1u) == 0u {
        let before = 8u * lane - 1u;
        let first = last_change(slot, before, false);
        let second = last_change(slot, before, true);
        let restart = (restart_word(slot, first >> 5u) >> (first & 31u)) & 1u;
        let entries = corner_entries(before, first, second, restart, run.restarts_before);
        corner = vec3<u32>(entry_id(slot, entries.x), entry_id(slot, entries.y), entry_id(slot, entries.z));
    }
    var entry = run.entry;
    var firsts = run.firsts;
    let base = 256u * slot;
    for (var k = 0u; k < run.count; k++) {
        let restart = (run.restarts >> k) & 1u;
        let newest = entry_id(slot, entry + 2u * restart);
        if restart == 1u {
            corner = vec3<u32>(entry_id(slot, entry), entry_id(slot, entry + 1u), newest);
            for (var j = 0u; j < 3u; j++) {
                let before = max(corner[j], 1u) - 1u;
                if ((firsts >> j) & 1u) == 1u { contexts[base + corner[j]] = context_of(before, before, before); }
            }
        } else {
            let second = ((run.edges >> k) & 1u) == 1u;
            let opposite = select(corner.x, corner.y, second);
            corner = vec3<u32>(select(corner.z, corner.x, second), select(corner.y, corner.z, second), newest);
            if (firsts & 1u) == 1u { contexts[base + newest] = context_of(corner.x, corner.y, opposite); }
        }
        codes[768u * slot + 8u * lane + k] = bitcast<i32>(corner.x | (corner.y << 8u) | (corner.z << 16u));
        entry += 1u + 2u * restart;
        firsts >>= 1u + 2u * restart;
    }
}

fn write_triangles(job: vec4<u32>, count: u32, slot: u32, lane: u32, good: bool) {
    for (var i = lane; i < count; i += LANES) {
        let packed = bitcast<u32>(codes[768u * slot + i]);
        var triangle = Triangle(job.w + (packed & 255u), job.w + ((packed >> 8u) & 255u), job.w + (packed >> 16u));
        if !good { triangle = Triangle(0u, 0u, 0u); }
        triangles[job.z + i] = triangle;
    }
}

// Residuals of all vertices into workgroup memory: a vertex of a restart has a difference, the others a residual.
fn read_records(block: Block, entry: Entry, head: FixedHead, places: Places, slot: u32, lane: u32) {
    var roots = 0u;
    for (var k = 0u; k < 8u; k++) { roots += countOneBits(atomicLoad(&root_words[8u * slot + k])); }
    let delta_bits = head.deltas.x + head.deltas.y + head.deltas.z;
    let residual_bits = head.residuals.x + head.residuals.y + head.residuals.z;
    let residuals = places.records + (max(roots, 1u) - 1u) * delta_bits;
    let end = residuals + (entry.vertices - min(roots, entry.vertices)) * residual_bits;
    fail_if(slot, roots == 0u, STAGE_RECORDS, STATUS_COUNT);
    fail_if(slot, end > block.bits, STAGE_RECORDS, STATUS_TRUNCATED);
    fail_if(slot, ((end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
    if roots == 0u || end > block.bits || !places.distances_fit { return; }
    var before = 0u;
    for (var k = 0u; k < 8u; k++) {
        let vertex = min(LANES * k + lane, entry.vertices);
        if LANES * k >= entry.vertices { break; }
        let bits = atomicLoad(&root_words[8u * slot + k]);
        let rank = before + bits_below(bits, lane);
        before += countOneBits(bits);
        let root = ((bits >> lane) & 1u) == 1u;
        let at = select(residuals + (vertex - rank) * residual_bits, places.records + (max(rank, 1u) - 1u) * delta_bits, root);
        let word = block.first + (at >> 5u);
        let middle = body[word + 1u];
        let low = (body[word] >> (at & 31u)) | ((middle << 1u) << (31u - (at & 31u)));
        let high = (middle >> (at & 31u)) | ((body[word + 2u] << 1u) << (31u - (at & 31u)));
        let record = split_record(low, high, select(head.residuals, head.deltas, root));
        let place = 768u * slot + 3u * vertex;
        if vertex < entry.vertices {
            codes[place] = record.x;
            codes[place + 1u] = record.y;
            codes[place + 2u] = record.z;
        }
    }
    if lane < 3u { codes[768u * slot + lane] = bitcast<i32>(head.anchor[lane]); }
}

// The predictor chain of one axis of a meshlet: residuals become codes.
fn chain_axis(slot: u32, axis: u32, count: u32) {
    let first = 768u * slot + axis;
    var bits = bitcast<u32>(codes[first]);
    var coming = contexts[256u * slot + 1u];
    var residual = codes[first + 3u];
    for (var vertex = 1u; vertex < count; vertex++) {
        let context = coming;
        let ahead = min(vertex + 1u, 255u);
        let a = codes[first + (context & 1023u)];
        let b = codes[first + ((context >> 10u) & 1023u)];
        let c = codes[first + (context >> 20u)];
        let code = parallelogram_code(a, b, c, residual);
        coming = contexts[256u * slot + ahead];
        residual = codes[first + 3u * ahead];
        codes[first + 3u * vertex] = code;
        bits |= bitcast<u32>(code);
    }
    fail_if(slot, (bits >> params.bits[axis]) != 0u, STAGE_CODES, STATUS_RANGE);
}

fn unit_entry(row: vec4<u32>) -> Entry {
    return Entry((row.z & 255u) + 1u, ((row.z >> 8u) & 255u) + 1u, ((row.z >> 16u) & 255u) + 1u);
}

fn table_row(index: u32) -> vec4<u32> {
    let unit = unit_of(index);
    return table[select(unit, 0u, unit == NO_UNIT)];
}

@compute @workgroup_size(32u * UNITS)
fn decode_md1_fixed(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / LANES;
    let lane = local % LANES;
    let index = folded_index(workgroup, slot, UNITS, params.groups_x);
    let live = index < params.jobs && unit_of(index) != NO_UNIT;
    let row = table_row(index);
    let job = jobs[min(index, params.jobs - 1u)];
    // A job that is left out has no bits, so nothing is read for it.
    let block = Block(row.x, select(0u, 32u * (row.y - row.x), live));
    let entry = unit_entry(row);
    if lane == 0u { atomicStore(&faults[slot], NO_FAULT); }
    if lane < 8u {
        atomicStore(&restart_words[8u * slot + lane], 0u);
        atomicStore(&root_words[8u * slot + lane], 0u);
    }
    for (var k = lane; k < ID_WORDS; k += LANES) { atomicStore(&ids[ID_WORDS * slot + k], 0u); }
    workgroupBarrier();
    // [1] head and planes; a meshlet without words has no head to read
    var head: FixedHead;
    head.end = FIXED_HEAD_BITS + params.bits.x + params.bits.y + params.bits.z;
    head.status = STATUS_TRUNCATED;
    if head.end <= block.bits { head = read_fixed_head(block, params.bits); }
    let places = place_sections(block, entry, head);
    fail_if(slot, head.status != 0u, STAGE_HEAD, head.status);
    fail_if(slot, places.distances > block.bits, STAGE_PLANES, STATUS_TRUNCATED);
    if places.planes_fit { load_planes(block, entry, places, slot, lane); }
    workgroupBarrier();
    // [2] the vertex of each index entry
    var run: Run;
    if places.planes_fit {
        run = load_run(entry, slot, lane);
        if lane < 8u { fail_if(slot, (edge_words[8u * slot + lane] & restart_word(slot, lane)) != 0u, STAGE_EDGES, STATUS_CONTROL); }
        if lane == LANES - 1u {
            fail_if(slot, run.restarts_before + countOneBits(run.restarts) != entry.restarts, STAGE_RESTARTS, STATUS_COUNT);
            fail_if(slot, run.used + countOneBits(run.firsts) != entry.vertices, STAGE_FIRSTS, STATUS_COUNT);
        }
        fail_if(slot, !places.distances_fit, STAGE_DISTANCES, STATUS_TRUNCATED);
        if places.distances_fit { read_ids(block, head, places, run, slot); }
    }
    workgroupBarrier();
    // [3] triangles; those of a meshlet that turns out to be damaged are overwritten below
    let sound = atomicLoad(&faults[slot]) == NO_FAULT;
    if sound { walk_run(run, slot, lane); }
    workgroupBarrier();
    if live && sound { write_triangles(job, entry.triangles, slot, lane, true); }
    workgroupBarrier();
    // [4] residuals
    if sound { read_records(block, entry, head, places, slot, lane); }
    workgroupBarrier();
    // [5] the chain; a meshlet that only ends at the wrong place still needs its codes checked first
    if local < 3u * UNITS {
        let other = local / 3u;
        let vertices_of_other = unit_entry(table_row(folded_index(workgroup, other, UNITS, params.groups_x))).vertices;
        if (atomicLoad(&faults[other]) >> 8u) >= STAGE_END { chain_axis(other, local % 3u, vertices_of_other); }
    }
    workgroupBarrier();
    // [6] positions
    if live {
        let fault = atomicLoad(&faults[slot]);
        let good = fault == NO_FAULT;
        var axis = lane % 3u;
        for (var k = lane; k < 3u * entry.vertices; k += LANES) {
            let grid = params.origin[axis] + codes[768u * slot + k];
            var word = bitcast<u32>(grid);
            if !GRID { word = bitcast<u32>(coordinate(grid, params.exponent)); }
            vertices[3u * job.y + k] = select(0u, word, good);
            axis = select(axis + 2u, axis - 1u, axis != 0u);
        }
        if !good { write_triangles(job, entry.triangles, slot, lane, false); }
        if lane == 0u { statuses[index] = select(fault & 255u, 0u, good); }
    }
}
