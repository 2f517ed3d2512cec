// Schedule: winding numbers by all triangles, a workgroup a query: integers are added in any order.
// Needs sign_params, solid_angle, folded_grid and a points module. Constants: LISTED, VALUES (write the number instead of the sign).

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
    var index = folded_index(workgroup, 0u, 1u, params.groups_x);
    if lane == 0u {
        total = params.total;
        if LISTED { total = counters[params.list]; }
    }
    let end = workgroupUniformLoad(&total);
    // [1] the number of turns is the same in all lanes
    let turns = (end + params.group_count - 1u) / params.group_count;
    for (var turn = 0u; turn < turns; turn++) {
        var at = min(index, end - 1u);
        if LISTED { at = list_in[at]; }
        let p = query_point(at);
        var sum = vec2<limb>(limb(0u), limb(0u));
        if !is_far_away(p) && index < end {
            for (var slot = lane; slot < params.triangles; slot += SUM_LANES) {
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
        if lane == 0u && index < end {
            if VALUES {
                let low = limb_words(parts[0].x);
                let high = limb_words(parts[0].y);
                let first = 2u * REAL_WORDS * at;
                results[first] = low.x;
                results[first + REAL_WORDS] = high.x;
                if REAL_WORDS == 2u {
                    results[first + 1u] = low.y;
                    results[first + 3u] = high.y;
                }
            } else {
                let upper = at * params.stride + params.upper;
                let bits = results[upper];
                if above_half(parts[0]) && (bits & 0x7fffffffu) != 0u { results[upper] = bits | NEGATIVE; }
            }
        }
        workgroupBarrier();
        index += params.group_count;
    }
}
