// Schedule: meshlet sets: vertex references and triangles. Needs decode_job, meshlet_codec, meshlet_state, folded_grid.

@group(0) @binding(3) var<storage, read_write> vertices: array<u32>;

@compute @workgroup_size(64)
fn decode_meshlets(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let row = table[select(0u, unit, live)];
    let job = jobs[min(index, params.jobs - 1u)];
    let last = ((row.x + row.y + 3u) >> 2u) + 1u;
    let parts = read_layout(row.x, row.y, row.z, row.w);
    if lane == 0u { atomicStore(&fault, select(NO_FAULT, (STAGE_LAYOUT << 8u) | parts.status, parts.status != 0u)); }
    // [1] bytes of the references, extra bytes and new vertices: one sum
    let groups = select(0u, (row.z + 3u) >> 2u, parts.status == 0u);
    let count = select(0u, row.w, parts.status == 0u);
    let control = select(0u, word_at(parts.controls + lane, last) & 255u, lane < groups);
    var bytes = 0u;
    for (var k = 0u; k < 4u; k++) { bytes += value_length(control, k); }
    let codes = lane_codes(parts, lane, last);
    let extras = lane_extras(codes, count, lane);
    let sums = scan(bytes | ((extras & 0xffffu) << 11u) | ((extras >> 16u) << 21u), lane);
    // [2] references: sums of their steps
    var at = parts.start + (sums.x & 0x7ffu);
    fail_if(lane < groups && at + bytes > parts.bound, STAGE_REFERENCES, STATUS_TRUNCATED);
    var steps: vec4<u32>;
    var step = 0u;
    for (var k = 0u; k < 4u; k++) {
        let length = value_length(control, k);
        let value = word_at(at, last) & select((1u << ((8u * length) & 31u)) - 1u, 0xffffffffu, length == 4u);
        step += reference_step(value);
        steps[k] = step;
        at += length;
    }
    let before = scan(select(0u, step, lane < groups), lane).x;
    // [3] triangles
    let extra_start = parts.start + (sums.y & 0x7ffu);
    load_triangles(parts, codes, count, lane, extra_start + ((sums.x >> 11u) & 0x3ffu), sums.x >> 21u, last);
    fail_if(extra_start + ((sums.y >> 11u) & 0x3ffu) != parts.bound, STAGE_END, STATUS_STREAM_END);
    workgroupBarrier();
    if live {
        write_triangles(job, count, select(row.z, 256u, row.z == 0u), lane);
        for (var k = 0u; k < 4u; k++) {
            if 4u * lane + k < row.z { vertices[job.y + 4u * lane + k] = before + steps[k] - 1u; }
        }
    }
    workgroupBarrier();
    let first = atomicLoad(&fault);
    if live && first != NO_FAULT {
        clear_triangles(job, row.w, lane);
        for (var k = 0u; k < 4u; k++) {
            if 4u * lane + k < row.z { vertices[job.y + 4u * lane + k] = 0u; }
        }
    }
    if live && lane == 0u { statuses[index] = select(first & 255u, 0u, first == NO_FAULT); }
}
