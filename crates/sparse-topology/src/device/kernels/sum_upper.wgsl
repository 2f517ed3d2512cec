// Schedule: set bits of every tile, for batches of many tiles.

@group(0) @binding(1) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(GROUP)
fn sum_upper(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var bits = 0u;
    for (var i = local; i < 1024u; i += GROUP) {
        bits += countOneBits(marks[group.x * 1024u + i]);
    }
    let scan = group_exclusive(bits, local);
    if (local == 0u) {
        marks[params.sums_at + group.x] = scan.total;
    }
}
