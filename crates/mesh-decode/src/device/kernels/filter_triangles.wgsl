// Schedule: a flag a triangle of the decoded units: whether it meets a closed box. 64 lanes a unit. Needs query_params, box_filter, folded_grid.

@group(0) @binding(1) var<storage, read> jobs: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> statuses: array<u32>;
// Three words a vertex and a triangle.
@group(0) @binding(3) var<storage, read> grid: array<i32>;
@group(0) @binding(4) var<storage, read> triangles: array<u32>;
@group(0) @binding(5) var<storage, read_write> flags: array<u32>;

fn grid_point(vertex: u32) -> vec3<i32> {
    return vec3<i32>(grid[3u * vertex], grid[3u * vertex + 1u], grid[3u * vertex + 2u]);
}

@compute @workgroup_size(64)
fn filter_triangles(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let unit = folded_index(workgroup, 0u, 1u, params.groups_x);
    if unit >= params.units { return; }
    let job = jobs[unit];
    if job.x == 0xffffffffu { return; }
    // The ranges of a damaged unit are zeros, but it has no triangles.
    let good = statuses[unit] == 0u;
    var end = params.triangles;
    if unit + 1u < params.units { end = jobs[unit + 1u].z; }
    for (var triangle = job.z + lane; triangle < end; triangle += 64u) {
        let p = grid_point(triangles[3u * triangle]);
        let q = grid_point(triangles[3u * triangle + 1u]);
        let r = grid_point(triangles[3u * triangle + 2u]);
        flags[triangle] = select(0u, 1u, good && triangle_meets_box(p, q, r, params.low, params.high));
    }
}
