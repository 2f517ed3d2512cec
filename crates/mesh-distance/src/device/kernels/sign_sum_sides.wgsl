// Schedule: the sides of the queries whose sums came in slices, and zeros for the next ones.
// Needs sign_params, sign_side, solid_angle, folded_grid.

@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> list_in: array<u32>;
@group(0) @binding(3) var<storage, read_write> counters: array<u32>;
// Two limbs a query.
@group(0) @binding(4) var<storage, read_write> sums: array<limb>;

@compute @workgroup_size(64)
fn winding_sides(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let query = folded_index(workgroup, lane, 64u, params.groups_x);
    if counters[SLICES] < 2u || query >= counters[params.list] { return; }
    let sum = vec2<limb>(sums[2u * query], sums[2u * query + 1u]);
    sums[2u * query] = limb(0u);
    sums[2u * query + 1u] = limb(0u);
    write_side(list_in[query], above_half(sum));
}
