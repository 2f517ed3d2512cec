// Schedule: sums of tiles, without subgroups.

fn add_to_tile(level: u32, position: u32, count: u32, local: u32) {
    if count > 0u {
        atomicAdd(&sums[(level & 1u) * params.tiles + position / tile_cells(level)], count);
    }
}
