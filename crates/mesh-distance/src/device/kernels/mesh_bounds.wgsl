// Schedule: the box of the vertices that triangles use, the first number that is not finite, the first index out of range.
// Needs ordered_key, folded_grid, move_params. Constants: MAPPED (triangles name classes, whose vertices `kept` has).

@group(0) @binding(1) var<storage, read> positions: array<u32>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> kept: array<u32>;
// Cleared before. Largest complements of keys (so the smallest keys) and largest keys of the three axes, the complement of the first
// bad coordinate, and of the first bad corner.
@group(0) @binding(4) var<storage, read_write> found: array<atomic<u32>>;

const ITEMS = 8u;

var<workgroup> own: array<atomic<u32>, 8>;

fn is_finite_word(bits: u32) -> bool {
    return (bits & 0x7f800000u) != 0x7f800000u;
}

@compute @workgroup_size(256)
fn mesh_bounds(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if lane < 8u { atomicStore(&own[lane], 0u); }
    workgroupBarrier();
    let first = folded_index(workgroup, 0u, 1u, params.groups_x) * (256u * ITEMS) + lane;
    var lo = vec3<u32>(0u);
    var hi = vec3<u32>(0u);
    var bad_number = 0u;
    var bad_index = 0u;
    for (var item = 0u; item < ITEMS; item += 1u) {
        let i = first + 256u * item;
        if i < params.vertices {
            for (var axis = 3u; axis > 0u; axis -= 1u) {
                let at = 3u * i + axis - 1u;
                if !is_finite_word(positions[at]) { bad_number = max(bad_number, ~at); }
            }
        }
        if i < 3u * params.triangles {
            var vertex = triangles[i];
            if MAPPED { vertex = kept[vertex]; }
            if vertex < params.vertices {
                for (var axis = 0u; axis < 3u; axis += 1u) {
                    let key = ordered_key(bitcast<f32>(positions[3u * vertex + axis]));
                    lo[axis] = max(lo[axis], ~key);
                    hi[axis] = max(hi[axis], key);
                }
            } else {
                bad_index = max(bad_index, ~i);
            }
        }
    }
    for (var axis = 0u; axis < 3u; axis += 1u) {
        atomicMax(&own[axis], lo[axis]);
        atomicMax(&own[axis + 3u], hi[axis]);
    }
    atomicMax(&own[6], bad_number);
    atomicMax(&own[7], bad_index);
    workgroupBarrier();
    if lane < 8u { atomicMax(&found[lane], atomicLoad(&own[lane])); }
}
