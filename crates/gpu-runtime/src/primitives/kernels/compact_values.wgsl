// What compaction keeps: the words of `values`.

@group(0) @binding(5) var<storage, read> values: array<vec4<u32>>;

fn given_quad(quad: u32) -> vec4<u32> {
    // [1] Four values.
    return values[quad];
}
