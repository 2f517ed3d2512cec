// Schedule: cells take the side of their root where the field allows it; the others are listed.
// Needs sign_forest, sign_places, sign_side, sign_far_away, grid_point, folded_grid.

@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

// Most links that are followed; a step is about as long as the distance, so a dozen are usual.
const MOST_LINKS = 64u;

// Above 0 inside, below 0 outside, 0 where the root's margin does not reach.
fn side_by_root(cell: vec3<u32>, at: u32, p: vec3<real>, first: u32) -> f32 {
    // [1] to the root, and how much the angle may change
    var link = first;
    var here = cell;
    var change = 0.0;
    for (var count = 0u; count < MOST_LINKS; count += 1u) {
        if is_root(link) { break; }
        change += link_value(link);
        here = linked_cell(here, link);
        link = links[cell_index(here)];
    }
    // [2] the rounding of the exact sum
    let d = least_distance(raw_distance(at), 1.00001 * (sum_of(p) + sum_of(grid_lo())));
    let i = 1.0 / max(d, 1e-6); // bound only
    let rounding = (params.squares + params.cubes * i) * (i * i) + params.quantum;
    let margin = select(0.0, link_value(link), is_root(link));
    let known = d > 1e-6 && d >= params.nearest && abs(margin) > 1.001 * (change + rounding);
    return select(0.0, margin, known);
}

@compute @workgroup_size(64)
fn sign_cells(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    let blocks = (params.counts + 3u) / 4u;
    let block = vec3<u32>(group % blocks.x, (group / blocks.x) % blocks.y, group / (blocks.x * blocks.y));
    let cell = block * 4u + vec3<u32>(lane % 4u, (lane / 4u) % 4u, lane / 16u);
    var listed = false;
    var at = 0u;
    if group < params.group_count && all(cell < params.counts) {
        at = cell_index(cell);
        let link = links[at];
        listed = !is_root(link) || (link & DECIDED) == 0u;
        if !is_root(link) {
            let side = side_by_root(cell, at, grid_point(params.first + cell, grid_lo(), grid_h()), link);
            write_side(at, side > 0.0);
            listed = side == 0.0;
        }
    }
    list_together(listed, at, lane);
}
