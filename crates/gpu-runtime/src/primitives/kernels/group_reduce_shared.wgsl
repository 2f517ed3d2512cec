// Reduction over the invocations of a workgroup by the kernel's `combine`, in workgroup memory alone.
// Every invocation calls it once, in uniform control flow; all get the result. Header: GROUP, the workgroup size.

var<workgroup> group_words: array<u32, GROUP>;

fn group_reduce(value: u32, local: u32) -> u32 {
    // [1] Every invocation's value.
    group_words[local] = value;
    workgroupBarrier();
    // [2] Halve the number of values until one is left.
    for (var half = GROUP / 2u; half > 0u; half = half / 2u) {
        if (local < half) {
            group_words[local] = combine(group_words[local], group_words[local + half]);
        }
        workgroupBarrier();
    }
    // [3] The result for all.
    return group_words[0];
}
