// Schedule: the value of the query that every row was given; `missing` where it was given none.

struct Params {
    zero: u32,
    rows: u32,
    missing: u32,
    groups: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inverse: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<storage, read_write> row_values: array<u32>;

@compute @workgroup_size(64)
fn gather_row_values(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var row = id.x; row < params.rows; row += params.groups * 64u) {
        let query = inverse[row];
        var value = params.missing;
        if (query != 0u) {
            value = values[query - 1u];
        }
        row_values[row] = value;
    }
}
