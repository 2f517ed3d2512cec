// Schedule: triangles of STRIDE meshlets, and what each vertex is predicted from, 128 lanes a meshlet and an index entry a lane: all of it follows from the planes
// that the walk left. What the words of the planes before a word say is summed by a lane a word first. Needs decode_job, stride_state, stride_rows, folded_grid.

@group(0) @binding(4) var<storage, read> strips: array<u32>;
@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(6) var<storage, read_write> contexts: array<u32>;

const LANES = 128u;
const PARTS = LANES / 32u;
const PLANE_WORDS = 24u;

// A word before the first, so that entries before the first can be asked for, and one behind the last.
var<workgroup> ids: array<u32, 194>;
// Bits of a word of entries: keeps no edge, completes a triangle, uses a vertex first, does so by the root of a strip.
var<workgroup> planes: array<vec4<u32>, PLANE_WORDS>;
// Of each word alone, then of all before it: the corner that is kept from its last entry without an edge on, as `entry_id` takes it; and triangles, first uses and
// those by roots, 10 bits each.
var<workgroup> own: array<vec2<u32>, PLANE_WORDS>;
var<workgroup> before: array<vec2<u32>, PLANE_WORDS>;
// The place in the walk of each vertex.
var<workgroup> places: array<u32, 256>;

// The vertex of entry `e` - 4.
fn entry_id(e: u32) -> u32 {
    return (ids[e >> 2u] >> (8u * (e & 3u))) & 255u;
}

fn counts_before(word: u32) -> vec3<u32> {
    return (vec3<u32>(before[word].y) >> vec3<u32>(0u, 10u, 20u)) & vec3<u32>(1023u);
}

// A lane a word.
fn load_planes(row: u32, word: u32) {
    let newest = strips[row + NEWEST_AT + word];
    let firsts = strips[row + FIRSTS_AT + word];
    let last_before = strips[row + NEWEST_AT + max(word, 1u) - 1u] >> 31u;
    let changes = ~strips[row + EDGES_AT + word];
    // Triangles follow the root of a strip without a gap.
    let rooted = firsts & ~(((newest << 1u) | select(last_before, 0u, word == 0u)) & newest);
    planes[word] = vec4<u32>(changes, newest, firsts, rooted);
    let last = select(32u * word + firstLeadingBit(changes | 1u) + 2u, 0u, changes == 0u);
    own[word] = vec2<u32>(last, countOneBits(newest) | (countOneBits(firsts) << 10u) | (countOneBits(rooted) << 20u));
}

// What the words before a word say; of the word behind the last, all. The first three entries keep no edge.
fn sum_words(word: u32) -> vec2<u32> {
    var sum = vec2<u32>(4u, 0u);
    for (var k = 0u; k < word; k++) { sum = vec2<u32>(max(sum.x, own[k].x), sum.y + own[k].y); }
    return sum;
}

// Keeps the place of a vertex that is used first here.
fn keep_place(word: u32, lane: u32) {
    let firsts = planes[word].z;
    let bit = 1u << lane;
    if (firsts & bit) != 0u {
        let place = counts_before(word).y + countOneBits(firsts & (bit - 1u));
        places[entry_id(32u * word + lane + 4u)] = place;
    }
}

fn write_entry(job: vec4<u32>, row: u32, word: u32, lane: u32) {
    let plane = planes[word];
    let counts = counts_before(word);
    let below = (1u << lane) - 1u;
    let bit = 1u << lane;
    // An entry that keeps no edge drops the corner that has been kept so far.
    let changes = plane.x & below;
    let kept = entry_id(select(32u * word + firstLeadingBit(changes | 1u) + 2u, before[word].x, changes == 0u));
    // Vertices of the two entries before this one, and its own.
    let e = 32u * word + lane + 2u;
    let shift = 8u * (e & 3u);
    let three = (ids[e >> 2u] >> shift) | ((ids[(e >> 2u) + 1u] << 1u) << (31u - shift));
    let second = three & 255u;
    let last = (three >> 8u) & 255u;
    let changed = (plane.x & bit) != 0u;
    let edge = select(kept, second, changed);
    if (plane.y & bit) != 0u {
        triangles[job.z + counts.x + countOneBits(plane.y & below)] = Triangle(job.w + edge, job.w + last, job.w + ((three >> 16u) & 255u));
    }
    if (plane.z & bit) != 0u {
        let place = counts.y + countOneBits(plane.z & below);
        let opposite = select(second, kept, changed);
        let context = places[edge] | (places[last] << 8u) | (places[opposite] << 16u);
        contexts[row + place] = select(context, place * 0x010101u, (plane.w & bit) != 0u);
    }
}

// The place of each vertex, and contexts that fill the last block of eight places.
fn write_places(index: u32, vertices_here: u32, lane: u32) {
    for (var k = lane; 4u * k < vertices_here; k += LANES) {
        contexts[places_row(index) + k] = places[4u * k] | (places[4u * k + 1u] << 8u) | (places[4u * k + 2u] << 16u) | (places[4u * k + 3u] << 24u);
    }
    let place = vertices_here + lane;
    if lane < (0u - vertices_here) % 8u { contexts[context_row(index) + place] = place * 0x010101u; }
}

@compute @workgroup_size(LANES)
fn expand_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let job = jobs[min(index, params.jobs - 1u)];
    let entry = load_entry(select(0u, unit, live));
    let entries = entry.triangles + 2u * entry.strips;
    let words = (entries + 31u) / 32u;
    let row = STRIP_WORDS * min(index, params.jobs - 1u);
    var status = STATUS_COUNT;
    if live { status = strips[row + STATUS_AT]; }
    // Counts of the walk come before its end.
    var sound = entry.status == 0u && (status == 0u || status == STATUS_STREAM_END);
    if sound {
        for (var k = lane; 4u * k < entries; k += LANES) { ids[k + 1u] = strips[row + k]; }
        if lane < words { load_planes(row, lane); }
    }
    workgroupBarrier();
    // [1] what comes before each word, and in all
    var all = vec2<u32>(0u);
    if sound {
        if lane < words { before[lane] = sum_words(lane); }
        all = sum_words(words);
        let firsts = (all.y >> 10u) & 1023u;
        status = select(status, STATUS_COUNT, firsts != entry.vertices || (status == 0u && all.y >> 20u != entry.roots));
        sound = status == 0u;
    }
    workgroupBarrier();
    // [2] the place of each vertex
    if sound {
        for (var word = lane / 32u; word < words; word += PARTS) { keep_place(word, lane % 32u); }
    }
    workgroupBarrier();
    // [3] triangles and contexts
    if sound {
        for (var word = lane / 32u; word < words; word += PARTS) { write_entry(job, context_row(index), word, lane % 32u); }
        write_places(index, entry.vertices, lane);
    }
    if live && lane == 0u { contexts[walk_status_at(index)] = status; }
}
