// What compaction keeps: the indices of the flags themselves.

fn given_quad(quad: u32) -> vec4<u32> {
    // [1] Four indices.
    return vec4<u32>(params.first_index + 4u * quad) + vec4<u32>(0u, 1u, 2u, 3u);
}
