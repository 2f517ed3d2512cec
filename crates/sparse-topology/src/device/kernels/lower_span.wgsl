// Schedule: how the words of all lower nodes are shared out.

// Words a group: whole rounds of GROUP.
fn lower_span(count: u32) -> u32 {
    let rounds = (count + GROUP - 1u) / GROUP;
    return ((rounds + params.groups - 1u) / params.groups) * GROUP;
}
