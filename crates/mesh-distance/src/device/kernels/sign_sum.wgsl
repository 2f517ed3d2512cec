// Schedule: winding numbers by all triangles, a workgroup a query or a slice of one: integers are added in any order.
// Needs sign_params, sign_side, solid_angle, folded_grid, a points module and sign_sum_whole or sign_sum_slices. Constants: LISTED.

const SUM_LANES = 256u;

// Working coordinates, three numbers a point; grids have none and read nothing here.
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read_write> results: array<u32>;
@group(0) @binding(4) var<storage, read> list_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<u32>;

var<workgroup> parts: array<vec2<limb>, SUM_LANES>;
var<workgroup> total: u32;

@compute @workgroup_size(256)
fn winding_sum(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var item = folded_index(workgroup, 0u, 1u, params.groups_x);
    if lane == 0u {
        total = params.total;
        if LISTED { total = counters[params.list]; }
    }
    let end = workgroupUniformLoad(&total);
    // [1] an item is a slice of a query's triangles; the number of turns is the same in all lanes
    let slices = slices_of(end);
    let items = end * slices;
    let turns = (items + params.group_count - 1u) / params.group_count;
    for (var turn = 0u; turn < turns; turn++) {
        var at = min(item / slices, end - 1u);
        if LISTED { at = list_in[at]; }
        let p = query_point(at);
        var sum = vec2<limb>(limb(0u), limb(0u));
        if !is_far_away(p) && item < items {
            for (var slot = (item % slices) * SUM_LANES + lane; slot < params.triangles; slot += slices * SUM_LANES) {
                sum = add_fixed(sum, to_fixed(solid_angle(records[slot], p)));
            }
        }
        // [2] the lanes' sums
        parts[lane] = sum;
        workgroupBarrier();
        for (var half = SUM_LANES / 2u; half > 0u; half /= 2u) {
            if lane < half { parts[lane] = add_fixed(parts[lane], parts[lane + half]); }
            workgroupBarrier();
        }
        if lane == 0u && item < items { finish(item, at, slices, parts[0]); }
        workgroupBarrier();
        item += params.group_count;
    }
}
