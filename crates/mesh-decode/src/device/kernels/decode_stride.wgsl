// Schedule: tokens of STRIDE meshlets, a lane a meshlet. Needs decode_job, stride_state, stride_faults, stride_walk, folded_grid.

@compute @workgroup_size(WALK_LANES)
fn decode_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, WALK_LANES, params.groups_x);
    if index >= params.jobs { return; }
    let unit = unit_of(index);
    if unit == NO_UNIT { return; }
    let entry = load_entry(unit);
    var status = entry.status;
    if status == 0u { status = walk_strips(entry, STRIP_WORDS * index, lane); }
    strips[STRIP_WORDS * index + STATUS_AT] = status;
}
