// Schedule: the last query of every row, plus 1; 0 where there is none.
// A list in several parts: `before` queries came first.

struct Params {
    zero: u32,
    count: u32,
    rows: u32,
    groups: u32,
    before: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> inverse: array<atomic<u32>>;

@compute @workgroup_size(64)
fn invert_rows(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let row = rows[i];
        if (row.y == 0u && row.x < params.rows) {
            atomicMax(&inverse[row.x], params.before + i + 1u);
        }
    }
}
