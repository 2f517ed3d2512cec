// Schedule: vertices from the columns of codes that a predictor chain left, four meshlets a workgroup of 128 lanes, 32 each, so that what is read with a code of one
// holds those of the others. The ranges of damaged meshlets are filled with zeros here. Needs decode_job, chain_state, and a module with `counts_of`, `load_places`,
// `place_of` and `word_of`.

@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
// Three words a vertex.
@group(0) @binding(6) var<storage, read_write> vertices: array<u32>;

const QUAD = 4u;

// Vertices and triangles of a job, half a word each; none where there is no meshlet.
fn job_counts(index: u32) -> u32 {
    let unit = unit_of(index);
    var counts = 0u;
    if index < params.jobs && unit != NO_UNIT { counts = counts_of(unit); }
    return counts;
}

fn write_vertex(at: u32, code: vec2<u32>) {
    vertices[at] = word_of(bitcast<i32>(code.x & 0xffffu), 0u);
    vertices[at + 1u] = word_of(bitcast<i32>(code.x >> 16u), 1u);
    vertices[at + 2u] = word_of(bitcast<i32>(code.y & 0xffffu), 2u);
}

// A lane every 32nd vertex, four at a time: all their codes are asked for before one is waited for.
fn write_vertices(first: u32, column: u32, part: u32, count: u32, lane: u32) {
    let last = count - 1u;
    for (var vertex = lane; vertex < count; vertex += 128u) {
        let code_0 = codes[column + COLUMNS * place_of(part, vertex)];
        let code_1 = codes[column + COLUMNS * place_of(part, min(vertex + 32u, last))];
        let code_2 = codes[column + COLUMNS * place_of(part, min(vertex + 64u, last))];
        let code_3 = codes[column + COLUMNS * place_of(part, min(vertex + 96u, last))];
        let at = first + 3u * vertex;
        write_vertex(at, code_0);
        if vertex + 32u < count { write_vertex(at + 96u, code_1); }
        if vertex + 64u < count { write_vertex(at + 192u, code_2); }
        if vertex + 96u < count { write_vertex(at + 288u, code_3); }
    }
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
    workgroupBarrier();
    if counts != 0u {
        if status == 0u {
            write_vertices(3u * job.y, first_code(index), part, counts & 0xffffu, lane);
        } else {
            clear_meshlet(job, counts, lane);
        }
    }
}
