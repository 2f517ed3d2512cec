// One MD1 meshlet: twin of md1_meshlet.rs. docs/formats/md1.md is normative. Needs md1_block.

const HEAD_BITS = 96u;
const MAX_RICE = 15u;
const MAX_WIDTH = 18u;

struct Head {
    status: u32,
    distance_unary: u32,
    distance_rice: u32,
    delta_width: vec3<u32>,
    is_fixed: vec3<u32>,
    parameter: vec3<u32>,
    unary: vec3<u32>,
    anchor: vec3<u32>,
    end: u32,
}

// The caller has checked the length. Checks in reverse order, so that the first that fails gives the status.
fn read_head(block: Block, bits: vec3<u32>) -> Head {
    // [1]
    var head: Head;
    let first = window(block, 0u);
    head.distance_unary = first & 0x3fffu;
    head.distance_rice = (first >> 14u) & 15u;
    head.end = HEAD_BITS + bits.x + bits.y + bits.z;
    var anchor_at = head.end;
    for (var k = 0u; k < 3u; k++) {
        let axis = 2u - k;
        let coding = window(block, 18u + 26u * axis);
        let delta_width = coding & 31u;
        let is_fixed = (coding >> 5u) & 1u;
        let parameter = (coding >> 6u) & 31u;
        head.delta_width[axis] = delta_width;
        head.is_fixed[axis] = is_fixed;
        head.parameter[axis] = parameter;
        head.unary[axis] = (coding >> 11u) & 0x3fffu;
        anchor_at -= bits[axis];
        head.anchor[axis] = field(block, anchor_at, bits[axis]);
        head.status = select(head.status, STATUS_RESERVED, ((coding >> 25u) & 1u) != 0u);
        head.status = select(head.status, STATUS_PARAMETER, parameter > select(MAX_RICE, MAX_WIDTH, is_fixed == 1u));
        head.status = select(head.status, STATUS_PARAMETER, delta_width > MAX_WIDTH);
    }
    return head;
}

fn restarts_are_listed(count: u32, restarts: u32) -> bool {
    return 8u * (restarts - 1u) < count;
}

// `zeros`: the run of zeros before the one of a code, `low`: its k low bits.
fn rice_value(zeros: u32, k: u32, low: u32) -> u32 {
    // [2]
    return (zeros << k) | low;
}

// `used`: first uses before the entry.
fn entry_vertex(first: u32, used: u32, distance: u32) -> u32 {
    // [3]
    return select(used - 1u - distance, used, first == 1u);
}

// The last triangle at or before this one whose bit is set: `bits` of its word, `before` the last one in the words before.
fn last_set(bits: u32, before: u32, triangle: u32) -> u32 {
    // [4]
    let here = bits & (0xffffffffu >> (31u - (triangle & 31u)));
    return select((triangle & 0xffffffe0u) + firstLeadingBit(here | 1u), before, here == 0u);
}

// `bits`: restarts of the triangle's word, `before`: restarts in the words before.
fn restarts_up_to(bits: u32, before: u32, triangle: u32) -> u32 {
    return before + countOneBits(bits & (0xffffffffu >> (31u - (triangle & 31u))));
}

// The entries of corners 0 and 1 of the triangle before this one, then this one's newest. `first`, `second`: the last triangles before this one at which corners 0 and 1
// changed; `first_restarts`: whether the first of them is a restart; `restarts`: up to this one. Of no meaning but for the newest when this one is a restart.
fn corner_entries(triangle: u32, first: u32, second: u32, first_restarts: u32, restarts: u32) -> vec3<u32> {
    // [5]
    let shift = 2u * restarts;
    return vec3<u32>(first + shift - 1u - first_restarts, second + shift - 1u, triangle + shift);
}

// The entries of the corners, and of the vertex opposite to the edge that they share with the triangle before.
fn next_corners(before: vec3<u32>, edge: bool, begins: bool) -> vec4<u32> {
    // [6]
    let a = select(select(before.z - 1u, before.x, edge), before.z - 2u, begins);
    let b = select(before.y, before.z - 1u, edge || begins);
    return vec4<u32>(a, b, before.z, select(before.x, before.y, edge));
}
