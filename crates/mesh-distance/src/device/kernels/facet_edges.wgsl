// Schedule: for each triangle the first of the same three vertices, and for each of its half-edges the first on the same edge.
// Needs folded_grid, move_params.

@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> vertex_ranges: array<vec2<u32>>;
// The corners at each vertex, ascending.
@group(0) @binding(3) var<storage, read> vertex_corners: array<u32>;
@group(0) @binding(4) var<storage, read_write> firsts: array<u32>;
@group(0) @binding(5) var<storage, read_write> edge_halves: array<u32>;
// The most corners at a vertex.
@group(0) @binding(6) var<storage, read_write> found: array<atomic<u32>>;

fn range_size(vertex: u32) -> u32 {
    let range = vertex_ranges[vertex];
    return range.y - range.x;
}

// Longer ranges are an error that the host finds afterwards.
fn range_end(vertex: u32) -> u32 {
    let range = vertex_ranges[vertex];
    return range.x + min(range.y - range.x, params.most);
}

fn corners_of(facet: u32) -> vec3<u32> {
    return vec3<u32>(triangles[3u * facet], triangles[3u * facet + 1u], triangles[3u * facet + 2u]);
}

fn ascending(v: vec3<u32>) -> vec3<u32> {
    let lo = min(min(v.x, v.y), v.z);
    let hi = max(max(v.x, v.y), v.z);
    return vec3<u32>(lo, v.x ^ v.y ^ v.z ^ lo ^ hi, hi);
}

// Of the half-edges of a triangle the first between two vertices, or 3.
fn half_between(v: vec3<u32>, a: u32, b: u32) -> u32 {
    let from_ends = v;
    let to_ends = v.yzx;
    let along = (from_ends == vec3<u32>(a)) & (to_ends == vec3<u32>(b));
    let on = along | ((from_ends == vec3<u32>(b)) & (to_ends == vec3<u32>(a)));
    return select(select(select(3u, 2u, on.z), 1u, on.y), 0u, on.x);
}

@compute @workgroup_size(64)
fn facet_edges(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let facet = folded_index(workgroup, lane, 64u, params.groups_x);
    if facet >= params.count { return; }
    let own = corners_of(facet);
    let sorted = ascending(own);
    let sizes = vec3<u32>(range_size(own.x), range_size(own.y), range_size(own.z));
    atomicMax(&found[0], max(max(sizes.x, sizes.y), sizes.z));
    // [1] the corner of fewest triangles
    var vertex = own.x;
    if sizes.y < sizes.x { vertex = own.y; }
    if sizes.z < min(sizes.x, sizes.y) { vertex = own.z; }
    var first = facet;
    var end = range_end(vertex);
    for (var at = vertex_ranges[vertex].x; at < end; at += 1u) {
        let t = vertex_corners[at] / 3u;
        if all(ascending(corners_of(t)) == sorted) {
            first = t;
            break;
        }
    }
    firsts[facet] = first;
    // [2] the end of fewer triangles of each edge
    for (var k = 0u; k < 3u; k += 1u) {
        let a = triangles[3u * facet + k];
        let b = triangles[3u * facet + (k + 1u) % 3u];
        var half = 3u * facet + k;
        vertex = select(b, a, range_size(a) <= range_size(b));
        end = range_end(vertex);
        // An edge from a vertex to itself is its own.
        for (var at = vertex_ranges[vertex].x; at < end && a != b; at += 1u) {
            let t = vertex_corners[at] / 3u;
            let on = half_between(corners_of(t), a, b);
            if on < 3u {
                half = 3u * t + on;
                break;
            }
        }
        edge_halves[3u * facet + k] = half;
    }
}
