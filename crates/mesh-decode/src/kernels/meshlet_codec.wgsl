// One meshlet of meshoptimizer's meshlet codec: twin of meshlet_codec.rs. Needs meshlet_state.

struct Layout {
    status: u32,
    start: u32,
    bound: u32,
    controls: u32,
    codes: u32,
}

fn read_layout(start: u32, size: u32, vertex_count: u32, triangle_count: u32) -> Layout {
    // [1]
    let controls = (vertex_count + 3u) >> 2u;
    let codes = (triangle_count + 1u) >> 1u;
    let gap = 16u - min(controls + codes, 16u);
    let needed = controls + codes + gap;
    let end = start + size;
    let status = select(0u, STATUS_TRUNCATED, size < needed);
    return Layout(status, start, end - needed, end - controls - codes, end - codes);
}

// Bytes of the value k of a group with this control byte.
fn value_length(control: u32, k: u32) -> u32 {
    // [2]
    let coded = ((control >> k) & 1u) + 2u * ((control >> (k + 4u)) & 1u);
    return select(coded, 4u, control == 0xffu);
}

// What a value adds to the reference before it.
fn reference_step(value: u32) -> u32 {
    // [3]
    return ((value >> 1u) ^ (0u - (value & 1u))) + 1u;
}

// Extra bytes of a triangle with this code; the other new corners count on.
fn extra_length(code: u32) -> u32 {
    // [4]
    return select(code - 12u, code & 1u, code < 12u);
}
