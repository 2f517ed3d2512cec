// One MD1 meshlet of mode 2: twin of md1_fixed.rs. docs/formats/md1.md is normative. Needs md1_fixed_state, predictor.

const FIXED_HEAD_BITS = 34u;
const MAX_DISTANCE_WIDTH = 8u;

struct FixedHead {
    status: u32,
    distance_width: u32,
    deltas: vec3<u32>,
    residuals: vec3<u32>,
    anchor: vec3<u32>,
    end: u32,
}

// The caller checks the length.
fn read_fixed_head(block: Block, bits: vec3<u32>) -> FixedHead {
    // [1]
    var head: FixedHead;
    let low = window(block, 0u);
    let high = window(block, 24u);
    let anchor_at = vec3<u32>(FIXED_HEAD_BITS, FIXED_HEAD_BITS + bits.x, FIXED_HEAD_BITS + bits.x + bits.y);
    head.end = anchor_at.z + bits.z;
    head.distance_width = low & 15u;
    head.deltas = vec3<u32>(low >> 4u, low >> 9u, low >> 14u) & vec3<u32>(31u);
    head.residuals = vec3<u32>(low >> 19u, high, high >> 5u) & vec3<u32>(31u);
    head.anchor = vec3<u32>(field(block, anchor_at.x, bits.x), field(block, anchor_at.y, bits.y), field(block, anchor_at.z, bits.z));
    let widest = max(head.deltas, head.residuals);
    head.status = select(0u, STATUS_PARAMETER, head.distance_width > MAX_DISTANCE_WIDTH || max(max(widest.x, widest.y), widest.z) > MAX_WIDTH);
    return head;
}

// The values of the three axes of a record that begins at the lowest of 64 bits; widths up to 18.
fn split_record(low: u32, high: u32, widths: vec3<u32>) -> vec3<i32> {
    // [2]
    let x = low & ((1u << widths.x) - 1u);
    let low_y = (low >> widths.x) | ((high << 1u) << (31u - widths.x));
    let high_y = high >> widths.x;
    let y = low_y & ((1u << widths.y) - 1u);
    let z = ((low_y >> widths.y) | ((high_y << 1u) << (31u - widths.y))) & ((1u << widths.z) - 1u);
    return vec3<i32>(unzigzag(x), unzigzag(y), unzigzag(z));
}

// Code of a vertex on one axis: a and b are the ends of the shared edge, c the opposite vertex.
fn parallelogram_code(a: i32, b: i32, c: i32, residual: i32) -> i32 {
    // [3]
    return a + b - c + residual;
}
