// The leaves that a leaf is related to along an axis: see relation_walk.rs.

struct Walk {
    first: u32,
    stride: u32,
    entry: u32,
    skip: u32,
    count: u32,
}

fn expand_walk(leaf: u32, offset: u32, step: u32, first: u32, entries: u32) -> Walk {
    // [1] y = step * leaf + d for all d, ascending
    return Walk(step * leaf + offset + first, 1u, 0u, 1u, entries);
}

fn contract_walk(leaf: u32, offset: u32, step: u32, first: u32, entries: u32) -> Walk {
    // [2] all y with leaf - step * y = d, from the least d on
    let top = offset + leaf - first;
    let y = top / step;
    let entry = top - step * y;
    let count = select(0u, (entries - entry + step - 1u) / step, entry < entries);
    return Walk(y, 0xffffffffu, entry, step, count);
}
