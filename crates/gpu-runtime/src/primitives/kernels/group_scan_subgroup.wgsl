// Exclusive scan over the invocations of a workgroup: subgroup scans joined through workgroup memory.
// The same words and the same rules of use as group_scan_shared.wgsl. It relies on what the context's self-test
// checked: subgroups are full and invocation `local` is lane `local % size` of subgroup `local / size`.
// Header: GROUP, the workgroup size; SUBGROUP, the subgroup size, or 0 when the device may vary it (4 at least).

struct GroupScan {
    exclusive: GroupValue,
    total: GroupValue,
}

var<workgroup> group_sums: array<GroupValue, GROUP / 4u>;

fn group_lanes() -> u32 {
    if (SUBGROUP > 0u) {
        return SUBGROUP;
    }
    return subgroupAdd(1u);
}

fn group_exclusive(value: GroupValue, local: u32) -> GroupScan {
    // [1] Scan inside the subgroup; its last lane publishes the sum.
    let lanes = group_lanes();
    let within = subgroupExclusiveAdd(value);
    workgroupBarrier();
    if (local % lanes == lanes - 1u) {
        group_sums[local / lanes] = within + value;
    }
    // [2] Sums of the subgroups before this one, and of all.
    workgroupBarrier();
    var before = GroupValue();
    var total = GroupValue();
    for (var i = 0u; i < GROUP / lanes; i++) {
        let sum = group_sums[i];
        if (i < local / lanes) {
            before += sum;
        }
        total += sum;
    }
    // [3] Both together.
    return GroupScan(before + within, total);
}
