// Schedule: cells take the side of their block's middle where the field allows it; the others are listed.
// Needs sign_params, sign_block_middle, grid_point, folded_grid. Constants: SHARED (whether there are middles).

@group(0) @binding(1) var<storage, read> margins: array<f32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> wanted: atomic<u32>;
var<workgroup> place: u32;

// A lower bound of the distance of p from the surface.
fn least_distance(result: real, p: vec3<real>) -> f32 {
    var d = f32(result);
    if bitcast<u32>(d) >= 0x7f800000u { return 0.0; }
    if params.squared != 0u { d = sqrt(d); } // bound only
    d *= bitcast<f32>(bitcast<u32>(127 - params.exponent) << 23u);
    return d * 0.99999 - 0x1p-18f * (2.0 + f32(abs(p.x) + abs(p.y) + abs(p.z)));
}

// Whether everything between the point and the middle has the middle's side.
fn shares(result: real, p: vec3<real>, middle: vec3<real>, margin: f32) -> bool {
    let d = least_distance(result, p);
    let e = vec3<f32>(p - middle);
    let way = 1.00001 * sqrt(e.x * e.x + e.y * e.y + e.z * e.z); // bound only
    let gap = d - way;
    if !(gap > 1e-6) || d < params.nearest { return false; }
    let i = 1.0 / d; // bound only
    let change = way * params.rim / (gap * gap); // bound only
    let rounding = (params.squares + params.cubes * i) * (i * i) + params.quantum;
    return abs(margin) > 1.001 * (change + rounding);
}

@compute @workgroup_size(64)
fn sign_cells(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    if lane == 0u { atomicStore(&wanted, 0u); }
    workgroupBarrier();
    let size = block_counts();
    let block = vec3<u32>(group % size.x, (group / size.x) % size.y, group / (size.x * size.y));
    let cell = block * 4u + vec3<u32>(lane % 4u, (lane / 4u) % 4u, lane / 16u);
    var listed = false;
    var at = 0u;
    var mine = 0u;
    if group < params.group_count && all(cell < params.counts) {
        at = (cell.z * params.counts.y + cell.y) * params.counts.x + cell.x;
        let upper = at * params.stride + params.upper;
        let bits = results[upper];
        let p = grid_point(params.first + cell, grid_lo(), grid_h());
        listed = bits != 0u && !is_far_away(p);
        if SHARED && listed {
            let margin = margins[group];
            if shares(real_of_words(results[upper + 1u - REAL_WORDS], bits), p, block_middle(block), margin) {
                listed = false;
                if margin > 0.0 { results[upper] = bits | NEGATIVE; }
            }
        }
        if listed { mine = atomicAdd(&wanted, 1u); }
    }
    workgroupBarrier();
    if lane == 0u {
        let count = atomicLoad(&wanted);
        if count > 0u { place = atomicAdd(&counters[0], count); }
    }
    workgroupBarrier();
    if listed { list_out[place + mine] = at; }
}
