// Schedule: the attributes of DGF1 blocks whose status a decode found good, zeros for the others. LANES lanes a block, 64 lanes a
// workgroup. Needs decode_job, dgf_block.

@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> statuses: array<u32>;
@group(0) @binding(4) var<storage, read_write> geometry_ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> opaque: array<u32>;
@group(0) @binding(6) var<storage, read_write> primitive_ids: array<u32>;
@group(0) @binding(7) var<storage, read_write> user_words: array<u32>;

const LANES = 64u / BLOCKS;

@compute @workgroup_size(64)
fn attributes_dgf(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / LANES;
    let lane = local % LANES;
    // There is one layer of groups: four blocks each.
    let index = (workgroup.y * params.groups_x + workgroup.x) * BLOCKS + slot;
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let job = jobs[min(index, params.jobs - 1u)];
    let base = slot * 36u;
    if live {
        for (var k = lane; k < 8u; k += LANES) {
            let v = body[unit * 8u + k];
            rows[base + 4u * k] = v.x;
            rows[base + 4u * k + 1u] = v.y;
            rows[base + 4u * k + 2u] = v.z;
            rows[base + 4u * k + 3u] = v.w;
        }
    }
    for (var k = lane; k < 4u; k += LANES) { rows[base + 32u + k] = 0u; }
    workgroupBarrier();
    if !live { return; }
    let h = read_header(base);
    let good = statuses[index] == 0u;
    for (var i = lane; i < h.triangles; i += LANES) {
        // A good block has no payload that is wrong, and reads of another one stay in its row.
        let word = select(0u, payload(base, h, i), good);
        geometry_ids[job.z + i] = word >> 1u;
        opaque[job.z + i] = word & 1u;
        primitive_ids[job.z + i] = select(0u, primitive_id(base, i), good);
    }
    if lane == 0u { user_words[index] = select(0u, user_word(base), good); }
}
