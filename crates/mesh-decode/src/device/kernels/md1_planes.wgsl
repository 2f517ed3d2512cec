// Schedule: connectivity of an MD1 meshlet in workgroup memory, 32 lanes: planes, distances, and the vertex of each index entry. Needs decode_job, md1_block, md1_meshlet.

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
const STAGE_DELTAS = 9u;
const STAGE_AXES = 10u;
const STAGE_END = 17u;

var<workgroup> restart_words: array<atomic<u32>, 8u>;
var<workgroup> edge_words: array<u32, 8u>;
var<workgroup> first_words: array<u32, 24u>;
// A byte each: the distance of each repeat (later the vertex of each residual), the vertex of each index entry. With a predictor, in between, a word each: the newest
// entry of each restart.
var<workgroup> distances: array<atomic<u32>, DISTANCE_WORDS>;
var<workgroup> ids: array<atomic<u32>, 192u>;
// A bit a vertex: first used by a restart, so without a context.
var<workgroup> root_words: array<atomic<u32>, 8u>;
// Stage << 8 | status word of the earliest stage that failed.
var<workgroup> first_fault: atomic<u32>;

fn fail_if(failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&first_fault, (stage << 8u) | status); }
}

fn is_sound() -> bool {
    return atomicLoad(&first_fault) == NO_FAULT;
}

// What the head says of the distances, and where the sections begin; in mode 2 distances have no unary bits.
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

fn place_sections(entry: Entry, head: Head) -> Places {
    var p: Places;
    p.unary = head.distance_unary;
    p.width = head.distance_rice;
    p.entries = entry.triangles + 2u * entry.restarts;
    p.repeats = p.entries - min(entry.vertices, p.entries);
    p.restarts = head.end;
    let listed = restarts_are_listed(entry.triangles, entry.restarts);
    p.edges = head.end + select(entry.triangles, 8u * (entry.restarts - 1u), listed);
    p.firsts = p.edges + entry.triangles;
    p.distances = p.firsts + p.entries;
    p.fields = p.distances + p.unary;
    p.positions = p.fields + p.repeats * p.width;
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

fn byte_of_distances(rank: u32) -> u32 {
    return (atomicLoad(&distances[rank >> 2u]) >> (8u * (rank & 3u))) & 255u;
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
                if FIXED {
                    // A damaged meshlet may have more repeats than the head says.
                    distance = field(block, places.fields + min(rank, places.repeats) * places.width, places.width);
                } else {
                    distance = byte_of_distances(rank);
                }
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
