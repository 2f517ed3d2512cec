// Schedule: the jobs of the units whose boxes meet a closed box, an invocation a unit; the others have none. Needs query_params, box_filter, folded_grid.

// Jobs of a whole decode.
@group(0) @binding(1) var<storage, read> all_jobs: array<vec4<u32>>;
// Smallest and largest grid point of each unit.
@group(0) @binding(2) var<storage, read> boxes: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read_write> jobs: array<vec4<u32>>;

@compute @workgroup_size(64)
fn select_units(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let unit = folded_index(workgroup, lane, 64u, params.groups_x);
    if unit >= params.units { return; }
    var job = all_jobs[unit];
    if !unit_meets_box(boxes[2u * unit].xyz, boxes[2u * unit + 1u].xyz, params.low, params.high) { job.x = 0xffffffffu; }
    jobs[unit] = job;
}
