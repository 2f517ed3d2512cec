// Schedule: first rows from the numbers of voxels that gather_leaves left, 64 bits; the last group the number of voxels.

struct Params {
    zero: u32,
    list_capacity: u32,
    groups: u32,
    pad: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> list_rows: array<u32>;
@group(0) @binding(2) var<storage, read_write> status: array<u32>;

const LEAVES: u32 = 16u;

var<workgroup> leaves: u32;
var<workgroup> lows: array<u32, GROUP>;
var<workgroup> highs: array<u32, GROUP>;

// The sum of the groups before, 64 bits.
fn rows_before(group: u32, local: u32) -> vec2<u32> {
    var sum = vec2<u32>(0u);
    for (var i = local; i < group; i += GROUP) {
        sum = add_carry(sum, vec2<u32>(list_rows[2u * (params.list_capacity + 1u) + i], 0u));
    }
    lows[local] = sum.x;
    highs[local] = sum.y;
    workgroupBarrier();
    for (var reach = GROUP / 2u; reach > 0u; reach = reach >> 1u) {
        if (local < reach) {
            let joined = add_carry(vec2<u32>(lows[local], highs[local]), vec2<u32>(lows[local + reach], highs[local + reach]));
            lows[local] = joined.x;
            highs[local] = joined.y;
        }
        workgroupBarrier();
    }
    return vec2<u32>(lows[0], highs[0]);
}

fn add_carry(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

@compute @workgroup_size(GROUP)
fn leaf_rows(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (local == 0u) {
        leaves = status[1];
    }
    let count = min(workgroupUniformLoad(&leaves), params.list_capacity);
    let rounds = (count + LEAVES - 1u) / LEAVES;
    let span = ((rounds + params.groups - 1u) / params.groups) * LEAVES;
    let first = group.x * span;
    let end = min(first + span, count);
    var row = rows_before(group.x, local);
    for (var base = first; base < end; base += GROUP) {
        let leaf = base + local;
        var bits = 0u;
        if (leaf < end) {
            bits = list_rows[2u * leaf];
        }
        let scan = group_exclusive(bits, local);
        if (leaf < end) {
            let here = add_carry(row, vec2<u32>(scan.exclusive, 0u));
            list_rows[2u * leaf] = here.x;
            list_rows[2u * leaf + 1u] = here.y;
        }
        row = add_carry(row, vec2<u32>(scan.total, 0u));
    }
    if (group.x + 1u == params.groups && local == 0u) {
        status[2] = row.x;
        status[3] = row.y;
        list_rows[2u * count] = row.x;
        list_rows[2u * count + 1u] = row.y;
    }
}
