// Schedule: vertices from the columns of codes that a predictor chain left, four meshlets a workgroup of 128 lanes, 32 each, a lane a word of the output. The ranges
// of damaged meshlets are filled with zeros here. Needs decode_job, chain_state, and a module with `counts_of`, `load_places`,
// `place_of` and `word_of`.

@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
// Three words a vertex.
@group(0) @binding(6) var<storage, read_write> vertices: array<u32>;

const QUAD = 4u;
// So long that four places of four meshlets side by side are in different banks.
const TILE_ROW = 260u;

var<workgroup> tile: array<vec2<u32>, QUAD * TILE_ROW>;

// Vertices and triangles of a job, half a word each; none where there is no meshlet.
fn job_counts(index: u32) -> u32 {
    let unit = unit_of(index);
    var counts = 0u;
    if index < params.jobs && unit != NO_UNIT { counts = counts_of(unit); }
    return counts;
}

fn write_words(first: u32, part: u32, count: u32, lane: u32) {
    for (var turn = 0u; turn < 3u; turn++) {
        let word = 32u * turn + lane;
        let axis = word % 3u;
        for (var vertex = word / 3u; vertex < count; vertex += 32u) {
            let pair = tile[part * TILE_ROW + place_of(part, vertex)];
            let code = select(pair.x >> select(0u, 16u, axis == 1u), pair.y, axis == 2u) & 0xffffu;
            vertices[first + 3u * vertex + axis] = word_of(bitcast<i32>(code), axis);
        }
    }
}

// A lane's codes of a column, every 32nd from `place` on; all are asked for before one is waited for.
fn load_codes(first: u32, column: u32, place: u32, count: u32) {
    let last = max(count, 1u) - 1u;
    let c0 = codes[first + COLUMNS * min(place, last)];
    let c1 = codes[first + COLUMNS * min(place + 32u, last)];
    let c2 = codes[first + COLUMNS * min(place + 64u, last)];
    let c3 = codes[first + COLUMNS * min(place + 96u, last)];
    let c4 = codes[first + COLUMNS * min(place + 128u, last)];
    let c5 = codes[first + COLUMNS * min(place + 160u, last)];
    let c6 = codes[first + COLUMNS * min(place + 192u, last)];
    let c7 = codes[first + COLUMNS * min(place + 224u, last)];
    let at = column * TILE_ROW + place;
    tile[at] = c0;
    tile[at + 32u] = c1;
    tile[at + 64u] = c2;
    tile[at + 96u] = c3;
    tile[at + 128u] = c4;
    tile[at + 160u] = c5;
    tile[at + 192u] = c6;
    tile[at + 224u] = c7;
}

fn clear_meshlet(job: vec4<u32>, counts: u32, lane: u32) {
    for (var k = lane; k < 3u * (counts & 0xffffu); k += 32u) { vertices[3u * job.y + k] = 0u; }
    for (var k = lane; k < (counts >> 16u); k += 32u) { triangles[job.z + k] = Triangle(0u, 0u, 0u); }
}

fn dequantize_meshlets(workgroup: vec3<u32>, local: u32) {
    let quad = QUAD * folded_index(workgroup, 0u, 1u, params.groups_x);
    let part = local / 32u;
    let lane = local % 32u;
    let last = params.jobs - 1u;
    let index = min(quad + part, last);
    let job = jobs[index];
    let status = statuses[index];
    let counts = job_counts(quad + part);
    if counts != 0u { load_places(index, part, lane); }
    // [1] a lane a code, four meshlets of a place side by side
    let column = local % QUAD;
    load_codes(first_code(min(quad + column, last)), column, local / QUAD, job_counts(quad + column) & 0xffffu);
    workgroupBarrier();
    // [2] words, meshlet by meshlet
    if counts != 0u {
        if status == 0u {
            write_words(3u * job.y, part, counts & 0xffffu, lane);
        } else {
            clear_meshlet(job, counts, lane);
        }
    }
}
