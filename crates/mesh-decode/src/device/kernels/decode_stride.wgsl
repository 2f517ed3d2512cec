// Schedule: connectivity of STRIDE meshlets, a lane a meshlet. Needs decode_job, stride_state, stride_walk, folded_grid.

@compute @workgroup_size(32)
fn decode_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, 32u, params.groups_x);
    if index >= params.jobs { return; }
    let job = jobs[index];
    if job.x == NO_UNIT { return; }
    let entry = load_entry(job.x);
    var status = entry.status;
    if status == 0u { status = walk_strips(entry, job, STRIP_WORDS * index); }
    statuses[index] = status;
}
