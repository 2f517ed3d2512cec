// Schedule: DGF1 blocks, LANES lanes a block, 64 lanes a workgroup. Each lane reads the whole header and the masks of its block
// from workgroup memory; entries, vertices and triangles are dealt out. Needs decode_job, dgf_block, dgf_topology.

@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> vertices: array<Vertex>;
@group(0) @binding(4) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> statuses: array<u32>;

const LANES = 64u / BLOCKS;
// 128 entries and a few words, so that the blocks of a subgroup fall into different banks.
const TABLE = 136u;

// The vertex of each index entry, counted in the output.
var<workgroup> table: array<u32, BLOCKS * TABLE>;
// Not 0: an index of the block is wrong.
var<workgroup> bad_index: array<atomic<u32>, BLOCKS>;

fn read_entries(base: u32, first: u32, h: Header, t: Topology, lane: u32, add: u32) -> bool {
    var bad = false;
    for (var e = lane; e < min(t.entries, 32u); e += LANES) {
        let vertex = entry_vertex(base, h, t.first_use.x, 0u, e);
        bad = bad || vertex == 0xffffffffu;
        table[first + e] = vertex + add;
    }
    let p1 = countOneBits(t.first_use.x);
    for (var e = 32u + lane; e < min(t.entries, 64u); e += LANES) {
        let vertex = entry_vertex(base, h, t.first_use.y, p1, e);
        bad = bad || vertex == 0xffffffffu;
        table[first + e] = vertex + add;
    }
    if t.entries > 64u {
        let p2 = p1 + countOneBits(t.first_use.y);
        let p3 = p2 + countOneBits(t.first_use.z);
        for (var e = 64u + lane; e < min(t.entries, MAX_ENTRIES); e += LANES) {
            let late = e >= 96u;
            let vertex = entry_vertex(base, h, select(t.first_use.z, t.first_use.w, late), select(p2, p3, late), e);
            bad = bad || vertex == 0xffffffffu;
            table[first + e] = vertex + add;
        }
    }
    return bad;
}

fn write_vertex(base: u32, place: u32, h: Header, vertex: u32, wide: bool) {
    let offsets = grid_offsets(base, h, vertex, wide);
    if GRID {
        let grid = bitcast<vec3<u32>>(h.anchor) + offsets;
        vertices[place] = Vertex(grid.x, grid.y, grid.z);
    } else {
        let bias = vec3<f32>(h.anchor) - vec3<f32>(8388608.0);
        let p = bitcast<vec3<u32>>(position(offsets, bias, bitcast<f32>(h.exponent << 23u)));
        vertices[place] = Vertex(p.x, p.y, p.z);
    }
}

// Whether header and sections are right, in few steps; what is wrong is found out by the checks themselves.
fn looks_good(base: u32, h: Header, t: Topology, used: u32) -> bool {
    let width = h.widths.x + h.widths.y + h.widths.z;
    let fixed = (rows[base] ^ 6u) & 255u;
    let zero_bits = fixed | (rows[base + 4u] & 0xc0000000u) | (rows[base + 3u] & 0x70u) | (width & 3u) | t.illegal | (used ^ h.vertices);
    let index_bits = (t.entries - used) * h.index_bits;
    let end = h.index_start + index_bits + 2u * h.triangles + t.entries;
    let sections = h.index_start - h.vertex_start <= MAX_VERTEX_PALETTE_BITS && index_bits <= MAX_INDEX_BITS && end <= 1029u;
    return zero_bits == 0u && h.exponent - 1u < 232u && h.vertices >= 3u && t.entries <= MAX_ENTRIES && sections;
}

fn write_triangle(first: u32, corners: vec3<u32>, place: u32) {
    triangles[place] = Triangle(table[first + corners.x], table[first + corners.y], table[first + corners.z]);
}

@compute @workgroup_size(64)
fn decode_dgf(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let slot = local / LANES;
    let lane = local % LANES;
    // There is one layer of groups: four blocks each.
    let index = (workgroup.y * params.groups_x + workgroup.x) * BLOCKS + slot;
    let unit = unit_of(index);
    let live = index < params.jobs && unit != NO_UNIT;
    let job = jobs[min(index, params.jobs - 1u)];
    let base = slot * 36u;
    let first = slot * TABLE;
    if live {
        // A whole block is one line of 128 bytes.
        for (var k = lane; k < 8u; k += LANES) {
            let v = body[unit * 8u + k];
            rows[base + 4u * k] = v.x;
            rows[base + 4u * k + 1u] = v.y;
            rows[base + 4u * k + 2u] = v.z;
            rows[base + 4u * k + 3u] = v.w;
        }
    }
    if lane == 0u { atomicStore(&bad_index[slot], 0u); }
    workgroupBarrier();
    for (var k = lane; k < 4u; k += LANES) { rows[base + 32u + k] = unshuffle(reverseBits(rows[base + 31u - k])); }
    let h = read_header(base);
    workgroupBarrier();
    var t = read_masks(base, h.triangles);
    t.first_use = read_first_uses(base, h.triangles, t.entries);
    let used = count_first_uses(t);
    let good = live && looks_good(base, h, t, used);
    if good {
        var bad = read_entries(base, first, h, t, lane, job.w);
        if h.palette {
            for (var i = lane; i < h.triangles; i += LANES) { bad = bad || payload(base, h, i) == 0xffffffffu; }
        }
        if bad { atomicOr(&bad_index[slot], 1u); }
        if h.widths.x + h.widths.y + h.widths.z <= 32u {
            for (var i = lane; i < h.vertices; i += LANES) { write_vertex(base, job.y + i, h, i, false); }
        } else {
            for (var i = lane; i < h.vertices; i += LANES) { write_vertex(base, job.y + i, h, i, true); }
        }
    }
    workgroupBarrier();
    if !live { return; }
    var status = 0u;
    if good && atomicLoad(&bad_index[slot]) == 0u {
        for (var i = lane; i < min(h.triangles, 32u); i += LANES) {
            write_triangle(first, corner_entries(t, i, false), job.z + i);
        }
        for (var i = 32u + lane; i < h.triangles; i += LANES) {
            write_triangle(first, corner_entries(t, i, true), job.z + i);
        }
    } else {
        // The ranges of a damaged block are zeros. What a lane wrote above it overwrites itself.
        let topology_status = select(check_topology(h, t, used), STATUS_INDEX, good);
        let header_status = check_header(base, h);
        status = select(header_status, topology_status, header_status == 0u);
        for (var i = lane; i < h.vertices; i += LANES) { vertices[job.y + i] = Vertex(0u, 0u, 0u); }
        for (var i = lane; i < h.triangles; i += LANES) { triangles[job.z + i] = Triangle(0u, 0u, 0u); }
    }
    if lane == 0u { statuses[index] = status; }
}
