// Schedule: what the predictor chain of MD1 and STRIDE leaves for dequantization: columns of codes, a job each. Needs decode_job, and a module with `counts_of`.

@group(0) @binding(2) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> statuses: array<u32>;
// A row a place of the walk, for COLUMNS meshlets at a time: the codes of x and y, half a word each, and of z.
@group(0) @binding(4) var<storage, read_write> codes: array<vec2<u32>>;

const COLUMNS = 32u;

// The code of a column at place 0; those of later places follow COLUMNS apart.
fn first_code(column: u32) -> u32 {
    return (column / COLUMNS) * params.capacity * COLUMNS + column % COLUMNS;
}
