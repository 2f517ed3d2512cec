// Schedule: MD1 meshlets, 32 lanes each: a lane an index entry, a triangle or a vertex of every 32. The lanes keep what the words of the planes before theirs
// say. Offsets become positions here; otherwise (PREDICTED; FIXED too in mode 2) chain_md1 makes them from the contexts and residuals that are left.
// Needs decode_job, md1_block, md1_meshlet, md1_fixed, md1_planes, md1_rows, md1_residuals, md1_positions, folded_grid.

@group(0) @binding(4) var<storage, read_write> statuses: array<u32>;
@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(8) var<storage, read_write> vertices: array<Vertex>;

// What the words before a word say: restarts, the last triangles at which corners 0 and 1 changed, whether the first of them is a restart.
struct Before { restarts: u32, first: u32, second: u32, first_restarts: u32 }

// The last triangle of the set bits, as `last_set`, and whether it is a restart.
fn last_first(bits: u32, restarts: u32, before: Before, word: u32) -> vec2<u32> {
    let place = firstLeadingBit(bits | 1u);
    return select(vec2<u32>(32u * word + place, (restarts >> place) & 1u), vec2<u32>(before.first, before.first_restarts), bits == 0u);
}

fn last_second(bits: u32, before: Before, word: u32) -> u32 {
    return select(32u * word + firstLeadingBit(bits | 1u), before.second, bits == 0u);
}

// The vertices of restarts that are used first: none of them has a context. A lane an entry of a restart.
fn mark_roots(row: u32, restarts: u32, lane: u32) {
    for (var k = lane; k < 3u * restarts; k += LANES) {
        let e = atomicLoad(&distances[k / 3u]) - k % 3u;
        if is_first(e) {
            let vertex = entry_id(e);
            contexts[row + vertex] = vertex * 0x010101u;
            atomicOr(&root_words[vertex >> 5u], 1u << (vertex & 31u));
        }
    }
}

// Triangles, and what new vertices are predicted from.
fn write_triangles(job: vec4<u32>, row: u32, count: u32, lane: u32) {
    let below = (1u << lane) - 1u;
    let here = below | (1u << lane);
    var before = Before(0u, 0u, 0u, 1u);
    for (var word = 0u; 32u * word < count; word++) {
        let restarts = atomicLoad(&restart_words[word]);
        let edges = edge_words[word];
        let triangle = 32u * word + lane;
        if triangle < count {
            let up_to = before.restarts + countOneBits(restarts & here);
            let first = last_first(~edges & below, restarts, before, word);
            let second = last_second((edges | restarts) & below, before, word);
            let begins = ((restarts >> lane) & 1u) == 1u;
            let corners = next_corners(corner_entries(triangle, first.x, second, first.y, up_to), ((edges >> lane) & 1u) == 1u, begins);
            let a = entry_id(corners.x);
            let b = entry_id(corners.y);
            let newest = entry_id(corners.z);
            triangles[job.z + triangle] = Triangle(job.w + a, job.w + b, job.w + newest);
            if PREDICTED {
                if begins { atomicStore(&distances[up_to - 1u], corners.z); }
                if !begins && is_first(corners.z) { contexts[row + newest] = a | (b << 8u) | (entry_id(corners.w) << 16u); }
            }
        }
        let first = last_first(~edges, restarts, before, word);
        before.second = last_second(edges | restarts, before, word);
        before.first = first.x;
        before.first_restarts = first.y;
        before.restarts += countOneBits(restarts);
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

// Offsets from the anchor, one field a vertex and axis.
fn write_offsets(job: vec4<u32>, block: Block, entry: Entry, head: Head, at: u32, lane: u32) {
    let starts = vec3<u32>(at, at + entry.vertices * head.parameter.x, at + entry.vertices * (head.parameter.x + head.parameter.y));
    let end = starts.z + entry.vertices * head.parameter.z;
    fail_if(starts.y > block.bits, STAGE_AXES, STATUS_TRUNCATED);
    fail_if(starts.z > block.bits, STAGE_AXES + 2u, STATUS_TRUNCATED);
    fail_if(end > block.bits, STAGE_AXES + 4u, STATUS_TRUNCATED);
    fail_if(((end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
    let limits = vec3<u32>(1u) << params.bits;
    var bad = vec3<bool>(false);
    let fits = vec3<bool>(starts.y <= block.bits, starts.z <= block.bits, end <= block.bits);
    for (var vertex = lane; vertex < entry.vertices; vertex += LANES) {
        var code = head.anchor;
        if fits.x { code.x += field(block, starts.x + vertex * head.parameter.x, head.parameter.x); }
        if fits.y { code.y += field(block, starts.y + vertex * head.parameter.y, head.parameter.y); }
        if fits.z { code.z += field(block, starts.z + vertex * head.parameter.z, head.parameter.z); }
        bad = bad | (code >= limits);
        write_vertex(job.y + vertex, bitcast<vec3<i32>>(code));
    }
    fail_if(bad.x, STAGE_AXES + 1u, STATUS_RANGE);
    fail_if(bad.y, STAGE_AXES + 3u, STATUS_RANGE);
    fail_if(bad.z, STAGE_AXES + 5u, STATUS_RANGE);
}

fn clear_outputs(job: vec4<u32>, entry: Entry, lane: u32) {
    for (var k = lane; k < entry.triangles; k += LANES) { triangles[job.z + k] = Triangle(0u, 0u, 0u); }
    for (var k = lane; k < entry.vertices; k += LANES) { vertices[job.y + k] = Vertex(0u, 0u, 0u); }
}

@compute @workgroup_size(LANES)
fn decode_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let row = table[select(0u, unit, live)];
    let job = jobs[min(index, params.jobs - 1u)];
    let block = unit_block(row);
    let entry = unit_entry(row);
    if lane == 0u { atomicStore(&first_fault, NO_FAULT); }
    if lane < 8u {
        atomicStore(&restart_words[lane], 0u);
        atomicStore(&root_words[lane], 0u);
    }
    for (var k = lane; k < 192u; k += LANES) {
        if !FIXED { atomicStore(&distances[k], 0u); }
        atomicStore(&ids[k], 0u);
    }
    // [1] the head; what is shorter is not read
    var head: Head;
    var places: Places;
    head.status = STATUS_TRUNCATED;
    let head_end = select(HEAD_BITS, FIXED_HEAD_BITS, FIXED) + params.bits.x + params.bits.y + params.bits.z;
    if head_end <= block.bits {
        if FIXED { head = read_fixed_head(block, params.bits); } else { head = read_head(block, params.bits); }
        places = place_sections(entry, head);
    }
    workgroupBarrier();
    // [2] planes
    let readable = live && head.status == 0u && places.distances <= block.bits;
    fail_if(head.status != 0u, STAGE_HEAD, head.status);
    fail_if(places.distances > block.bits, STAGE_PLANES, STATUS_TRUNCATED);
    fail_if(places.positions > block.bits, STAGE_DISTANCES, STATUS_TRUNCATED);
    if readable { load_planes(block, entry, places, lane); }
    workgroupBarrier();
    if readable {
        if lane < 8u { fail_if((edge_words[lane] & atomicLoad(&restart_words[lane])) != 0u, STAGE_EDGES, STATUS_CONTROL); }
        // A list has its length.
        if lane == 0u && !restarts_are_listed(entry.triangles, entry.restarts) {
            var restarts = 0u;
            for (var k = 0u; k < 8u; k++) { restarts += countOneBits(atomicLoad(&restart_words[k])); }
            fail_if(restarts != entry.restarts, STAGE_RESTARTS, STATUS_COUNT);
        }
        // [3] distances
        if !FIXED && places.positions <= block.bits { read_distances(block, places, lane); }
    }
    if !FIXED { workgroupBarrier(); }
    // [4] the vertex of each index entry
    if readable && places.positions <= block.bits { read_ids(block, places, entry.vertices, lane); }
    workgroupBarrier();
    // [5] outputs; a fault that is found here empties them again
    let sound = live && is_sound();
    if sound {
        write_triangles(job, context_row(index), entry.triangles, lane);
        if !PREDICTED { write_offsets(job, block, entry, head, places.positions, lane); }
    }
    if PREDICTED {
        // [6] residuals
        workgroupBarrier();
        if sound { mark_roots(context_row(index), entry.restarts, lane); }
        workgroupBarrier();
        atomicStore(&distances[lane], 0u);
        atomicStore(&distances[lane + LANES], 0u);
        workgroupBarrier();
        let coding = place_residuals(entry, head, places.positions);
        let whole = sound && check_residuals(block, coding);
        if whole { write_roots_and_fields(block, index, entry, head, coding, lane); }
        workgroupBarrier();
        if whole && !FIXED { write_rice(block, index, head, coding, lane); }
        if whole { fill_block(index, entry.vertices, lane); }
    }
    workgroupBarrier();
    if live {
        let fault = atomicLoad(&first_fault);
        let good = fault == NO_FAULT;
        if !PREDICTED && !good { clear_outputs(job, entry, lane); }
        if lane == 0u { statuses[index] = select(fault & 255u, 0u, good); }
    }
}
