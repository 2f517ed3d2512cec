// Reduction over the invocations of a workgroup by the kernel's operation: subgroup reductions joined through
// workgroup memory. The same words and the same rules of use as group_reduce_shared.wgsl; what it relies on is said
// in group_scan_subgroup.wgsl. Header: GROUP, SUBGROUP, OP.

var<workgroup> group_words: array<u32, GROUP / 4u>;

fn group_lanes() -> u32 {
    if (SUBGROUP > 0u) {
        return SUBGROUP;
    }
    return subgroupAdd(1u);
}

fn subgroup_reduce(value: u32) -> u32 {
    if (OP == OP_MIN) {
        return subgroupMin(value);
    }
    if (OP == OP_MAX) {
        return subgroupMax(value);
    }
    return subgroupAdd(value);
}

fn group_reduce(value: u32, local: u32) -> u32 {
    // [1] One word a subgroup.
    let lanes = group_lanes();
    let word = subgroup_reduce(value);
    if (local % lanes == 0u) {
        group_words[local / lanes] = word;
    }
    // [2] All of them together.
    workgroupBarrier();
    var result = group_words[0];
    for (var i = 1u; i < GROUP / lanes; i++) {
        result = combine(result, group_words[i]);
    }
    // [3] The result for all.
    return result;
}
