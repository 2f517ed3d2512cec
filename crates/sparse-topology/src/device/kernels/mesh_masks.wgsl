// Schedule: every task sets its voxels in the masks of their leaves: the leaves with a voxel in turn, a column along z an invocation.

@group(0) @binding(5) var<storage, read> tree_upper: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> tree_lower: array<vec2<u32>>;

// Leaves with a voxel, a bit each.
var<workgroup> leaves: array<atomic<u32>, 2>;
var<workgroup> starts: array<vec4<u32>, WINDOWS>;
// Of the planes across x, y and z: the cells that no window leaves out, a bit each, the axis that comes first highest.
var<workgroup> cells: array<atomic<u32>, 6>;
var<workgroup> voxels: array<atomic<u32>, 16>;
var<workgroup> found: array<u32, 2>;

fn clear(local: u32) {
    if (local < 6u) {
        atomicStore(&cells[local], 0u);
    }
    if (local < 16u) {
        atomicStore(&voxels[local], 0u);
    }
}

// The leaf at `place` of the block.
fn leaf_voxels(task: u32, place: u32, local: u32) {
    let leaf = leaf_of_task(task, place);
    workgroupBarrier();
    clear(local);
    if (local < WINDOWS) {
        starts[local] = window_start(windows[local], leaf_position(task, leaf));
    }
    workgroupBarrier();
    let first = local >> 3u;
    let second = local & 7u;
    for (var across = 0u; across < 3u; across++) {
        var held = true;
        for (var w = across; w < 12u && held; w += 3u) {
            held = window_holds_cell(windows[w], starts[w], across, first, second);
        }
        if (held) {
            atomicOr(&cells[2u * across + (local >> 5u)], 1u << (local & 31u));
        }
    }
    workgroupBarrier();
    // The column at x = first, y = second.
    let shift = 8u * (first & 3u);
    let row_shift = 8u * (second & 3u);
    var column = window_column(windows[12], starts[12], first, second);
    column &= (atomicLoad(&cells[second >> 2u]) >> row_shift) & (atomicLoad(&cells[2u + (first >> 2u)]) >> shift) & 255u;
    column *= (atomicLoad(&cells[4u + (local >> 5u)]) >> (local & 31u)) & 1u;
    if (column != 0u) {
        atomicOr(&voxels[local >> 2u], column << row_shift);
    }
    workgroupBarrier();
    if (local < 16u) {
        let word = atomicLoad(&voxels[local]);
        let to = find_leaf(tasks[3u * task + 1u], slots_of_leaf(leaf), params.lower_capacity, params.leaf_capacity);
        if (word != 0u && to < params.leaf_capacity) {
            atomicOr(&marks[16u * to + local], word);
        }
    }
}

@compute @workgroup_size(64)
fn mesh_masks(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    for (var task = group.x; task < params.count; task += params.groups) {
        let meets = leaf_is_met(task, local);
        if (local < 2u) {
            atomicStore(&leaves[local], 0u);
        }
        workgroupBarrier();
        if (meets) {
            atomicOr(&leaves[local >> 5u], 1u << (local & 31u));
        }
        workgroupBarrier();
        if (local < 2u) {
            found[local] = atomicLoad(&leaves[local]);
        }
        let low = workgroupUniformLoad(&found[0]);
        let high = workgroupUniformLoad(&found[1]);
        let count = countOneBits(low) + countOneBits(high);
        var rest = vec2<u32>(low, high);
        for (var i = 0u; i < count; i++) {
            let place = select(32u + firstTrailingBit(rest.y), firstTrailingBit(rest.x), rest.x != 0u);
            leaf_voxels(task, place, local);
            if (rest.x != 0u) {
                rest.x &= rest.x - 1u;
            } else {
                rest.y &= rest.y - 1u;
            }
        }
    }
}
