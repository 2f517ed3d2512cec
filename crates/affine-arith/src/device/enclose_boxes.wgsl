// Schedule: an expression over boxes, an invocation a box. The module of the expression gives enclose_box(i), which reads and writes.

struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> boxes: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> results: array<f32>;

@compute @workgroup_size(64)
fn enclose_boxes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.count {
        enclose_box(i);
    }
}
