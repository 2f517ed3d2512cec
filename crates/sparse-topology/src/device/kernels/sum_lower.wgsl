// Schedule: set bits of the lower nodes of every group.

@group(0) @binding(1) var<storage, read> status: array<u32>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(GROUP)
fn sum_lower(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = 128u * min(status[0], params.lower_capacity);
    let span = lower_span(count);
    let first = group.x * span;
    var bits = 0u;
    for (var i = first + local; i < min(first + span, count); i += GROUP) {
        bits += countOneBits(marks[params.lower_at + i]);
    }
    let scan = group_exclusive(bits, local);
    if (local == 0u) {
        marks[params.sums_at + group.x] = scan.total;
    }
}
