// Schedule: clusters: positions and triangles. Needs decode_job, meshlet_codec, meshlet_state, cluster, folded_grid.

@group(0) @binding(3) var<storage, read_write> vertices: array<Vertex>;

// A stage before those of the triangles.
const STAGE_HEADER = 0u;

@compute @workgroup_size(64)
fn decode_clusters(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let row = table[select(0u, unit, live)];
    let job = jobs[min(index, params.jobs - 1u)];
    let last = ((row.x + row.y + 3u) >> 2u) + 1u;
    // [1] header, parts
    let h = read_header(row.x, row.y, last);
    let parts = read_layout(h.topology, h.topology_bytes, 0u, h.triangles);
    let sound = h.status == 0u && parts.status == 0u;
    if lane == 0u {
        let key = select((STAGE_HEADER << 8u) | h.status, (STAGE_LAYOUT << 8u) | parts.status, h.status == 0u);
        atomicStore(&fault, select(key, NO_FAULT, sound));
    }
    // [2] extra bytes and new vertices
    let count = select(0u, h.triangles, sound);
    let codes = lane_codes(parts, lane, last);
    let extras = lane_extras(codes, count, lane);
    let sums = scan(extras, lane);
    load_triangles(parts, codes, count, lane, parts.start + (sums.x & 0xffffu), sums.x >> 16u, last);
    fail_if(parts.start + (sums.y & 0xffffu) != parts.bound, STAGE_END, STATUS_STREAM_END);
    workgroupBarrier();
    // [3] outputs
    if live && sound {
        write_triangles(job, count, h.vertices, lane);
        let step = bitcast<f32>(h.exponent << 23u);
        for (var i = lane; i < h.vertices; i += LANES) {
            let grid = grid_position(h, i, last);
            var words = bitcast<vec3<u32>>(grid);
            if !GRID { words = bitcast<vec3<u32>>(vec3<f32>(grid) * step); }
            vertices[job.y + i] = Vertex(words.x, words.y, words.z);
        }
    }
    workgroupBarrier();
    let first = atomicLoad(&fault);
    if live && first != NO_FAULT {
        clear_triangles(job, h.triangles, lane);
        for (var i = lane; i < h.vertices; i += LANES) { vertices[job.y + i] = Vertex(0u, 0u, 0u); }
    }
    if live && lane == 0u { statuses[index] = select(first & 255u, 0u, first == NO_FAULT); }
}
