// Schedule: residuals of STRIDE meshlets, a lane a stream, 16 meshlets a workgroup of 96 lanes. A vertex of the walk has three words in `residuals`: deltas of
// roots, then residuals of the others, in their order; the anchor stands in the last. Needs decode_job, stride_state, predictor, folded_grid.

@group(0) @binding(5) var<storage, read_write> residuals: array<u32>;

const UNITS = 16u;

// Stage << 8 | status word of the earliest stage that failed: the head, then two stages a stream.
var<workgroup> faults: array<atomic<u32>, UNITS>;

fn fail_if(slot: u32, failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&faults[slot], (stage << 8u) | status); }
}

// Reads the head and stream `k`: deltas of the three axes, then residuals.
fn read_stream(entry: Entry, slot: u32, first_vertex: u32, k: u32) {
    var cursor = Cursor(entry.residuals, entry.end, 0u);
    let x = take(&cursor, params.bits.x);
    let y = take(&cursor, params.bits.y);
    let z = take(&cursor, params.bits.z);
    var tag = 0u;
    var parameter = 0u;
    for (var j = 0u; j < 6u; j++) {
        let tag_j = take(&cursor, 8u);
        let parameter_j = take(&cursor, 8u);
        stop(&cursor, tag_j - 1u >= 2u || parameter_j > 16u, STATUS_PARAMETER);
        tag = select(tag, tag_j, j == k);
        parameter = select(parameter, parameter_j, j == k);
    }
    fail_if(slot, cursor.status != 0u, 0u, cursor.status);
    if cursor.status != 0u { return; }
    let axis = k % 3u;
    let deltas = entry.roots - 1u;
    let count = select(entry.vertices - entry.roots, deltas, k < 3u);
    let first = 3u * (first_vertex + select(deltas, 0u, k < 3u)) + axis;
    if k < 3u { residuals[3u * (first_vertex + entry.vertices - 1u) + axis] = select(select(z, y, k == 1u), x, k == 0u); }
    if k > 0u { cursor.at = entry.residuals + entry.streams[k - 1u]; }
    for (var rank = 0u; rank < count && cursor.status == 0u; rank++) {
        residuals[first + 3u * rank] = bitcast<u32>(unzigzag(symbol(&cursor, tag, parameter)));
    }
    fail_if(slot, cursor.status != 0u, 1u + 2u * k, cursor.status);
    if k < 5u { fail_if(slot, cursor.at != entry.residuals + entry.streams[min(k, 4u)], 2u + 2u * k, STATUS_STREAM_END); }
}

@compute @workgroup_size(96)
fn residuals_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / 6u;
    let k = local % 6u;
    let index = folded_index(workgroup, slot, UNITS, params.groups_x);
    let job = jobs[min(index, params.jobs - 1u)];
    let live = index < params.jobs && job.x != NO_UNIT;
    if k == 0u { atomicStore(&faults[slot], NO_FAULT); }
    var sound = false;
    if live { sound = statuses[index] == 0u; }
    workgroupBarrier();
    if sound { read_stream(load_entry(job.x), slot, job.y, k); }
    workgroupBarrier();
    let fault = atomicLoad(&faults[slot]);
    if sound && k == 0u && fault != NO_FAULT { statuses[index] = fault & 255u; }
}
