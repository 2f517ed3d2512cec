// Schedule: the children of level `level` in order, each with the mask of its own children unless it belongs to the last level.
// Workgroups walk tiles; GROUP cells at a time are listed child by child in workgroup memory, so that lanes share the work evenly.

@group(0) @binding(6) var<storage, read> bases: array<vec4<u32>>;

// The lane of the parent, and the child's place in it from bit 16 on.
var<workgroup> children: array<u32, 8u * GROUP>;
var<workgroup> parents: array<vec2<u32>, GROUP>;

@compute @workgroup_size(GROUP)
fn octree_expand(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let level = params.level;
    // [1] Nothing is written when the children exceed the capacity.
    let fits = counts[level + 1u] <= params.capacity;
    let n = broadcast(select(0u, cell_count(level), fits), local);
    let cells = tile_cells(level);
    let tiles = (n + cells - 1u) / cells;
    for (var tile = group.x; tile < tiles; tile += groups.x) {
        var written = bases[tile / 4u][tile % 4u];
        let end = min(n, (tile + 1u) * cells);
        var i = tile * cells + local;
        var next = vec2<u32>(0u);
        if i < end {
            next = load_cell(level, i);
        }
        for (var first = tile * cells; first < end; first += GROUP) {
            // [2] The next cells are loaded before this work.
            let cell = next;
            i += GROUP;
            next = vec2<u32>(0u);
            if i < end {
                next = load_cell(level, i);
            }
            // [3] The list of the children.
            let mask = cell.y >> 16u;
            let scan = group_exclusive(countOneBits(mask), local);
            parents[local] = doubled(cell);
            var at = scan.exclusive;
            for (var q = 0u; q < 8u; q++) {
                if (mask & (1u << q)) != 0u {
                    children[at] = local | (q << 16u);
                    at += 1u;
                }
            }
            workgroupBarrier();
            // [4] A lane a child.
            for (var listed = 0u; listed < scan.total; listed += GROUP) {
                let j = listed + local;
                var count = 0u;
                if j < scan.total {
                    let entry = children[j];
                    let made = child(parents[entry & 0xffffu], entry >> 16u);
                    var kept = 0u;
                    if level + 1u < params.last {
                        kept = mask_of(made, level + 1u);
                    }
                    store_cell(level + 1u, written + j, vec2<u32>(made.x, made.y | (kept << 16u)));
                    count = countOneBits(kept);
                }
                if level + 1u < params.last {
                    add_to_tile(level + 1u, written + j, count, local);
                }
            }
            written += scan.total;
        }
    }
}
