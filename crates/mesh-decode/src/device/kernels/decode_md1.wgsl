// Schedule: connectivity of MD1 meshlets, 32 lanes each: a lane an index entry, a triangle or a vertex of every 32. The lanes keep what the words of
// the planes before theirs say. Offsets become positions here; otherwise (PREDICTED) chain_md1 makes them from the
// contexts that are left.
// Needs decode_job, md1_block, md1_meshlet, md1_positions, folded_grid.

@group(0) @binding(4) var<storage, read_write> statuses: array<u32>;
@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
// Predicted: a word a vertex, the vertices a, b and c that it is predicted from and itself, a byte each; without a context c is the vertex itself. Residuals follow,
// three words a vertex.
@group(0) @binding(6) var<storage, read_write> records: array<u32>;
// Two words a job: first bit of the deltas, vertices without a context.
@group(0) @binding(7) var<storage, read_write> strips: array<u32>;
@group(0) @binding(8) var<storage, read_write> vertices: array<Vertex>;

const LANES = 32u;
const NO_FAULT = 0xffffffffu;

// Stages in the order of the CPU reference; the first that fails gives the status.
const STAGE_HEAD = 1u;
const STAGE_PLANES = 2u;
const STAGE_RESTARTS = 3u;
const STAGE_EDGES = 4u;
const STAGE_FIRSTS = 5u;
const STAGE_DISTANCES = 6u;
const STAGE_DISTANCE_ONES = 7u;
const STAGE_REPEATS = 8u;
// Two stages an axis.
const STAGE_AXES = 10u;
const STAGE_END = 17u;

var<workgroup> restart_words: array<atomic<u32>, 8u>;
var<workgroup> edge_words: array<u32, 8u>;
var<workgroup> first_words: array<u32, 24u>;
// A byte each: the distance of each repeat, the vertex of each index entry.
var<workgroup> distances: array<atomic<u32>, 192u>;
var<workgroup> ids: array<atomic<u32>, 192u>;
var<workgroup> root_count: atomic<u32>;
// Stage << 8 | status word of the earliest stage that failed.
var<workgroup> first_fault: atomic<u32>;

fn fail_if(failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&first_fault, (stage << 8u) | status); }
}

fn is_sound() -> bool {
    return atomicLoad(&first_fault) == NO_FAULT;
}

// What the head says of the distances, and where the sections begin.
struct Places {
    unary: u32,
    width: u32,
    restarts: u32,
    edges: u32,
    firsts: u32,
    distances: u32,
    fields: u32,
    positions: u32,
    entries: u32,
    repeats: u32,
}

fn place_sections(entry: Entry, head_end: u32, unary: u32, width: u32) -> Places {
    var p: Places;
    p.unary = unary;
    p.width = width;
    p.entries = entry.triangles + 2u * entry.restarts;
    p.repeats = p.entries - min(entry.vertices, p.entries);
    p.restarts = head_end;
    let listed = restarts_are_listed(entry.triangles, entry.restarts);
    p.edges = head_end + select(entry.triangles, 8u * (entry.restarts - 1u), listed);
    p.firsts = p.edges + entry.triangles;
    p.distances = p.firsts + p.entries;
    p.fields = p.distances + unary;
    p.positions = p.fields + p.repeats * width;
    return p;
}

// Copies the planes to workgroup memory.
fn load_planes(block: Block, entry: Entry, places: Places, lane: u32) {
    if restarts_are_listed(entry.triangles, entry.restarts) {
        if lane == 0u { atomicOr(&restart_words[0], 1u); }
        for (var k = lane; k + 1u < entry.restarts; k += LANES) {
            let triangle = field(block, places.restarts + 8u * k, 8u);
            let previous = select(field(block, places.restarts + 8u * max(k, 1u) - 8u, 8u), 0u, k == 0u);
            fail_if(triangle <= previous || triangle >= entry.triangles, STAGE_RESTARTS, STATUS_CONTROL);
            atomicOr(&restart_words[triangle >> 5u], 1u << (triangle & 31u));
        }
    } else if lane < 8u {
        let bits = plane_word(block, places.restarts, entry.triangles, lane);
        fail_if(lane == 0u && (bits & 1u) == 0u, STAGE_RESTARTS, STATUS_CONTROL);
        atomicStore(&restart_words[lane], bits);
    }
    if lane < 8u { edge_words[lane] = plane_word(block, places.edges, entry.triangles, lane); }
    if lane < 24u { first_words[lane] = plane_word(block, places.firsts, places.entries, lane); }
}

// The distance of each repeat, a lane a bit of the unary plane: the lane of a one has the code's end.
fn read_distances(block: Block, places: Places, lane: u32) {
    var rank_before = 0u;
    var end_before = 0u;
    let below = (1u << lane) - 1u;
    for (var word = 0u; 32u * word < places.unary; word++) {
        let bits = plane_word(block, places.distances, places.unary, word);
        let rank = rank_before + countOneBits(bits & below);
        if ((bits >> lane) & 1u) == 1u && rank < places.repeats {
            let here = bits & below;
            let previous = select(32u * word + 1u + firstLeadingBit(here | 1u), end_before, here == 0u);
            let distance = rice_value(32u * word + lane - previous, places.width, field(block, places.fields + rank * places.width, places.width));
            // No vertex is so far from the newest.
            fail_if(distance > 255u, STAGE_REPEATS, STATUS_INDEX);
            atomicOr(&distances[rank >> 2u], (distance & 255u) << (8u * (rank & 3u)));
        }
        rank_before += countOneBits(bits);
        end_before = select(32u * word + 1u + firstLeadingBit(bits | 1u), end_before, bits == 0u);
    }
    fail_if(rank_before != places.repeats, STAGE_DISTANCE_ONES, STATUS_COUNT);
}

// The vertex of each index entry.
fn read_ids(block: Block, places: Places, vertices_here: u32, lane: u32) {
    var used_before = 0u;
    var bad = false;
    for (var word = 0u; 32u * word < places.entries; word++) {
        let firsts = first_words[word];
        let place = 32u * word + lane;
        let used = used_before + countOneBits(firsts & ((1u << lane) - 1u));
        used_before += countOneBits(firsts);
        if place < places.entries {
            let first = (firsts >> lane) & 1u;
            var distance = 0u;
            if first == 0u {
                let rank = place - used;
                distance = (atomicLoad(&distances[rank >> 2u]) >> (8u * (rank & 3u))) & 255u;
                bad = bad || distance >= used;
            }
            atomicOr(&ids[place >> 2u], (entry_vertex(first, used, distance) & 255u) << (8u * (place & 3u)));
        }
    }
    fail_if(bad, STAGE_REPEATS, STATUS_INDEX);
    fail_if(used_before != vertices_here, STAGE_FIRSTS, STATUS_COUNT);
}

fn entry_id(entry: u32) -> u32 {
    return (atomicLoad(&ids[entry >> 2u]) >> (8u * (entry & 3u))) & 255u;
}

fn is_first(entry: u32) -> bool {
    return ((first_words[entry >> 5u] >> (entry & 31u)) & 1u) == 1u;
}

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

// The vertices of a restart that are used first: none of them has a context.
fn mark_roots(job: vec4<u32>, newest: u32) {
    for (var e = newest - 2u; e <= newest; e++) {
        if is_first(e) {
            let vertex = entry_id(e);
            records[job.y + vertex] = vertex * 0x01010101u;
            atomicAdd(&root_count, 1u);
        }
    }
}

// Triangles, and what new vertices are predicted from.
fn write_triangles(job: vec4<u32>, count: u32, lane: u32) {
    let below = (1u << lane) - 1u;
    let here = below | (1u << lane);
    var before = Before(0u, 0u, 0u, 1u);
    for (var word = 0u; 32u * word < count; word++) {
        let restarts = atomicLoad(&restart_words[word]);
        let edges = edge_words[word];
        let triangle = 32u * word + lane;
        if triangle < count {
            let up_to = before.restarts + countOneBits(restarts & here);
            let first = last_first(~edges & here, restarts, before, word);
            let second = last_second((edges | restarts) & here, before, word);
            let corners = corner_entries(triangle, first.x, second, first.y, up_to);
            let a = entry_id(corners.x);
            let b = entry_id(corners.y);
            let newest = entry_id(corners.z);
            triangles[job.z + triangle] = Triangle(job.w + a, job.w + b, job.w + newest);
            if PREDICTED {
                if ((restarts >> lane) & 1u) == 1u {
                    mark_roots(job, corners.z);
                } else if is_first(corners.z) {
                    let first_before = last_first(~edges & below, restarts, before, word);
                    let second_before = last_second((edges | restarts) & below, before, word);
                    let dropped = corner_entries(triangle - 1u, first_before.x, second_before, first_before.y, up_to);
                    let c = entry_id(select(dropped.x, dropped.y, ((edges >> lane) & 1u) == 1u));
                    records[job.y + newest] = a | (b << 8u) | (c << 16u) | (newest << 24u);
                }
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
    if lane == 0u {
        atomicStore(&first_fault, NO_FAULT);
        atomicStore(&root_count, 0u);
    }
    if lane < 8u { atomicStore(&restart_words[lane], 0u); }
    for (var k = lane; k < 192u; k += LANES) {
        atomicStore(&distances[k], 0u);
        atomicStore(&ids[k], 0u);
    }
    // [1] the head; what is shorter is not read
    var head: Head;
    var places: Places;
    let head_end = HEAD_BITS + params.bits.x + params.bits.y + params.bits.z;
    var status = STATUS_TRUNCATED;
    if head_end <= block.bits {
        head = read_head(block, params.bits);
        places = place_sections(entry, head_end, head.distance_unary, head.distance_rice);
        status = head.status;
    }
    workgroupBarrier();
    // [2] planes
    let readable = live && status == 0u && places.distances <= block.bits;
    fail_if(status != 0u, STAGE_HEAD, status);
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
        if places.positions <= block.bits { read_distances(block, places, lane); }
    }
    workgroupBarrier();
    // [4] the vertex of each index entry
    if readable && places.positions <= block.bits { read_ids(block, places, entry.vertices, lane); }
    workgroupBarrier();
    // [5] outputs; a fault that is found here empties them again
    if live && is_sound() {
        write_triangles(job, entry.triangles, lane);
        if !PREDICTED { write_offsets(job, block, entry, head, places.positions, lane); }
    }
    workgroupBarrier();
    if live {
        let fault = atomicLoad(&first_fault);
        let good = fault == NO_FAULT;
        if !PREDICTED && !good { clear_outputs(job, entry, lane); }
        if lane == 0u {
            statuses[index] = select(fault & 255u, 0u, good);
            if PREDICTED {
                strips[2u * index] = places.positions;
                strips[2u * index + 1u] = atomicLoad(&root_count);
            }
        }
    }
}
