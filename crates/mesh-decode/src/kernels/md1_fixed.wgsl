// One MD1 meshlet of mode 2: twin of md1_fixed.rs. docs/formats/md1.md is normative. Needs md1_meshlet.

const FIXED_HEAD_BITS = 34u;
const MAX_DISTANCE_WIDTH = 8u;

// The caller checks the length. Widths of distances, deltas and residuals stand where those of mode 0 do.
fn read_fixed_head(block: Block, bits: vec3<u32>) -> Head {
    // [1]
    var head: Head;
    let low = window(block, 0u);
    let high = window(block, 24u);
    let anchor_at = vec3<u32>(FIXED_HEAD_BITS, FIXED_HEAD_BITS + bits.x, FIXED_HEAD_BITS + bits.x + bits.y);
    head.end = anchor_at.z + bits.z;
    head.distance_rice = low & 15u;
    head.delta_width = vec3<u32>(low >> 4u, low >> 9u, low >> 14u) & vec3<u32>(31u);
    head.is_fixed = vec3<u32>(1u);
    head.parameter = vec3<u32>(low >> 19u, high, high >> 5u) & vec3<u32>(31u);
    head.anchor = vec3<u32>(field(block, anchor_at.x, bits.x), field(block, anchor_at.y, bits.y), field(block, anchor_at.z, bits.z));
    let widest = max(head.delta_width, head.parameter);
    head.status = select(0u, STATUS_PARAMETER, head.distance_rice > MAX_DISTANCE_WIDTH || max(max(widest.x, widest.y), widest.z) > MAX_WIDTH);
    return head;
}
