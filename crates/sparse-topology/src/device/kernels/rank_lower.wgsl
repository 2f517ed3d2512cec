// Schedule: child masks of the lower nodes with ranks, keys of the leaves; the last group their number.

@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> lower_keys: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> lower: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> leaf_keys: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> status: array<u32>;

var<workgroup> lower_nodes: u32;

@compute @workgroup_size(GROUP)
fn rank_lower(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (local == 0u) {
        lower_nodes = status[0];
    }
    let count = 128u * min(workgroupUniformLoad(&lower_nodes), params.lower_capacity);
    let span = lower_span(count);
    let first = group.x * span;
    var before = 0u;
    if ((params.summed & 2u) != 0u) {
        for (var i = local; i < group.x; i += GROUP) {
            before += marks[params.sums_at + i];
        }
    } else {
        for (var i = local; i < min(first, count); i += GROUP) {
            before += countOneBits(marks[params.lower_at + i]);
        }
    }
    var base = group_exclusive(before, local).total;
    for (var at = first; at < min(first + span, count); at += GROUP) {
        let i = at + local;
        var rest = 0u;
        if (i < count) {
            rest = marks[params.lower_at + i];
        }
        let scan = group_exclusive(countOneBits(rest), local);
        var rank = base + scan.exclusive;
        if (i < count) {
            lower[i] = vec2<u32>(rest, rank);
            let key = lower_keys[i >> 7u];
            let slots = (key.x << 12u) | ((i & 127u) << 5u);
            while (rest != 0u) {
                if (rank < params.leaf_capacity) {
                    leaf_keys[rank] = vec2<u32>(slots | firstTrailingBit(rest), key.y);
                }
                rank++;
                rest &= rest - 1u;
            }
        }
        base += scan.total;
    }
    if (group.x + 1u == params.groups && local == 0u) {
        status[1] = base;
    }
}
