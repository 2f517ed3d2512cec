// Exclusive scan over the invocations of a workgroup, in workgroup memory alone.
// The kernel declares `alias GroupValue` (u32 or a vector of it); the header gives GROUP, the workgroup size.
// Every invocation calls it, in uniform control flow. It begins with a barrier, so what was read from workgroup
// memory before the call may be overwritten after it.

struct GroupScan {
    exclusive: GroupValue,
    total: GroupValue,
}

// Two halves: a step reads one and writes the other, so a step costs one barrier.
var<workgroup> group_sums: array<GroupValue, 2u * GROUP>;

fn group_exclusive(value: GroupValue, local: u32) -> GroupScan {
    // [1] Every invocation's value, behind the barrier that ends earlier use of the array.
    workgroupBarrier();
    group_sums[local] = value;
    var inclusive = value;
    var half = 0u;
    // [2] Each step quadruples the number of values a sum covers: four rounds for 256 invocations.
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
    // [3] The last invocation's inclusive sum is the total.
    workgroupBarrier();
    return GroupScan(inclusive - value, group_sums[half + GROUP - 1u]);
}
