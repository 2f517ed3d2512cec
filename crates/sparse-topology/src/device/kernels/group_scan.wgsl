// Schedule: the exclusive sum over the invocations of a workgroup, and the total.
// Constants: GROUP is the workgroup size.

struct GroupScan {
    exclusive: u32,
    total: u32,
}

var<workgroup> group_sums: array<u32, 2u * GROUP>;

fn group_exclusive(value: u32, local: u32) -> GroupScan {
    workgroupBarrier();
    group_sums[local] = value;
    var inclusive = value;
    var half = 0u;
    // A step quadruples the number of values that a sum covers.
    for (var reach = 1u; reach < GROUP; reach = 4u * reach) {
        workgroupBarrier();
        for (var k = 1u; k < 4u; k++) {
            if (local >= k * reach) {
                inclusive += group_sums[half + local - k * reach];
            }
        }
        half = GROUP - half;
        group_sums[half + local] = inclusive;
    }
    workgroupBarrier();
    return GroupScan(inclusive - value, group_sums[half + GROUP - 1u]);
}
