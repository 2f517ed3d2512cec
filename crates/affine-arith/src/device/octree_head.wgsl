// Schedule: the first levels in one workgroup, up to the masks of level `head` (or the cells of level `last`, if that comes first).

@compute @workgroup_size(GROUP)
fn octree_head(@builtin(local_invocation_index) local: u32) {
    // [1] The box itself.
    if local == 0u {
        store_cell(0u, 0u, vec2<u32>(0u));
        counts[0] = params.alive;
    }
    storageBarrier();
    var n = params.alive;
    for (var level = 0u; level < params.last && level <= params.head; level++) {
        // [2] Masks of all cells, kept in the cells, and the number of their children.
        var kept = 0u;
        for (var first = 0u; first < n; first += GROUP) {
            let i = first + local;
            var count = 0u;
            if i < n {
                let cell = load_cell(level, i);
                let mask = mask_of(cell, level);
                store_cell(level, i, vec2<u32>(cell.x, (cell.y & 0xffffu) | (mask << 16u)));
                count = countOneBits(mask);
            }
            if level == params.head {
                add_to_tile(level, i, count, local);
            }
            kept += count;
        }
        if level == params.head {
            break;
        }
        let needed = broadcast(group_exclusive(kept, local).total, local);
        if local == 0u {
            counts[level + 1u] = needed;
        }
        if needed > params.capacity {
            break;
        }
        // [3] The children, in order.
        var before = 0u;
        for (var first = 0u; first < n; first += GROUP) {
            let i = first + local;
            var cell = vec2<u32>(0u);
            if i < n {
                cell = load_cell(level, i);
            }
            var mask = cell.y >> 16u;
            let scan = group_exclusive(countOneBits(mask), local);
            var at = before + scan.exclusive;
            before += scan.total;
            for (; mask != 0u; mask &= mask - 1u) {
                store_cell(level + 1u, at, child(doubled(cell), firstTrailingBit(mask)));
                at += 1u;
            }
        }
        n = needed;
        storageBarrier();
    }
}
