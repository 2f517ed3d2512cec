// Schedule: the nodes of a tree whose every node but the last of a level has eight children: headers, places, unused children.
// Node 0 is the root, levels follow each other, the lowest last. Needs folded_grid, move_params.

@group(0) @binding(1) var<storage, read_write> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> boxes: array<u32>;
// As in refit_nodes.
@group(0) @binding(3) var<storage, read_write> node_infos: array<vec4<u32>>;

const NODE_VEC4 = 17u;
const BOX_WORDS = 52u;
// 2^62 and its negative.
const NOWHERE = 0x5e800000u;
const BELOW_ALL = 0xde800000u;

@compute @workgroup_size(64)
fn packed_nodes(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let node = folded_index(workgroup, lane, 64u, params.groups_x);
    if node >= params.count { return; }
    // [1] its level: what lies below a node, and how many nodes the level has
    var below = params.triangles;
    var own = (below + 7u) / 8u;
    var first = params.count - own;
    var size_log = 3u;
    loop {
        if node >= first { break; }
        below = own;
        own = (own + 7u) / 8u;
        first -= own;
        size_log += 3u;
    }
    let rank = node - first;
    let lowest = size_log == 3u;
    let children = min(8u, below - 8u * rank);
    let slot = rank << size_log;
    let header = vec4<u32>(select(first + own + 8u * rank, 0u, lowest), slot, select(children, 0u, lowest) | (children << 8u), 0u);
    nodes[node * NODE_VEC4 + 16u] = header;
    let at = node * BOX_WORDS;
    for (var k = 0u; k < 4u; k += 1u) { boxes[at + 48u + k] = header[k]; }
    // [2] unused children
    for (var child = children; child < 8u; child += 1u) {
        nodes[node * NODE_VEC4 + 2u * child] = vec4<u32>(NOWHERE, 0u, 0u, 0u);
        nodes[node * NODE_VEC4 + 2u * child + 1u] = vec4<u32>(0x3f800000u, 0u, 0u, 0u);
        for (var k = 0u; k < 3u; k += 1u) {
            boxes[at + 8u * k + child] = NOWHERE;
            boxes[at + 8u * (k + 3u) + child] = BELOW_ALL;
        }
    }
    // [3] its place in the parent, whose level lies just before
    let parents = (own + 7u) / 8u;
    let parent = first - min(first, parents) + rank / 8u;
    let slots_below = min(1u << size_log, params.triangles - slot);
    node_infos[node] = vec4<u32>(node, 8u * parent + rank % 8u, slot, slot + slots_below);
}
