// Schedule: triangles of STRIDE meshlets, and what each vertex is predicted from, 32 lanes a meshlet and an index entry a lane: all of it follows from the planes
// that the walk left. Needs decode_job, stride_state, stride_rows, folded_grid.

@group(0) @binding(4) var<storage, read> strips: array<u32>;
@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(6) var<storage, read_write> contexts: array<u32>;

const LANES = 32u;

// A word before the first, so that entries before the first can be asked for.
var<workgroup> ids: array<u32, 193>;
var<workgroup> planes: array<u32, 72>;
// The place in the walk of each vertex.
var<workgroup> places: array<u32, 256>;

// The vertex of entry `e` - 4.
fn entry_id(e: u32) -> u32 {
    return (ids[e >> 2u] >> (8u * (e & 3u))) & 255u;
}

fn place_of(e: u32) -> u32 {
    return places[entry_id(e)];
}

// What the words of the planes before this one say: the last entry that does not keep the edge, triangles, vertices, the last bit of `newest`, vertices without a context.
struct Before { change: u32, triangles: u32, firsts: u32, newest: u32, roots: u32 }

fn last_of(bits: u32, word: u32, before: u32) -> u32 {
    return select(32u * word + firstLeadingBit(bits | 1u), before, bits == 0u);
}

// The bits of first uses by the root of a strip.
fn rooted_in(word: u32, before: Before) -> u32 {
    let newest = planes[24u + word];
    return planes[48u + word] & ~(((newest << 1u) | before.newest) & newest);
}

// Keeps the place of a vertex that is used first here.
fn keep_place(word: u32, lane: u32, before: Before) {
    let firsts = planes[48u + word];
    let bit = 1u << lane;
    if (firsts & bit) != 0u {
        let place = before.firsts + countOneBits(firsts & (bit - 1u));
        places[entry_id(32u * word + lane + 4u)] = place;
    }
}

fn write_entry(job: vec4<u32>, row: u32, word: u32, lane: u32, before: Before) {
    let changes = ~planes[word];
    let newest = planes[24u + word];
    let firsts = planes[48u + word];
    let below = (1u << lane) - 1u;
    let bit = 1u << lane;
    let e = 32u * word + lane + 4u;
    // An entry that keeps no edge drops the corner that has been kept so far.
    let kept = last_of(changes & below, word, before.change) + 2u;
    let changed = (changes & bit) != 0u;
    let edge = select(kept, e - 2u, changed);
    if (newest & bit) != 0u {
        let triangle = Triangle(job.w + entry_id(edge), job.w + entry_id(e - 1u), job.w + entry_id(e));
        triangles[job.z + before.triangles + countOneBits(newest & below)] = triangle;
    }
    if (firsts & bit) != 0u {
        let place = before.firsts + countOneBits(firsts & below);
        let opposite = select(e - 2u, kept, changed);
        let context = place_of(edge) | (place_of(e - 1u) << 8u) | (place_of(opposite) << 16u);
        let rooted = (rooted_in(word, before) & bit) != 0u;
        contexts[row + place] = select(context, place * 0x010101u, rooted);
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

fn go_on(before: ptr<function, Before>, word: u32) {
    let newest = planes[24u + word];
    (*before).change = last_of(~planes[word], word, (*before).change);
    (*before).triangles += countOneBits(newest);
    (*before).roots += countOneBits(rooted_in(word, *before));
    (*before).firsts += countOneBits(planes[48u + word]);
    (*before).newest = newest >> 31u;
}

@compute @workgroup_size(LANES)
fn expand_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let job = jobs[min(index, params.jobs - 1u)];
    let entry = load_entry(select(0u, unit, live));
    let entries = entry.triangles + 2u * entry.strips;
    var status = STATUS_COUNT;
    let row = STRIP_WORDS * min(index, params.jobs - 1u);
    if live { status = strips[row + STATUS_AT]; }
    // Counts of the walk come before its end.
    var sound = entry.status == 0u && (status == 0u || status == STATUS_STREAM_END);
    if sound {
        for (var k = lane; 4u * k < entries; k += LANES) { ids[k + 1u] = strips[row + k]; }
        if 32u * lane < entries {
            planes[lane] = strips[row + EDGES_AT + lane];
            planes[24u + lane] = strips[row + NEWEST_AT + lane];
            planes[48u + lane] = strips[row + FIRSTS_AT + lane];
        }
    }
    workgroupBarrier();
    let begin = Before(2u, 0u, 0u, 0u, 0u);
    var before = begin;
    if sound {
        for (var word = 0u; 32u * word < entries; word++) {
            keep_place(word, lane, before);
            go_on(&before, word);
        }
        status = select(status, STATUS_COUNT, before.firsts != entry.vertices || (status == 0u && before.roots != entry.roots));
        sound = status == 0u;
    }
    workgroupBarrier();
    if sound {
        before = begin;
        for (var word = 0u; 32u * word < entries; word++) {
            write_entry(job, context_row(index), word, lane, before);
            go_on(&before, word);
        }
        write_places(index, entry.vertices, lane);
    }
    if live && lane == 0u { contexts[walk_status_at(index)] = status; }
}
