// Schedule: sums of tiles, with subgroups. Neighbouring lanes have neighbouring positions, and a tile is longer than a subgroup.
// Header: SUBGROUP.

fn add_to_tile(level: u32, position: u32, count: u32, local: u32) {
    let tile = position / tile_cells(level);
    let first = subgroupBroadcastFirst(tile);
    let here = subgroupAdd(select(0u, count, tile == first));
    let rest = subgroupAdd(count) - here;
    let half = (level & 1u) * params.tiles;
    if local % group_lanes() == 0u {
        if here > 0u {
            atomicAdd(&sums[half + tile], here);
        }
        if rest > 0u {
            atomicAdd(&sums[half + tile + 1u], rest);
        }
    }
}
