// Schedule: triangles of STRIDE meshlets, and what each vertex is predicted from, 32 lanes a meshlet and an index entry a lane: all of it follows from the planes
// that the walk left. Needs decode_job, stride_state, folded_grid.

@group(0) @binding(5) var<storage, read_write> strips: array<u32>;
@group(0) @binding(6) var<storage, read_write> triangles: array<Triangle>;
// A word a vertex of the walk: the vertices a, b and c that it is predicted from and itself, a byte each; without a context c is the vertex itself. Residuals follow,
// three words a vertex.
@group(0) @binding(7) var<storage, read_write> records: array<u32>;

const LANES = 32u;

// A word before the first, so that entries before the first can be asked for.
var<workgroup> ids: array<u32, 193>;
var<workgroup> planes: array<u32, 72>;

// The vertex of entry `e` - 4.
fn entry_id(e: u32) -> u32 {
    return (ids[e >> 2u] >> (8u * (e & 3u))) & 255u;
}

// What the words of the planes before this one say: the last entry that does not keep the edge, triangles, vertices, the last bit of `newest`.
struct Before { change: u32, triangles: u32, firsts: u32, newest: u32 }

fn last_of(bits: u32, word: u32, before: u32) -> u32 {
    return select(32u * word + firstLeadingBit(bits | 1u), before, bits == 0u);
}

fn write_entry(job: vec4<u32>, word: u32, lane: u32, before: Before) {
    let changes = ~planes[word];
    let newest = planes[24u + word];
    let firsts = planes[48u + word];
    let below = (1u << lane) - 1u;
    let bit = 1u << lane;
    let e = 32u * word + lane + 4u;
    let own = entry_id(e);
    let b = entry_id(e - 1u);
    let a = entry_id(last_of(changes & (below | bit), word, before.change) + 2u);
    if (newest & bit) != 0u {
        triangles[job.z + before.triangles + countOneBits(newest & below)] = Triangle(job.w + a, job.w + b, job.w + own);
    }
    if (firsts & bit) != 0u {
        let opposite = select(entry_id(e - 2u), entry_id(last_of(changes & below, word, before.change) + 2u), (changes & bit) != 0u);
        let rooted = ((((newest << 1u) | before.newest) & newest) & bit) == 0u;
        let context = a | (b << 8u) | (opposite << 16u) | (own << 24u);
        records[job.y + before.firsts + countOneBits(firsts & below)] = select(context, own * 0x01010101u, rooted);
    }
}

@compute @workgroup_size(LANES)
fn expand_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    var sound = index < params.jobs && unit != NO_UNIT;
    let job = jobs[min(index, params.jobs - 1u)];
    let counts = table[3u * select(0u, unit, sound) + 1u].xy;
    let entries = (counts.x >> 16u) + 2u * (counts.y & 0xffffu);
    if sound { sound = statuses[index] == 0u; }
    let row = STRIP_WORDS * min(index, params.jobs - 1u);
    if sound {
        for (var k = lane; 4u * k < entries; k += LANES) { ids[k + 1u] = strips[row + k]; }
        if 32u * lane < entries {
            planes[lane] = strips[row + EDGES_AT + lane];
            planes[24u + lane] = strips[row + NEWEST_AT + lane];
            planes[48u + lane] = strips[row + FIRSTS_AT + lane];
        }
    }
    workgroupBarrier();
    if sound {
        var before = Before(2u, 0u, 0u, 0u);
        for (var word = 0u; 32u * word < entries; word++) {
            write_entry(job, word, lane, before);
            let newest = planes[24u + word];
            before.change = last_of(~planes[word], word, before.change);
            before.triangles += countOneBits(newest);
            before.firsts += countOneBits(planes[48u + word]);
            before.newest = newest >> 31u;
        }
    }
}
