// Schedule: a workgroup a tile: child mask with ranks, keys of the lower nodes; the last one their number.

@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read_write> upper: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> lower_keys: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> status: array<u32>;

fn bits_before(tile: u32, local: u32) -> u32 {
    var bits = 0u;
    if ((params.summed & 1u) != 0u) {
        for (var i = local; i < tile; i += GROUP) {
            bits += marks[params.sums_at + i];
        }
    } else {
        for (var i = local; i < tile * 1024u; i += GROUP) {
            bits += countOneBits(marks[i]);
        }
    }
    return bits;
}

@compute @workgroup_size(GROUP)
fn rank_upper(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let tile = group.x;
    let base = group_exclusive(bits_before(tile, local), local).total;
    let at = tile * 1024u + 4u * local;
    let words = vec4<u32>(marks[at], marks[at + 1u], marks[at + 2u], marks[at + 3u]);
    let scan = group_exclusive(set_bits(words), local);
    var rank = base + scan.exclusive;
    for (var w = 0u; w < 4u; w++) {
        var rest = words[w];
        upper[at + w] = vec2<u32>(rest, rank);
        while (rest != 0u) {
            if (rank < params.lower_capacity) {
                lower_keys[rank] = vec2<u32>((4u * local + w) * 32u + firstTrailingBit(rest), tile);
            }
            rank++;
            rest &= rest - 1u;
        }
    }
    if (tile + 1u == params.tiles && local == 0u) {
        status[0] = base + scan.total;
    }
}
