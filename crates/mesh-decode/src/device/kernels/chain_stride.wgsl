// Schedule: predictor chain and positions of STRIDE meshlets, a lane an axis of a meshlet. The ranges of damaged meshlets are filled with zeros here.
// Needs decode_job, stride_state, chain_state, predictor, stride_position, strict_float, folded_grid.

@group(0) @binding(5) var<storage, read_write> records: array<u32>;
@group(0) @binding(6) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(7) var<storage, read_write> vertices: array<u32>;

// Vertices and triangles, half a word each.
fn counts_of(unit: u32) -> u32 {
    return table[3u * unit + 1u].x;
}

fn write_meshlet(job: vec4<u32>, slot: u32, count: u32, column: u32, axis: u32) {
    let low = params.low[axis];
    let step = params.step[axis];
    let centre = params.centre[axis];
    for (var vertex = column; vertex < count; vertex += CHAIN_UNITS) {
        let code = code_at(vertex, 3u * slot + axis);
        var word = bitcast<u32>(code);
        if !GRID { word = bitcast<u32>(coordinate(code, low, step, params.scale, centre)); }
        vertices[3u * (job.y + vertex) + axis] = word;
    }
}

@compute @workgroup_size(32)
fn chain_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = lane / 3u;
    let axis = lane % 3u;
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    let index = CHAIN_UNITS * group + slot;
    let job = jobs[min(index, params.jobs - 1u)];
    let live = slot < CHAIN_UNITS && index < params.jobs && job.x != NO_UNIT;
    let counts = counts_of(select(0u, job.x, live));
    var status = STATUS_RANGE;
    if live { status = statuses[index]; }
    if live && status == 0u {
        if walk_axis(job.y, counts & 0xffffu, lane, axis) { status = STATUS_RANGE; }
    }
    codes[COLUMNS * lane + FAULTS_AT] = status;
    if axis == 0u { codes[COLUMNS * slot + COUNTS_AT] = select(0u, counts, live); }
    workgroupBarrier();
    for (var k = 0u; k < CHAIN_UNITS; k++) {
        let counts_k = codes[COLUMNS * k + COUNTS_AT];
        let job_k = jobs[min(CHAIN_UNITS * group + k, params.jobs - 1u)];
        if status_of(k) != 0u {
            clear_meshlet(job_k, counts_k, lane);
        } else if slot < CHAIN_UNITS {
            write_meshlet(job_k, k, counts_k & 0xffffu, slot, axis);
        }
    }
    if live && axis == 0u { statuses[index] = status_of(slot); }
}
